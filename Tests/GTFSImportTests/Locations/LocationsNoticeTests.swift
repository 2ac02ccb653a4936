import Testing

@testable import GTFSImport

/// Each notice about locations.geojson, with its exact words and with what is kept.
@Suite("Notices about locations.geojson")
struct LocationsNoticeTests {
    typealias Reading = LocationsReading

    struct Case: CustomTestStringConvertible {
        var text: String
        var messages: [String]
        /// Rows stored, features kept.
        var counts: (Int, Int)
        var testDescription: String { messages.first ?? text }

        init(_ text: String, _ messages: String..., stored: Int = 1, kept: Int = 0) {
            self.text = text
            self.messages = messages
            counts = (stored, kept)
        }
    }

    @Test(arguments: allCases)
    func eachFaultHasItsWordingAndItsRowsAreCounted(_ example: Case) throws {
        let reading = try Reading(example.text)
        #expect(reading.messages == example.messages)
        #expect((reading.records.count, reading.keptRows.count) == example.counts)
        #expect(reading.featuresKept == reading.keptRows.count)
        #expect(reading.features == reading.records.count + reading.keptRows.count)
    }

    static let allCases = collectionCases + featureCases + memberCases + geometryCases

    static let collectionCases = [
        Case(Reading.collection(Reading.feature())),
        Case(Reading.collection(), stored: 0),
        Case("", "empty_file: locations.geojson: the file is empty; its table has no rows", stored: 0),
        Case(" \r\n\t", "empty_file: locations.geojson: the file is empty; its table has no rows", stored: 0),
        Case(
            #"{"type":"FeatureCollection"}"#,
            "missing_required_element: locations.geojson: has no member features, which is required; no row is stored",
            stored: 0),
        Case(
            #"{"features":[\#(Reading.feature())]}"#,
            "missing_required_element: locations.geojson: has no member type, which is required; read as a FeatureCollection"
        ),
        Case(
            #"{"type":"Topology","features":[\#(Reading.feature())]}"#,
            "unsupported_geo_json_type: locations.geojson: type is \"Topology\", not \"FeatureCollection\"; "
                + "read as a FeatureCollection"),
        Case(
            #"{"type":"FeatureCollection","features":{}}"#,
            "missing_required_element: locations.geojson: features is an object, not an array; kept in extra_cell",
            stored: 0),
        Case(
            #"{"type":"FeatureCollection","crs": {"a":1},"features":[]}"#,
            "geo_json_unknown_element: locations.geojson: crs is not known to GTFS; kept in extra_cell", stored: 0),
        Case(
            #"{"type":"FeatureCollection","type":"x","features":[\#(Reading.feature())],"features":[]}"#,
            "geo_json_duplicated_element: locations.geojson: type is there more than once; this one is kept in extra_cell",
            "geo_json_duplicated_element: locations.geojson: features is there more than once; all of them are read"),
        Case(
            #"{"type":"FeatureCollection","name":tru,"features":[]}"#,
            "malformed_json: locations.geojson: {\"name\":tru} is not JSON that can be read; kept in extra_cell",
            stored: 0),
        Case(
            #"{"type":"FeatureCollection","features":[\#(Reading.feature()),]}"#,
            "malformed_json: locations.geojson: \"]\" stands where a feature is expected after 180 bytes; "
                + "the feature before it was read, the rest of the file is kept in extra_file"),
        Case(
            Reading.collection(Reading.feature(), #"{"id":"b"#),
            "malformed_json: locations.geojson: the file ends within a feature after 190 bytes; "
                + "the feature before it was read, the rest of the file is kept in extra_file"),
        Case(
            String(Reading.collection(Reading.feature()).dropLast()),
            "malformed_json: locations.geojson: the file ends where \",\" or \"}\" is expected after 180 bytes; "
                + "the feature before it was read, nothing follows"),
        Case(
            Reading.collection(Reading.feature(), #"{"id":]}"#),
            "malformed_json: locations.geojson: a feature closes a bracket that is not the one it opened "
                + "after 186 bytes; the feature before it was read, the rest of the file is kept in extra_file"),
        Case(
            "[1]",
            "malformed_json: locations.geojson: \"[\" stands where an object is expected after 0 bytes; "
                + "no feature was read, the rest of the file is kept in extra_file", stored: 0),
        Case(
            Reading.collection() + "\u{1}",
            "malformed_json: locations.geojson: the byte 1 stands where the end of the file is expected after 42 bytes; "
                + "no feature was read, the rest of the file is kept in extra_file", stored: 0),
    ]

    static let featureCases = [
        Case(
            Reading.collection("7", Reading.feature()),
            "unsupported_feature_type: locations.geojson, feature 1: is a number, not a Feature; "
                + "not in location but kept in kept_row", kept: 1),
        Case(
            Reading.collection(#"{"id":01}"#, Reading.feature()),
            "malformed_json: locations.geojson, feature 1: is not JSON that can be read; "
                + "not in location but kept in kept_row", kept: 1),
        Case(
            Reading.collection(Reading.feature(), Reading.feature(id: #"" a ""#)),
            "duplicate_geo_json_key: locations.geojson, feature 2 (id \"a\"): the id is already that of feature 1; "
                + "not in location but kept in kept_row", kept: 1),
        Case(
            Reading.collection(Reading.feature(type: #""feature""#)),
            "unsupported_feature_type: locations.geojson, feature 1 (id \"a\"): type is \"feature\", not \"Feature\"; "
                + "stored all the same"),
        Case(
            Reading.collection("{}"),
            "missing_required_element: locations.geojson, feature 1: has no member type, which is required; read as a Feature",
            "missing_required_element: locations.geojson, feature 1: has no member id, which is required; stored without it",
            "missing_required_element: locations.geojson, feature 1: has no member properties, which is required; "
                + "stored without it",
            "missing_required_element: locations.geojson, feature 1: has no member geometry, which is required; "
                + "stored without it"),
        Case(
            Reading.collection(Reading.feature(id: #""""#), Reading.feature(id: "null"), Reading.feature(id: #"" ""#)),
            "missing_required_element: locations.geojson, feature 1: id is empty, but must have a value; stored without it",
            "missing_required_element: locations.geojson, feature 2: id is null, but must have a value; stored without it",
            "missing_required_element: locations.geojson, feature 3: id is empty, but must have a value; stored without it",
            stored: 3),
        Case(
            Reading.collection(Reading.feature(id: "true", properties: "[]", geometry: #""x""#)),
            "missing_required_element: locations.geojson, feature 1: id is true, not text; "
                + "stored without it, kept in extra_cell",
            "missing_required_element: locations.geojson, feature 1: properties is an array, not an object; "
                + "stored without it, kept in extra_cell",
            "missing_required_element: locations.geojson, feature 1: geometry is text, not an object; "
                + "stored without it, kept in extra_cell"),
    ]

    static let memberCases = [
        Case(Reading.collection(Reading.feature(properties: #"{"stop_name":null,"stop_desc":null}"#))),
        Case(
            Reading.collection(Reading.feature(more: #","bbox":[12,53,13,54]"#)),
            "geo_json_unknown_element: locations.geojson, feature 1 (id \"a\"): bbox is not known to GTFS; "
                + "kept in extra_cell"),
        Case(
            Reading.collection(Reading.feature(properties: #"{"stop_name":["x"],"zone":4}"#)),
            "geo_json_unknown_element: locations.geojson, feature 1 (id \"a\"): properties.stop_name is an array, "
                + "not text; kept in location.properties",
            "geo_json_unknown_element: locations.geojson, feature 1 (id \"a\"): properties.zone is not known to GTFS; "
                + "kept in location.properties"),
        Case(
            Reading.collection(Reading.feature(id: #""ä""#, properties: #"{"stop_name":" Au","stop_name":"Ob"}"#)),
            "non_ascii_or_non_printable_char: locations.geojson, feature 1 (id \"ä\"): is an ID with characters other "
                + "than printable ASCII; stored as it is",
            "leading_or_trailing_whitespaces: locations.geojson, feature 1 (id \"ä\"): properties.stop_name has white "
                + "space around it, which was removed",
            "geo_json_duplicated_element: locations.geojson, feature 1 (id \"ä\"): properties.stop_name is there 2 "
                + "times; the first is read, the others kept in location.properties"),
        Case(
            Reading.collection(Reading.feature(more: #","id":"b""#)),
            "geo_json_duplicated_element: locations.geojson, feature 1 (id \"a\"): id is there 2 times; "
                + "the first is read, the others kept in extra_cell"),
        Case(
            Reading.collection(Reading.feature(more: #","\u0069d":"b""#)),
            "geo_json_duplicated_element: locations.geojson, feature 1 (id \"a\"): id is there 2 times; "
                + "the first is read, the others kept in extra_cell"),
        Case(
            Reading.collection(Reading.feature(properties: #"{"stop_name":"A\u0000u\\u0000"}"#)),
            "invalid_character: locations.geojson, feature 1: has a NUL character (\\u0000); stored as U+FFFD"),
        Case(
            Reading.collection(
                Reading.feature(
                    properties: #"{"stop_name":"\uD83D\uDE8F\\ud800 \ud83d","stop_desc":"\udc00\ud800\u00e4"}"#)),
            "invalid_character: locations.geojson, feature 1: has half of a surrogate pair (\\ud83d); stored as U+FFFD"),
    ]

    static let geometryCases = [
        Case(
            Reading.collection(Reading.feature(geometry: "{}")),
            "missing_required_element: locations.geojson, feature 1 (id \"a\"): has no member geometry.type, "
                + "which is required; stored without it"),
        Case(
            Reading.collection(Reading.feature(geometry: #"{"type":"Polygon"}"#)),
            "missing_required_element: locations.geojson, feature 1 (id \"a\"): has no member geometry.coordinates, "
                + "which is required; stored as it is"),
        Case(
            Reading.collection(Reading.feature(geometry: #"{"type":5}"#)),
            "missing_required_element: locations.geojson, feature 1 (id \"a\"): geometry.type is a number, not text; "
                + "stored without it"),
        Case(
            Reading.collection(Reading.feature(geometry: #"{"type":null}"#)),
            "missing_required_element: locations.geojson, feature 1 (id \"a\"): geometry.type is null, but must have "
                + "a value; stored without it"),
        Case(
            Reading.collection(Reading.feature(geometry: #"{"type":"Polygon","coordinates":null}"#)),
            "missing_required_element: locations.geojson, feature 1 (id \"a\"): geometry.coordinates is null, but "
                + "must have a value; stored as it is"),
        Case(
            Reading.collection(Reading.feature(geometry: #"{"type":"Point","coordinates":[12,53]}"#)),
            "unsupported_geometry_type: locations.geojson, feature 1 (id \"a\"): geometry.type is \"Point\", "
                + "not \"Polygon\" or \"MultiPolygon\"; stored as it is"),
        Case(
            Reading.collection(
                Reading.feature(geometry: #"{"type":"Polygon","coordinates":[\#(Reading.ring)],"note":1}"#)),
            "geo_json_unknown_element: locations.geojson, feature 1 (id \"a\"): geometry.note is not known to GTFS; "
                + "kept in location.geometry"),
        invalid(#""x""#, "coordinates is text, not an array"),
        invalid("[]", "coordinates has no ring"),
        invalid("[5]", "ring 1 is a number, not an array"),
        invalid("[[]]", "ring 1 has 0 positions where at least 4 are needed"),
        invalid("[[[12,53],[13,53],[12,53]]]", "ring 1 has 3 positions where at least 4 are needed"),
        invalid(
            "[\(Reading.ring),[[12,53],[13,53],[13,54],[12,53.5]]]",
            "ring 2 begins at 12.0, 53.0 and ends at 12.0, 53.5, so it is not closed"),
        invalid("[[[12,53],[13]]]", "ring 1, position 2 lacks longitude or latitude"),
        invalid("[[[12,53],\"13\"]]", "ring 1, position 2 is text, not an array"),
        invalid("[[[12,null]]]", "ring 1, position 1, number 2 is null, not a number"),
        invalid("[[[12,[53]]]]", "ring 1, position 1, number 2 is an array, not a number"),
        invalid("[[[12,{}]]]", "ring 1, position 1, number 2 is an object, not a number"),
        invalid(
            "[[[53,112]]]",
            "ring 1, position 1 is 53.0, 112.0, beyond longitude -180 to 180 and latitude -90 to 90"),
        invalid(
            "[[[1e999,0]]]", "ring 1, position 1 is inf, 0.0, beyond longitude -180 to 180 and latitude -90 to 90"),
        Case(
            Reading.collection(
                Reading.feature(geometry: #"{"type":"MultiPolygon","coordinates":[[\#(Reading.ring)],[]]}"#)),
            "invalid_geometry: locations.geojson, feature 1 (id \"a\"): MultiPolygon: polygon 2 has no ring; "
                + "stored as it is"),
        Case(
            Reading.collection(
                Reading.polygon("[[[0.5,0.25],[13,53],[13,89.5],[0.5,0.25]]]")),
            "point_near_origin: locations.geojson, feature 1 (id \"a\"): Polygon: ring 1, position 1 is 0.5, 0.25, "
                + "near the point 0, 0; stored as it is",
            "point_near_pole: locations.geojson, feature 1 (id \"a\"): Polygon: ring 1, position 3 is 13.0, 89.5, "
                + "near a pole; stored as it is"),
    ]

    private static func invalid(_ coordinates: String, _ fault: String) -> Case {
        Case(
            Reading.collection(Reading.polygon(coordinates)),
            "invalid_geometry: locations.geojson, feature 1 (id \"a\"): Polygon: \(fault); stored as it is")
    }
}
