import GTFSImport
import SQLite

/// Registries of the Distributed Mobility Feed Registry format (<https://dmfr.transit.land>).
enum RegistryReader {
    private static let feeds = """
        SELECT feed ->> 'id', feed ->> 'spec', feed ->> '$.urls.static_current', feed ->> '$.authorization.type',
            feed ->> '$.authorization.param_name', type, key, CASE WHEN feed IS NULL THEN value END
        FROM (SELECT key, type, value, CASE type WHEN 'object' THEN value END AS feed FROM json_each(?1, '$.feeds'))
        ORDER BY key
        """

    /// Nil if the bytes are no such registry.
    static func entries(in bytes: [UInt8]) throws -> [FeedList.Entry]? {
        let connection = try Connection(path: ":memory:", mode: .create)
        let valid = try connection.prepare(
            "SELECT CASE WHEN json_valid(?1) THEN json_type(?1, '$.feeds') IS 'array' END")
        let text = String(decoding: bytes, as: UTF8.self)
        valid.bind(1, text)
        guard try valid.step(), valid.integer(0) == 1 else { return nil }
        let rows = try connection.prepare(feeds)
        rows.bind(1, text)
        var entries: [FeedList.Entry] = []
        while try rows.step() { entries.append(rows.text(5) == "object" ? entry(rows) : unusableEntry(rows)) }
        return entries
    }

    /// The entry for an element that is not an object. It does not affect the other feeds.
    private static func unusableEntry(_ row: Statement) -> FeedList.Entry {
        var entry = FeedList.Entry()
        entry.id = "feeds[\(row.integer(6))]"
        let value = row.text(7).map { ": \($0.prefix(40))" } ?? ""
        entry.reason = "is \(JSONType.words(row.text(5) ?? "")), not an object\(value)"
        return entry
    }

    private static func entry(_ row: Statement) -> FeedList.Entry {
        var entry = FeedList.Entry()
        entry.id = row.text(0) ?? ""
        let kind = row.text(1) ?? "gtfs"
        entry.address = row.text(2) ?? ""
        if kind != "gtfs" { entry.reason = "is \(kind), not a timetable" }
        let parameter = row.text(4) ?? ""
        switch row.text(3) ?? "" {
        case "": break
        case "query_param": entry.expect(.query(parameter))
        case "header": entry.expect(.header(parameter.isEmpty ? "Authorization" : parameter))
        case "basic_auth": entry.expect(.basic)
        case let type: entry.reason = entry.reason ?? FeedList.Entry.unknownKey(type)
        }
        return entry
    }
}
