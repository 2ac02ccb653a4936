import SQLite
import Testing

@testable import GTFSSchema

/// The views that reproduce the files: their columns, their SQL, and the use of indexes by filters.
@Suite struct ViewTests {
    private static let allFiles = Specification.gtfs.files

    @Test(arguments: [false, true])
    func columnsAreTheFieldsOfTheFileInItsOrder(keptValues: Bool) throws {
        let store = try EmptyStore(keptValues: keptValues)
        for file in Self.allFiles {
            #expect(try store.columns(of: file.view) == file.fields.map(\.name), "\(file.view)")
        }
    }

    /// Looking up an ID through a view never scans a table of the feed.
    @Test(arguments: [false, true])
    func everyIDColumnIsFoundByAnIndex(keptValues: Bool) throws {
        let store = try EmptyStore(keptValues: keptValues)
        for file in Self.allFiles {
            for field in file.fields where [.id, .group, .reference].contains(field.type) {
                let plan = try store.plan("SELECT * FROM \(file.view) WHERE \(field.name) = 'x'")
                let scans = plan.filter(Self.isScanOfAnEntity)
                #expect(scans.isEmpty, "\(file.view).\(field.name): \(plan.joined(separator: " | "))")
            }
        }
    }

    /// Whether a line of the plan scans a table. Scans of the result of a view (`gtfs_…`) do not count.
    private static func isScanOfAnEntity(_ line: String) -> Bool {
        line.hasPrefix("SCAN ") && !line.hasPrefix("SCAN gtfs_")
    }

    @Test(arguments: [false, true])
    func aJoinOfViewsFindsIndexesToo(keptValues: Bool) throws {
        let plan = try EmptyStore(keptValues: keptValues).plan(
            """
            SELECT departure_time FROM gtfs_trips JOIN gtfs_stop_times USING (trip_id)
            WHERE gtfs_trips.route_id = 'x'
            """)
        #expect(!plan.contains(where: Self.isScanOfAnEntity), "\(plan)")
    }

    @Test func timesAndDatesAreWrittenAsInTheFile() throws {
        let store = try EmptyStore()
        try store.connection.execute(
            """
            INSERT INTO trip(id, trip_id) VALUES(1, 't');
            INSERT INTO stop_time(trip, stop_sequence, arrival_time, departure_time)
                VALUES(1, 1, 0, 59), (1, 2, 86399, 86400), (1, 3, 90600, 900000), (1, 4, NULL, 3600);
            INSERT INTO service(id, service_id, start_date, end_date) VALUES(1, 's', 20260101, 20261231);
            INSERT INTO service(id, service_id, in_calendar) VALUES(2, 'only dates', 0);
            INSERT INTO service_exception(service, date, exception_type) VALUES(2, 20260229, 1)
            """)
        #expect(
            try store.texts(
                "SELECT ifnull(arrival_time, '-') || ' ' || departure_time FROM gtfs_stop_times ORDER BY stop_sequence")
                == ["00:00:00 00:00:59", "23:59:59 24:00:00", "25:10:00 250:00:00", "- 01:00:00"])
        #expect(
            try store.texts("SELECT service_id || start_date || end_date FROM gtfs_calendar") == ["s2026010120261231"])
        #expect(
            try store.texts("SELECT service_id || date || exception_type FROM gtfs_calendar_dates") == [
                "only dates202602291"
            ])
        #expect(try store.texts("SELECT typeof(start_date) FROM gtfs_calendar") == ["text"])
    }

    @Test func keptValuesStandInTheirPlace() throws {
        let store = try EmptyStore(keptValues: true)
        try store.connection.execute(
            """
            INSERT INTO trip(id, trip_id) VALUES(1, 't');
            INSERT INTO stop(id, stop_id, name) VALUES(7, 's', 'S');
            INSERT INTO stop_time(trip, stop_sequence, arrival_time, stop) VALUES(1, 1, NULL, NULL), (1, 2, 60, 7)
            """)
        try store.keep([
            ("stop_time", 1, 1, "stop", "nowhere"), ("stop_time", 1, 1, "arrival_time", "soon"),
            ("stop", 7, 0, "latitude", "north"),
        ])
        #expect(
            try store.texts("SELECT stop_id || ' ' || arrival_time FROM gtfs_stop_times ORDER BY stop_sequence")
                == ["nowhere soon", "s 00:01:00"])
        #expect(try store.texts("SELECT stop_lat FROM gtfs_stops WHERE stop_id = 's'") == ["north"])
        #expect(try store.texts("SELECT stop_sequence FROM gtfs_stop_times WHERE stop_id = 'nowhere'") == ["1"])
    }

    @Test func viewsHaveThisSQL() throws {
        #expect(
            StoreSchema.createView(of: try file("frequencies.txt"), extra: [], kept: nil)
                == #"CREATE VIEW "gtfs_frequencies" AS SELECT "of_trip"."trip_id" AS "trip_id", "#
                + #"CASE WHEN t."start_time" IS NOT NULL THEN printf('%02d:%02d:%02d', t."start_time" / 3600, "#
                + #"t."start_time" / 60 % 60, t."start_time" % 60) END AS "start_time", "#
                + #"CASE WHEN t."end_time" IS NOT NULL THEN printf('%02d:%02d:%02d', t."end_time" / 3600, "#
                + #"t."end_time" / 60 % 60, t."end_time" % 60) END AS "end_time", "#
                + #"t."headway_secs" AS "headway_secs", t."exact_times" AS "exact_times" "#
                + #"FROM "frequency" AS t LEFT JOIN "trip" AS "of_trip" ON "of_trip".id = t."trip""#)
        var kept = StoreSchema.KeptColumns(table: 3)
        kept.add("level_index", number: 1)
        #expect(
            StoreSchema.createView(of: try file("levels.txt"), extra: [], kept: kept)
                == #"CREATE VIEW "gtfs_levels" AS SELECT t."level_id" AS "level_id", +t."level_index" AS "level_index", "#
                + #"t."name" AS "level_name" FROM "level" AS t WHERE NOT EXISTS (SELECT 1 FROM numbered_value "#
                + #"WHERE "table" = 3 AND "row" = t.id AND sequence = 0) UNION ALL "#
                + #"SELECT t."level_id" AS "level_id", +k.value AS "level_index", t."name" AS "level_name" "#
                + #"FROM numbered_value AS k JOIN "level" AS t WHERE k."table" = 3 AND k."column" = 1 "#
                + #"AND k."row" = t.id AND k.sequence = 0"#)
    }
}
