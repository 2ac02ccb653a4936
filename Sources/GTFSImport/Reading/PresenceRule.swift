// Unsafe only for cells: they are bytes in the reader's block, so nothing is copied or allocated for a cell.

import GTFSFeed
import GTFSSchema

/// A condition of the specification on the rows of one file, bound to the columns of its header.
struct PresenceRule: Sendable {
    let field: String
    let condition: PresenceCondition
    let test: Test

    /// The part of a rule that is checked for rows. Flat: copying it retains nothing.
    struct Test: Sendable {
        fileprivate enum Kind { case oneOf, otherThan, filled, allEmpty }

        /// The field's place in the header; nil if the header lacks it.
        let source: Int?
        fileprivate let kind: Kind
        fileprivate let values: EnumerationValues?
        /// The places of the fields that decide; nil for those that the header lacks.
        fileprivate let deciding: (Int?, Int?)
    }

    /// The rules that rows of the file can break, in the order of the declaration.
    static func rules(for file: FileDefinition, header: HeaderPlan) -> [PresenceRule] {
        func source(_ name: String) -> Int? { header.known.first { $0.field.name == name }?.source }
        return file.fields.flatMap { field in
            field.conditions.compactMap { condition in
                Test(condition, source).map {
                    PresenceRule(field: field.name, condition: condition, test: $0.of(source(field.name)))
                }
            }
        }
        .filter(\.test.canApply)
    }

    /// Why the field needs a value, for a message. Names the value of the other field instead of all that would do.
    func reason(_ value: Int64?) -> String {
        switch condition.test {
        case .oneOf(_, let other), .otherThan(_, let other): value.map { "with \(other) \($0)" } ?? ""
        default: condition.description
        }
    }
}

extension PresenceRule.Test {
    /// Nil for a condition on more than the field's own row.
    fileprivate init?(_ condition: PresenceCondition, _ source: (String) -> Int?) {
        switch condition.test {
        case .oneOf(let values, let field):
            self.init(source: nil, kind: .oneOf, values: values, deciding: (source(field), nil))
        case .otherThan(let values, let field):
            self.init(source: nil, kind: .otherThan, values: values, deciding: (source(field), nil))
        case .filled(let field):
            self.init(source: nil, kind: .filled, values: nil, deciding: (source(field), nil))
        case .allEmpty(let first, let second):
            self.init(source: nil, kind: .allEmpty, values: nil, deciding: (source(first), source(second)))
        case .severalAgencies, .oneAgency: return nil
        }
    }

    fileprivate func of(_ source: Int?) -> Self {
        Self(source: source, kind: kind, values: values, deciding: deciding)
    }

    /// Whether the header has the columns without which no row breaks the rule. If it has none of several fields of
    /// which each row needs one, that is a fault of the header, not of each row.
    fileprivate var canApply: Bool {
        deciding.0 != nil || deciding.1 != nil || kind == .allEmpty && source != nil
    }
}

extension TableReader {
    /// Notes a column of the row at hand that is empty although other fields ask for a value.
    func noteConditional(_ column: Column) { notePresence { $0 == column.pointee.source } }

    /// Notes fields that the header lacks but the row at hand needs.
    @inline(never)
    func noteAbsentFields() { notePresence { $0 == nil } }

    @inline(__always)
    private func notePresence(where isOfField: (Int?) -> Bool) {
        for number in presenceTests.indices where isOfField(presenceTests[number].source) {
            let (isBroken, value) = judge(presenceTests[number])
            if isBroken, !hasOnlyBlankCells() { note(plan.presenceRules[number], value) }
        }
    }

    /// Whether the row asks for a value, and which number of another field decides.
    private func judge(_ test: PresenceRule.Test) -> (isBroken: Bool, value: Int64?) {
        switch test.kind {
        case .oneOf, .otherThan:
            guard let value = integer(inColumn: test.deciding.0), let values = test.values else { return (false, nil) }
            return (values.contains(value) == (test.kind == .oneOf), value)
        case .filled: return (!isEmpty(test.deciding.0), nil)
        case .allEmpty: return (isEmpty(test.deciding.0) && isEmpty(test.deciding.1), nil)
        }
    }

    /// The cell of the row at hand without white space around it. Cells of columns that are read later have no value
    /// yet, so this looks at the text.
    private func trimmed(_ source: Int?) -> Text {
        let records = records
        let fields = records.fields(of: row)
        guard let source, source < fields.count else { return Text(start: nil, count: 0) }
        let text = records.field(fields.lowerBound + source)
        return Text(rebasing: text[TextRules.trimmed(text)])
    }

    private func isEmpty(_ source: Int?) -> Bool { trimmed(source).isEmpty }

    private func integer(inColumn source: Int?) -> Int64? {
        let text = trimmed(source)
        return Numbers.parseInteger(text.bytes) ?? Numbers.parseIntegerLeniently(text.bytes)
    }

    private func note(_ rule: PresenceRule, _ value: Int64?) {
        let (kind, word): (NoticeKind, String) =
            rule.condition.isRequired
            ? (.missingRequiredField, "required") : (.missingRecommendedField, "recommended")
        noteRow(kind, field: rule.field, "\(rule.field) is empty but \(word) \(rule.reason(value))")
    }
}
