import Foundation
import GTFSSchema
import TestSupport
import Testing

@testable import GTFSImport

/// A feed may name its own columns as it likes, also like columns of the store's other tables.
@Suite struct ColumnNameTests {
    private static let root = CommandLineProgram.packageRoot
    private static let recipes = ["departures", "arrivals", "notices_today"]

    private static func recipe(_ name: String) throws -> String {
        try String(contentsOfFile: root + "/schema/\(name).sql", encoding: .utf8)
    }

    /// The names of all columns of a store, and all words of the SQL in schema/.
    private static func names(_ store: AskedStore) throws -> [String] {
        let columns = try store.rows(
            "SELECT DISTINCT c.name FROM sqlite_schema AS m JOIN pragma_table_xinfo(m.name) AS c WHERE m.type <> 'index'"
        )
        let sql = try recipes.map(recipe).joined(separator: " ").lowercased()
        let words = sql.split { !$0.isLetter && $0 != "_" }.map(String.init)
        return Set(columns + words).sorted()
    }

    /// The sample feed, in each file with a column of each of these names that the file does not have.
    private static func sample(addingTo names: [String]) throws -> LayeredFeed {
        let feed = try LayeredFeed(SmallFeed.files.mapValues { _ in nil })
        feed.options.gathersDetails = true
        let folder = root + "/pipelines/sample-feed"
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
            guard let fields = Specification.gtfs.file(named: file)?.fields, file.hasSuffix(".txt") else {
                try feed.write(file, Array(text.utf8))
                continue
            }
            let header = text.split(separator: "\n")[0].split(separator: ",").map(String.init)
            let others = names.filter { !header.contains($0) && !fields.map(\.name).contains($0) }
            let lines = text.split(separator: "\n").enumerated().map { number, line in
                line + others.map { "," + (number == 0 ? $0 : "7") }.joined()
            }
            try feed.write(file, Array((lines.joined(separator: "\n") + "\n").utf8))
        }
        return feed
    }

    private static func notices(_ store: AskedStore) throws -> [String] {
        try store.rows("SELECT message FROM notice WHERE code <> 'unknown_column' ORDER BY message")
    }

    private static func answer(_ name: String, _ store: AskedStore) throws -> [String] {
        let values = [
            ":stop_id": "'faehrhafen'", ":date": "20261024", ":from_time": "79200", ":until_time": "99000",
            ":today": "20280101",
        ]
        let sql = try recipe(name).replacing(";", with: "")
        return try store.rows(values.reduce(sql) { $0.replacing($1.key, with: $1.value) })
    }

    @Test func `unknown columns named like others of the store change nothing`() throws {
        let plain = try Self.sample(addingTo: [])
        let store = try plain.imported()
        let crowded = try Self.sample(addingTo: Self.names(store))
        let other = try crowded.imported()
        #expect(try Self.notices(other) == Self.notices(store))
        for view in try store.rows("SELECT name FROM sqlite_schema WHERE type = 'view' AND name GLOB 'gtfs_*'") {
            let columns = try store.rows("SELECT '\"' || name || '\"' FROM pragma_table_info('\(view)')")
            let rows = "SELECT \(columns.joined(separator: ", ")) FROM \(view)"
            #expect(try other.rows(rows).sorted() == store.rows(rows).sorted(), "\(view)")
        }
        for name in Self.recipes {
            let answer = try Self.answer(name, store)
            #expect(!answer.isEmpty)
            #expect(try Self.answer(name, other) == answer, "\(name)")
        }
    }

    /// The trip calls at 1 and 2. A column of `stop_times.txt` like one of the translation does not answer for it.
    @Test func `a translated call is found by the translation's own columns`() throws {
        let feed = try LayeredFeed([
            "trips.txt": "route_id,service_id,trip_id,record_id,table_name\nr,w,t,x,x\nr,w,u,x,x\n",
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,record_sub_id\n"
                + "t,06:00:00,06:00:00,s1,1,1\nt,06:10:00,06:10:00,s2,2,2\n",
            "translations.txt": "table_name,field_name,language,translation,record_id,record_sub_id\n"
                + "stop_times,stop_headsign,en,Right,t,2\nstop_times,stop_headsign,en,Wrong,t,3\n",
        ])
        let code = "translation_foreign_key_violation"
        #expect(try feed.imported().rows("SELECT row_number FROM notice WHERE code = '\(code)'") == ["3"])
    }
}
