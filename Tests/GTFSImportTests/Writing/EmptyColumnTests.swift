import SQLite
import Testing

@testable import GTFSImport

/// `empty_column` names the columns that no row fills, and no others.
@Suite struct EmptyColumnTests {
    private static func empty(_ table: String, _ changed: [String: String]) throws -> Set<String> {
        let (store, _) = try SmallFeed.store(changed)
        let names = try SmallFeed.all("SELECT \"column\" FROM empty_column WHERE \"table\" = '\(table)'", store)
        let columns = Set(names.split(separator: "; ").map(String.init))
        try expectAgreement(in: store)
        return columns
    }

    /// A column is named if and only if all its cells are NULL.
    static func expectAgreement(in store: Connection) throws {
        let columns = try store.prepare(
            "SELECT f.\"table\", c.name, (f.\"table\", c.name) IN (SELECT \"table\", \"column\" FROM empty_column) "
                + "FROM feed_file AS f JOIN pragma_table_info(f.\"table\") AS c WHERE c.name <> 'id'")
        while try columns.step() {
            let (table, name, isNamed) = (columns.text(0) ?? "", columns.text(1) ?? "", columns.integer(2) == 1)
            let filled = try store.integer("SELECT count(\"\(name)\") FROM \"\(table)\"") ?? 0
            #expect(isNamed == (filled == 0), "\(table).\(name) has \(filled) values")
        }
    }

    @Test func columnsThatTheFileLacksAreNamed() throws {
        let columns = try Self.empty("stop", [:])
        #expect(columns.isSuperset(of: ["code", "parent_station", "level"]))
        #expect(columns.isDisjoint(with: ["id", "stop_id", "name", "normalized_name"]))
    }

    @Test func columnsOfTheFileWithoutAValueAreNamed() throws {
        let stops = "stop_id,stop_name,stop_lat,stop_lon,stop_code,mood\ns1,One,50.1,8.1,,\ns2,Two,50.2,8.2,,\n"
        #expect(try Self.empty("stop", ["stops.txt": stops]).isSuperset(of: ["code", "mood"]))
    }

    @Test func aValueInTheLastRowCounts() throws {
        let stops = "stop_id,stop_name,stop_lat,stop_lon,stop_code,mood\ns1,One,50.1,8.1,,\ns2,Two,50.2,8.2,7,\n"
        let columns = try Self.empty("stop", ["stops.txt": stops])
        #expect(columns.contains("mood") && !columns.contains("code"))
    }

    /// The station comes after its platform, so the reference is written only when all rows are there.
    @Test func aReferenceForwardCounts() throws {
        let stops =
            "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
            + "s1,One,50.1,8.1,0,s2\ns2,Two,50.2,8.2,1,\n"
        #expect(try !Self.empty("stop", ["stops.txt": stops]).contains("parent_station"))
    }

    /// calendar.txt has no rows, but the table `service` gets the services that only calendar_dates.txt names.
    @Test func weekdaysAreEmptyIfTheCalendarHasNoRows() throws {
        let header = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        let columns = try Self.empty(
            "service",
            ["calendar.txt": header, "calendar_dates.txt": "service_id,date,exception_type\nw,20260801,1\n"])
        #expect(columns.contains("monday"))
    }

    @Test func theDaysOfServicesAreEmptyIfNoneRuns() throws {
        let calendar =
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
            + "w,0,0,0,0,0,0,0,20260101,20261231\n"
        #expect(try Self.empty("service", ["calendar.txt": calendar]).contains("day_set"))
    }

    /// A single agency needs no ID.
    @Test func theIDOfAnAgencyWithoutOneIsEmpty() throws {
        let agency = "agency_name,agency_url,agency_timezone\nOne,http://example.org,Europe/Berlin\n"
        #expect(try Self.empty("agency", ["agency.txt": agency]).contains("agency_id"))
    }

    @Test func anIDThatIsBlankInEveryRowIsEmpty() throws {
        let agency = "agency_id,agency_name,agency_url,agency_timezone\n,One,http://example.org,Europe/Berlin\n"
        #expect(try Self.empty("agency", ["agency.txt": agency]).contains("agency_id"))
    }

    @Test func columnsThatNoFeatureFillsAreNamed() throws {
        let feature =
            #"{"type":"Feature","id":"a","properties":{"stop_name":"A"},"geometry":{"type":"Polygon","coordinates":"#
            + "[[[8,50],[8.1,50],[8,50.1],[8,50]]]}}"
        let columns = try Self.empty(
            "location", ["locations.geojson": #"{"type":"FeatureCollection","features":[\#(feature)]}"#])
        #expect(columns == ["description", "properties"])
    }

    /// calendar.txt has no IDs, but the services of calendar_dates.txt do.
    @Test func aServiceOfCalendarDatesFillsTheIDsThatTheCalendarLacks() throws {
        let columns = try Self.empty(
            "service",
            [
                "calendar.txt": "monday,start_date\n1,20260101\n",
                "calendar_dates.txt": "service_id,date,exception_type\nc,20260101,1\n",
            ])
        #expect(columns.contains("tuesday") && !columns.contains("service_id"))
    }

    @Test func aValueThatItsColumnCannotTakeDoesNotCount() throws {
        let stops = "stop_id,stop_name,stop_lat,stop_lon,parent_station\ns1,One,50.1,8.1,nowhere\n"
        let times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,06:00:00,06:00:00,s1,1\n"
        let columns = try Self.empty("stop", ["stops.txt": stops, "stop_times.txt": times])
        #expect(columns.contains("parent_station"))
    }

    @Test func rowsOutOfOrderCount() throws {
        let times =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign\n"
            + "u,06:00:00,06:00:00,s1,2,\nt,06:10:00,06:10:00,s2,2,\nt,06:00:00,06:00:00,s1,1,Home\n"
        let columns = try Self.empty("stop_time", ["stop_times.txt": times])
        #expect(!columns.contains("stop_headsign") && columns.contains("pickup_type"))
    }

    /// The second call of t comes after a call of u, so only the sorted rows show that its key is not new.
    @Test func aLateDuplicateDoesNotCount() throws {
        let times =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,pickup_type\n"
            + "t,06:00:00,06:00:00,s1,1,,3\nu,06:00:00,06:00:00,s1,1,,\nu,06:10:00,06:10:00,s2,2,,\n"
            + "t,06:00:00,06:00:00,s1,1,Home,\nt,06:10:00,06:10:00,s2,2,,\n"
        let columns = try Self.empty("stop_time", ["stop_times.txt": times])
        #expect(columns.contains("stop_headsign") && !columns.contains("pickup_type"))
    }

    @Test func tablesWithoutAFileAreNotNamed() throws {
        let (store, _) = try SmallFeed.store([:])
        #expect(
            try SmallFeed.all("SELECT DISTINCT \"table\" FROM empty_column ORDER BY 1", store)
                == "agency; feed_info; route; shape_point; stop; stop_time; trip")
    }
}
