// Unsafe only for cells: they are bytes in the reader's block, so nothing is copied or allocated for a cell.

import GTFSFeed
import GTFSSchema

/// A condition of the specification on the rows of one file, bound to the columns of its header.
struct PresenceRule: Sendable {
    let field: String
    let condition: PresenceCondition
    let test: Test

    /// Where a row has a field: in the file and, once it is read, among the cells.
    struct Place: Sendable {
        fileprivate let source: Int
        fileprivate let cell: Int
    }

    /// The part of a rule that is checked for rows. Flat: copying it retains nothing.
    struct Test: Sendable {
        fileprivate enum Kind { case oneOf, otherThan, filled, allEmpty, always }

        /// The field's own place; nil if the header lacks it.
        fileprivate let field: Place?
        fileprivate let kind: Kind
        fileprivate let values: EnumerationValues?
        /// The fields that decide; nil for those that the header lacks.
        fileprivate let deciding: (Place?, Place?)
    }

    /// The rules that rows of the file can break, in the order of the declaration.
    static func rules(for file: FileDefinition, columns: [ColumnPlan]) -> [PresenceRule] {
        func place(_ name: String) -> Place? {
            columns.first { $0.field?.name == name }.map { Place(source: $0.source, cell: $0.cell) }
        }
        return file.fields.flatMap { field in
            (field.conditions + (field.presence == .recommended ? [.recommended] : [])).compactMap { condition in
                Test(condition, of: place(field.name), place).map {
                    PresenceRule(field: field.name, condition: condition, test: $0)
                }
            }
        }
        .filter(\.test.canApply)
    }

    /// Why the field needs a value, for the end of a message. Names the value that the other field has in this row, not
    /// all values for which the rule holds.
    func reason(_ value: Int64?) -> String {
        switch condition.test {
        case .oneOf(_, let other), .otherThan(_, let other): value.map { " with \(other) \($0)" } ?? ""
        case .always: ""
        default: " " + condition.description
        }
    }
}

extension PresenceRule.Test {
    /// Nil for a condition on more than the field's own row.
    fileprivate init?(
        _ condition: PresenceCondition, of field: PresenceRule.Place?, _ place: (String) -> PresenceRule.Place?
    ) {
        switch condition.test {
        case .oneOf(let values, let other):
            self.init(field: field, kind: .oneOf, values: values, deciding: (place(other), nil))
        case .otherThan(let values, let other):
            self.init(field: field, kind: .otherThan, values: values, deciding: (place(other), nil))
        case .filled(let other):
            self.init(field: field, kind: .filled, values: nil, deciding: (place(other), nil))
        case .allEmpty(let first, let second):
            self.init(field: field, kind: .allEmpty, values: nil, deciding: (place(first), place(second)))
        case .always: self.init(field: field, kind: .always, values: nil, deciding: (nil, nil))
        case .severalAgencies, .oneAgency: return nil
        }
    }

    /// Whether rows can break the rule with the columns that the header has. If each row needs one of several fields
    /// and the header has none of them, the header is at fault, not each row.
    fileprivate var canApply: Bool {
        deciding.0 != nil || deciding.1 != nil || kind == .allEmpty && field != nil || kind == .always
    }
}

extension TableReader {
    /// Notes fields of the row at hand that are empty although other fields ask for a value. All cells are read.
    @inline(__always)
    func checkPresence() {
        for number in 0..<presenceTests.count {
            let test = presenceTests.baseAddress.unsafelyUnwrapped + number
            if let field = test.pointee.field, !cells.isNull(field.cell) { continue }
            if asksForValue(test.pointee) { noteAbsence(number) }
        }
    }

    /// Whether the row's other fields ask for a value.
    @inline(__always)
    private func asksForValue(_ test: PresenceRule.Test) -> Bool {
        switch test.kind {
        case .oneOf, .otherThan:
            guard let place = test.deciding.0, let value = cells.integer(place.cell), let values = test.values else {
                return false
            }
            return values.contains(value) == (test.kind == .oneOf)
        case .filled: return !isEmpty(test.deciding.0)
        case .allEmpty: return isEmpty(test.deciding.0) && isEmpty(test.deciding.1)
        case .always: return true
        }
    }

    @inline(__always)
    private func isEmpty(_ place: PresenceRule.Place?) -> Bool {
        guard let place else { return true }
        return cells.isNull(place.cell) && isBlank(place.source)
    }

    /// Whether the row has no text for a column. If it has, the cell may still be empty, as the text may be no value.
    @inline(never)
    private func isBlank(_ source: Int) -> Bool {
        let records = records
        let fields = records.fields(of: row)
        guard source < fields.count else { return true }
        let text = records.field(fields.lowerBound + source)
        // Mostly one look is enough: the text begins with a letter or digit.
        if let first = text.first, first > 0x20, first < 0x80 { return false }
        return TextRules.trimmed(text).isEmpty
    }

    @inline(never)
    private func noteAbsence(_ number: Int) {
        if let field = presenceTests[number].field, !isBlank(field.source) { return }
        let rule = plan.presenceRules[number]
        let (kind, word): (NoticeKind, String) =
            rule.condition.isRequired
            ? (.missingRequiredField, "required") : (.missingRecommendedField, "recommended")
        let value = rule.test.deciding.0.flatMap { cells.integer($0.cell) }
        noteRow(kind, field: rule.field, "\(rule.field) is empty but \(word)\(rule.reason(value))")
    }
}
