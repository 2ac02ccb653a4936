import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// Blanks beside the quotes of a field: they are left out with a notice, as blanks around any value.
@Suite struct PaddedQuoteTests {
    private static let stops = #"""
        stop_id, "stop_name"\#t,stop_lat,stop_lon
        s1, "Stop, ""One""",50.1,8.1
         "s2" ,"Two"\#t,"50.2" , "8.2"
        s2, "Two, again" ,50.2,8.2
        s3, "Gare" du Nord,50.3,8.3
        s4, "Unclosed,50.4
        s5,\#t"Two
        Lines" ,50.5,8.5\#r

        """#

    private func store() throws -> AskedStore { try LayeredFeed(["stops.txt": Self.stops]).imported() }

    @Test func aPaddedQuoteBeginsAndEndsAValue() throws {
        let store = try store()
        #expect(
            try store.rows("SELECT stop_id, stop_name, stop_lat, stop_lon FROM gtfs_stops ORDER BY stop_id") == [
                "s1|Stop, \"One\"|50.1|8.1", "s2|Two|50.2|8.2", "s3|\"Gare\" du Nord|50.3|8.3",
                "s4|\"Unclosed|50.4|-", "s5|Two\nLines|50.5|8.5",
            ])
        #expect(try store.rows("SELECT DISTINCT stop_id FROM gtfs_stop_times ORDER BY 1") == ["s1", "s2"])
        #expect(try store.rows("SELECT count(*) FROM kept_value") == ["0"])
        #expect(try store.rows("SELECT count(*) FROM extra_cell") == ["0"])
        try store.expectSound()
    }

    /// A row that is not stored is kept as it is written.
    @Test func keptRow() throws {
        #expect(
            try store().rows("SELECT row_number, reason, text FROM kept_row") == [
                "4|duplicate_key|s2, \"Two, again\" ,50.2,8.2"
            ])
    }

    @Test func notices() throws {
        let removed = "has white space around it, which was removed"
        let isAlready = "is already the ID of row 3; this row is not in stop but kept in kept_row"
        let store = try store()
        #expect(
            try store.messages == [
                "stops.txt, row 1, stop_name: the column's name \(removed)",
                "stops.txt, row 2, stop_name: \"Stop, \"One\"\" \(removed)",
                "stops.txt, row 3, stop_id: \"s2\" \(removed)",
                "stops.txt, row 3, stop_name: \"Two\" \(removed)",
                "stops.txt, row 3, stop_lat: \"50.2\" \(removed)",
                "stops.txt, row 3, stop_lon: \"8.2\" \(removed)",
                "stops.txt, row 4, stop_id: \"s2\" \(isAlready)",
                "stops.txt, row 4, stop_name: \"Two, again\" \(removed)",
                "stops.txt, row 5, stop_name: \"\"Gare\" du Nord\" \(removed)",
                "stops.txt, row 6: has 3 cells where the header has 4; missing ones are empty",
                "stops.txt, row 6, stop_name: \"\"Unclosed\" \(removed)",
                "stops.txt, row 7: stop_name has a line break in its value; stored as it is",
                "stops.txt, row 7, stop_name: \"Two\nLines\" \(removed)",
                "stops.txt, row 6: the stop has no stop_lon; stored as it is",
            ])
    }
}
