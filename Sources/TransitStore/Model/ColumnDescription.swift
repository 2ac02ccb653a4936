/// A column of an entity, and the value of its Swift property when the feed leaves the column empty.
public struct ColumnDescription: Sendable {
    /// The value that Swift code and predicates see if the store has NULL.
    public enum Absence: Sendable, Hashable {
        /// Never missing: a key.
        case never
        /// NULL: an optional property is nil, a required reference leads to an object whose key is -1.
        case null
        /// An empty text: CSV does not distinguish empty from missing.
        case emptyText
        /// 0: GTFS says "0 or empty", or requires a number.
        case zero
    }

    /// How SQLite stores the column.
    public enum Storage: Sendable, Hashable { case integer, real, text }

    /// The column's name in the store, such as `departure_time`.
    public let name: String
    /// The name as written in SQL, quoted if necessary.
    let sqlName: String
    /// The property's name in Swift, such as `departureTime`.
    public let property: String
    /// How SQLite stores the values.
    public let storage: Storage
    /// The value that Swift code and predicates see if the store has NULL.
    public let absence: Absence
    /// The table whose key a reference holds.
    public let target: String?
    /// Whether a reference is required, so that its property is not optional.
    public let isRequiredReference: Bool
    /// Whether the property is a `Bool`: true for 1, false for any other number. The table `service_day` counts
    /// weekdays in the same way.
    let isFlag: Bool

    init(
        _ name: String, property: String? = nil, storage: Storage, absence: Absence, target: String? = nil,
        isRequiredReference: Bool = false, isFlag: Bool = false
    ) {
        self.isFlag = isFlag
        self.name = name
        self.property = property ?? Self.propertyName(ofColumn: name)
        self.sqlName = SQLFragment.identifier(name)
        self.storage = storage
        self.absence = absence
        self.target = target
        self.isRequiredReference = isRequiredReference
    }

    private init(neverMissing column: ColumnDescription) {
        (name, sqlName, property, storage) = (column.name, column.sqlName, column.property, column.storage)
        (absence, target, isRequiredReference) = (.never, column.target, column.isRequiredReference)
        isFlag = column.isFlag
    }

    /// The 0 of the column's own kind: a missing fraction divides as 0.0 does, and not as a whole number.
    var zero: QueryValue { storage == .real ? .double(0) : .integer(0) }

    /// The column as part of a key, which is never NULL.
    var neverMissing: ColumnDescription { ColumnDescription(neverMissing: self) }

    /// The Swift name of a column: `stop_id` gives `stopID`, `fare_url` `fareURL`, `departure_time` `departureTime`.
    static func propertyName(ofColumn column: String) -> String {
        let words = column.split(separator: "_")
        guard let first = words.first else { return column }
        return words.dropFirst().reduce(into: String(first)) { name, word in
            switch word {
            case "id", "url": name += word.uppercased()
            default: name += word.prefix(1).uppercased() + word.dropFirst()
            }
        }
    }
}

/// Functions with which entities declare their columns. StoreObject has accessors of the same names; those of
/// `reference` are `toOne` and `optionalToOne`.
extension ColumnDescription {
    static func key(_ name: String) -> Self { Self(name, storage: .integer, absence: .never) }
    static func text(_ name: String) -> Self { Self(name, storage: .text, absence: .emptyText) }
    static func optionalText(_ name: String) -> Self { Self(name, storage: .text, absence: .null) }
    static func integer(_ name: String) -> Self { Self(name, storage: .integer, absence: .zero) }
    static func optionalInteger(_ name: String) -> Self { Self(name, storage: .integer, absence: .null) }
    static func flag(_ name: String) -> Self { Self(name, storage: .integer, absence: .zero, isFlag: true) }
    static func number(_ name: String) -> Self { Self(name, storage: .real, absence: .zero) }
    static func optionalNumber(_ name: String) -> Self { Self(name, storage: .real, absence: .null) }
    static func degrees(_ name: String) -> Self { Self(name, storage: .real, absence: .null) }
    static func time(_ name: String) -> Self { Self(name, storage: .integer, absence: .null) }
    static func date(_ name: String) -> Self { Self(name, storage: .integer, absence: .null) }
    static func reference(_ name: String, to table: String, required: Bool = false) -> Self {
        Self(name, storage: .integer, absence: .null, target: table, isRequiredReference: required)
    }
}
