// Unsafe: reads cells where the reading stage left them.

import Cells
import GTFSSchema

/// Finds out, while the rows pass, which terms of schema/rules.tsv any row fulfils. A rule whose terms no row fulfils
/// needs no query: one over half a million transfers would take a third of the time of importing them.
///
/// Costs a look at each row for the terms that no row has fulfilled so far, nothing for the others.
struct RowFacts {
    /// Whether a row has fulfilled the terms, by their numbers.
    private var known: [Bool] = []
    /// The terms of the current table that no row has fulfilled yet.
    private var waiting: [(fact: Int, tests: [CellTest])] = []

    mutating func begin(_ plan: TablePlan) {
        waiting = []
        guard plan.definition != nil, let facts = FeedRules.all.facts[plan.table] else { return }
        if known.isEmpty { known = [Bool](repeating: false, count: FeedRules.all.factCount) }
        for fact in facts {
            guard let tests = CellTest.tests(of: fact, plan) else { continue }
            waiting.append((fact.number, tests))
        }
    }

    mutating func look(at block: ParsedBlock) {
        guard !waiting.isEmpty else { return }
        let batch = block.batch(of: block.cells)
        let hasLate = !block.lateReferences.isEmpty
        waiting.removeAll { fact, tests in
            let mayHold = hasLate && tests.contains(where: \.mayComeLate)
            guard mayHold || CellTest.holdForAnyRow(tests, batch) else { return false }
            known[fact] = true
            return true
        }
    }

    /// Whether a row of the table may fulfil the terms.
    func holds(_ fact: RowFact) -> Bool { fact.number < known.count && known[fact.number] }
}

/// A term about one cell of a row.
private struct CellTest {
    private enum Kind: UInt8 { case filled, empty, among, notAmong, same }

    private let kind: Kind
    /// Whether the cell is a reference that may be filled when the whole table has been read.
    let mayComeLate: Bool
    private let cell: Int
    private let otherCell: Int
    /// The numbers as bits; all of them are below 64.
    private let numbers: UInt64

    /// The tests that terms mean for a table of the feed; nil if no row can pass them, because a column is missing.
    static func tests(of fact: RowFact, _ plan: TablePlan) -> [CellTest]? {
        var tests: [CellTest] = []
        for term in fact.terms {
            guard let cell = plan.cell(of: term.column) else {
                if case .empty = term { continue }
                return nil
            }
            guard let test = CellTest(term, cell, plan) else { return nil }
            tests.append(test)
        }
        return tests
    }

    private init?(_ term: RowFact.Term, _ cell: Int, _ plan: TablePlan) {
        self.cell = cell
        mayComeLate = plan.definition?.fields.first { $0.column == term.column }?.referencedTable == plan.table
        func bits(_ values: [Int64]) -> UInt64 { values.reduce(0) { $0 | 1 << UInt64(clamping: $1) } }
        switch term {
        case .filled: (kind, otherCell, numbers) = (.filled, cell, 0)
        case .empty: (kind, otherCell, numbers) = (.empty, cell, 0)
        case .among(_, let values): (kind, otherCell, numbers) = (.among, cell, bits(values))
        case .notAmong(_, let values): (kind, otherCell, numbers) = (.notAmong, cell, bits(values))
        case .same(_, let other):
            guard let otherCell = plan.cell(of: other) else { return nil }
            (kind, self.otherCell, numbers) = (.same, otherCell, 0)
        }
    }

    /// Whether any row passes all tests.
    static func holdForAnyRow(_ tests: [CellTest], _ batch: CellBatch) -> Bool {
        tests.withUnsafeBufferPointer { tests in
            for row in batch.rows {
                var passed = 0
                while passed < tests.count, tests[passed].holds(row.tags, row.payloads) { passed += 1 }
                if passed == tests.count { return true }
            }
            return false
        }
    }

    @inline(__always)
    private func holds(_ tags: UnsafePointer<UInt8>, _ payloads: UnsafePointer<Int64>) -> Bool {
        let tag = tags[cell]
        switch kind {
        case .filled: return tag != CellTag.null
        case .empty: return tag == CellTag.null
        case .among: return tag == CellTag.integer && isAmong(payloads[cell])
        case .notAmong: return tag == CellTag.integer && !isAmong(payloads[cell])
        case .same:
            return tag == CellTag.integer && tags[otherCell] == CellTag.integer
                && payloads[cell] == payloads[otherCell]
        }
    }

    @inline(__always)
    private func isAmong(_ value: Int64) -> Bool { value >= 0 && value < 64 && numbers >> UInt64(value) & 1 == 1 }
}
