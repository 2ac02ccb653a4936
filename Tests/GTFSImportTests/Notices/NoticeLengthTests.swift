import GTFSFeed
import TestSupport
import Testing

@testable import GTFSImport

/// Notices quote the feed, whose names and values may be very long: a notice stays short.
@Suite struct NoticeLengthTests {
    private static let long = String(repeating: "x", count: 100_000)
    /// One letter to a reader, and 200,001 bytes.
    private static let accents = "a" + String(repeating: "\u{301}", count: 100_000)
    private static let stops = "stop_id,stop_name,stop_lat,stop_lon"

    /// Imports the feed, expects short notices, and returns their codes.
    private func codes(_ layer: [String: String]) throws -> [String] {
        let store = try LayeredFeed(layer).imported()
        let lengths = ["message", "field", "value"].map { "length(coalesce(\($0), ''))" }.joined(separator: ", ")
        #expect(try store.rows("SELECT code, \(lengths) FROM notice WHERE max(\(lengths)) > 700").isEmpty)
        return try store.rows("SELECT DISTINCT code FROM notice WHERE \(SmallFeed.withoutUnused) ORDER BY 1")
    }

    @Test(arguments: [long, accents]) func longNamesOfColumnsAreShortened(name: String) throws {
        let header = Self.stops + ", \(name),\(name),\"\(name)\ny\",STOP_URL"
        let rows = "\ns1,One,50.1,8.1, a ,\"a\nb\",c,\ns2,Two,50.2,8.2,,,,\n"
        #expect(
            try codes(["stops.txt": header + rows]) == [
                "duplicated_column", "leading_or_trailing_whitespaces", "new_line_in_value", "unknown_column",
            ])
    }

    @Test func longColumnsBeyondTheTableAreShortened() throws {
        let names = (0..<1_900).map { "c\($0)" }.joined(separator: ",")
        let stops = "\(Self.stops),\(names),\(Self.long)\ns1,One,50.1,8.1\ns2,Two,50.2,8.2\n"
        #expect(try codes(["stops.txt": stops]) == ["invalid_row_length", "unknown_column"])
    }

    @Test func longValuesOfRowsAreShortened() throws {
        let layer = [
            "stops.txt": Self.stops + ",parent_station\ns1,One,50.1,8.1,\(Self.long)\ns2,Two,50.2,8.2,\n"
                + "\(Self.long)z,Three,50.3,8.3,\n",
            "location_groups.txt": "location_group_id,location_group_name\n\(Self.long)z,Group\n",
            "translations.txt": "table_name,field_name,language,translation,record_id,record_sub_id\n"
                + "stops,stop_name,de,Eins,\(Self.long),\nstop_times,stop_headsign,de,Eins,t,\(Self.long)\n"
                + "attributions,organization_name,de,Eins,\(Self.long),\n",
        ]
        #expect(
            try codes(layer) == [
                "duplicate_geography_id", "foreign_key_violation", "translation_foreign_key_violation",
                "translation_unknown_table_name",
            ])
    }

    @Test func longMembersOfLocationsAreShortened() throws {
        let feature = LocationsReading.feature(
            properties: "{\"\(Self.long)\":1,\"\(Self.long)\":2}",
            geometry: "{\"type\":\"Polygon\",\"coordinates\":[\(LocationsReading.ring)],\"\(Self.long)\":1}",
            more: ",\"\(Self.long)\":1,\"\(Self.long)\":2")
        let zones = "{\"type\":\"FeatureCollection\",\"\(Self.long)\":1,\"\(Self.long)\":2,\"features\":[\(feature)]}"
        #expect(
            try codes(["locations.geojson": zones]) == [
                "geo_json_duplicated_element", "geo_json_unknown_element",
            ])
    }

    @Test func aShortTextIsWhole() {
        for text in ["", "a", String(repeating: "名", count: 200)] { #expect(Notice.shortened(text) == text) }
        #expect(Notice.shortened(String(repeating: "名", count: 201)) == String(repeating: "名", count: 200) + "…")
        #expect(Notice.shortened(Self.accents).unicodeScalars.count == 201)
        // SQLite's shell showed a message only up to the first U+0000 of the value that it names.
        #expect(Notice.shortened("E\0 NULL\0") == "E␀ NULL␀")
    }
}
