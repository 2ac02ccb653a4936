/// The rows on the other side of a to-many relationship that meet a condition, and what is wanted of them.
public struct RelatedRows: Sendable, Hashable {
    public enum Yield: Sendable, Hashable {
        /// Whether there is any.
        case exists
        /// How many there are.
        case count
        /// An aggregate of an expression over them.
        case aggregate(AggregateFunction, QueryExpression)
    }

    /// The row that owns the relationship.
    public var owner: QueryVariable
    /// To-one relationships, then the to-many relationship.
    public var path: [String]
    /// What stands for one of the related rows in `condition` and `yields`.
    public var variable: QueryVariable
    public var condition: QueryExpression
    public var yields: Yield

    public init(
        of owner: QueryVariable, path: [String], variable: QueryVariable, condition: QueryExpression = .always,
        yields: Yield
    ) {
        self.owner = owner
        self.path = path
        self.variable = variable
        self.condition = condition
        self.yields = yields
    }
}
