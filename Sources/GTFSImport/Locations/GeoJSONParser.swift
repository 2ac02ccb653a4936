import SQLite

/// One value of a JSON object.
struct GeoJSONValue: Equatable {
    /// As SQLite calls it: object, array, text, integer, real, true, false, null.
    let type: String
    /// The characters of a text, a number as it is written, or minified JSON for any other type.
    let text: String

    /// The type in words for people.
    var words: String { JSONType.words(type) }
}

/// The types of JSON, as SQLite calls them.
package enum JSONType {
    /// In words for people.
    package static func words(_ type: String) -> String {
        switch type {
        case "object", "array": "an " + type
        case "integer", "real": "a number"
        default: type
        }
    }
}

/// Members of a JSON object, by name.
struct GeoJSONMembers {
    fileprivate(set) var values: [String: GeoJSONValue] = [:]
    /// Whether the object has further members, or one of these twice.
    fileprivate(set) var hasOthers = false

    subscript(name: String) -> GeoJSONValue? { values[name] }
}

/// Reads the JSON of one feature at a time, with SQLite's JSON functions (<https://sqlite.org/json1.html>) on its own
/// connection.
///
/// Every function takes an object as text. If the object has a name twice, the first member counts. Used by one thread.
final class GeoJSONParser {
    private let kindStatement: Statement
    private let memberStatement: Statement
    private let numberStatement: Statement
    private let restStatement: Statement
    private let nameStatement: Statement
    private let repetitionStatement: Statement

    private static let members = """
        SELECT key IN (?2, ?3, ?4, ?5), key, type, CASE WHEN key IN (?2, ?3, ?4, ?5)
        THEN CASE WHEN type IN ('integer', 'real') THEN fullkey ELSE value END END
        FROM json_each(?1)
        """
    private static let repetitions =
        "SELECT key, count(*) FROM json_each(?1) GROUP BY key HAVING count(*) > 1 ORDER BY min(id)"

    init() throws(SQLiteError) {
        let connection = try Connection(path: ":memory:", mode: .create)
        // Sorting the names of a feature is bounded by its size. Without this, SQLite would sort them in a folder that
        // may be full although the store's is not.
        try connection.execute("PRAGMA temp_store = MEMORY")
        kindStatement = try connection.prepare("SELECT CASE WHEN json_valid(?1) THEN json_type(?1) END")
        memberStatement = try connection.prepare(Self.members)
        numberStatement = try connection.prepare("SELECT ?1 -> ?2")
        restStatement = try connection.prepare("SELECT json_remove(?1, ?2, ?3, ?4, ?5)")
        nameStatement = try connection.prepare("SELECT key FROM json_each(?1)")
        repetitionStatement = try connection.prepare(Self.repetitions)
    }

    /// The type of the JSON value; nil if the text is not JSON.
    func kind(of text: String) throws(SQLiteError) -> String? {
        try rows(kindStatement, text) { () throws(SQLiteError) in
            try kindStatement.step() ? kindStatement.text(0) : nil
        }
    }

    /// The values of up to four names.
    func members(of object: String, named names: [String]) throws(SQLiteError) -> GeoJSONMembers {
        for place in 0..<4 { memberStatement.bind(place + 2, place < names.count ? names[place] : nil) }
        return try rows(memberStatement, object) { () throws(SQLiteError) in
            var members = GeoJSONMembers()
            while try memberStatement.step() {
                guard memberStatement.integer(0) == 1, let name = memberStatement.text(1), members[name] == nil
                else {
                    members.hasOthers = true
                    continue
                }
                let (type, text) = (memberStatement.text(2) ?? "", memberStatement.text(3) ?? "null")
                let isNumber = type == "integer" || type == "real"
                members.values[name] = GeoJSONValue(
                    type: type, text: isNumber ? try number(in: object, at: text) : text)
            }
            return members
        }
    }

    /// A number as it is spelled, as SQLite's own numbers would lose digits. Each call reads the whole object, so none
    /// is made for a name's further members.
    private func number(in object: String, at path: String) throws(SQLiteError) -> String {
        numberStatement.bind(2, path)
        return try rows(numberStatement, object) { () throws(SQLiteError) in
            try numberStatement.step() ? numberStatement.text(0) ?? "null" : "null"
        }
    }

    /// The object without the first member of each of up to four names, as minified JSON; nil if nothing remains.
    func rest(of object: String, without names: [String]) throws(SQLiteError) -> String? {
        // Unused parameters get an array path, which matches nothing in an object.
        for place in 0..<4 { restStatement.bind(place + 2, place < names.count ? "$.\(names[place])" : "$[0]") }
        return try rows(restStatement, object) { () throws(SQLiteError) in
            guard try restStatement.step(), let rest = restStatement.text(0), rest != "{}" else { return nil }
            return rest
        }
    }

    /// Visits the name of every member.
    func forEachName(in object: String, _ body: (String) -> Void) throws(SQLiteError) {
        try rows(nameStatement, object) { () throws(SQLiteError) in
            while try nameStatement.step() { body(nameStatement.text(0) ?? "") }
        }
    }

    /// Visits every name that occurs more than once in the object, with its number of occurrences.
    func forEachRepetition(in object: String, _ body: (String, Int64) -> Void) throws(SQLiteError) {
        try rows(repetitionStatement, object) { () throws(SQLiteError) in
            while try repetitionStatement.step() {
                body(repetitionStatement.text(0) ?? "", repetitionStatement.integer(1))
            }
        }
    }

    /// Binds the text, runs `body`, then unbinds the text, so that SQLite frees it.
    private func rows<Result>(
        _ statement: Statement, _ text: String, _ body: () throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        statement.bind(1, text)
        defer {
            statement.reset()
            statement.bindNull(1)
        }
        return try body()
    }
}
