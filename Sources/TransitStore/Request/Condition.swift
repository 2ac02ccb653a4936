import FoundationEssentials

/// A condition that selects rows of an entity.
///
///     var near: Condition<Stop> = .within(meters: 80, of: goerlitzerBahnhof)
///     near = near && #Predicate { $0.locationType == 0 }
///
/// Made from a `#Predicate`, from a textual predicate, or by functions such as `within(meters:of:)`; joined with `&&`,
/// `||` and `!`, or by `all(of:)` and `any(of:)`. A `#Predicate` is translated at once. If SQL cannot express it, the
/// condition keeps the error; `validate()` and every fetch throw it before anything runs. Conditions are equal when
/// they ask the same with the same values.
public struct Condition<Entity: StoreObject>: Sendable, Hashable {
    /// The translated condition, or the error if SQL cannot express it. Its type is not generic over `Entity`, because
    /// the runtime would look up a generic type again at each fetch.
    let translation: Result<QueryExpression, StoreError>

    /// A condition from an expression, which is simplified and numbered here. Its depth is not checked: a `#Predicate`
    /// or a text that is too deep is refused while it is read.
    package init(_ query: QueryExpression) {
        translation = .success(query.asCondition.simplified.asCondition.renumbered)
    }

    /// A condition that was joined from others. Its query is already simplified and ordered, but not numbered.
    private init(simplified query: QueryExpression) {
        translation = query.isDeeper(than: QueryExpression.mostLevels) ? .failure(.tooDeep) : .success(query.renumbered)
    }

    /// A condition whose query is already simplified, ordered and numbered.
    init(normal query: QueryExpression) { translation = .success(query) }

    init(_ translation: Result<QueryExpression, StoreError>) { self.translation = translation }

    /// The condition of a `#Predicate`.
    ///
    ///     let stations = Condition<Stop>(#Predicate { $0.locationType.isStation })
    public init(_ predicate: Predicate<Entity>) {
        do { self.init(try QueryExpression(predicate)) } catch { self.init(refused: error) }
    }

    init(refused error: any Error) {
        translation = .failure(StoreError(any: error))
    }

    /// The condition as an expression. Throws the error that `validate()` throws.
    package func query() throws -> QueryExpression { try translation.get() }

    /// Throws the error that a fetch would throw for this condition.
    ///
    ///     let near: Condition<Stop> = .within(meters: -1, of: goerlitzerBahnhof)
    ///     try near.validate()     // throws unsuitableValue
    ///
    /// Throws `StoreError`: `untranslatable`, naming the node and the key path, if SQL cannot express the condition;
    /// `tooComplex` for a condition of more than 200 levels, such as `!(!(!(…) || b) || a)`; `unsuitableValue` for a
    /// place or distance out of range.
    public func validate() throws(StoreError) {
        try StoreError.only { _ = try query() }
    }

    /// Every row: no predicate at all.
    public static var all: Condition { Condition(normal: .always) }
    /// No row.
    public static var none: Condition { Condition(.never) }

    /// All of the conditions hold; every row for an empty list.
    ///
    ///     let found: Condition<Stop> = .all(of: [open, .within(meters: 300, of: goerlitzerBahnhof)])
    ///
    /// Gives the same as joining them with `&&`, but faster for many: each `&&` goes through all conditions before it,
    /// so 2,000 of them take two million steps. Core Data: `NSCompoundPredicate(andPredicateWithSubpredicates:)`.
    public static func all(of conditions: some Sequence<Condition>) -> Condition {
        joined(try conditions.map { try $0.query() }, QueryExpression.conjunctionOfSimple)
    }

    /// At least one of the conditions holds; no row for an empty list.
    ///
    ///     let named: Condition<Stop> = .any(of: ["u gorli", "zoo"].map { .name(beginsWith: $0) })
    ///
    /// Gives the same as joining them with `||`, but faster for many, as `all(of:)` does. Core Data:
    /// `NSCompoundPredicate(orPredicateWithSubpredicates:)`.
    public static func any(of conditions: some Sequence<Condition>) -> Condition {
        joined(try conditions.map { try $0.query() }, QueryExpression.disjunctionOfSimple)
    }

    private static func joined(
        _ queries: @autoclosure () throws -> [QueryExpression], _ join: ([QueryExpression]) -> QueryExpression
    ) -> Condition {
        do {
            return Condition(simplified: join(try queries()))
        } catch {
            return Condition(refused: error)
        }
    }

    /// Rows that meet both conditions.
    public static func && (one: Condition, other: Condition) -> Condition {
        joined([try one.query(), try other.query()], QueryExpression.conjunctionOfSimple)
    }

    /// Rows that meet at least one of the conditions.
    public static func || (one: Condition, other: Condition) -> Condition {
        joined([try one.query(), try other.query()], QueryExpression.disjunctionOfSimple)
    }

    /// Rows that do not meet the condition.
    public static prefix func ! (condition: Condition) -> Condition {
        switch condition.translation {
        case .success(let query): Condition(simplified: .negation(ofSimple: query))
        case .failure: condition
        }
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
///
///     let platforms = #Predicate<Stop> { $0.locationType == 0 } && #Predicate<Stop> { $0.platformCode != nil }
public func && <Entity: StoreObject>(one: Predicate<Entity>, other: Predicate<Entity>) -> Condition<Entity> {
    Condition(one) && Condition(other)
}

/// At least one of the predicates holds.
public func || <Entity: StoreObject>(one: Predicate<Entity>, other: Predicate<Entity>) -> Condition<Entity> {
    Condition(one) || Condition(other)
}

/// The predicate does not hold.
public prefix func ! <Entity: StoreObject>(predicate: Predicate<Entity>) -> Condition<Entity> { !Condition(predicate) }
