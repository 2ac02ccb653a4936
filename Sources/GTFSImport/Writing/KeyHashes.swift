// Unsafe: reads cells where the reading stage left them.

import Cells
import GTFSSchema
import KeySorting
import SQLite
import SystemFiles

/// Finds the rows of a long table that repeat the key of an earlier row, by a hash of 96 bits of each row's key.
///
/// If an index of the key already finds duplicates, only rows with a kept value in their key are hashed: such keys can
/// only equal each other. The table need not be read and sorted again. With half a million transfers to unknown stops,
/// most of them twice, SQLite took 2.6 of 2.9 s for that, because it had to look up each row's kept value.
final class KeyHashes {
    private let cells: [Int]
    /// The cells of the key's columns by their number in the plan, -1 for the others.
    private let columns: [Int]
    private let onlyOtherRows: Bool
    /// Rows whose key has a kept value, one that no column could store.
    private(set) var otherRows = BitSet()
    private let place: StorePlace
    private let hashes: HashPartitions
    /// Random for every table, so that nobody can make a feed of keys whose hashes begin alike.
    private let seed = UInt64.random(in: .min ... .max)
    private let textHashes = IdentifierMap()

    /// Nil for a table whose key is an ID, and for a clustered table: their repeated keys are found elsewhere.
    init?(_ plan: TablePlan, onlyOtherRows: Bool, in place: StorePlace) {
        guard let definition = plan.definition, definition.storage == .rows, let first = definition.keyFields.first,
            first.type != .id
        else { return nil }
        self.place = place
        // A column that the feed lacks is the same in all rows.
        cells = definition.keyFields.compactMap { plan.cell(of: $0.column) }
        let names = Set(definition.keyFields.map(\.column))
        columns = plan.columns.map { column in
            column.field.map { names.contains($0.column) } ?? false ? column.cell : -1
        }
        self.onlyOtherRows = onlyOtherRows
        hashes = HashPartitions(in: place.space)
    }

    /// Adds the rows of a block. Their kept values count as well.
    func add(_ batch: CellBatch, keptValues: UnsafeBufferPointer<KeptValue>) throws(KeySortingError) {
        if onlyOtherRows, keptValues.isEmpty { return }
        let (hashes, seed) = (hashes, seed)
        // Moved out of the property: using the property would check for each row whether someone else holds the set.
        var otherRows = BitSet()
        swap(&otherRows, &self.otherRows)
        defer { swap(&otherRows, &self.otherRows) }
        var next = 0
        for row in batch.rows {
            let kept = next < keptValues.count ? hash(ofKept: keptValues, in: row, from: &next) : nil
            if kept == nil, onlyOtherRows { continue }
            var (hash, other) = (seed, seed)
            for cell in cells {
                let value = value(of: row, cell)
                hash = Self.mix(hash, value)
                other = Self.mix(other ^ 0xD6E8_FEB8_6659_FD93, value)
            }
            if let kept {
                if onlyOtherRows { otherRows.insert(Int(row.id)) }
                hash &+= kept
                other ^= kept &* 0xFF51_AFD7_ED55_8CCD
            }
            try hashes.append(
                RowHash(hash: hash, other: UInt32(truncatingIfNeeded: other >> 32), row: UInt32(clamping: row.id)))
        }
    }

    /// A hash of the kept values in a row's key, whatever their order; nil when there are none. If a cell has a value
    /// beside the kept one, only the cell's value counts.
    private func hash(
        ofKept values: UnsafeBufferPointer<KeptValue>, in row: CellRow, from next: inout Int
    ) -> UInt64? {
        var hash: UInt64?
        while next < values.count, values[next].row <= row.id {
            let value = values[next]
            let cell = columns[Int(value.column)]
            if value.row == row.id, cell >= 0, row.isNull(cell) {
                let text = textHashes.hash(value.text.bytes(in: row.batch))
                hash = (hash ?? 0) &+ Self.mix(UInt64(value.column) &+ 1, text)
            }
            next += 1
        }
        return hash
    }

    /// Stands for NULL. As an integer it has 19 digits, one more than the reader accepts.
    private static let noValue: UInt64 = 0x8A91_A6D4_0BF4_2040

    /// Equal for equal values.
    @inline(__always)
    private func value(of row: CellRow, _ cell: Int) -> UInt64 {
        let payload = row.payloads[cell]
        switch row.tags[cell] {
        case CellTag.null: return Self.noValue
        case CellTag.integer: return UInt64(bitPattern: payload)
        case CellTag.double:
            return UInt64(bitPattern: Int64(exactly: CellNumber.double(of: payload)) ?? payload)
        default: return row.text(cell).map { textHashes.hash($0) } ?? Self.noValue
        }
    }

    @inline(__always)
    private static func mix(_ hash: UInt64, _ value: UInt64) -> UInt64 {
        let product = (hash ^ value &+ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xBF58_476D_1CE4_E5B9)
        return product.high ^ product.low ^ hash &* 31
    }

    /// Rows that repeat the key of an earlier row, each with the first row of that key.
    func repeated() throws -> RepeatedKeys {
        var repeated = RepeatedHashes()
        try hashes.forEachPiece { part, piece in
            Failpoint.reach("key-hashes")
            try place.check()
            repeated.add(piece, ofPart: part)
        }
        return repeated.rows
    }
}
