// Unsafe only for the bytes of a cell.

import GTFSFeed
import GTFSSchema
import ICU
import SystemFiles

/// A rule that the value of one column must not come after that of another.
struct RangeRule: Sendable {
    let cells: Cells
    let startField: String
    let endField: String
    let isTime: Bool

    /// The part of a rule that is checked for each row.
    struct Cells {
        fileprivate let start: Int
        fileprivate let end: Int
        /// Whether both may be equal.
        fileprivate let allowsEqual: Bool

        /// The values of a row that breaks the rule; nil if it does not.
        @inline(__always)
        fileprivate func breach(in row: RowCells) -> (start: Int64, end: Int64)? {
            guard let start = row.integer(start), let end = row.integer(end),
                start > end || (start == end && !allowsEqual)
            else { return nil }
            return (start, end)
        }
    }

    static func rules(for columns: [ColumnPlan]) -> [RangeRule] {
        columns.compactMap { end in
            guard let field = end.field, let range = field.rangeStart,
                let start = columns.first(where: { $0.field?.name == range.field })
            else { return nil }
            return RangeRule(
                cells: Cells(start: start.cell, end: end.cell, allowsEqual: range.allowsEqual),
                startField: range.field, endField: field.name,
                isTime: start.parser == .time || start.parser == .localTime)
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

extension TableReader {
    @inline(__always)
    func checkCoordinates(_ latitudeCell: Int, _ longitudeCell: Int) {
        guard let latitude = cells.number(latitudeCell), let longitude = cells.number(longitudeCell) else { return }
        let isOrigin = CoordinateRule.isNearOrigin(latitude, longitude)
        if isOrigin || CoordinateRule.isNearPole(latitude) { noteCoordinates(latitude, longitude, isOrigin) }
    }

    @inline(never)
    private func noteCoordinates(_ latitude: Double, _ longitude: Double, _ isOrigin: Bool) {
        guard let rule = plan.coordinateRule else { return }
        noteRow(
            isOrigin ? .pointNearOrigin : .pointNearPole, field: rule.latitudeField, value: "\(latitude), \(longitude)",
            "\(rule.latitudeField) \(latitude), \(rule.longitudeField) \(longitude) is near "
                + (isOrigin ? "the point 0, 0" : "a pole"), .storedAsItIs)
    }

    @inline(__always)
    func breaksRange() -> Bool {
        for rule in rangeCells where rule.breach(in: cells) != nil { return true }
        return false
    }

    @inline(never)
    func noteRanges() {
        for rule in plan.rangeRules {
            guard let (start, end) = rule.cells.breach(in: cells) else { continue }
            let kind: NoticeKind = start == end ? .startAndEndRangeEqual : .startAndEndRangeOutOfOrder
            noteRow(
                kind, field: rule.endField, value: rule.text(end),
                "\(rule.endField) \(rule.text(end)) is \(start == end ? "equal to" : "before") "
                    + "\(rule.startField) \(rule.text(start))", .storedAsItIs,
                so: Consequence(of: rule.endField, in: plan.definition)?.ofCell)
        }
    }

    func checkAmount(_ rule: AmountRule) {
        let fields = records.fields(of: row)
        guard rule.amountSource < fields.count, rule.currencySource < fields.count,
            cells.number(rule.amountCell) != nil,
            let digits = lastCurrency.fractionDigits(records.field(fields.lowerBound + rule.currencySource))
        else { return }
        let written = records.field(fields.lowerBound + rule.amountSource)
        let decimals = written.drop { $0 != UInt8(ascii: ".") }.dropFirst().count(where: \.isDigit)
        let hasExponent = written.contains { $0 | 0x20 == UInt8(ascii: "e") }
        guard decimals != digits || hasExponent else { return }
        let amount = shared.text(written).filter { $0 != " " }
        let currency = shared.text(records.field(fields.lowerBound + rule.currencySource)).filter { $0 != " " }
        noteRow(
            .invalidCurrencyAmount, field: rule.amountField, value: amount,
            "\(rule.amountField) \"\(amount)\" has "
                + (hasExponent ? "an exponent" : "\(decimals) decimal\(decimals == 1 ? "" : "s")")
                + " where \(currency) has \(digits)\(hasExponent ? " decimals" : "")", .storedAsItIs)
    }
}
