// Unsafe: reads cells where the reading stage left them.

import GTFSSchema
import KeySorting
import SQLite

/// Tells of a long table whether two of its rows may have the same key, by sorting a hash of each row's key.
///
/// Where all hashes differ, no key comes twice, and the table need not be read and sorted again: 150,000 rows of
/// calendar_dates took SQLite 0.1 s. Where two are the same, SQLite finds out whether their keys are.
final class KeyHashes {
    private let cells: [Int]
    /// The columns of the key by their number in the plan.
    private let columns: [Bool]
    private let place: StorePlace
    private let sorter: KeySorter
    private let textHashes = IdentifierMap()

    /// Nil for a table whose key is an ID or a clustered table's, which are found out otherwise.
    init?(_ plan: TablePlan, in place: StorePlace) {
        guard let definition = plan.definition, definition.storage == .rows, let first = definition.keyFields.first,
            first.type != .id
        else { return nil }
        self.place = place
        // A column that the feed lacks is the same in all rows.
        cells = definition.keyFields.compactMap { plan.cellColumns.firstIndex(of: $0.column) }
        let names = Set(definition.keyFields.map(\.column))
        columns = plan.columns.map { column in column.field.map { names.contains($0.column) } ?? false }
        sorter = KeySorter(in: place.space)
    }

    /// Adds the rows of a block. The values that no column could take count as well.
    func add(_ batch: CellBatch, stride: Int, keptValues: [KeptValue]) throws(KeySortingError) {
        var next = 0
        for row in 0..<batch.rowCount {
            let (tags, payloads) = (batch.tags + row * stride, batch.payloads + row * stride)
            var hash: UInt64 = 0
            for cell in cells { hash = Self.mix(hash, value(tags[cell], payloads[cell], batch)) }
            if next < keptValues.count { hash &+= self.hash(of: payloads[0], in: keptValues, batch, from: &next) }
            try sorter.append(SortKey(high: hash, low: UInt64(row)))
        }
    }

    /// A hash of the values kept for a row's key, in whatever order they come.
    private func hash(
        of row: Int64, in values: [KeptValue], _ batch: CellBatch, from next: inout Int
    ) -> UInt64 {
        var hash: UInt64 = 0
        while next < values.count, values[next].row <= row {
            let value = values[next]
            if value.row == row, columns[Int(value.column)] {
                hash &+= Self.mix(UInt64(value.column) &+ 1, textHashes.hash(value.text.bytes(in: batch)))
            }
            next += 1
        }
        return hash
    }

    /// Equal for equal values; that others may be equal as well only costs time.
    @inline(__always)
    private func value(_ tag: UInt8, _ payload: Int64, _ batch: CellBatch) -> UInt64 {
        switch tag {
        case CellBatch.Tag.null: return 0
        case CellBatch.Tag.integer: return UInt64(bitPattern: payload) &+ 1
        case CellBatch.Tag.double:
            let value = Double(bitPattern: UInt64(bitPattern: payload))
            return UInt64(bitPattern: Int64(exactly: value) ?? payload) &+ 1
        default:
            let start = tag == CellBatch.Tag.text ? batch.text : batch.otherText
            return textHashes.hash(
                UnsafeRawBufferPointer(
                    start: start + Int(payload >> 32), count: Int(UInt32(truncatingIfNeeded: payload))))
        }
    }

    @inline(__always)
    private static func mix(_ hash: UInt64, _ value: UInt64) -> UInt64 {
        let product = (hash ^ value &+ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xBF58_476D_1CE4_E5B9)
        return product.high ^ product.low ^ hash &* 31
    }

    /// Whether two hashes may be the same. Ends the sorting.
    func haveEqual() throws -> Bool {
        var last: UInt64?
        while let keys = try sorter.nextBatch() {
            Failpoint.reach("key-hashes")
            try place.check()
            for key in keys {
                if key.high == last { return true }
                last = key.high
            }
        }
        return false
    }
}
