// Unsafe code: references to the entity are not counted, because descriptions are never freed. With counting, contexts
// on several threads would all write to the same count, whenever an object is made or freed.

/// The identity of a row in its store: the entity and the key.
///
///     let id = stop.objectID      // stop/17
///     let same = otherContext.object(with: id)
///
/// A `#Predicate` can compare an id with the id of a row (`$0.stop.objectID == id`), and an object with a row
/// (`$0.stop == market`).
///
/// Unlike objects, ids may go to other tasks and contexts. An id belongs to one `TransitStore`; opening the same file
/// again makes another store. In a context that does not read the id's store, throwing functions say so, properties
/// read as missing, and no row equals the id in a condition.
///
/// The next import of the feed numbers its rows again, so an id may name another row there. To remember something for
/// longer than a store exists, such as a user's favourite stops, keep the feed's own ids: `stop.stopID`.
public struct ObjectID: Sendable, Hashable {
    /// The values of the key.
    enum Key: Sendable, Hashable {
        case row(Int64)
        case pair(Int64, Int64)
        case values([QueryValue])
    }

    /// The entity of the row.
    public unowned(unsafe) let entity: EntityDescription
    let key: Key
    /// The number of the store that the row is in; 0 for the first store of the context that uses the id.
    let store: Int32

    init(_ entity: EntityDescription, _ key: Key, store: Int32 = 0) {
        self.entity = entity
        self.key = key
        self.store = store
    }

    /// The id of the row with this integer key in the first store of the context that uses the id. Does not check
    /// whether there is such a row.
    ///
    ///     let stop = context.object(Stop.self, with: ObjectID(Stop.entity, row: 17))
    public init(_ entity: EntityDescription, row: Int64) { self.init(entity, row: row, store: 0) }

    init(_ entity: EntityDescription, row: Int64, store: Int32) {
        // An `ObjectTable` packs the two numbers of a pair into one, which could equal this number.
        if case .pair = entity.key, row >= 0 {
            self.init(entity, .values([.integer(row)]), store: store)
        } else {
            self.init(entity, .row(row), store: store)
        }
    }

    /// The key of the placeholder for a required reference that is missing. No row has this key.
    static let missingRow: Int64 = -1

    /// The key's values, in the order of the key's columns.
    var keyValues: [QueryValue] {
        switch key {
        case .row(let row): [.integer(row)]
        case .pair(let first, let second): [.integer(first), .integer(second)]
        case .values(let values): values
        }
    }

    /// Whether the key has the form of the entity's key; false for `ObjectID(StopTime.entity, row: 1)`.
    var namesRow: Bool {
        // Most keys are one integer. Looking at the entity's whole key would count references.
        if case .row = key { return entity.hasRowKey }
        switch (key, entity.key) {
        case (.pair, .pair): return true
        case (.values(let values), .values(let columns)): return values.count == columns.count
        default: return false
        }
    }

    /// Whether the id belongs to no row of a store: it is that of an inserted object, or of the placeholder for a
    /// missing reference.
    public var isTemporary: Bool {
        switch key {
        case .row(let row): row < 0
        case .pair(let first, _): first < 0
        case .values(let values): values.isEmpty
        }
    }
}

extension ObjectID {
    public func hash(into hasher: inout Hasher) {
        // The hash leaves out the store: ids rarely differ in the store alone, and == compares it.
        hasher.combine(ObjectIdentifier(entity))
        switch key {
        case .row(let row): hasher.combine(row)
        case .pair(let first, let second):
            hasher.combine(first)
            hasher.combine(second)
        case .values(let values): hasher.combine(values)
        }
    }
}

extension ObjectID {
    /// Orders stored rows by store and key. Inserted objects come last, in each store in the order of their insertion.
    func isOrderedBefore(_ other: ObjectID) -> Bool {
        if isTemporary != other.isTemporary { return other.isTemporary }
        if store != other.store { return store < other.store }
        let differing = zip(keyValues, other.keyValues).first { $0 != $1 }
        guard let (one, two) = differing else { return keyValues.count < other.keyValues.count }
        return isTemporary ? two.isOrderedBefore(one) : one.isOrderedBefore(two)
    }
}

extension ObjectID: CustomStringConvertible {
    public var description: String { "\(entity.table)/" + keyValues.map(\.description).joined(separator: "/") }
}

extension ObjectID: QueryValueConvertible {
    /// The key if it is one integer; otherwise the id as text.
    public var queryValue: QueryValue {
        if case .row(let row) = key { .integer(row) } else { .text(description) }
    }
}

/// Encodes the table and the key. The store's number is left out because it is valid in one process only. A decoded id
/// stands for a row of the first store of the context that uses it. Decode it only to use it with the same store: a
/// later import may give the key to another row.
extension ObjectID: Codable {
    private enum CodingKeys: String, CodingKey { case table, key }

    /// Throws `DecodingError.dataCorrupted` for an unknown table and for a key that does not fit the table; otherwise
    /// what the decoder throws.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let table = try container.decode(String.self, forKey: .table)
        let values = try container.decode([QueryValue].self, forKey: .key)
        let model = StoreModel.typed.entity(named: table) == nil ? StoreModel.declared : .typed
        guard let entity = model.entity(named: table), let key = Key(values, of: entity) else {
            throw DecodingError.dataCorruptedError(
                forKey: .key, in: container, debugDescription: "\(table) has no row of the key \(values)")
        }
        self.init(entity, key)
    }

    /// Throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(entity.table, forKey: .table)
        try container.encode(keyValues, forKey: .key)
    }
}

extension ObjectID.Key {
    /// The key of an entity from its values; nil if the number of values is wrong, or if one is not an integer where
    /// the key needs integers.
    fileprivate init?(_ values: [QueryValue], of entity: EntityDescription) {
        let numbers = values.compactMap(\.integer)
        switch entity.key {
        case .row where values.count == 1 && numbers.count == 1: self = .row(numbers[0])
        case .pair where values.count == 2 && numbers.count == 2: self = .pair(numbers[0], numbers[1])
        case .values(let columns) where columns.count == values.count: self = .values(values)
        default: return nil
        }
    }
}
