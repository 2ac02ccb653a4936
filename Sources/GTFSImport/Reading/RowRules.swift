// Unsafe only for the bytes of a cell.

import GTFSSchema
import ICU

/// A rule that the value of one column must not come after that of another.
struct RangeRule: Sendable {
    let startCell: Int
    let endCell: Int
    let startField: String
    let endField: String
    /// Whether both may be equal.
    let allowsEqual: Bool
    let isTime: Bool

    /// The part of a rule that is checked for each row.
    struct Cells {
        let start: Int
        let end: Int
        let allowsEqual: Bool
    }

    var cells: Cells { Cells(start: startCell, end: endCell, allowsEqual: allowsEqual) }

    private static let declared: [(file: String, start: String, end: String, allowsEqual: Bool)] = [
        ("calendar.txt", "start_date", "end_date", true),
        ("feed_info.txt", "feed_start_date", "feed_end_date", true),
        ("frequencies.txt", "start_time", "end_time", false),
        ("stop_times.txt", "arrival_time", "departure_time", true),
        ("timeframes.txt", "start_time", "end_time", false),
    ]

    static func rules(for file: FileDefinition, columns: [ColumnPlan]) -> [RangeRule] {
        declared.filter { $0.file == file.name }.compactMap { rule in
            guard let start = columns.first(where: { $0.field?.name == rule.start }),
                let end = columns.first(where: { $0.field?.name == rule.end })
            else { return nil }
            let isTime = start.parser == .time || start.parser == .localTime
            return RangeRule(
                startCell: start.cell, endCell: end.cell, startField: rule.start, endField: rule.end,
                allowsEqual: rule.allowsEqual, isTime: isTime)
        }
    }

    /// A value as the feed would spell it.
    func text(_ value: Int64) -> String { isTime ? TimeCell.text(value) : DateCell.text(value) }
}

/// A rule against points that are probably wrong: near 0, 0 or near a pole.
struct CoordinateRule: Sendable {
    let latitudeCell: Int
    let longitudeCell: Int
    let latitudeField: String
    let longitudeField: String

    init?(columns: [ColumnPlan]) {
        guard let latitude = columns.first(where: { $0.parser == .latitude }),
            let longitude = columns.first(where: { $0.parser == .longitude })
        else { return nil }
        latitudeCell = latitude.cell
        longitudeCell = longitude.cell
        latitudeField = latitude.name
        longitudeField = longitude.name
    }

    /// Within a degree of 0, 0 in the sea off Ghana, where points with missing coordinates end up.
    static func isNearOrigin(_ latitude: Double, _ longitude: Double) -> Bool {
        abs(latitude) <= 1 && abs(longitude) <= 1
    }

    /// Within a degree of a pole. A greater latitude does not exist; it is noted as out of range.
    static func isNearPole(_ latitude: Double) -> Bool { (89...90).contains(abs(latitude)) }
}

/// A rule that an amount of money must have as many decimals as its currency (ISO 4217).
struct AmountRule: Sendable {
    let amountSource: Int
    let amountCell: Int
    let currencySource: Int
    let amountField: String

    init?(columns: [ColumnPlan]) {
        guard let amount = columns.first(where: { $0.field?.type == .amount }),
            let currency = columns.first(where: { $0.parser == .currency })
        else { return nil }
        amountSource = amount.source
        amountCell = amount.cell
        currencySource = currency.source
        amountField = amount.name
    }
}

/// Remembers the number of decimals of the last row's currency: ICU takes 0.4 µs to look it up, and most rows have the
/// same currency.
struct LastCurrency {
    private static let space = UInt8(ascii: " ")

    private var code: UInt32 = 0
    private var digits: Int?

    /// The number of decimals of the currency in a cell, ignoring spaces; nil if it is not a currency.
    mutating func fractionDigits(_ cell: UnsafeRawBufferPointer) -> Int? {
        var (code, length): (UInt32, Int) = (0, 0)
        for byte in cell where byte != Self.space {
            (code, length) = (code << 8 | UInt32(byte), length + 1)
        }
        guard length == 3 else { return nil }
        if code != self.code {
            self.code = code
            digits = withUnsafeBytes(of: (code << 8).bigEndian) {
                Currencies.fractionDigits(UnsafeRawBufferPointer(rebasing: $0.prefix(length)))
            }
        }
        return digits
    }
}
