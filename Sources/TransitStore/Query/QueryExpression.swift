/// A condition or a computed value over the rows of an entity: what `#Predicate`, textual predicates and convenience
/// predicates are compiled into, and what SQL is written from.
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
/// Whether names and paths exist is found out when SQL is written, and refused by naming them.
///
/// Logic has two values, as in Swift: a comparison with something missing is false, and its negation true. Only
/// `!=` is true when exactly one side is missing, and `== nil` asks for what is missing.
package indirect enum QueryExpression: Sendable, Hashable {
    /// A bound value. True and false are 1 and 0.
    case value(QueryValue)
    /// A value that is given when a template is used (`$NAME`).
    case parameter(String)
    /// The row that a variable stands for; as a value, its id.
    case object(QueryVariable)
    /// A property, reached from a variable through any number of to-one relationships.
    case property(QueryVariable, [String])

    /// `left = right` and its kin.
    case comparison(ComparisonOperator, QueryExpression, QueryExpression)
    /// `BEGINSWITH`, `CONTAINS` and their kin, with options such as [cd].
    case text(TextOperator, TextOptions, QueryExpression, QueryExpression)
    /// One of the listed values.
    case membership(QueryExpression, [QueryValue])
    /// A test with a list that is given when a template is used: `IN $NAME`, `BETWEEN $NAME`.
    case listed(QueryExpression, ListTest, in: String, TextOptions)
    /// Every condition holds; true when there is none.
    case all([QueryExpression])
    /// At least one condition holds; false when there is none.
    case any([QueryExpression])
    /// The condition does not hold, be it false or without an answer because something is missing.
    case not(QueryExpression)

    case arithmetic(ArithmeticOperator, QueryExpression, QueryExpression)
    case negative(QueryExpression)
    /// `test ? yes : no`
    case conditional(QueryExpression, QueryExpression, QueryExpression)
    /// `value ?? otherwise`
    case coalesce(QueryExpression, QueryExpression)
    /// A text without case and diacritics, as SearchText.normalize makes it; a normalized column where there is one.
    case folded(QueryExpression)
    /// The number of code points of a text, up to a U+0000: what SQLite calls its length.
    case length(QueryExpression)

    /// Something about the rows on the other side of a to-many relationship.
    case related(RelatedRows)
    /// `count`, `min`, … over the rows of a group: for fetched expressions and `havingPredicate`.
    case aggregate(AggregateFunction, QueryExpression?)
    /// Geodesic metres between a row's `latitude` and `longitude` and a point.
    case distance(QueryVariable, [String], Coordinate)
    /// Whether a row lies in a box, given by where its `latitude` and `longitude` are.
    case box(QueryVariable, [String], BoundingBox)
    /// Whether a stop has a search term that begins with a normalized word.
    case searchTerm(QueryVariable, [String], prefix: String)

    /// The condition that every row meets.
    package static let always = QueryExpression.all([])
    /// The condition that no row meets.
    package static let never = QueryExpression.any([])
}

/// What stands for a row in an expression: 0 for the fetched entity, others for the rows of a subquery.
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
}

/// How a text is compared with a pattern.
package enum TextOperator: String, Sendable, Hashable, CaseIterable {
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    /// Equality, for the sake of its options.
    case equals = "=="
    /// `?` for one code point, `*` for any number; a backslash takes the meaning of what follows away.
    case like = "LIKE"
    /// A regular expression that the whole text meets.
    case matches = "MATCHES"
}

/// What a comparison of texts does not look at.
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

/// What is asked with a list that is given later.
package enum ListTest: String, Sendable, Hashable, CaseIterable {
    /// One of its values, or its one value.
    case member = "IN"
    /// From the first of its two values through the second.
    case range = "BETWEEN"
}

package enum AggregateFunction: String, Sendable, Hashable, CaseIterable {
    case count, min, max, sum
    case average = "avg"
}

/// The rows on the other side of a to-many relationship that meet a condition, and what is wanted of them.
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
    package var path: [String]
    /// What stands for one of the related rows in `condition` and `yields`.
    package var variable: QueryVariable
    package var condition: QueryExpression
    package var yields: Yield

    package init(
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
