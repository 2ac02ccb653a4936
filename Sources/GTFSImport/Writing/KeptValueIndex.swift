// Unsafe: makes records from texts where they lie.

import KeySorting
import SQLite
import SQLitePages

/// The index of kept values by table, column and value, sorted while they pass. CREATE INDEX compares three texts at
/// each step: 0.6 s for half a million values.
final class KeptValueIndex {
    static let name = "kept_value_value"

    /// The values of one column of a table: their texts by number, and in the keys the number, the row and the
    /// sequence.
    private struct Column {
        let table: String
        let name: String
        let texts: IndexTexts
        let sorter: KeySorter
    }

    /// False once there was a value that this has no room for.
    private(set) var isComplete = true
    private(set) var count = 0
    private let place: StorePlace
    private var columns: [Column] = []
    private var plan: TablePlan?
    /// Places in `columns` of the plan's columns.
    private var places: [Int?] = []
    /// Each takes up to 4 MB.
    private static let mostColumns = 16

    init(_ place: StorePlace) { self.place = place }

    /// The values that follow are of this file.
    func begin(_ plan: TablePlan) {
        self.plan = plan
        places = [Int?](repeating: nil, count: plan.columns.count)
    }

    /// Leaves the index to SQLite.
    func giveUp() {
        guard isComplete else { return }
        isComplete = false
        columns = []
    }

    func add(_ text: UnsafeRawBufferPointer, _ number: Int, _ value: KeptValue) throws(KeySortingError) {
        guard isComplete else { return }
        guard let column = column(number), let rank = columns[column].texts.number(of: text),
            let row = UInt32(exactly: value.row)
        else { return giveUp() }
        count += 1
        let sequence = UInt64(bitPattern: value.sequence) ^ (1 << 63)
        try columns[column].sorter.append(SortKey(high: UInt64(rank + 1) << 32 | UInt64(row), low: sequence))
    }

    private func column(_ number: Int) -> Int? {
        if let place = places[number] { return place }
        guard let plan, columns.count < Self.mostColumns else { return nil }
        columns.append(
            Column(
                table: plan.table, name: plan.keptNames[number],
                texts: IndexTexts(areDistinct: false, budget: place.textBudget),
                sorter: KeySorter(in: place.space)))
        places[number] = columns.count - 1
        return columns.count - 1
    }

    /// Writes the index's pages behind those of the file and answers the root.
    func write(to file: DatabaseFile) throws -> UInt32 {
        let tree = try file.tree(root: nil)
        let order = columns.sorted { one, other in
            let (table, otherTable) = (Array(one.table.utf8), Array(other.table.utf8))
            return table == otherTable
                ? one.name.utf8.lexicographicallyPrecedes(other.name.utf8)
                : table.lexicographicallyPrecedes(otherTable)
        }
        columns = []
        for column in order { try write(column, to: tree) }
        let written = try tree.finish()
        try file.adopt(written)
        return written.rootPage
    }

    /// Records of table, column, value, row and sequence.
    private func write(_ column: Column, to tree: IndexTreeWriter) throws {
        let keys = try column.sorter.ranked(by: column.texts.ranks(in: place).ranks, in: place)
        let words = TextArena()
        let names = [column.table, column.name].map { name in
            var name = name
            return name.withUTF8 {
                CellBuffer.textPayload(offset: words.append(UnsafeRawBufferPointer($0)), count: $0.count)
            }
        }
        var payloads = names + [0, 0, 0]
        let tags = [
            CellBatch.Tag.otherText, CellBatch.Tag.otherText, CellBatch.Tag.text, CellBatch.Tag.integer,
            CellBatch.Tag.integer,
        ]
        var encoder = RecordEncoder(columns: payloads.count)
        while let batch = try keys.nextBatch() {
            Failpoint.reach("kept-values")
            try place.check()
            for key in batch {
                payloads[2] = column.texts.payload(ofRank: Int(key.high >> 32) - 1)
                payloads[3] = Int64(key.high & 0xFFFF_FFFF)
                payloads[4] = Int64(bitPattern: key.low ^ (1 << 63))
                try tree.append(
                    encoder.encode(
                        tags: tags, payloads: payloads, text: column.texts.bytes, otherText: words.bytes))
            }
        }
    }
}
