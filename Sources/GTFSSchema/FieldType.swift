/// The type of a field. It decides how values are parsed, stored, checked and written in views.
///
/// Types are those of the GTFS reference, section "Field Types"; `reference` and `group` are two kinds of ID. A
/// `reference` names one row of another table and becomes that row's integer key. A `group` names a set of rows and
/// stays text.
public enum FieldType: Sendable, Hashable {
    case text, url, email, phone, language, timezone
    /// The row's own, unique ID.
    case id
    /// An ID that several rows share, or that refers to such a group.
    case group
    /// An ID of exactly one row elsewhere, stored as that row's integer key.
    case reference
    case color, currency
    /// Seconds since noon minus 12 h of the service day; may pass 86,400.
    case time
    /// Seconds since midnight on the clock, at most 86,400.
    case localTime
    /// YYYYMMDD as an integer.
    case date
    case latitude, longitude
    case enumeration(EnumerationValues)
    case integer(NumberRange)
    case float(NumberRange)
    case amount

    /// The column's declared type in the store.
    public var storage: StorageType {
        switch self {
        case .text, .url, .email, .phone, .language, .timezone, .id, .group, .color, .currency: .text
        case .reference, .time, .localTime, .date, .enumeration, .integer: .integer
        case .latitude, .longitude, .float, .amount: .real
        }
    }

    /// Reads the type's name in schema/gtfs.tsv; `values` lists the values of an enumeration.
    init?(_ word: String, values: String) {
        switch word {
        case "text": self = .text
        case "url": self = .url
        case "email": self = .email
        case "phone": self = .phone
        case "language": self = .language
        case "timezone": self = .timezone
        case "id": self = .id
        case "group": self = .group
        case "reference": self = .reference
        case "color": self = .color
        case "currency": self = .currency
        case "time": self = .time
        case "local_time": self = .localTime
        case "date": self = .date
        case "latitude": self = .latitude
        case "longitude": self = .longitude
        case "enum": self = .enumeration(EnumerationValues(list: values))
        case "amount": self = .amount
        default: self.init(number: word)
        }
    }

    private init?(number word: String) {
        for range in NumberRange.allCases {
            if word == "integer\(range.rawValue)" { self = .integer(range); return }
            if word == "float\(range.rawValue)" { self = .float(range); return }
        }
        return nil
    }
}

/// How SQLite declares a column.
public enum StorageType: String, Sendable {
    case text = "TEXT"
    case integer = "INTEGER"
    /// The same to SQLite as REAL (<https://sqlite.org/datatype3.html#determination_of_column_affinity>). Other
    /// databases take a REAL for four bytes, and programs that copy stores into them moved stops by up to 70 cm.
    case real = "DOUBLE"
}

/// The range of a number that a field accepts.
public enum NumberRange: String, Sendable, CaseIterable, CustomStringConvertible {
    case any = ""
    case nonNegative = ">=0"
    case positive = ">0"
    case nonZero = "!=0"

    /// In words, such as "at least 0".
    public var description: String {
        switch self {
        case .any: "any number"
        case .nonNegative: "at least 0"
        case .positive: "more than 0"
        case .nonZero: "other than 0"
        }
    }

    public func contains(_ value: Int64) -> Bool { contains(Double(value)) }
    public func contains(_ value: Double) -> Bool {
        switch self {
        case .any: true
        case .nonNegative: value >= 0
        case .positive: value > 0
        case .nonZero: value != 0
        }
    }
}

/// The values that an enumeration lists, as bits: all values in GTFS are below 64.
public struct EnumerationValues: Sendable, Hashable {
    private let bits: UInt64

    /// Numbers with commas between them.
    init(list: String) {
        self.init(list.utf8.split(separator: UInt8(ascii: ",")).compactMap { Int64(Substring($0)) })
    }

    init(_ values: [Int64]) {
        bits = values.reduce(0) { (0..<64).contains($1) ? $0 | 1 << UInt64($1) : $0 }
    }

    public func contains(_ value: Int64) -> Bool { value >= 0 && value < 64 && bits & 1 << UInt64(value) != 0 }

    /// The values in ascending order.
    public var all: [Int64] { (0..<64).filter(contains) }
}
