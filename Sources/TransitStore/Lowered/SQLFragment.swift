import GTFSSchema
import SystemFiles

/// A piece of SQL: text with a `?` for every bound value, and these values.
///
///     try request.sql().text        // SELECT t0.id, … FROM stop AS t0 WHERE t0.name = ? LIMIT ?
///     try request.sql().bindings    // ['Hauptbahnhof', 200]
///
/// The values of a request never become text.
public struct SQLFragment: Sendable, Hashable {
    /// The SQL, with a `?` for each value.
    public private(set) var text: String
    /// The values, in the order of their `?`.
    public private(set) var bindings: [QueryValue]
    /// Where the bindings come from; known only for those of a lowered tree.
    private(set) var sources: [SlotSource] = []
    /// The tables, as SQL, by their aliases; known only for a lowered tree.
    private(set) var tables: [String: String] = [:]

    /// SQL with the values of its `?`. Neither is checked.
    public init(_ text: String = "", bindings: [QueryValue] = []) {
        self.text = text
        self.bindings = bindings
    }

    var isEmpty: Bool { text.isEmpty }

    /// Appends SQL that contains no input.
    mutating func append(_ sql: String) { text += sql }

    /// Appends a `?` and the value that it stands for.
    mutating func bind(_ value: QueryValue) {
        text += "?"
        bindings.append(value)
    }

    /// Appends a `?` and the value that it stands for, which is derived from the values of a request.
    mutating func bind(_ value: QueryValue, from source: SlotSource) {
        bind(value)
        sources.append(source)
    }

    mutating func append(_ other: SQLFragment) {
        text += other.text
        bindings += other.bindings
        sources += other.sources
        tables.merge(other.tables) { $1 }
    }

    /// Appends `stop AS t0` and notes what the alias stands for.
    mutating func append(table: String, as alias: String) {
        text += "\(table) AS \(alias)"
        tables[alias] = table
    }

    public static func == (one: SQLFragment, other: SQLFragment) -> Bool {
        one.bindings == other.bindings && one.text.hasSameBytes(as: other.text)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(bindings)
    }

    mutating func append(identifier: String) { text += Self.identifier(identifier) }

    /// Appends what `write` writes for every element, with `separator` between.
    mutating func append<Elements: Sequence>(
        _ elements: Elements, separator: String, write: (inout SQLFragment, Elements.Element) throws -> Void
    ) rethrows {
        var isFirst = true
        for element in elements {
            if !isFirst { text += separator }
            isFirst = false
            try write(&self, element)
        }
    }

    /// A name as SQL accepts it: bare if that is safe, else in double quotes.
    static func identifier(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { (97...122).contains($0) || $0 == 95 || $0.isDigit }
        let startsWithLetter = name.utf8.first.map { (97...122).contains($0) } ?? false
        return isPlain && startsWithLetter && !keywords.contains(name) ? name : StoreSchema.quoted(name)
    }

    /// Words of SQL that could be names of columns or tables; quoting too many does no harm.
    private static let keywords: Set<String> = [
        "table", "row", "column", "group", "order", "index", "from", "to", "select", "where", "and", "or", "not", "as",
        "in", "is", "on", "by", "case", "when", "then", "else", "end", "values", "view", "with", "limit", "offset",
        "join", "left", "union", "all", "distinct", "having", "exists", "between", "like", "glob", "set", "default",
        "check", "null", "primary", "references", "unique", "add", "alter", "create", "drop", "delete", "insert",
        "update", "into", "if", "escape", "collate", "commit", "constraint", "foreign", "transaction", "using",
        "returning", "nothing", "isnull", "notnull", "autoincrement", "deferrable", "current_date", "current_time",
    ]
}

extension SQLFragment: CustomStringConvertible {
    /// The SQL with every value in its place; for people, not for running.
    public var description: String {
        var values = bindings.makeIterator()
        var quote: Unicode.Scalar?
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            // A question mark within quotes belongs to a name or a text. Two quotes in a row end one and begin one.
            if let open = quote {
                if scalar == open { quote = nil }
            } else if scalar == "\"" || scalar == "'" {
                quote = scalar
            } else if scalar == "?", let value = values.next() {
                result.append(contentsOf: value.description.unicodeScalars)
                continue
            }
            result.append(scalar)
        }
        return String(result)
    }
}
