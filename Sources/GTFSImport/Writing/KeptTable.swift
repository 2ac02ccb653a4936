// Unsafe: records are made from texts where the reading stage left them, and held while the next one is read.

import Cells
import KeySorting
import SQLite
import SQLitePages

/// One table of kept values, rows or cells: its records, sorted by the number of a file or table and then by row.
///
/// Nearly all come in the order of their rows. Those wait packed, and become records when they are written: with two
/// cells beyond the header in each row, that takes a quarter of the bytes of the records. The rest are sorted as
/// records.
final class KeptTable {
    /// What a column of the table holds.
    enum Column {
        /// The number of a file or table.
        case group
        case row
        /// A sequence or a position.
        case number
        /// The number of a column or a reason.
        case name
        /// A text of the feed.
        case text
    }

    /// The records of one file or table.
    final class Group {
        let name: String
        /// The name's number. Groups are sorted by it.
        let number: Int64
        /// Whether these are values of a clustered table. Its rows are ordered by parent and sequence, so `Key.row` is
        /// the parent, and all kept values of a row have its sequence as their rank.
        let isClustered: Bool
        let run: TextRun
        /// The same run, which is not retained for each text.
        private let unretainedRun: Unmanaged<TextRun>
        /// Records that did not come in order, such as those of latecomers and of a clustered row's further columns.
        let sorter: RecordSorter

        init(_ name: String, _ number: Int, isClustered: Bool, _ spill: SharedSpill) {
            self.name = name
            self.number = Int64(number)
            self.isClustered = isClustered
            run = TextRun(sharing: spill)
            unretainedRun = .passUnretained(run)
            sorter = RecordSorter(sharing: spill)
        }

        /// False when the text does not come in order, or may turn out to be of a row that is not stored.
        func append(_ text: UnsafeRawBufferPointer, _ key: Key) throws -> Bool {
            guard key.latecomer == 0 else { return false }
            let (row, name) = (UInt32(clamping: key.row), UInt32(clamping: key.nameNumber))
            return try unretainedRun._withUnsafeGuaranteedRef {
                try $0.append(text, row: row, rank: key.rank, word: name)
            }
        }

        /// The same for texts that the reading stage has packed.
        func append(_ texts: PackedTexts) throws(KeySortingError) -> Bool { try run.append(texts) }
    }

    let name: String
    /// Numbers of the names of groups.
    private let names: KeptNames
    private var spill: SharedSpill
    private var groups: [Int: Group] = [:]
    private var last: Group?
    // Unchecked: no access lasts beyond a call of the table's own functions.
    @exclusivity(unchecked) private var encoder: RecordEncoder
    private let tags: [UInt8]
    @exclusivity(unchecked) private var payloads: [Int64]
    /// The columns of a sequence or position and of a name, -1 where the table has none.
    private let (numberColumn, nameColumn): (Int, Int)

    init(_ name: String, columns: [Column], of names: KeptNames, in space: SortingSpace) {
        self.name = name
        self.names = names
        spill = SharedSpill(in: space)
        encoder = RecordEncoder(columns: columns.count)
        tags = columns.map { $0 == .text ? CellTag.text : CellTag.integer }
        payloads = [Int64](repeating: 0, count: columns.count)
        nameColumn = columns.firstIndex(of: .name) ?? -1
        numberColumn = columns.firstIndex(of: .number) ?? -1
    }

    var isEmpty: Bool { groups.isEmpty }

    func group(_ name: String, isClustered: Bool = false) -> Group {
        let number = names.number(of: name)
        if let last, last.number == number { return last }
        let group = groups[number] ?? Group(name, number, isClustered: isClustered, spill)
        groups[number] = group
        last = group
        return group
    }

    // MARK: Adding

    /// What a record has beside its text.
    struct Key {
        var row: Int64
        /// A sequence or a position, where the table has one.
        var number: Int64 = 0
        /// The number of a column or a reason, where the table has one.
        var nameNumber = 0
        /// The place among the records of the same row.
        var rank: Int64
        /// The row's number if it came late, or 0.
        var latecomer: UInt32 = 0
    }

    func add(_ text: UnsafeRawBufferPointer, _ key: Key, to group: Group) throws {
        if try group.append(text, key) { return }
        try group.sorter.append(
            encode(text, key, of: group), parent: UInt32(clamping: key.row), sequence: key.rank, number: key.latecomer)
    }

