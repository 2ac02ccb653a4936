/// When a field must or should have a value, where that depends on other fields or on other rows.
///
/// schema/gtfs.tsv declares conditions in its column `condition`, where `; ` separates several of one field:
///
///     required: transfer_type=4,5           if transfer_type is 4 or 5
///     required: transfer_type!=4,5          if transfer_type has a value other than 4 and 5
///     required: to_stop_id                  if to_stop_id has a value
///     required: no location_id,area_id      if neither location_id nor area_id has a value
///     required: several agencies            if agency.txt has several rows
///     recommended: one agency               if agency.txt has one row
///
/// `RangeStart` has the words about ranges, which stand in the same column.
///
/// They are those of the reference validator, as far as reading row by row can check them.
public struct PresenceCondition: Sendable, Hashable {
    /// What decides whether the field must or should have a value.
    public enum Test: Sendable, Hashable {
        /// Another field of the row has one of these values.
        case oneOf(EnumerationValues, field: String)
        /// Another field of the row has a value, but none of these.
        case otherThan(EnumerationValues, field: String)
        /// Another field of the row has a value.
        case filled(String)
        /// Neither of two other fields of the row has a value.
        case allEmpty(String, String)
        /// How many rows agency.txt has.
        case severalAgencies, oneAgency
        /// Nothing: each row should have a value.
        case always
    }

    /// Whether the field must have a value; if not, it should.
    public let isRequired: Bool
    public let test: Test

    /// The condition of a field whose presence is `recommended`.
    public static let recommended = PresenceCondition(isRequired: false, test: .always)

    private init(isRequired: Bool, test: Test) { (self.isRequired, self.test) = (isRequired, test) }

    /// Nil for other words.
    fileprivate init?(_ text: String) {
        let words = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).map { String(Substring($0)) }
        guard words.count == 2, words[0] == "required:" || words[0] == "recommended:", let test = Test(words[1]) else {
            return nil
        }
        self.init(isRequired: words[0] == "required:", test: test)
    }

    /// In words that follow "required" or "recommended", such as "with transfer_type 4 or 5".
    public var description: String {
        switch test {
        case .oneOf(let values, let field): "with \(field) \(Self.list(values))"
        case .otherThan(let values, let field): "with a \(field) other than \(Self.list(values))"
        case .filled(let field): "with \(field)"
        case .allEmpty(let first, let second): "without \(first) or \(second)"
        case .severalAgencies: "in a feed with several agencies"
        case .oneAgency: "in a feed with one agency"
        case .always: ""
        }
    }

    private static func list(_ values: EnumerationValues) -> String {
        values.all.map(String.init).joined(separator: " or ")
    }
}

/// All conditions of a field, as its `condition` in schema/gtfs.tsv lists them.
struct FieldConditions {
    private(set) var presence: [PresenceCondition] = []
    private(set) var rangeStart: RangeStart?

    /// Nil if one of them is not understood.
    init?(_ text: String) {
        for part in text.utf8.split(separator: UInt8(ascii: ";")) {
            let words = String(Substring(part.drop { $0 == UInt8(ascii: " ") }))
            if let condition = PresenceCondition(words) {
                presence.append(condition)
            } else if let start = RangeStart(words), rangeStart == nil {
                rangeStart = start
            } else {
                return nil
            }
        }
    }
}

extension PresenceCondition.Test {
    fileprivate init?(_ words: String) {
        switch words {
        case "several agencies": self = .severalAgencies
        case "one agency": self = .oneAgency
        default: self.init(fields: words)
        }
    }

    private init?(fields words: String) {
        if words.hasPrefix("no ") {
            let fields = words.utf8.dropFirst(3).split(separator: UInt8(ascii: ",")).map { String(Substring($0)) }
            guard fields.count == 2 else { return nil }
            self = .allEmpty(fields[0], fields[1])
            return
        }
        let sides = words.utf8.split(separator: UInt8(ascii: "=")).map { String(Substring($0)) }
        switch sides.count {
        case 1: self = .filled(sides[0])
        case 2 where sides[0].hasSuffix("!"):
            self = .otherThan(EnumerationValues(list: sides[1]), field: String(sides[0].dropLast()))
        case 2: self = .oneOf(EnumerationValues(list: sides[1]), field: sides[0])
        default: return nil
        }
    }
}
