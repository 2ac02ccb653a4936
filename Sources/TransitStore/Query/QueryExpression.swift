/// A condition or a computed value over the rows of an entity. `#Predicate`, textual predicates and convenience
/// predicates are compiled into it, and SQL is generated from it.
///
///     // $0.name == "Hauptbahnhof"
///     let named: QueryExpression = .comparison(.equal, .property(.root, ["name"]), .value("Hauptbahnhof"))
///     // SUBQUERY(stopTimes, $x, $x.departureTime >= 28800).@count != 0
///     let isServed: QueryExpression = .related(
///         RelatedRows(
///             of: .root, path: ["stopTimes"], variable: QueryVariable(1),
///             condition: .comparison(.greaterOrEqual, .property(QueryVariable(1), ["departureTime"]), .value(28_800)),
///             yields: .exists))
///
/// Names are those of the entity's Swift properties; a column's name (`departure_time`) stands for the same property.
/// Unknown names and paths are found when SQL is generated; the error names them.
///
/// Logic has two values, as in Swift: a comparison with a missing value is false, and its negation true. There are two
/// exceptions: `!=` is true when exactly one side is missing, and `== nil` is true for a missing value.
package indirect enum QueryExpression: Sendable, Hashable {
    /// A bound value. True and false are 1 and 0.
    case value(QueryValue)
    /// A value that is given when a template is used (`$NAME`).
    case parameter(String)
    /// The row that a variable stands for; as a value, its id.
    case object(QueryVariable)
    /// A property, reached from a variable through any number of to-one relationships.
    case property(QueryVariable, PropertyPath)

    /// A comparison such as `left = right`.
    case comparison(ComparisonOperator, QueryExpression, QueryExpression)
    /// A text comparison such as `BEGINSWITH` or `CONTAINS`, with options such as [cd].
    case text(TextOperator, TextOptions, QueryExpression, QueryExpression)
    /// One of the listed values.
    case membership(QueryExpression, [QueryValue])
    /// A test with a list that is given when a template is used: `IN $NAME`, `BETWEEN $NAME`.
    case listed(QueryExpression, ListTest, in: String, TextOptions)
    /// Every condition holds; true when there is none.
    case all([QueryExpression])
    /// At least one condition holds; false when there is none.
    case any([QueryExpression])
    /// The condition does not hold: it is false, or has no answer because a value is missing.
    case not(QueryExpression)

    case arithmetic(ArithmeticOperator, QueryExpression, QueryExpression)
    case negative(QueryExpression)
    /// `test ? yes : no`
    case conditional(QueryExpression, QueryExpression, QueryExpression)
    /// `value ?? otherwise`
    case coalesce(QueryExpression, QueryExpression)
    /// A text without case and diacritics, as SearchText.normalize makes it. Uses a normalized column if there is one.
    case folded(QueryExpression)
    /// The number of code points of a text before the first U+0000, like SQLite's `length()`.
    case length(QueryExpression)

    /// A value from the rows on the other side of a to-many relationship.
    case related(RelatedRows)
    /// `count`, `min`, … over the rows of a group: for fetched expressions and `havingPredicate`.
    case aggregate(AggregateFunction, QueryExpression?)
    /// Geodesic metres between a row's `latitude` and `longitude` and a point.
    case distance(QueryVariable, PropertyPath, Coordinate)
    /// Whether a row's `latitude` and `longitude` lie in a box.
    case box(QueryVariable, PropertyPath, BoundingBox)
    /// Whether the rows are of the store that ids name by this number; 0 is the first store of a context.
    case inStore(Int32)
    /// Whether a stop has a search term that begins with a normalized word.
    case searchTerm(QueryVariable, PropertyPath, prefix: String)

    /// The condition that every row meets.
    package static let always = QueryExpression.all([])
    /// The condition that no row meets.
    package static let never = QueryExpression.any([])
}

/// A variable for a row in an expression: 0 for the fetched entity, other numbers for the rows of a subquery.
package struct QueryVariable: Sendable, Hashable {
    package let number: Int
    package init(_ number: Int) { self.number = number }
    /// The row of the fetched entity (`SELF`).
    package static let root = QueryVariable(0)
}

package enum ComparisonOperator: String, Sendable, Hashable, CaseIterable {
    case equal = "="
    case notEqual = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
}

package enum ArithmeticOperator: String, Sendable, Hashable, CaseIterable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
    case bitAnd = "&"
    case bitOr = "|"
    case shiftLeft = "<<"
    case shiftRight = ">>"

    /// Whether the operands become whole numbers first.
    var isOfIntegers: Bool { ![.add, .subtract, .multiply, .divide].contains(self) }
}

/// How a text is compared with a pattern.
package enum TextOperator: String, Sendable, Hashable, CaseIterable {
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    /// Equality that can have options.
    case equals = "=="
    /// `?` for one code point, `*` for any number of them; a backslash makes the next one literal.
    case like = "LIKE"
    /// A regular expression that the whole text must match.
    case matches = "MATCHES"

    /// Whether it looks for a part of a text. In words, no text has an empty part, as in NSPredicate; in Swift, each
    /// text has.
    var findsPart: Bool { [.beginsWith, .endsWith, .contains].contains(self) }
}

/// What a comparison of texts ignores.
package struct TextOptions: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    /// `[c]`
    package static let caseInsensitive = TextOptions(rawValue: 1)
    /// `[d]`
    package static let diacriticInsensitive = TextOptions(rawValue: 2)
    /// `[cd]`: uses the normalized column and its index where there is one.
    package static let folded: TextOptions = [.caseInsensitive, .diacriticInsensitive]
}

/// A test with a list that is given later.
package enum ListTest: String, Sendable, Hashable, CaseIterable {
    /// Equal to one of the list's values, or to a single value.
    case member = "IN"
    /// From the first of the list's two values through the second.
    case range = "BETWEEN"
}

package enum AggregateFunction: String, Sendable, Hashable, CaseIterable {
    case count, min, max, sum
    case average = "avg"
}

/// The rows on the other side of a to-many relationship that meet a condition, and what an expression takes from them.
package struct RelatedRows: Sendable, Hashable {
    package enum Yield: Sendable, Hashable {
        /// Whether there is any.
        case exists
        /// How many there are.
        case count
        /// An aggregate of an expression over them.
        case aggregate(AggregateFunction, QueryExpression)
    }

    /// The row that owns the relationship.
    package var owner: QueryVariable
    /// To-one relationships, then the to-many relationship.
    package var path: PropertyPath
    /// The variable for one of the related rows in `condition` and `yields`.
    package var variable: QueryVariable
    package var condition: QueryExpression
    package var yields: Yield

    package init(
        of owner: QueryVariable, path: PropertyPath, variable: QueryVariable, condition: QueryExpression = .always,
        yields: Yield
    ) {
        self.owner = owner
        self.path = path
        self.variable = variable
        self.condition = condition
        self.yields = yields
    }
}