    /// The record, valid until the next one is made.
    private func encode(_ text: UnsafeRawBufferPointer, _ key: Key, of group: Group) -> UnsafeRawBufferPointer {
        payloads[0] = group.number
        payloads[1] = key.row
        if numberColumn >= 0 { payloads[numberColumn] = key.number }
        if nameColumn >= 0 { payloads[nameColumn] = Int64(key.nameNumber) }
        payloads[payloads.count - 1] = CellText.payload(offset: 0, count: text.count)
        guard let start = text.baseAddress else {
            return encoder.encode(tags: tags, payloads: payloads, text: tags, otherText: tags)
        }
        return encoder.encode(tags: tags, payloads: payloads, text: start, otherText: start)
    }

    /// Frees the memory that adding to the last group took. That of the other groups is free already.
    func releaseBuffers() throws(KeySortingError) {
        try last?.run.releaseBuffers()
        try last?.sorter.releaseBuffers()
    }

    // MARK: Storing

    /// Writes the records, group by group in the order of their numbers, without those of the rows to be left out.
    func write(
        to tree: IndexTreeWriter, leavingOut rows: [String: LateDuplicates], _ place: StorePlace
    ) throws {
        last = nil
        for number in groups.keys.sorted() {
            guard let group = groups.removeValue(forKey: number) else { continue }
            try write(group, to: tree, leavingOut: rows[group.name], place)
        }
        // Closes the temporary file, whose room the next table may need.
        spill = SharedSpill(in: spill.space)
    }

    /// Writes the records of a group. Their keys must be unique: the index of kept values has an entry for each record.
    private func write(
        _ group: Group, to tree: IndexTreeWriter, leavingOut rows: LateDuplicates?, _ place: StorePlace
    ) throws {
        var key: (row: UInt32, rank: Int64)?
        var interval = CheckInterval()
        var late = try group.sorter.next()
        if late == nil { return try write(group.run, of: group, to: tree, place) }
        var early = try group.run.next()
        func add(_ record: UnsafeRawBufferPointer, _ row: UInt32, _ rank: Int64) throws {
            if interval.isOver() {
                Failpoint.reach("kept-records")
                try place.check()
            }
            if !group.isClustered, let key, key == (row, rank) {
                throw ImportError(.bug, at: place.path, ": \(name) has two records for row \(row) of \(group.name)")
            }
            key = (row, rank)
            try tree.append(record)
        }
        while true {
            if let entry = early, late.map({ (entry.row, Int64(entry.rank)) <= ($0.parent, $0.sequence) }) ?? true {
                try add(encode(entry, of: group), entry.row, Int64(entry.rank))
                early = try group.run.next()
            } else if let row = late {
                if row.number == 0 || rows?.contains(Int(row.number)) != true {
                    try add(row.record, row.parent, row.sequence)
                }
                late = try group.sorter.next()
            } else {
                break
            }
        }
    }

    /// Writes the records of a group without late ones, in which each key occurs once.
    private func write(_ run: TextRun, of group: Group, to tree: IndexTreeWriter, _ place: StorePlace) throws {
        var record = ShortRecord(columns: tags.count)
        record.add(group.number)
        record.keepBeginning()
        var interval = CheckInterval()
        while let entry = try run.next() {
            if interval.isOver() {
                Failpoint.reach("kept-records")
                try place.check()
            }
            guard entry.text.count <= ShortRecord.longestText else {
                try tree.append(encode(entry, of: group))
                continue
            }
            record.begin()
            record.add(Int64(entry.row))
            if numberColumn >= 0 { record.add(number(of: entry, in: group)) }
            if nameColumn >= 0 { record.add(Int64(entry.word)) }
            record.add(entry.text)
            try tree.append(record.bytes)
        }
    }

    /// The rank is the position in a table without names, and the sequence in a clustered one. Elsewhere the number is
    /// 0.
    private func number(of entry: PackedTexts.Entry, in group: Group) -> Int64 {
        nameColumn < 0 || group.isClustered ? Int64(entry.rank) : 0
    }

    private func encode(_ entry: PackedTexts.Entry, of group: Group) -> UnsafeRawBufferPointer {
        let key = Key(
            row: Int64(entry.row), number: number(of: entry, in: group), nameNumber: Int(entry.word),
            rank: Int64(entry.rank))
        return encode(entry.text, key, of: group)
    }
}
