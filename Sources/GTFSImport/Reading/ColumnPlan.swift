// Unsafe: the keys found for a block are behind a pointer, and short texts are compared as two numbers.

import GTFSFeed
import GTFSSchema

/// How to read the cells of one column of a file; decided once, when the header is read.
///
/// Flat on purpose: the row loop reads it for each cell, through a pointer.
struct ColumnPlan {
    /// How a cell's text becomes a value.
    enum Parser {
        case text, url, email, phone, language, timezone, color, currency
        case ownIdentifier, group, reference
        case time, localTime, date, latitude, longitude, enumeration, integer, float
        /// A reference to a shape or service that creates its target where it is first named.
        case definingReference
    }

    let parser: Parser
    /// The column's place in the feed's header, from 0.
    let source: Int
    /// The cell's place in the row that is stored.
    let cell: Int
    let field: FieldDefinition?
    /// The feed's own name for the column, shortened for notices.
    let name: String
    let isRequired: Bool
    let isMixedCaseRecommended: Bool
    /// Part of the key of a clustered table: without it the row is not stored.
    let isClusteredKey: Bool
    let refersToOwnTable: Bool
    let range: NumberRange
    let enumeration: EnumerationValues?
    /// The map in which a reference is looked up or an own identifier is entered. Unmanaged, because retaining it for
    /// each cell took a seventh of the reading stage. The namespaces passed to `init` keep the map alive, and the
    /// reading state keeps the namespaces.
    let unretainedIdentifiers: Unmanaged<IdentifierMap>?
    /// Keys of the column's fields in the block at hand, by row; -1 for a field that needs a closer look.
    var foundKeys: UnsafeMutablePointer<Int32>?
    /// Further maps that may have a group's ID.
    let otherIdentifiers: [IdentifierMap]
    /// The map in which the values of this column are entered: own identifiers, group IDs that other columns refer to,
    /// and shapes and services where they are first named. Unmanaged too.
    let unretainedDefined: Unmanaged<IdentifierMap>?
    /// The last group ID without a fault.
    var rightGroup: ShortText?

    init(
        field: FieldDefinition?, name: String, source: Int, cell: Int, table: String, namespaces: Namespaces,
        isClustered: Bool = false
    ) {
        self.field = field
        self.name = Notice.shortened(name)
        self.source = source
        self.cell = cell
        isRequired = field?.presence == .required
        isMixedCaseRecommended = field?.mixedCaseRecommended ?? false
        isClusteredKey = isClustered && field?.keyPosition != nil
        refersToOwnTable = field?.referencedTable == table
        var range = NumberRange.any
        var enumeration: EnumerationValues?
        parser = field.map { Self.parser(for: $0, table: table, range: &range, enumeration: &enumeration) } ?? .text
        self.range = range
        self.enumeration = enumeration
        let maps = field?.targets.map { namespaces.map(of: $0) } ?? []
        let own = field.flatMap { field in
            let column = ColumnReference(table: table, column: field.column)
            return field.type == .id ? namespaces.map(of: column) : namespaces.definedMap(of: column)
        }
        unretainedIdentifiers = (parser == .ownIdentifier ? own : maps.first).map(Unmanaged.passUnretained)
        otherIdentifiers = Array(maps.dropFirst())
        unretainedDefined = (parser == .definingReference ? maps.first : own).map(Unmanaged.passUnretained)
    }

    /// Whether the field is text that names nothing in another file. Only such text is converted although it is valid
    /// UTF-8: the bytes of an ID must mean the same everywhere.
    var isProse: Bool { parser == .text && field != nil && field?.column != "record_id" }

    /// The map behind `unretainedIdentifiers`, for everything but the row loop. Valid only while the reading stage
    /// exists: to use the map later, keep a strong reference to it.
    var identifiers: IdentifierMap? { unretainedIdentifiers?.takeUnretainedValue() }

    /// Looks up the references of a block's rows. Makes room for the keys of `rows` rows; so far there is room for
    /// `before`.
    mutating func findKeys(in records: RecordBlock, rows: Int, before: Int) {
        guard parser == .reference else { return }
        if rows > before || foundKeys == nil {
            foundKeys?.deallocate()
            foundKeys = .allocate(capacity: rows)
        }
        guard let keys = foundKeys else { return }
        let source = source
        unretainedIdentifiers?._withUnsafeGuaranteedRef { $0.findKeys(ofColumn: source, in: records, into: keys) }
    }

    private static func parser(
        for field: FieldDefinition, table: String, range: inout NumberRange, enumeration: inout EnumerationValues?
    ) -> Parser {
        switch field.type {
        case .text: return .text
        case .url: return .url
        case .email: return .email
        case .phone: return .phone
        case .language: return .language
        case .timezone: return .timezone
        case .color: return .color
        case .currency: return .currency
        case .id: return .ownIdentifier
        case .group: return .group
        case .reference:
            let defining = Specification.gtfs.file(ofTable: table)?.definingReference
            return field.name == defining?.name ? .definingReference : .reference
        case .time: return .time
        case .localTime: return .localTime
        case .date: return .date
        case .latitude: return .latitude
        case .longitude: return .longitude
        case .amount: return .float
        case .enumeration(let values):
            enumeration = values
            return .enumeration
        case .integer(let allowed):
            range = allowed
            return .integer
        case .float(let allowed):
            range = allowed
            return .float
        }
    }
}

/// A text of up to 16 bytes, for comparison with the next row's text: rows with the same text are often adjacent.
struct ShortText: Equatable {
    private let count: Int
    private let halves: (UInt64, UInt64)

    /// Nil for a longer text.
    init?(_ text: UnsafeRawBufferPointer) {
        guard text.count <= 16 else { return nil }
        count = text.count
        let first = text.count > 8 ? text.loadUnaligned(as: UInt64.self) : 0
        halves = (first, IdentifierWords.tail(of: text))
    }

    static func == (a: ShortText, b: ShortText) -> Bool { a.count == b.count && a.halves == b.halves }
}
