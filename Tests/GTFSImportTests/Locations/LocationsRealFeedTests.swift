import Foundation
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// Whole imports of feeds with zones, compared with what Python's json module reads.
@Suite("locations.geojson of real feeds")
struct LocationsRealFeedTests {
    static let names = [
        "real/us-ctran-flex.zip", "real/us-sandy-flex-farev2.zip", "real/us-brown-flex.zip", "real/us-pierce-flex.zip",
        "faulty/r5-flex-multipolygon.zip", "faulty/r5-flex-valid.zip", "faulty/io-locations-feed.zip",
    ]

    /// Says where a store differs from the feed that it was made of, and how many features were compared.
    private static let comparison = """
        import json, sqlite3, sys, zipfile
        text = zipfile.ZipFile(sys.argv[1]).read("locations.geojson").decode("utf-8-sig")
        features = json.loads(text, parse_float=str, parse_int=str)["features"]
        store = sqlite3.connect(f"file:{sys.argv[2]}?mode=ro", uri=True)
        rows = store.execute("SELECT id, location_id, name, description, geometry, properties FROM location ORDER BY id").fetchall()
        assert len(rows) == len(features), f"{len(rows)} rows, {len(features)} features"
        read = lambda text: json.loads(text, parse_float=str, parse_int=str)
        for place, (row, feature) in enumerate(zip(rows, features), 1):
            properties = dict(feature["properties"])
            name, description = properties.pop("stop_name", None), properties.pop("stop_desc", None)
            assert row[:4] == (place, feature.get("id"), name, description), row[:4]
            assert read(row[4]) == feature["geometry"], place
            assert read(row[5] or "{}") == properties, row[5]
        print(len(rows))
        """

    @Test(.enabled(if: RealFeeds.folder != nil, Comment(rawValue: RealFeeds.absent)), arguments: names)
    func `every feature arrives as Python reads it`(_ name: String) throws {
        let folder = try TemporaryFolder()
        let feed = RealFeeds.path + "/" + name
        let (report, error) = Importer(ImportOptions(feed: feed, store: folder.path("a.sqlite"))).run()
        #expect(error == nil)
        #expect(report.status == .published)
        #expect(try Connection.faults(of: folder.path("a.sqlite")) == [])
        let store = try Connection(path: folder.path("a.sqlite"), mode: .readOnly)
        #expect(
            try store.integer("SELECT count(*) FROM notice WHERE code = 'invalid_geometry' OR code = 'malformed_json'")
                == 0)

        let python = try CommandLineProgram.run(
            ["python3", "-c", Self.comparison, feed, folder.path("a.sqlite")], executable: "/usr/bin/env")
        if python.exitCode == 127 { return print("Skipped: python3 is not installed, so the zones were not compared.") }
        #expect(python.error == "")
        #expect(python.output == "\(try store.integer("SELECT count(*) FROM gtfs_locations") ?? -1)\n")
    }

    @Test func `the flex trips of the sample feed serve their zone`() throws {
        let folder = try TemporaryFolder()
        let sample = CommandLineProgram.packageRoot + "/pipelines/sample-feed"
        let (_, error) = Importer(ImportOptions(feed: sample, store: folder.path("a.sqlite"))).run()
        #expect(error == nil)
        let store = try Connection(path: folder.path("a.sqlite"), mode: .readOnly)
        #expect(try store.integer("SELECT count(*) FROM notice WHERE code = 'foreign_key_violation'") == 0)
        #expect(
            try store.integer("SELECT count(*) FROM stop_time JOIN location ON location.id = stop_time.location") == 2)
        #expect(
            try store.text("SELECT stop_name FROM gtfs_locations WHERE id = 'heide' AND properties IS NULL")
                == "Heidedörfer")
    }

    @Test func `what is kept of a faulty file is in the store`() throws {
        let folder = try TemporaryFolder()
        let feed = folder.path("feed")
        try FileManager.default.copyItem(
            atPath: CommandLineProgram.packageRoot + "/pipelines/sample-feed", toPath: feed)
        let text =
            #"{"type":"FeatureCollection","name":"n","features":["#
            + [
                LocationsReading.feature(id: #""heide""#, properties: #"{"zone":1}"#, more: #","bbox":[]"#), "3",
                LocationsReading.feature(id: #""heide""#), #"{"id":"cut"#,
            ].joined(separator: ",")
        try text.write(toFile: feed + "/locations.geojson", atomically: false, encoding: .utf8)
        let (_, error) = Importer(ImportOptions(feed: feed, store: folder.path("a.sqlite"))).run()
        #expect(error == nil)
        let store = try Connection(path: folder.path("a.sqlite"), mode: .readOnly)
        func rows(_ sql: String) throws -> [String] {
            let statement = try store.prepare(sql)
            var rows: [String] = []
            while try statement.step() { rows.append(statement.text(0) ?? "NULL") }
            return rows
        }
        #expect(try rows("SELECT id || properties FROM location") == [#"1{"zone":1}"#])
        #expect(
            try rows("SELECT row_number || reason FROM kept_row WHERE file = 'locations.geojson' ORDER BY 1")
                == ["2unsupported_feature_type", "3duplicate_geo_json_key"])
        #expect(
            try rows("SELECT row_number || value FROM extra_cell WHERE file = 'locations.geojson' ORDER BY 1")
                == [#"0{"name":"n"}"#, #"1{"bbox":[]}"#])
        #expect(
            try rows("SELECT CAST(bytes AS TEXT) FROM extra_file WHERE name = 'locations.geojson'") == [#"{"id":"cut"#])
        #expect(
            try rows(
                "SELECT row_count || ' ' || kept_row_count || ' ' || encoding FROM feed_file "
                    + "WHERE name = 'locations.geojson'") == ["3 2 UTF-8"])
        #expect(try rows("SELECT count(*) FROM stop_time JOIN location ON location.id = stop_time.location") == ["2"])
    }
}
