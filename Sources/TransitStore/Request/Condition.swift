import FoundationEssentials

/// Which rows of an entity a request is about.
///
///     var near: Condition<Stop> = .within(meters: 80, of: goerlitzerBahnhof)
///     near = near && #Predicate { $0.locationType == 0 }
///
/// Made from a `#Predicate`, from a textual predicate, or by functions such as `within(meters:of:)`; joined with
/// `&&`, `||` and `!`. A `#Predicate` is translated at once. If SQL cannot say it, the condition keeps the error;
/// `validate()` and every fetch throw it before anything runs. Conditions are equal when they ask the same with the
/// same values.
public struct Condition<Entity: StoreObject>: Sendable, Hashable {
    private enum Translation: Sendable, Hashable {
        case query(QueryExpression)
        case refused(StoreError)
    }

    private let translation: Translation

    /// A condition that is already in the form from which SQL is written.
    package init(_ query: QueryExpression) {
        translation = .query(query.asCondition.simplified.asCondition.renumbered)
    }

    /// A condition that is simplified and ordered already.
    private init(simplified query: QueryExpression) { translation = .query(query.renumbered) }

    /// A condition that is as the others become: simplified, ordered and numbered.
    init(normal query: QueryExpression) { translation = .query(query) }

    /// The condition of a `#Predicate`.
    public init(_ predicate: Predicate<Entity>) {
        do { self.init(try QueryExpression(predicate)) } catch { self.init(refused: error) }
    }

    init(refused error: any Error) {
        translation = .refused(StoreError(any: error))
    }

    /// The condition as an expression. Throws `StoreError.untranslatable` if there is no SQL for a part of it.
    package func query() throws -> QueryExpression {
        switch translation {
        case .query(let query): return query
        case .refused(let error): throw error
        }
    }

    /// The condition as an expression; nil for one that is refused.
    var translated: QueryExpression? { if case .query(let query) = translation { query } else { nil } }

    /// Throws `StoreError.untranslatable`, naming the node and the key path, if SQL cannot say the condition.
    public func validate() throws(StoreError) {
        try StoreError.only { _ = try query() }
    }

    /// Every row: no predicate at all.
    public static var all: Condition { Condition(.always) }
    /// No row.
    public static var none: Condition { Condition(.never) }

    private func combined(
        _ other: Condition, _ combine: (QueryExpression, QueryExpression) -> QueryExpression
    ) -> Condition {
        switch (translation, other.translation) {
        case (.query(let one), .query(let two)): Condition(simplified: combine(one, two))
        case (.refused(let error), _), (_, .refused(let error)): Condition(refused: error)
        }
    }

    public static func && (one: Condition, other: Condition) -> Condition {
        one.combined(other) { .conjunctionOfSimple([$0, $1]) }
    }

    public static func || (one: Condition, other: Condition) -> Condition {
        one.combined(other) { .disjunctionOfSimple([$0, $1]) }
    }

    public static prefix func ! (condition: Condition) -> Condition {
        condition.combined(condition) { query, _ in QueryExpression.not(query).simplified }
    }
}

// A #Predicate may stand on either side.

extension Condition {
    public static func && (one: Condition, other: Predicate<Entity>) -> Condition { one && Condition(other) }
    public static func && (one: Predicate<Entity>, other: Condition) -> Condition { Condition(one) && other }
    public static func || (one: Condition, other: Predicate<Entity>) -> Condition { one || Condition(other) }
    public static func || (one: Predicate<Entity>, other: Condition) -> Condition { Condition(one) || other }
}

/// Both predicates hold.
public func && <Entity: StoreObject>(one: Predicate<Entity>, other: Predicate<Entity>) -> Condition<Entity> {
    Condition(one) && Condition(other)
}

/// At least one of the predicates holds.
public func || <Entity: StoreObject>(one: Predicate<Entity>, other: Predicate<Entity>) -> Condition<Entity> {
    Condition(one) || Condition(other)
}

/// The predicate does not hold.
public prefix func ! <Entity: StoreObject>(predicate: Predicate<Entity>) -> Condition<Entity> { !Condition(predicate) }
