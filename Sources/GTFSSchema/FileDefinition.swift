/// One file of the specification and the table that holds it.
public final class FileDefinition: Sendable {
    /// How the table's rows are keyed.
    public enum Storage: Sendable, Hashable {
        /// `id` is the row's number in its file minus 1 (the header is row 1).
        case rows
        /// Without rowid, ordered by the key, so that rows that are read together lie together.
        case clustered
    }

    /// The file's name, such as "stop_times.txt".
    public let name: String
    /// The entity table, such as "stop_time".
    public let table: String
    /// A sequence under a parent (stop times of a trip, points of a shape) is clustered; rows of every other table are
    /// numbered.
    public let storage: Storage
    public let presence: Presence
    /// In the order of the reference.
    public let fields: [FieldDefinition]
    /// The fields of the primary key, in key order: all fields if the whole row is the key; none if rows need not be
    /// distinct.
    public let keyFields: [FieldDefinition]
    /// The reference whose values become rows of the table it refers to: a shape is made of its points, and
    /// calendar_dates.txt may be the only file that names a service.
    public let definingReference: FieldDefinition?
    /// One sentence for people.
    public let meaning: String

    init(name: String, table: String, presence: Presence, fields: [FieldDefinition], meaning: String) {
        self.name = name
        self.table = table
        self.presence = presence
        self.fields = fields
        self.meaning = meaning
        let key = fields.filter { $0.keyPosition != nil }.sorted { ($0.keyPosition ?? 0) < ($1.keyPosition ?? 0) }
        keyFields = key
        definingReference = ["shape_point", "service_exception"].contains(table) ? key.first : nil
        if key.count == 2, key[0].type == .reference, case .integer = key[1].type {
            storage = .clustered
        } else {
            storage = .rows
        }
    }

    /// The file's name without its extension, such as "stop_times".
    public var stem: String { String(name.prefix { $0 != "." }) }
    /// The view that shows the file as the feed wrote it, such as "gtfs_stop_times".
    public var view: String { "gtfs_" + stem }
    /// The field whose values are this file's own unique IDs.
    public var idField: FieldDefinition? { fields.first { $0.type == .id } }

    /// The column whose IDs name rows of this file as `record_id` in translations.txt: the file's own ID, or that of
    /// the trip for a stop time, which has its sequence as `record_sub_id`. Nil for files whose rows have no such name.
    public var recordID: ColumnReference? {
        guard name.hasSuffix(".txt") else { return nil }
        if let idField { return ColumnReference(table: table, column: idField.column) }
        // The points of a shape are clustered as well, but have nothing to translate.
        return storage == .clustered && definingReference == nil ? keyFields[0].targets.first : nil
    }

    /// Compares bytes: a name may be of a feed, and Swift takes quadratic time for endless marks on a letter.
    public func field(named name: String) -> FieldDefinition? {
        fields.first { $0.name.utf8.elementsEqual(name.utf8) }
    }
}

/// One field of a file and the column that holds it.
public final class FieldDefinition: Sendable {
    /// The field's name in the feed, such as "stop_lat".
    public let name: String
    /// The column in the entity table, such as "latitude".
    public let column: String
    public let type: FieldType
    public let presence: Presence
    /// When the field must or should have a value, beyond `presence`.
    public let conditions: [PresenceCondition]
    /// For the end of a range: the field with its start. Nil for other fields.
    public let rangeStart: RangeStart?
    /// The place in the primary key, from 1; nil when not part of it.
    public let keyPosition: Int?
    /// The columns of the store in which an ID must be found; one of them is enough.
    public let targets: [ColumnReference]
    /// Customer-facing text that should have upper and lower case letters.
    public let mixedCaseRecommended: Bool
    /// One sentence for people.
    public let meaning: String

    init(
        name: String, column: String, type: FieldType, presence: Presence, conditions: [PresenceCondition],
        rangeStart: RangeStart?, keyPosition: Int?, targets: [ColumnReference], mixedCaseRecommended: Bool,
        meaning: String
    ) {
        self.name = name
        self.column = column
        self.type = type
        self.presence = presence
        self.conditions = conditions
        self.rangeStart = rangeStart
        self.keyPosition = keyPosition
        self.targets = targets
        self.mixedCaseRecommended = mixedCaseRecommended
        self.meaning = meaning
    }

    /// The table whose key a `reference` holds.
    public var referencedTable: String? { type == .reference ? targets.first?.table : nil }
}

/// The start of a range of days or times, in the words of schema/gtfs.tsv:
///
///     not before: start_date      the end may be the same as start_date
///     after: start_time           the end must come after start_time
public struct RangeStart: Sendable, Hashable {
    public let field: String
    /// Whether the end may be the same.
    public let allowsEqual: Bool

    /// Nil for other words.
    init?(_ words: String) {
        let parts = words.utf8.split(separator: UInt8(ascii: ":")).map { String(Substring($0)) }
        guard parts.count == 2, parts[0] == "not before" || parts[0] == "after", parts[1].hasPrefix(" ") else {
            return nil
        }
        (field, allowsEqual) = (String(parts[1].utf8.dropFirst()) ?? "", parts[0] == "not before")
    }

    /// Such as "not before start_date".
    public var description: String { "\(allowsEqual ? "not before" : "after") \(field)" }
}

/// A column of the store by name, such as `stop.stop_id`.
public struct ColumnReference: Sendable, Hashable {
    public let table: String
    public let column: String

    public init(table: String, column: String) {
        self.table = table
        self.column = column
    }
}

/// Whether a file or field must be there (GTFS reference, "Presence").
public enum Presence: String, Sendable {
    case required
    /// The header must have the column; its cells may be empty.
    case requiredColumn = "required_column"
    case conditional
    case recommended
    case optional
    case forbiddenIf = "forbidden_if"

    /// Whether the header must have the column.
    public var isOfHeader: Bool { self == .required || self == .requiredColumn }
}
