import Foundation
import SQLite
import Testing

@testable import GTFSImport

/// Names of columns and files that could be confused with the store's own names or with SQL.
@Suite struct HostileNameTests {
    /// Swift takes `"` with a combining accent for one character. SQLite sees the quote.
    @Test(arguments: [
        "x\"\u{301}y", "x\" TEXT);DROP TABLE stop;--", "x\"\u{301} TEXT);DROP TABLE stop;--", "it's\u{301}",
    ])
    func aColumnsNameIsNoSQL(name: String) throws {
        let inHeader = "\"" + name.replacingOccurrences(of: "\"", with: "\"\"", options: .literal) + "\""
        let (store, _) = try SmallFeed.store([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,\(inHeader)\ns1,One,50.1,8.1,a\ns2,Two,50.2,8.2,b\n"
        ])
        let statement = try store.prepare("SELECT * FROM gtfs_stops")
        #expect(try store.text("SELECT name FROM pragma_table_info('gtfs_stops') ORDER BY cid DESC LIMIT 1") == name)
        #expect(try statement.step())
        #expect(statement.text(statement.columnCount - 1) == "a")
    }

    /// Swift sorts the marks on a letter when it compares texts, in quadratic time. The import of these names did
    /// not end within 150 s.
    @Test func endlessMarksInNamesDoNotHoldUpAnImport() throws {
        let name = "a" + String(repeating: "\u{301}\u{323}", count: 60_000)
        let feature = #"{"type":"Feature","id":"l","\#(name)":1,"properties":{"\#(name)":2},"geometry":{"\#(name)":3}}"#
        let (store, _) = try SmallFeed.store([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,\(name)\ns1,One,50.1,8.1,a\ns2,Two,50.2,8.2,b\n",
            "feed_info.txt": "feed_publisher_name,feed_publisher_url,feed_lang,\(name)\na,https://a.example,de,c\n",
            "translations.txt":
                "table_name,field_name,language,translation,record_id\n\(name),stop_name,de,Eins,s1\n",
            "notes.txt": "\(name),b\nd,e\n",
            "locations.geojson": #"{"type":"FeatureCollection","\#(name)":4,"features":[\#(feature)]}"#,
        ])
        for (view, values) in [("gtfs_stops", "a; b"), ("gtfs_feed_info", "c"), ("gtfs_notes", "d")] {
            let column = try #require(
                try store.text("SELECT name FROM pragma_table_info('\(view)') WHERE length(name) = 120001"))
            #expect(try SmallFeed.all("SELECT \"\(column)\" FROM \(view) ORDER BY 1", store) == values)
        }
        #expect(try SmallFeed.all("SELECT length(table_name) FROM gtfs_translations", store) == "120001")
        #expect(try SmallFeed.all("SELECT count(*) FROM extra_cell WHERE file = 'locations.geojson'", store) == "2")
    }

    @Test func filesNamedAsTablesOfTheStoreAreKept() throws {
        let names = [
            "cell.txt", "file.txt", "kept_row.txt", "stop.txt", "a\"\u{301}b.txt", "x.txt", "extra_x.txt", "X.TXT",
        ]
        let (store, _) = try SmallFeed.store(
            Dictionary(uniqueKeysWithValues: names.map { ($0, "a\n\($0.count)\n") }))
        #expect(try SmallFeed.all("SELECT count(*) FROM feed_file WHERE \"table\" GLOB 'extra_*'", store) == "8")
        #expect(try SmallFeed.all("SELECT * FROM gtfs_cell", store) == "8")
        #expect(try SmallFeed.all("SELECT * FROM extra_cell", store) == "")
    }

    @Test func onlySoManyUnknownFilesBecomeTables() throws {
        let (store, _) = try SmallFeed.store(
            Dictionary(uniqueKeysWithValues: (0..<1_010).map { ("unknown\($0).txt", "a\n1\n") }))
        #expect(try SmallFeed.all("SELECT count(*) FROM feed_file WHERE \"table\" GLOB 'extra_*'", store) == "1000")
        #expect(
            try SmallFeed.all("SELECT count(*), min(bytes) = CAST('a\n1\n' AS BLOB) FROM extra_file", store) == "10 1")
    }

    /// Rows out of order are set aside with their row numbers, which must not clash with columns of the feed.
    @Test func rowsOutOfOrderMayHaveAColumnForRowNumbers() throws {
        let (store, _) = try SmallFeed.store([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,Row_Number,row_number_\n"
                + "t,06:00:00,06:00:00,s1,2,a,b\nt,06:10:00,06:10:00,s2,1,c,d\nt,06:10:00,06:10:00,s2,1,e,f\n"
        ])
        #expect(
            try SmallFeed.all("SELECT stop_sequence, Row_Number, row_number_ FROM gtfs_stop_times ORDER BY 1", store)
                == "1 c d; 2 a b")
        #expect(try SmallFeed.all("SELECT row_number FROM kept_row", store) == "4")
    }

    @Test func blankLinesAreCountedButNotAllKept() throws {
        let (store, _) = try SmallFeed.store([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns1,One,50.1,8.1\ns2,Two,50.2,8.2\n"
                + String(repeating: "\n", count: 1_500)
        ])
        #expect(
            try SmallFeed.all("SELECT count, kept FROM notice_total WHERE code = 'empty_row'", store) == "1500 1000")
        #expect(try SmallFeed.all("SELECT count(*) FROM notice WHERE row_number = 0", store) == "0")
    }
}
