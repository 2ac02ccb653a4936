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
    /// A column that not all tables of kept texts have.
    enum Column {
        /// A sequence or a position.
        case number
        /// The number of a column or a reason.
        case name
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
    private let columns: [Column]
    /// Makes the late records of one group. It grows to the longest text, so there is not one for each file.
    // Unchecked: no access lasts beyond an addition.
    @exclusivity(unchecked) private var late: KeptRecordBuilder

    init(_ name: String, columns: [Column], of names: KeptNames, in space: SortingSpace) {
        self.name = name
        self.names = names
        spill = SharedSpill(in: space)
        self.columns = columns
        late = KeptRecordBuilder(columns, group: 0)
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
        if try !group.append(text, key) { try addLate(text, key, to: group) }
    }

    @inline(never)
    private func addLate(_ text: UnsafeRawBufferPointer, _ key: Key, to group: Group) throws(KeySortingError) {
        if late.group != group.number { late = KeptRecordBuilder(columns, group: group.number) }
        try group.sorter.append(
            late.make(key.row, key.number, key.nameNumber, text), parent: UInt32(clamping: key.row),
            sequence: key.rank, number: key.latecomer)
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
        var records = KeptRecordBuilder(columns, group: group.number)
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
                try add(records.make(entry, isClustered: group.isClustered), entry.row, Int64(entry.rank))
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
        var records = KeptRecordBuilder(columns, group: group.number)
        var interval = CheckInterval()
        while let entry = try run.next() {
            if interval.isOver() {
                Failpoint.reach("kept-records")
                try place.check()
            }
            try tree.append(records.make(entry, isClustered: group.isClustered))
        }
    }
}

/// Makes the records of one group: its number, a row, a number and a name where the table has them, and the text.
private struct KeptRecordBuilder: ~Copyable {
    let group: Int64
    private var record: RecordBuilder
    private let hasNumber: Bool
    private let hasName: Bool

    init(_ columns: [KeptTable.Column], group: Int64) {
        self.group = group
        record = RecordBuilder(columns: 3 + columns.count)
        record.add(group)
        record.keepBeginning()
        (hasNumber, hasName) = (columns.contains(.number), columns.contains(.name))
    }

    /// The record, valid until the next one is made.
    @inline(__always)
    mutating func make(
        _ row: Int64, _ number: Int64, _ name: Int, _ text: UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        record.begin()
        record.add(row)
        if hasNumber { record.add(number) }
        if hasName { record.add(Int64(name)) }
        record.add(text)
        return record.bytes
    }

    /// The rank is the position in a table without names, and the sequence in a clustered one. Elsewhere the number is
    /// 0.
    @inline(__always)
    mutating func make(_ entry: PackedTexts.Entry, isClustered: Bool) -> UnsafeRawBufferPointer {
        let number = !hasName || isClustered ? Int64(entry.rank) : 0
        return make(Int64(entry.row), number, Int(entry.word), entry.text)
    }
}
