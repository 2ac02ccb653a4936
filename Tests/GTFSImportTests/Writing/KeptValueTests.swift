import GTFSSchema
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// Nothing of a feed is lost. Values that a column cannot store are kept, and the view shows them in that column.
@Suite struct KeptValueTests {
    /// A value that columns of this type cannot store, if there is one.
    private static func impossible(_ type: FieldType) -> String? {
        switch type {
        case .time, .localTime: "soon"
        case .date: "20260230"
        case .latitude, .longitude, .float, .amount: "1,5"
        case .enumeration, .integer: "many"
        case .reference: "no such thing"
        default: nil
        }
    }

    /// A parent station that no stop has, with an invisible letter at its edge: the cell is kept once, as it was
    /// written, in the table and in its index, whether SQLite fills the index or the importer does.
    @Test(arguments: [1, 150])
    func aParentStationIsKeptOnce(rows: Int) throws {
        let others = (0..<rows).map { "x\($0),Nr \($0),50,10,GONE\n" }.joined()
        let store = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,parent_station\ns1,One,50,10,GONE\u{B}\ns2,Two,50,10,\n"
                + others
        ]).imported()
        try store.expectSound()
        #expect(
            try store.rows("SELECT count(*), count(DISTINCT row) FROM kept_value WHERE column = 'parent_station'") == [
                "\(rows + 1)|\(rows + 1)"
            ])
        #expect(try store.rows("SELECT stop_id FROM gtfs_stops WHERE parent_station = 'GONE\u{B}'") == ["s1"])
        #expect(
            try store.rows("SELECT count(*) FROM gtfs_stops WHERE parent_station = 'GONE'") == ["\(rows)"])
    }

    /// Fills every field whose column is not text with a value that the column cannot store.
    @Test(arguments: Specification.gtfs.files.map(\.name).filter { $0.hasSuffix(".txt") })
    func everyFieldShowsWhatItCannotTake(name: String) throws {
        let file = try #require(Specification.gtfs.file(named: name))
        // Left out: a clustered key refuses the row instead, and service_id of calendar_dates.txt creates the service.
        let fields = file.fields.filter { field in
            Self.impossible(field.type) != nil && !(file.storage == .clustered && field.keyPosition != nil)
                && !(name == "calendar_dates.txt" && field.name == "service_id")
        }
        let cells = file.fields.map { field in
            if fields.contains(where: { $0.name == field.name }) { return "\"\(Self.impossible(field.type) ?? "")\"" }
            switch field.name {
            case "trip_id": return "t"
            case "stop_id": return "s1"
            case "route_id": return "r"
            case "agency_id": return "a"
            case "service_id": return name == "calendar.txt" || name == "calendar_dates.txt" ? "w" : "x"
            default: return field.keyPosition == nil ? "x" : "1"
            }
        }
        var layer = [name: file.fields.map(\.name).joined(separator: ",") + "\n" + cells.joined(separator: ",") + "\n"]
        if name == "trips.txt" { layer[name]? += "r,w,u\n" }
        if name == "stops.txt" { layer[name]? += "s2\n" }
        if name == "stop_times.txt" { layer[name]? += "u,06:00:00,06:00:00,s2,,,1\n" }
        let store = try LayeredFeed(layer).imported()
        let ids = ["stops.txt": "stop_id = 's1'", "trips.txt": "trip_id = 't'", "stop_times.txt": "trip_id = 't'"]
        let row = ids[name].map { " WHERE " + $0 } ?? ""
        for field in fields {
            #expect(
                try store.rows("SELECT \(field.name) FROM \(file.view)\(row)") == [Self.impossible(field.type) ?? ""],
                "\(field.name)")
            #expect(
                try store.rows("SELECT \(field.column) FROM \(file.table)\(name == "stop_times.txt" ? "" : " LIMIT 1")")
                    .first
                    == "-", "\(field.name)")
            guard field.type == .reference else { continue }
            #expect(
                try store.rows("SELECT count(*) FROM \(file.view) WHERE \(field.name) = 'no such thing'") == ["1"],
                "\(field.name)")
        }
        #expect(
            try store.rows("SELECT count(*) FROM kept_value WHERE \"table\" = '\(file.table)'") == ["\(fields.count)"])
        try store.expectSound()
    }

    /// A longitude and a time that are none, each with an invisible letter at its edge.
    @Test func `a value is kept once, as it was written, if it is unusable and was trimmed`() throws {
        let store = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns1,One,50.1,\u{1B}east\ns2,Two,50.2,8.2\n",
            "stop_times.txt": "trip_id,stop_id,stop_sequence,arrival_time,departure_time\n"
                + "t,s1,1,06:00:00,06:00:00\nt,s2,2,soon\u{B},06:10:00\n",
        ]).imported()
        #expect(
            try store.rows("SELECT \"table\", \"column\", value FROM kept_value ORDER BY 1")
                == ["stop|longitude|\u{1B}east", "stop_time|arrival_time|soon\u{B}"])
        #expect(try store.rows("SELECT stop_lon FROM gtfs_stops WHERE stop_id = 's1'") == ["\u{1B}east"])
        try store.expectSound()
    }

    @Test func rightAndWrongRowsStandTogether() throws {
        let store = try LayeredFeed([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,timepoint\n"
                + "t,06:00:00,06:00:00,s1,1,1\nt,later,06:10:00,s2,2,\nt,06:20:00,,nowhere,3,yes\nu,6:00:00,30:00:00,s1,1,0\n"
        ]).imported()
        #expect(
            try store.rows("SELECT * FROM gtfs_stop_times ORDER BY trip_id, stop_sequence").map {
                $0.replacing("|-", with: "")
            }
                == [
                    "t|06:00:00|06:00:00|s1|1|1", "t|later|06:10:00|s2|2", "t|06:20:00|nowhere|3|yes",
                    "u|06:00:00|30:00:00|s1|1|0",
                ])
        #expect(try store.rows("SELECT stop_sequence FROM gtfs_stop_times WHERE stop_id = 's2'") == ["2"])
        #expect(try store.rows("SELECT stop_sequence FROM gtfs_stop_times WHERE stop_id = 'nowhere'") == ["3"])
        #expect(try store.rows("SELECT arrival_time, departure_time FROM stop_time WHERE trip = 2") == ["21600|108000"])
    }

    /// Characters other than blanks are trimmed in the feed's own columns, in rows with and without another kept value.
    @Test func ownColumnsShowWhatWasTrimmed() throws {
        let store = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,note\ns1,One,50.1,8.1,\u{1B}x\ns2,Two,50.2,soon,\n"
                + "s3,Three,50.3,never,y\u{B}\ns4,Four,50.4,8.4,z\ns5,Five,50.5,8.5,\u{2028}\n",
            "stop_times.txt": "trip_id,stop_id,stop_sequence,arrival_time,departure_time,memo\n"
                + "t,s1,1,6:00:00,6:00:00,\u{B}M\nt,s2,2,soon,6:10:00,\n",
            "notes.txt": "id,text\n1,\u{1B}a\n2,b\n",
        ]).imported()
        #expect(
            try store.rows("SELECT stop_id, stop_lon, note FROM gtfs_stops ORDER BY stop_id")
                == ["s1|8.1|\u{1B}x", "s2|soon|-", "s3|never|y\u{B}", "s4|8.4|z", "s5|8.5|\u{2028}"])
        #expect(try store.rows("SELECT note FROM gtfs_stops WHERE stop_lon = 'never'") == ["y\u{B}"])
        #expect(
            try store.rows("SELECT stop_sequence, arrival_time, memo FROM gtfs_stop_times ORDER BY stop_sequence")
                == ["1|06:00:00|\u{B}M", "2|soon|-"])
        #expect(try store.rows("SELECT * FROM gtfs_notes") == ["1|\u{1B}a", "2|b"])
    }

    /// The feed's own columns may have the names of the store's columns, or the same name twice.
    @Test func columnsOfOneNameKeepTheirValues() throws {
        let store = try LayeredFeed([
            "stops.txt":
                "stop_id,stop_name,stop_lat,stop_lon,latitude\ns1,One,1a,1,2\ns2,Two,2b,2,\u{1}q\ns3,Three,c2,2,\n",
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop\n"
                + "t,08:00:00,08:00:00,nowhere,1,\nt,08:10:00,08:10:00,s1,2,\nt,08:20:00,08:20:00,s1,3,q\u{1}\n",
            "own.txt": "a,a,\u{E9},e\u{301},\n\u{1}v,w,\u{1}x,\u{1}y,\u{1}z\nv,\u{1}w,x,y,z\n",
        ]).imported()
        #expect(
            try store.rows("SELECT stop_id, stop_lat, latitude FROM gtfs_stops ORDER BY stop_id")
                == ["s1|1a|2", "s2|2b|\u{1}q", "s3|c2|-"])
        #expect(
            try store.rows("SELECT stop_id, stop_sequence, stop FROM gtfs_stop_times ORDER BY stop_sequence")
                == ["nowhere|1|-", "s1|2|-", "s1|3|q\u{1}"])
        #expect(
            try store.rows("SELECT * FROM gtfs_own")
                == ["\u{1}v|w|\u{1}x|\u{1}y|\u{1}z", "v|\u{1}w|x|y|z"])
        #expect(
            try store.rows("SELECT count(*), count(DISTINCT \"column\") FROM kept_value WHERE \"table\" = 'extra_own'")
                == ["5|5"])
        try store.expectSound()
    }

    /// A look-up must use the primary key. If SQLite expected many names, it would read all cells into a Bloom filter.
    @Test func aCellIsLookedUpAmongMany() throws {
        let rows = (0..<20_000).map { "l\($0),1,beyond" }
        let store = try LayeredFeed(["levels.txt": "level_id,level_index\n" + rows.joined(separator: "\n")]).imported()
        let ofRow = "SELECT value FROM extra_cell WHERE file = 'levels.txt' AND row_number = 77 AND position = 3"
        let inOrder = "SELECT value FROM extra_cell WHERE file = 'levels.txt' ORDER BY row_number LIMIT 2"
        for sql in [ofRow, inOrder] {
            let plan = try store.rows("EXPLAIN QUERY PLAN " + sql)
            #expect(plan.contains { $0.contains("SEARCH n USING PRIMARY KEY (file=?") }, "\(plan)")
            #expect(!plan.contains { $0.contains("BLOOM") || $0.contains("TEMP B-TREE") }, "\(plan)")
        }
        #expect(try store.rows(ofRow) == ["beyond"])
    }

    /// The same for kept values.
    @Test func aValueIsLookedUpAmongMany() throws {
        let rows = (0..<20_000).map { "l\($0),high\($0)" }
        let store = try LayeredFeed(["levels.txt": "level_id,level_index\n" + rows.joined(separator: "\n")]).imported()
        let ofRow = "SELECT value FROM kept_value WHERE \"table\" = 'level' AND \"row\" = 77"
        for condition in ["", " AND \"column\" = 'level_index'"] {
            let plan = try store.rows("EXPLAIN QUERY PLAN " + ofRow + condition)
            #expect(plan.contains { $0.contains("SEARCH n USING PRIMARY KEY (table=? AND row=?") }, "\(plan)")
            #expect(!plan.contains { $0.contains("BLOOM") || $0.contains("TEMP B-TREE") }, "\(plan)")
            #expect(try store.rows(ofRow + condition) == ["high76"])
        }
    }

    /// Swift takes é and e with a combining accent for equal, but a feed may have files of both names.
    @Test func namesAreToldApartByTheirBytes() {
        let names = KeptNames()
        #expect(["caf\u{E9}.txt", "cafe\u{301}.txt", "x", "caf\u{E9}.txt"].map(names.number) == [0, 1, 2, 0])
    }

    /// Parents that are unknown or have trimmed characters other than blanks.
    @Test func unknownParentsAreKeptAsTheyWereWritten() throws {
        let store = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,parent_station\ns1,One,50.1,8.1,\u{1B}nowhere\n"
                + "s2,Two,50.2,8.2,\u{1B}s1\ns3,Three,50.3,8.3,\u{1B}s4\ns4,Four,50.4,8.4,\ns5,Five,50.5,8.5,gone\n"
        ]).imported()
        let kept = ["\u{1B}nowhere", "\u{1B}s1", "\u{1B}s4", "-", "gone"]
        #expect(try store.rows("SELECT parent_station FROM gtfs_stops ORDER BY stop_id") == kept)
        #expect(try store.rows("SELECT parent_station FROM stop ORDER BY id") == ["-", "1", "4", "-", "-"])
    }

    @Test func extraCellsAreKeptAndMissingOnesAreNull() throws {
        let store = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns1,One,50.1\ns2,Two,50.2,8.2, more ,\"a,b\",,\n"
        ]).imported()
        #expect(try store.rows("SELECT stop_id, stop_lat, stop_lon FROM gtfs_stops") == ["s1|50.1|-", "s2|50.2|8.2"])
        #expect(
            try store.rows("SELECT file, row_number, position, value FROM extra_cell")
                == ["stops.txt|3|5| more ", "stops.txt|3|6|a,b"])
    }

    /// Row numbers are the line numbers that an editor shows, even after blank lines. A line break in quotes makes two
    /// lines one row.
    @Test func rowNumbersAreLineNumbers() throws {
        let lines = (2...400).map { $0 % 11 == 0 ? "" : $0 % 7 == 0 ? "s\($0),Name,north,8.1" : "s\($0),Name,50.1,8.1" }
        let feed = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\r\n" + lines.joined(separator: "\r\n")
                + "\r\ns1,,50.1,8.1\r\n",
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,,,s1,1\n",
        ])
        let store = try feed.imported()
        let wrong = (2...400).filter { $0 % 7 == 0 && $0 % 11 != 0 }
        #expect(
            try store.rows("SELECT row_number FROM notice WHERE code = 'invalid_float' ORDER BY id")
                == wrong.map(String.init))
        #expect(
            try store.rows("SELECT row_number FROM notice WHERE code = 'empty_row' ORDER BY row_number")
                == (2...400).filter { $0 % 11 == 0 }.map(String.init))
        #expect(
            try store.rows("SELECT count(*) FROM stop WHERE 's' || (id + 1) <> stop_id AND stop_id <> 's1'") == ["0"])
        #expect(try store.rows("SELECT row_count FROM feed_file WHERE name = 'stops.txt'") == ["\(400 - 400 / 11)"])
    }
}
