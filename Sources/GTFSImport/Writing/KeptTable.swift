// Unsafe: records are made from texts where the reading stage left them, and held while the next one is read.

import KeySorting
import SQLite
import SQLitePages

/// One table of what no column takes: its records, sorted by file or table and then by row.
final class KeptTable {
    /// What a column of the table holds.
    enum Column {
        /// The file or table, a number, a word that comes again and again, or a text of the feed.
        case group, integer, name, text
    }

    /// The records of one file or table.
    final class Group {
        let name: String
        /// Where the name is among the words.
        let place: Int64
        let sorter: RecordSorter
        /// Ranks may be the same although columns differ: values of a clustered table, which come in order.
        let hasSameRanks: Bool

        init(_ name: String, at place: Int64, hasSameRanks: Bool, _ spill: SharedSpill) {
            self.name = name
            self.place = place
            self.hasSameRanks = hasSameRanks
            sorter = RecordSorter(sharing: spill)
        }
    }

    let name: String
    private let spill: SharedSpill
    private var groups: [String: Group] = [:]
    private var last: Group?
    // Unchecked: no access lasts beyond a call of the table's own functions.
    @exclusivity(unchecked) private var encoder: RecordEncoder
    private let tags: [UInt8]
    @exclusivity(unchecked) private var payloads: [Int64]
    private let columns: [Column]
    /// The names of groups and the words, each once.
    private let words = TextArena()
    private var places: [String: Int64] = [:]

    init(_ name: String, columns: [Column], _ spill: SharedSpill) {
        self.name = name
        self.spill = spill
        self.columns = columns
        encoder = RecordEncoder(columns: columns.count)
        tags = columns.map {
            switch $0 {
            case .group, .name: CellBatch.Tag.otherText
            case .integer: CellBatch.Tag.integer
            case .text: CellBatch.Tag.text
            }
        }
        payloads = [Int64](repeating: 0, count: columns.count)
    }

    var isEmpty: Bool { groups.isEmpty }

    func group(_ name: String, hasSameRanks: Bool = false) -> Group {
        if let last, last.name == name { return last }
        let group = groups[name] ?? Group(name, at: place(of: name), hasSameRanks: hasSameRanks, spill)
        groups[name] = group
        last = group
        return group
    }

    // MARK: Adding

    /// Adds a record of group, row, word and text.
    func add(_ row: Int, word: Int64, _ text: UnsafeRawBufferPointer, to group: Group) throws {
        payloads[0] = group.place
        payloads[1] = Int64(row)
        payloads[2] = word
        try add(text, UInt32(clamping: row), 0, 0, to: group)
    }

    /// Adds a record of group, row, position and text.
    func add(_ row: Int, _ position: Int64, _ text: UnsafeRawBufferPointer, to group: Group) throws {
        payloads[0] = group.place
        payloads[1] = Int64(row)
        payloads[2] = position
        try add(text, UInt32(clamping: row), position, 0, to: group)
    }

    /// Adds a record of group, row, sequence, word and text, which has this rank among those of its row.
    func add(
        _ row: Int64, _ sequence: Int64, word: Int64, _ text: UnsafeRawBufferPointer, rank: Int64, number: UInt32,
        to group: Group
    ) throws {
        payloads[0] = group.place
        payloads[1] = row
        payloads[2] = sequence
        payloads[3] = word
        try add(text, UInt32(clamping: row), rank, number, to: group)
    }

    private func add(
        _ text: UnsafeRawBufferPointer, _ row: UInt32, _ rank: Int64, _ number: UInt32, to group: Group
    ) throws {
        payloads[payloads.count - 1] = CellBuffer.textPayload(offset: 0, count: text.count)
        let words = UnsafeRawPointer(words.bytes)
        let record = encoder.encode(
            tags: tags, payloads: payloads, text: text.baseAddress ?? words, otherText: words)
        try group.sorter.append(record, parent: row, sequence: rank, number: number)
    }

    /// Where a word is among the words, which is what `add` asks for.
    func place(of word: String) -> Int64 { places[word] ?? enter(word) }

    private func enter(_ word: String) -> Int64 {
        var bytes = word
        let place = bytes.withUTF8 {
            CellBuffer.textPayload(offset: words.append(UnsafeRawBufferPointer($0)), count: $0.count)
        }
        places[word] = place
        return place
    }

    /// Frees the memory of what was added to the last group; that of the others is free.
    func rest() throws(KeySortingError) { try last?.sorter.rest() }

    // MARK: Storing

    /// Writes the records, group by group in the order of their names' bytes, without those of the rows to be left out.
    func write(
        to tree: IndexTreeWriter, leavingOut rows: [String: LateDuplicates], _ place: StorePlace
    ) throws {
        last = nil
        for name in groups.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            guard let group = groups.removeValue(forKey: name) else { continue }
            try write(group, to: tree, leavingOut: rows[name], place)
        }
    }

    /// Of two records with one key the later one counts.
    private func write(
        _ group: Group, to tree: IndexTreeWriter, leavingOut rows: LateDuplicates?, _ place: StorePlace
    ) throws {
        let held = TextArena()
        var key: (row: UInt32, rank: Int64) = (0, 0)
        var rowsUntilCheck = 0
        while let row = try group.sorter.next() {
            rowsUntilCheck -= 1
            if rowsUntilCheck < 0 {
                rowsUntilCheck = 1 << 14
                Failpoint.reach("kept-records")
                try place.check()
            }
            if row.number != 0, let rows, rows.contains(Int(row.number)) { continue }
            if held.count > 0, group.hasSameRanks || key != (row.parent, row.sequence) { try append(held, to: tree) }
            key = (row.parent, row.sequence)
            held.removeAll()
            _ = held.append(row.record)
        }
        if held.count > 0 { try append(held, to: tree) }
    }

    private func append(_ held: TextArena, to tree: IndexTreeWriter) throws(PageFileError) {
        try tree.append(UnsafeRawBufferPointer(start: held.bytes, count: held.count))
    }
}
