import SQLite

/// The ids of many rows of one entity: 8 bytes each if the keys are numbers that fit. They are stored in pieces, so
/// that growing never copies the ids already stored.
final class IDList {
    private static let pieceSize = 65_536

    private let key: EntityDescription.Key
    private var pieces: [[UInt64]] = []
    /// All keys from the first one that does not fit into 8 bytes.
    private var others: [ObjectID.Key] = []
    /// For each row, the position of its store in the context; empty while all rows are from the first store.
    private var stores: [UInt16] = []
    private(set) var count = 0

    init(_ entity: EntityDescription) { key = entity.key }

    /// Appends the key in the current row of a statement over the key's columns.
    func append(_ statement: Statement) {
        defer { count += 1 }
        switch key {
        case .row: append(.row(statement.integer(0)))
        case .pair: append(.pair(statement.integer(0), statement.integer(1)))
        case .values(let columns): append(.values(columns.indices.map { QueryValue(statement.value($0)) }))
        }
    }

    /// Appends the id of a row; `store` is the position of its store in the context.
    func append(_ id: ObjectID, store: Int) {
        if store > 0, stores.isEmpty { stores = Array(repeating: 0, count: count) }
        if store > 0 || !stores.isEmpty { stores.append(UInt16(clamping: store)) }
        append(id.key)
        count += 1
    }

    /// The position of a row's store in the context.
    func store(at index: Int) -> Int { stores.isEmpty ? 0 : Int(stores[index]) }

    private func append(_ key: ObjectID.Key) {
        switch key {
        case .row(let row) where others.isEmpty: appendPacked(UInt64(bitPattern: row))
        case .pair(let first, let second) where others.isEmpty:
            guard let high = UInt32(exactly: first), let low = UInt32(exactly: second) else {
                return others.append(key)
            }
            appendPacked(UInt64(high) << 32 | UInt64(low))
        default: others.append(key)
        }
    }

    private func appendPacked(_ word: UInt64) {
        if pieces.last.map({ $0.count == Self.pieceSize }) ?? true {
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(Self.pieceSize)
        }
        pieces[pieces.count - 1].append(word)
    }

    func id(at index: Int, _ entity: EntityDescription, store: Int32) -> ObjectID {
        let packed = count - others.count
        guard index < packed else { return ObjectID(entity, others[index - packed], store: store) }
        let word = pieces[index / Self.pieceSize][index % Self.pieceSize]
        if case .pair = key {
            return ObjectID(entity, .pair(Int64(word >> 32), Int64(word & 0xFFFF_FFFF)), store: store)
        }
        return ObjectID(entity, .row(Int64(bitPattern: word)), store: store)
    }
}
