// Unsafe only where bytes are passed to the CSV reader; everything else is bounds-checked.

import GTFSImport
import GTFSFeed
import SQLite

/// The Mobility Database's lists (<https://github.com/MobilityData/mobility-database-catalogs>): `feeds_v2.csv`, and
/// the older one without `id`.
enum CatalogReader {
    /// The states of feeds that can be used. In any other state, a feed has ended or has not begun.
    private static let usable: Set<String> = ["", "active"]

    static func entries(in bytes: [UInt8]) throws -> [FeedList.Entry] {
        let reader = try CSVReader(source: ByteArray(bytes: bytes))
        var columns: [String: Int] = [:]
        for column in reader.header.columns where columns[column.name] == nil { columns[column.name] = column.index }
        guard let address = columns["urls.direct_download"] else { return [] }
        var entries: [FeedList.Entry] = []
        while let block = try reader.nextBlock() {
            for row in 0..<block.rowCount {
                let fields = block.fields(of: row)
                func text(_ column: Int?) -> String {
                    guard let column, column < fields.count else { return "" }
                    let text = String(decoding: block.field(fields.lowerBound + column), as: UTF8.self)
                    return String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
                }
                entries.append(entry(address: text(address)) { text(columns[$0]) })
            }
        }
        return entries
    }

    private static func entry(address: String, _ text: (String) -> String) -> FeedList.Entry {
        var entry = FeedList.Entry()
        let number = text("mdb_source_id")
        entry.id = number.isEmpty ? text("id") : "mdb-" + number
        entry.address = address
        let (kind, state) = (text("data_type"), text("status"))
        if kind != "gtfs", !kind.isEmpty {
            entry.reason = "is \(kind), not a timetable"
        } else if !usable.contains(state) {
            entry.reason = "is \(state)"
        }
        let parameter = text("urls.api_key_parameter_name")
        switch text("urls.authentication_type") {
        case "1": entry.key = "query:" + parameter
        case "2": entry.key = "header:" + parameter
        default: break
        }
        if entry.key.hasSuffix(":") { entry.reason = entry.reason ?? "wants a key, but its name is missing" }
        return entry
    }
}

/// Registries of the Distributed Mobility Feed Registry format (<https://dmfr.transit.land>).
enum RegistryReader {
    private static let feeds = """
        SELECT feed ->> 'id', feed ->> 'spec', feed ->> '$.urls.static_current', feed ->> '$.authorization.type',
            feed ->> '$.authorization.param_name', type, key, CASE WHEN feed IS NULL THEN value END
        FROM (SELECT key, type, value, CASE type WHEN 'object' THEN value END AS feed FROM json_each(?1, '$.feeds'))
        ORDER BY key
        """

    static func entries(in bytes: [UInt8]) throws -> [FeedList.Entry] {
        let connection = try Connection(path: ":memory:", mode: .create)
        let valid = try connection.prepare(
            "SELECT CASE WHEN json_valid(?1) THEN json_type(?1, '$.feeds') IS 'array' END")
        let text = String(decoding: bytes, as: UTF8.self)
        valid.bind(1, text)
        guard try valid.step(), valid.integer(0) == 1 else { return [] }
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
        case "query_param": entry.key = "query:" + parameter
        case "header": entry.key = "header:" + (parameter.isEmpty ? "Authorization" : parameter)
        case "basic_auth": entry.key = "basic"
        default: entry.reason = entry.reason ?? "wants a key in a way that is not known (\(row.text(3) ?? ""))"
        }
        if entry.key == "query:" { entry.reason = entry.reason ?? "wants a key, but its name is missing" }
        return entry
    }
}

/// Bytes in memory, as a source for the CSV reader.
private struct ByteArray: ByteSource {
    let bytes: [UInt8]
    private var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = min(buffer.count, bytes.count - place)
        buffer.copyBytes(from: bytes[place..<place + count])
        place += count
        return count
    }
}
