import Foundation
import Testing

@testable import GTFSImport

/// What the rows hold, and where values go that no column can store.
@Suite("Reading locations.geojson")
struct LocationsReaderTests {
    typealias Reading = LocationsReading

    @Test func `a feature becomes a row with its geometry as it is written`() throws {
        let reading = try Reading(
            Reading.collection(
                Reading.feature(
                    id: #""zone\u002d1""#,
                    properties: #"{"stop_name":"Heide \"Süd\"","stop_desc":" Birken\nhain ", "z":[1, 2.50]}"#,
                    geometry: #"{ "type": "Polygon", "coordinates": [ [[12.50,53], [13,53,7],[13,54],[12.5,53.0] ] ] }"#
                )))
        #expect(
            reading.records == [
                LocationRecord(
                    number: 1, locationID: "zone-1", name: "Heide \"Süd\"", description: "Birken\nhain",
                    geometryType: "Polygon",
                    geometry: #"{"type":"Polygon","coordinates":[[[12.50,53],[13,53,7],[13,54],[12.5,53.0]]]}"#,
                    properties: #"{"z":[1,2.50]}"#)
            ])
        #expect(reading.resolved == ["zone-1": 1])
    }

    @Test func `an id may be a number, whose spelling stays`() throws {
        let ids = ["7", "1.50", "12345678901234567890", "-0"]
        let reading = try Reading(
            #"{"type":"FeatureCollection","features":[\#(ids.map { Reading.feature(id: $0) }.joined(separator: ","))]}"#
        )
        #expect(reading.records.map(\.locationID) == ids)
        #expect(reading.messages.isEmpty)
    }

