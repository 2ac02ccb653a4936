import FoundationEssentials

/// A time or a date of service: ``ServiceTime`` and ``ServiceDate``.
///
/// Feeds may leave both empty, so properties of these types are optional. Optional moments can be ordered as well: `<`,
/// `<=`, `>`, `>=` and a range's `contains` are false if a side is nil, in Swift and in SQL.
///
///     let eight = ServiceTime(hours: 8)
///     let later = FetchRequest<StopTime>(where: #Predicate { eight <= $0.departureTime })
///     let untimed = FetchRequest<StopTime>(where: #Predicate { $0.departureTime == nil })
///     if let departure = stopTime.departureTime, departure < eight { print(departure) }
public protocol ServiceMoment: Comparable, Hashable, Codable, Sendable, QueryValueConvertible {}

extension Optional where Wrapped: ServiceMoment {
    @_disfavoredOverload
    public static func < (one: Self, other: Self) -> Bool { areBoth(one, other, <) }
    @_disfavoredOverload
    public static func <= (one: Self, other: Self) -> Bool { areBoth(one, other, <=) }
    @_disfavoredOverload
    public static func > (one: Self, other: Self) -> Bool { areBoth(one, other, >) }
    @_disfavoredOverload
    public static func >= (one: Self, other: Self) -> Bool { areBoth(one, other, >=) }

    private static func areBoth(_ one: Self, _ other: Self, _ test: (Wrapped, Wrapped) -> Bool) -> Bool {
        guard let one, let other else { return false }
        return test(one, other)
    }
}

extension RangeExpression where Bound: ServiceMoment {
    /// Whether the range has the moment; false for nil.
    @_disfavoredOverload
    public func contains(_ moment: Bound?) -> Bool {
        guard let moment else { return false }
        return contains(moment)
    }
}

/// The nodes that `#Predicate` makes of these operators.
///
/// The overloads are disfavored, so that they slow down no other predicates. When they were not, the type checker took
/// 626 ms instead of 39 for a predicate.
extension PredicateExpressions {
    @_disfavoredOverload
    public static func build_Comparison<One, Other, Moment: ServiceMoment>(
        lhs: One, rhs: Other, op: ComparisonOperator
    ) -> some StandardPredicateExpression<Bool>
    where
        One: StandardPredicateExpression<Moment?>, Other: StandardPredicateExpression<Moment?>
    {
        MomentOrder(one: lhs, other: rhs, op: op)
    }

    /// `(eight..<nine).contains($0.departureTime)`, made of Foundation's own nodes.
    @_disfavoredOverload
    public static func build_contains<Range, Element, Moment: ServiceMoment>(
        _ range: Range, _ element: Element
    ) -> some StandardPredicateExpression<Bool>
    where
        Range: StandardPredicateExpression, Range.Output: RangeExpression, Range.Output.Bound == Moment,
        Element: StandardPredicateExpression<Moment?>
    {
        build_NilCoalesce(lhs: build_flatMap(element) { build_contains(range, $0) }, rhs: build_Arg(false))
    }
}

/// `$0.departureTime < eight`: false if a side is nil.
///
/// Foundation's nodes can express it, too: `one.flatMap { a in other.flatMap { b in a < b } } ?? false`. That is eight
/// nodes besides the two sides. Making, translating and simplifying them took 25,000 instructions for each comparison,
/// a tenth of a fetch of the stops in a box with departures.
struct MomentOrder<One, Other, Moment: ServiceMoment>: StandardPredicateExpression
where One: StandardPredicateExpression<Moment?>, Other: StandardPredicateExpression<Moment?> {
    let one: One
    let other: Other
    let op: PredicateExpressions.ComparisonOperator

    func evaluate(_ bindings: PredicateBindings) throws -> Bool {
        let (one, other) = (try one.evaluate(bindings), try other.evaluate(bindings))
        return switch op {
        case .lessThan: one < other
        case .lessThanOrEqual: one <= other
        case .greaterThan: one > other
        case .greaterThanOrEqual: one >= other
        }
    }
}

extension MomentOrder: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        .comparison(ComparisonOperator(op), try one.query(&state), try other.query(&state))
    }
}
