import FoundationEssentials

@testable import TransitStore

/// A predicate node that hides everything but the type of its value, so that tests can build random trees.
struct Erased<Output>: StandardPredicateExpression {
    let base: any StandardPredicateExpression<Output>

    init(_ base: any StandardPredicateExpression<Output>) { self.base = base }

    func evaluate(_ bindings: PredicateBindings) throws -> Output { try base.evaluate(bindings) }

    init(from decoder: any Decoder) throws { throw NotCoded() }
    func encode(to encoder: any Encoder) throws {}
}

extension Erased: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression { try base.query(&state) }
}

struct NotCoded: Error {}

/// The four ordering operators, as values that tests can pick at random.
enum Order { case lessThan, lessThanOrEqual, greaterThan, greaterThanOrEqual }

/// How the random trees are put together.
extension Erased {
    typealias Nodes = PredicateExpressions

    static func value(_ value: Output) -> Erased where Output: Codable & Sendable { Erased(Nodes.build_Arg(value)) }

    func path<Value>(_ keyPath: any KeyPath<Output, Value> & Sendable) -> Erased<Value> {
        Erased<Value>(Nodes.build_KeyPath(root: self, keyPath: keyPath))
    }

    func equals(_ other: Erased) -> Erased<Bool> where Output: Equatable {
        Erased<Bool>(Nodes.build_Equal(lhs: self, rhs: other))
    }

    func differs(_ other: Erased) -> Erased<Bool> where Output: Equatable {
        Erased<Bool>(Nodes.build_NotEqual(lhs: self, rhs: other))
    }

    func compared(_ order: Order, _ other: Erased) -> Erased<Bool> where Output: Comparable {
        switch order {
        case .lessThan: Erased<Bool>(Nodes.build_Comparison(lhs: self, rhs: other, op: .lessThan))
        case .lessThanOrEqual: Erased<Bool>(Nodes.build_Comparison(lhs: self, rhs: other, op: .lessThanOrEqual))
        case .greaterThan: Erased<Bool>(Nodes.build_Comparison(lhs: self, rhs: other, op: .greaterThan))
        case .greaterThanOrEqual: Erased<Bool>(Nodes.build_Comparison(lhs: self, rhs: other, op: .greaterThanOrEqual))
        }
    }

    /// An ordering comparison of moments that may be missing, with the node that `#Predicate` uses.
    func compared<Moment: ServiceMoment>(_ order: Order, _ other: Erased) -> Erased<Bool> where Output == Moment? {
        switch order {
        case .lessThan: Erased<Bool>(Nodes.build_Comparison(lhs: self, rhs: other, op: .lessThan))
        case .lessThanOrEqual: Erased<Bool>(Nodes.build_Comparison(lhs: self, rhs: other, op: .lessThanOrEqual))
        case .greaterThan: Erased<Bool>(Nodes.build_Comparison(lhs: self, rhs: other, op: .greaterThan))
        case .greaterThanOrEqual: Erased<Bool>(Nodes.build_Comparison(lhs: self, rhs: other, op: .greaterThanOrEqual))
        }
    }

    /// `self?.…`
    func then<Wrapped, Result>(_ rest: (Erased<Wrapped>) -> Erased<Result>) -> Erased<Result?>
    where Output == Wrapped? {
        Erased<Result?>(Nodes.build_flatMap(self) { rest(Erased<Wrapped>($0)) })
    }

    func thenOptional<Wrapped, Result>(_ rest: (Erased<Wrapped>) -> Erased<Result?>) -> Erased<Result?>
    where Output == Wrapped? {
        Erased<Result?>(Nodes.build_flatMap(self) { rest(Erased<Wrapped>($0)) })
    }

    func otherwise<Wrapped>(_ other: Erased<Wrapped>) -> Erased<Wrapped> where Output == Wrapped? {
        Erased<Wrapped>(Nodes.build_NilCoalesce(lhs: self, rhs: other))
    }
}

extension Erased where Output == Bool {
    func and(_ other: Erased) -> Erased { Erased(Nodes.build_Conjunction(lhs: self, rhs: other)) }
    func or(_ other: Erased) -> Erased { Erased(Nodes.build_Disjunction(lhs: self, rhs: other)) }
    var not: Erased { Erased(Nodes.build_Negation(self)) }
    func choose<Value>(_ yes: Erased<Value>, _ no: Erased<Value>) -> Erased<Value> {
        Erased<Value>(Nodes.build_Conditional(self, yes, no))
    }
}
