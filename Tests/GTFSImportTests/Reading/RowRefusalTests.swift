import Foundation
import SQLite
import Testing

@testable import GTFSImport

/// Rows that cannot be stored must not affect their neighbours.
@Suite struct RowRefusalTests {
    @Test func aBlankRowIsNotedOnceAndTheNextOneStored() throws {
        let (store, _) = try SmallFeed.store([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,06:00:00,06:00:00,s1,1\n,, ,,\nt,06:10:00,06:10:00,s2,2\n"
        ])
        #expect(try Self.notices("SELECT code, file, row_number FROM notice", store) == "empty_row stop_times.txt 3")
        #expect(try SmallFeed.all("SELECT stop_id FROM gtfs_stop_times", store) == "s1; s2")
        #expect(try SmallFeed.all("SELECT * FROM kept_row", store) == "")
    }

    /// The numbers of the first thousand are kept for notices.
    @Test func `all blank rows are counted`() throws {
        let (store, _) = try SmallFeed.store([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns1,One,50.1,8.1\n"
                + String(repeating: "\n", count: 1_200)
                + "s2,Two,50.2,8.2\n"
        ])
        #expect(try SmallFeed.all("SELECT count FROM notice_total WHERE code = 'empty_row'", store) == "1200")
    }

    @Test func manyCellsBeyondTheHeaderAreAllKept() throws {
        let (store, _) = try SmallFeed.store([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns1,One,50.1,8.1"
                + (0..<70_000).map { ",\($0)" }.joined() + "\ns2,Two,50.2,8.2\n"
        ])
        #expect(
            try SmallFeed.all(
                "SELECT count(*), min(position), max(position), sum(CAST(value AS INTEGER)) FROM extra_cell", store)
                == "70000 5 70004 2449965000")
        #expect(try SmallFeed.all("SELECT stop_id FROM gtfs_stops", store) == "s1; s2")
    }

    /// The times of rows that are not stored are not those of the feed.
    @Test(arguments: ["t,30:00:00,30:00:00,s2,2", "nobody,31:00:00,31:00:00,s2,3", "t,32:00:00,32:00:00,s2,last"])
    func `a refused row has no part in the latest time`(row: String) throws {
        let (store, _) = try SmallFeed.store([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,2\n\(row)\n"
        ])
        #expect(try SmallFeed.all("SELECT count(*) FROM kept_row", store) == "1")
        #expect(try SmallFeed.all("SELECT latest_time FROM feed", store) == "\(6 * 3_600 + 600)")
    }

    @Test func `a time that is not written HH:MM:SS has a part in the latest time`() throws {
        let (store, _) = try SmallFeed.store([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,06:00:00,06:00:00,s1,1\nt,30:5:0,30:5:0,s2,2\n"
        ])
        #expect(try SmallFeed.all("SELECT latest_time FROM feed", store) == "\(30 * 3_600 + 300)")
    }

    /// Late rows whose numbers equal others but for their highest bits are looked at again. They are stored.
    @Test func `late rows that only may repeat others have a part in the latest time`() throws {
        let (store, _) = try SmallFeed.store([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,06:00:00,06:00:00,s1,1\nt,06:05:00,06:05:00,s2,2\nt,06:10:00,06:10:00,s1,70\n"
                + "t,30:00:00,30:00:00,s2,65\nt,25:00:00,25:00:00,s1,66\n"
        ])
        #expect(try SmallFeed.all("SELECT count(*) FROM kept_row", store) == "0")
        #expect(try SmallFeed.all("SELECT latest_time FROM feed", store) == "\(30 * 3_600)")
    }

    /// The row is kept whole. What it refers to is missing all the same.
    @Test func theParentOfARefusedRowIsLookedUp() throws {
        let (store, _) = try SmallFeed.store([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,parent_station\ns1,One,50.1,8.1,\n"
                + "s2,Two,50.2,8.2,\ns1,Again,50.1,8.1,nowhere\ns2,Again,50.1,8.1,s1\n"
        ])
        #expect(
            try SmallFeed.all("SELECT row_number, message FROM notice WHERE code = 'foreign_key_violation'", store)
                == "4 stops.txt, row 4, parent_station: \"nowhere\" is not a stop_id of stops.txt; the row is not in stop "
                + "but kept in kept_row")
        #expect(try SmallFeed.all("SELECT count(*) FROM kept_value", store) == "0")
        #expect(try SmallFeed.all("SELECT count(*) FROM stop WHERE parent_station IS NOT NULL", store) == "0")
    }

    @Test func aDuplicateIDThatNothingRefersToIsKept() throws {
        let (store, _) = try SmallFeed.store([
            "pathways.txt":
                "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\np,s1,s2,1,0\np,s2,s1,1,0\n"
        ])
        #expect(try Self.notices("SELECT code, file, row_number FROM notice", store) == "duplicate_key pathways.txt 3")
        #expect(try SmallFeed.all("SELECT file, row_number, text FROM kept_row", store) == "pathways.txt 3 p,s2,s1,1,0")
        #expect(try SmallFeed.all("SELECT from_stop_id FROM gtfs_pathways", store) == "s1")
    }

    @Test func rowsThatDifferInADanglingReferenceAreNoDuplicates() throws {
        let (store, _) = try SmallFeed.store([
            "transfers.txt": "from_stop_id,to_stop_id,transfer_type\nx,s1,0\ny,s1,0\ny,s1,2\n"
        ])
        #expect(
            try Self.notices("SELECT code, row_number FROM notice", store)
                == "foreign_key_violation 2; foreign_key_violation 3; foreign_key_violation 4; duplicate_key 4")
        #expect(try SmallFeed.all("SELECT from_stop_id FROM gtfs_transfers", store) == "x; y; y")
        #expect(try SmallFeed.all("SELECT transfer_type FROM gtfs_transfers WHERE from_stop_id = 'y'", store) == "0; 2")
    }

    /// Row 5 comes out of order and has the key of row 2. Its dangling stop must not show up in row 2.
    @Test func aLateDuplicateLeavesNothingInTheRowItDuplicates() throws {
        let (store, _) = try SmallFeed.store([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,2\nu,07:00:00,07:00:00,s1,1\n"
                + "t,06:00:00,06:00:00,lost,1\nt,06:05:00,06:05:00,gone,0\n"
        ])
        #expect(
            try SmallFeed.all("SELECT trip_id, stop_sequence, stop_id FROM gtfs_stop_times ORDER BY 1, 2", store)
                == "t 0 gone; t 1 s1; t 2 s2; u 1 s1")
        #expect(try SmallFeed.all("SELECT row_number, text FROM kept_row", store) == "5 t,06:00:00,06:00:00,lost,1")
        #expect(try SmallFeed.all("SELECT \"column\", value FROM kept_value", store) == "stop gone")
    }

    /// Rows 3 and 7 are refused while reading, rows 5 and 6 when all rows are sorted. `kept_row` has all in key order.
    @Test func rowsRefusedLateStandAmongTheOthers() throws {
        let (store, _) = try SmallFeed.store([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,06:00:00,06:00:00,s1,1\nx,06:10:00,06:10:00,s2,2\nu,07:00:00,07:00:00,s1,1\n"
                + "t,06:00:00,06:00:00,s1,1\nt,06:00:00,06:00:00,s2,1\nu,07:00:00,07:00:00,s1,one\n"
        ])
        #expect(
            try SmallFeed.all("SELECT row_number, reason FROM kept_row", store)
                == "3 foreign_key_violation; 5 duplicate_key; 6 duplicate_key; 7 invalid_integer")
        for (row, count) in [(3, 1), (4, 0), (5, 1), (6, 1), (7, 1)] {
            #expect(
                try SmallFeed.all(
                    "SELECT count(*) FROM kept_row WHERE file = 'stop_times.txt' AND row_number = \(row)", store)
                    == "\(count)")
        }
        #expect(try SmallFeed.all("PRAGMA integrity_check", store) == "ok")
    }

    @Test func theParentOfADuplicateStopIsNotStored() throws {
        let (store, _) = try SmallFeed.store([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,parent_station\n"
                + "s1,One,50.1,8.1,s2\ns1,Again,50.1,8.1,nowhere\ns2,Two,50.2,8.2,\n"
        ])
        #expect(
            try Self.notices("SELECT code, row_number FROM notice", store)
                == "duplicate_key 3; foreign_key_violation 3; wrong_parent_location_type 2")
        #expect(try SmallFeed.all("SELECT stop_id, parent_station FROM gtfs_stops", store) == "s1 s2; s2 -")
        #expect(try SmallFeed.all("SELECT * FROM kept_value", store) == "")
    }

    /// A row that is not stored does not count for the latest time. Some are refused while reading, others as
    /// duplicates among sorted rows.
    @Test(arguments: [
        ("x,999:00:00,999:00:00,s1,1\n", "22200"), ("t,999:00:00,999:00:00,s1,one\n", "22200"),
        ("t,06:10:00,999:00:00,s2,2\nt,06:05:00,06:10:00,s2,2\n", "22200"),
        ("u,05:00:00,05:00:00,s1,1\nt,999:00:00,999:00:00,s1,1\n", "22200"),
        ("u,05:00:00,05:00:00,s1,1\nt,07:00:00,07:00:00,s1,0\n", "25200"),
        ("u,05:00:00,05:00:00,s1,1\nt,07:00:00,07:00:00,s1,65\nt,08:00:00,08:00:00,s1,1\n", "25200"),
        ("u,05:00:00,05:00:00,s1,1\nt,08:00:00,08:00:00,s1,66\nt,07:00:00,07:00:00,s1,2\n", "28800"),
    ])
    func theLatestTimeIsThatOfStoredRows(rows: String, latest: String) throws {
        let (store, _) = try SmallFeed.store([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,2\n" + rows
        ])
        #expect(try SmallFeed.all("SELECT latest_time FROM feed", store) == latest)
    }

    /// A shape begins with its first stored point. A refused point alone makes no shape.
    @Test func aRefusedPointMakesNoShape() throws {
        let (store, _) = try SmallFeed.store([
            "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n"
                + "lost,50.1,8.1,one\nfirst,50.1,8.1,1\nlate,50.1,8.1,\nlate,50.2,8.2,1\nfirst,50.2,8.2,2\n",
            "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,lost\nr,w,u,late\n",
        ])
        #expect(try SmallFeed.all("SELECT id, shape_id FROM shape", store) == "1 first; 2 late")
        #expect(
            try SmallFeed.all("SELECT shape_id, shape_pt_sequence FROM gtfs_shapes", store)
                == "first 1; first 2; late 1")
        #expect(
            try Self.notices("SELECT code, file, row_number FROM notice", store)
                == "invalid_integer shapes.txt 2; missing_required_field shapes.txt 4; foreign_key_violation trips.txt 2; "
                + "unused_shape shapes.txt -; single_shape_point shapes.txt -"
        )
        #expect(try SmallFeed.all("SELECT trip_id, shape_id FROM gtfs_trips", store) == "u late; t lost")
        #expect(try SmallFeed.all("SELECT trip_id, shape FROM trip", store) == "t -; u 2")
    }

    /// No stored stop has zone z9. A refused row is the first with z8, but s3 has it as well and is stored.
    @Test func theZoneOfARefusedStopIsUnknown() throws {
        let (store, _) = try SmallFeed.store([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,zone_id\n"
                + "s1,One,50.1,8.1,z1\ns2,Two,50.2,8.2,z1\ns1,Again,50.1,8.1,z9\ns2,Again,50.2,8.2,z8\ns3,Three,50.3,8.3,z8\n",
            "fare_attributes.txt":
                "fare_id,price,currency_type,payment_method,transfers,agency_id\nf,1.00,EUR,0,0,a\n",
            "fare_rules.txt": "fare_id,origin_id\nf,z1\nf,z8\nf,z9\n",
        ])
        #expect(
            try Self.notices("SELECT code, file, row_number FROM notice", store)
                == "duplicate_key stops.txt 4; duplicate_key stops.txt 5; foreign_key_violation fare_rules.txt 4")
    }

    @Test func identifiersInALegacyEncodingMeetWhereverTheyStand() throws {
        let days = "1,1,1,1,1,0,0,20260101,20261231"
        let (store, _) = try SmallFeed.store(
            [
                "calendar.txt":
                    "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                    + "werktags für größere Züge,\(days)\n",
                "calendar_dates.txt": "service_id,date,exception_type\nwerktags für größere Züge,20260105,2\n"
                    + "Züge außer der Reihe,20260106,1\n",
                "trips.txt": "route_id,service_id,trip_id\nr,werktags für größere Züge,t\nr,Züge außer der Reihe,u\n",
            ], encoding: .isoLatin1)
        #expect(
            try SmallFeed.all("SELECT service_id FROM gtfs_trips", store)
                == "werktags für größere Züge; Züge außer der Reihe")
        #expect(
            try SmallFeed.all("SELECT service_id FROM gtfs_calendar_dates WHERE date = '20260106'", store)
                == "Züge außer der Reihe")
        #expect(try SmallFeed.all("SELECT * FROM kept_value", store) == "")
    }

    @Test func severalAgenciesNeedTheirIDs() throws {
        let (store, _) = try SmallFeed.store([
            "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\n"
                + "a,A,http://a.example,Europe/Berlin\n,B,http://b.example,Europe/Berlin\n",
            "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,,1,3\n",
        ])
        #expect(
            try Self.notices("SELECT code, file, row_number, field FROM notice", store)
                == "missing_required_agency_id agency.txt 3 agency_id; missing_required_agency_id routes.txt 2 agency_id"
        )
    }

    /// Notices, without those about what no trip uses.
    private static func notices(_ select: String, _ connection: Connection) throws -> String {
        try SmallFeed.all("\(select) WHERE \(SmallFeed.withoutUnused)", connection)
    }
}