    /// Each of the numbers was once read by going through the whole feature: 600,000 took 54 seconds.
    @Test func `an id may be repeated very often`() throws {
        let ids = #""id":1.50"# + String(repeating: #","id":2"#, count: 600_000)
        let reading = try Reading(Reading.collection(#"{"type":"Feature",\#(ids),"properties":{},"geometry":null}"#))
        #expect(reading.records.map(\.locationID) == ["1.50"])
        #expect(reading.messages.contains { $0.contains("id is there 600001 times; the first is read") })
    }

    @Test func `names may be spelled with escapes`() throws {
        let reading = try Reading(
            Reading.collection(
                #"{"t\u0079pe":"Feature","\u0069d":"a","properties":{"stop\u005fname":"Au"},"geometry":{}}"#))
        #expect(reading.records.first?.locationID == "a")
        #expect(reading.records.first?.name == "Au")
    }

    /// Names that are equal when their escapes are resolved are one name. Nothing is lost, whichever comes first.
    @Test(arguments: [("id", #"\u0069d"#), (#"\u0069d"#, "id"), (#"\u0069\u0064"#, #"i\u0064"#)])
    func `the first of two members that differ in escapes is read, the other kept`(first: String, second: String) throws
    {
        let reading = try Reading(
            Reading.collection(
                #"{"type":"Feature","\#(first)":"a","\#(second)":"b","properties":{"stop_n\u0061me":"Au","stop_name":"Ob"},"#
                    + #""geometry":{}}"#))
        #expect(reading.records.map(\.locationID) == ["a"])
        #expect(reading.records.map(\.name) == ["Au"])
        #expect(reading.records.map(\.properties) == [#"{"stop_name":"Ob"}"#])
        #expect(reading.cells == [.init(row: 1, position: 1, value: #"{"id":"b"}"#)])
        #expect(reading.messages.filter { $0.contains("is there 2 times; the first is read") }.count == 2)
    }

    /// An escape in a word is not JSON, nor does it become so.
    @Test func `only escapes within quotes are resolved`() throws {
        let reading = try Reading(Reading.collection(Reading.feature(more: #","x":tr\u0075e"#)))
        #expect(reading.records.isEmpty)
        #expect(reading.keptRows.map(\.reason) == ["malformed_json"])
    }

    @Test func `the array of features may be spelled with escapes`() throws {
        let text = Reading.collection(Reading.feature()).replacing("features", with: #"feature\u0073"#)
        let reading = try Reading(text)
        #expect(reading.records.map(\.locationID) == ["a"])
        #expect(reading.messages.isEmpty)
    }

    /// Foundation's JSONSerialization refuses the feature; Python and Java store a question mark.
    @Test func `type and features count however many members precede them`() throws {
        let members = (0..<10_001).map { "\"m\($0)\":1" }.joined(separator: ",")
        let features = "\"features\":[\(LocationsReading.feature())]"
        let reading = try LocationsReading("{\(members),\"type\":\"FeatureCollection\",\(features),\(features)}")
        #expect(reading.messages.allSatisfy { !$0.hasPrefix("missing_required_element") })
        #expect(reading.messages.filter { $0.hasPrefix("geo_json_duplicated_element") }.count == 1)
    }

    /// A name may have as many bytes as a piece: ten thousand of those would not fit in memory.
    @Test(arguments: [1_000, 1_001]) func `only short names of members are remembered`(bytes: Int) throws {
        let member = "\"\(String(repeating: "m", count: bytes))\":1"
        let reading = try LocationsReading("{\(member),\(member),\"type\":\"FeatureCollection\",\"features\":[]}")
        let isRepetitionNoted = reading.messages.contains { $0.hasPrefix("geo_json_duplicated_element") }
        #expect(reading.messages.count == 2 && isRepetitionNoted == (bytes <= 1_000))
    }

    @Test func `half of a surrogate pair is one replacement character`() throws {
        let properties = #"{"stop_name":"\uD83D\uDE8F\\ud800 \ud83d","stop_desc":"\udc00\ud800\u00e4"}"#
        let record = try #require(Reading(Reading.collection(Reading.feature(properties: properties))).records.first)
        #expect(record.name == "\u{1F68F}\\ud800 \u{FFFD}")
        #expect(record.description == "\u{FFFD}\u{FFFD}ä")
    }

    @Test func `what GTFS does not know is kept`() throws {
        let reading = try Reading(
            #"{"type":"FeatureCollection","name":"zones","crs":{"a": 1},"features":["#
                + Reading.feature(
                    type: #""feature""#, properties: #"{"stop_name":"Au","stop_name":"Ob","k":1}"#,
                    more: #","bbox":[1, 2]"#)
                + "," + Reading.feature(id: "false", properties: "3", geometry: #""none""#) + "]}")
        #expect(
            reading.cells == [
                .init(row: 0, position: 1, value: #"{"name":"zones"}"#),
                .init(row: 0, position: 2, value: #"{"crs":{"a": 1}}"#),
                .init(row: 1, position: 1, value: #"{"type":"feature","bbox":[1,2]}"#),
                .init(row: 2, position: 1, value: #"{"id":false,"properties":3,"geometry":"none"}"#),
            ])
        #expect(reading.records.map(\.properties) == [#"{"stop_name":"Ob","k":1}"#, nil])
    }

    @Test func `features that cannot be rows are kept as they stand, under their number`() throws {
        let second = #"{ "id" : "a", "again":true }"#
        let reading = try Reading(
            Reading.collection(Reading.feature(), second, "nul", #"{"id":"\x"}"#, Reading.feature(id: "5")))
        #expect(
            reading.keptRows == [
                .init(number: 2, reason: "duplicate_geo_json_key", text: second),
                .init(number: 3, reason: "malformed_json", text: "nul"),
                .init(number: 4, reason: "malformed_json", text: #"{"id":"\x"}"#),
            ])
        #expect(reading.records.map(\.number) == [1, 5])
        #expect(reading.resolved == ["a": 1, "5": 5])
    }

    @Test func `text that is no UTF-8 is converted`() throws {
        let text = Reading.collection(Reading.feature(properties: #"{"stop_name":"Müllerstraße am Fluß"}"#))
        let latin = try #require(text.data(using: .isoLatin1))
        let reading = try Reading(Array(latin))
        #expect(reading.records.first?.name == "Müllerstraße am Fluß")
        #expect(reading.notices.map(\.kind) == [.invalidCharacter])
        let wide = try #require(text.data(using: .utf16))
        #expect(try Reading(Array(wide)).records == Reading(text).records)
    }
}
