import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// Compares the indexes of long tables, which the importer sorts, with those that SQLite makes of the same rows.
@Suite struct LongTableIndexTests {
    /// Files with many rows: valid, dangling and empty references, texts of all kinds, and invalid dates.
    static func layer(_ random: inout SeededGenerator, rows: Int) -> [String: String] {
        func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? "" }
        let zones = ["", "z", "Z", "zz", "zone \u{E9}", "\u{6771}", "10", "9", "z\u{1F600}"]
        var fares = "fare_id,route_id,origin_id,destination_id,contains_id\n"
        var days = "service_id,date,exception_type\n"
        var transfers = "from_stop_id,to_stop_id,transfer_type,from_trip_id,note\n"
        var afterwards = "from_leg_group_id,to_leg_group_id,transfer_count,duration_limit\n"
        var legs = "leg_group_id,network_id,from_area_id,to_area_id,fare_product_id\n"
        var stops = "stop_id,stop_name,stop_lat,stop_lon,zone_id,location_type,parent_station\n"
        var calendar = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        for row in 0..<rows {
            // Services without an ID, duplicates, and services with the same days or without days.
            calendar +=
                "\(pick(["w", "c\(row)", "c\(row)", ""])),\(pick(["0", "1"])),0,0,0,0,\(pick(["0", "1"])),0,20260101,2026010\(row % 9 + 1)\n"
            // Parents before and after their stops, in cycles, unknown or missing.
            let parent = pick([
                "p\(Int.random(in: 0..<rows, using: &random))", "p0", "", "p\(rows - 1)", "later", "nowhere",
            ])
            stops += "p\(row),Stop,50.\(row),8.1,,\(pick(["", "1"])),\(parent)\n"
            fares +=
                "\(pick(["f1", "f2", "f2", "nowhere"])),\(pick(["", "r"])),\(pick(zones)),\(pick(zones)),\(pick(zones))\(pick(["", ",,beyond", ",x\u{E9},"]))\n"
            days += "\(pick(["w", "x\(row % 5)", "y\(row)"])),202601\(10 + row % 20),\(pick(["1", "2", "1"]))\n"
            if row % 9 == 0 { days += "w,\(pick(["someday", "one day", "\u{1}20260112"])),1\n" }
            transfers +=
                "\(pick(["s1", "s2"])),\(pick(["s1", "s2", ""])),\(pick(["0", "2"])),\(pick(["", "t", "u", "gone"])),\(pick(["", "n", "\u{1B}n", "n\u{1B}"]))\n"
            // An empty count and -1, which means any number, are different keys.
            afterwards +=
                "\(pick(["a", "b", ""])),\(pick(["a", ""])),\(pick(["", "-1", "0", "1"])),\(pick(["", "1"]))\n"
            legs += "\(pick(["a", "b", ""])),\(pick(["n", ""])),\(pick(["", "area"])),,\(pick(["p", "q"]))\n"
        }
        return [
            "stops.txt": stops
                + "s1,One,50.1,8.1,z,,later\ns2,Two,north,8.2,10,x,nowhere\nlater,Parent,50.2,8.2,,1,\n",
            "fare_attributes.txt":
                "fare_id,price,currency_type,payment_method,transfers\nf1,1.00,EUR,0,0\nf2,2.00,EUR,0,0\n",
            "calendar.txt": calendar, "fare_rules.txt": fares, "calendar_dates.txt": days, "transfers.txt": transfers,
            "areas.txt": "area_id,area_name\narea,A\n", "fare_leg_rules.txt": legs,
            "fare_transfer_rules.txt": afterwards,
        ]
    }

    private static let lookups = [
        "SELECT \"table\", \"column\", value, \"row\", sequence FROM numbered_value INDEXED BY numbered_value_value "
            + "WHERE \"table\" >= 0 ORDER BY 1, 2, 3, 4, 5",
        "SELECT fare, id FROM fare_rule INDEXED BY fare_rule_fare WHERE fare IS NOT NULL ORDER BY fare, id",
        "SELECT origin_id, id FROM fare_rule INDEXED BY fare_rule_origin_id WHERE origin_id IS NOT NULL ORDER BY 1, 2",
        "SELECT id FROM service_exception INDEXED BY service_exception_service_date WHERE service = 1 ORDER BY date, id",
        "SELECT service_id, id FROM service INDEXED BY service_service_id ORDER BY 1, 2",
        "SELECT day_set, id FROM service INDEXED BY service_day_set ORDER BY 1, 2",
        "SELECT date, id FROM service_exception INDEXED BY service_exception_date ORDER BY date, id",
        "SELECT parent_station, id FROM stop INDEXED BY stop_parent_station WHERE parent_station IS NOT NULL ORDER BY 1, 2",
        "SELECT to_stop, id FROM transfer INDEXED BY transfer_to_stop WHERE to_stop IS NOT NULL ORDER BY 1, 2",
        "SELECT leg_group_id, id FROM fare_leg_rule INDEXED BY fare_leg_rule_leg_group_id "
            + "WHERE leg_group_id IS NOT NULL ORDER BY 1, 2",
    ]

    @Test(arguments: [1, 40, 700]) func indexesWrittenAsPagesAreThoseThatSQLiteMakes(rows: Int) throws {
        var random = SeededGenerator(seed: UInt64(rows))
        let layer = Self.layer(&random, rows: rows)
        var contents: [[String]] = []
        for leastRows in [1, Int.max] {
            let feed = try LayeredFeed(layer)
            feed.options.rowsOfLongTable = leastRows
            let store = try feed.imported()
            try store.expectSound()
            let objects = try store.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid")
            let tables = try store.rows("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name")
            let rows = try (tables.filter { $0 != "feed" && !$0.hasPrefix("sqlite_") }).flatMap {
                try store.rows("SELECT '\($0)', * FROM \"\($0)\"").sorted()
            }
            contents.append(try objects + rows + Self.lookups.flatMap { try store.rows($0) })
        }
        #expect(contents[0] == contents[1])
    }

    /// An empty cell and -1 are different keys. They were once the same in long tables.
    @Test func noCountIsAnotherKeyThanAnyCount() throws {
        let rules = (0..<600).map { "g\($0 / 2),h,\($0 % 2 == 0 ? "" : "-1"),0\n" }.joined()
        let feed = try LayeredFeed([
            "fare_transfer_rules.txt": "from_leg_group_id,to_leg_group_id,transfer_count,fare_transfer_type\n" + rules
                + "g7,h,-1,2\n"
        ])
        let store = try feed.imported()
        #expect(
            try store.rows("SELECT row_number, message FROM notice WHERE code = 'duplicate_key'") == [
                "602|fare_transfer_rules.txt, row 602: has the same from_leg_group_id, to_leg_group_id, fare_product_id, "
                    + "transfer_count, duration_limit as row 17; stored all the same"
            ])
    }

    /// Values of rows that come late, some of which repeat a key, so that neither they nor their values are stored.
    @Test(arguments: [false, true]) func lateRowsKeepValuesAsInShortTables(hasDuplicates: Bool) throws {
        var random = SeededGenerator(seed: 7)
        let rows = (0..<4_000).map { row in
            let time = ["8h", "x\(row % 50)", "08:00:00"].randomElement(using: &random) ?? ""
            let stop = ["s1", "nowhere", "gone\(row % 9)"].randomElement(using: &random) ?? ""
            return "\(["t", "u"].randomElement(using: &random) ?? ""),\(time),,\(stop),\(row)\n"
        }
        let shuffled = rows.shuffled(using: &random)
        let again = hasDuplicates ? shuffled[0..<300] + shuffled[2_000..<2_300] : []
        var contents: [[String]] = []
        for leastRows in [1, Int.max] {
            let feed = try LayeredFeed([
                "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                    + (shuffled + again).joined()
            ])
            feed.options.rowsOfLongTable = leastRows
            let store = try feed.imported()
            try store.expectSound()
            #expect(try store.rows("SELECT count(*) FROM kept_row") == ["\(again.count)"])
            contents.append(try store.rows(Self.lookups[0]))
        }
        #expect(contents[0] == contents[1])
        #expect(contents[0].count > 4_000)
    }

    /// SQLite makes the index if one of its texts is too long to be kept in memory.
    @Test func aTextTooLongForTheSorterIsInTheIndex() throws {
        let long = String(repeating: "zone ", count: 300)
        let rules = (0..<4_000).map { "f,,zone \($0 * 7919 % 4_000)\n" }.joined() + "f,,\(long)\n"
        let feed = try LayeredFeed([
            "fare_attributes.txt": "fare_id,price,currency_type,payment_method,transfers\nf,1.00,EUR,0,0\n",
            "fare_rules.txt": "fare_id,route_id,origin_id\n" + rules,
        ])
        feed.options.rowsOfLongTable = 1
        let store = try feed.imported()
        let count = "SELECT count(*) FROM fare_rule INDEXED BY fare_rule_origin_id WHERE origin_id"
        #expect(try store.rows("\(count) IS NOT NULL") == ["4001"])
        #expect(try store.rows("\(count) = '\(long.dropLast())'") == ["1"])
        try store.expectSound()
    }

    /// The index that the importer sorts finds IDs of every length, with long and short common prefixes.
    @Test func idsOfEveryLengthAreInTheIndexInTheirOrder() throws {
        var random = SeededGenerator(seed: 11)
        let stems = [
            "", "trip", "trip:2026:", "trip:2026:long enough for more than eight bytes:", "\u{E9}", "\u{1F68A}",
        ]
        let ids = Set((0..<900).map { (stems.randomElement(using: &random) ?? "") + String($0 % 300) })
        let feed = try LayeredFeed([
            "trips.txt": "route_id,service_id,trip_id\n" + ids.shuffled(using: &random).map { "r,w,\($0)\n" }.joined()
                + "r,w,t\nr,w,u\n"
        ])
        feed.options.rowsOfLongTable = 1
        let store = try feed.imported()
        let byIndex = try store.rows(
            "SELECT trip_id FROM trip INDEXED BY trip_trip_id WHERE trip_id > '' ORDER BY trip_id")
        #expect(
            byIndex
                == (ids.subtracting([""]).union(["t", "u"])).sorted {
                    Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8))
                })
        for id in ids.prefix(100) where !id.isEmpty {
            #expect(
                try store.rows("SELECT count(*) FROM trip INDEXED BY trip_trip_id WHERE trip_id = '\(id)'") == ["1"])
        }
        try store.expectSound()
    }

    /// IDs that are long, empty, duplicate, trimmed or not valid UTF-8. The index has only those of stored rows, like
    /// SQLite's own index.
    @Test func theIndexHasOddIDsOfStoredRowsOnly() throws {
        let long =
            [57, 58, 58, 59].map { String(repeating: "l", count: $0) }
            + ["", "x"].map { String(repeating: "long ", count: 1_000) + $0 }
        let ids = ["b", " b ", "", "a", "\u{1B}a", "ab", "", "b", "caf\u{E9}", "\u{A0}c\u{A0}", "\"d\"\"e\""] + long
        let rows = ids.enumerated().map { "\($1),Level \($0),\($0)\n" }.joined()
        var contents: [[String]] = []
        for leastRows in [1, Int.max] {
            let bytes = Array("level_id,level_name,level_index\n\(rows)".utf8) + [0xE9, 0x2C, 0x2C, 0x31, 0x0A]
            let feed = try LayeredFeed()
            try feed.write("levels.txt", bytes)
            feed.options.rowsOfLongTable = leastRows
            let store = try feed.imported()
            try store.expectSound()
            #expect(try store.rows("SELECT row_number FROM kept_row") == ["3", "6", "9", "15"])
            contents.append(
                try store.rows("SELECT id, level_id FROM level")
                    + store.rows("SELECT level_id, id FROM level INDEXED BY level_level_id ORDER BY level_id, id"))
        }
        #expect(contents[0] == contents[1])
        #expect(contents[0].count == 2 * (ids.count + 1 - 4))
    }

    /// Cells beyond the header in several files that are not read in the order of their names. There are more cells
    /// than a buffer holds, and one is longer than the buffer.
    @Test func cellsBeyondTheHeaderAreKept() throws {
        let long = String(repeating: "l", count: 70_000)
        let feed = try LayeredFeed([
            "transfers.txt": "from_stop_id,to_stop_id,transfer_type\ns1,s2,0,\(long)\ns2,s1,0,,second\n",
            "fare_attributes.txt": "fare_id,price,currency_type,payment_method,transfers\nf,1.00,EUR,0,0,z\n",
            "fare_rules.txt": "fare_id,route_id\n" + (0..<9_000).map { "f,,a\($0),b\u{E9}\n" }.joined(),
        ])
        feed.options.rowsOfLongTable = 1
        let store = try feed.imported()
        try store.expectSound()
        let expected =
            ["fare_attributes.txt|2|6|z"]
            + (2...9_001).flatMap {
                ["fare_rules.txt|\($0)|3|a\($0 - 2)", "fare_rules.txt|\($0)|4|b\u{E9}"]
            }
        #expect(
            try store.rows("SELECT * FROM extra_cell")
                == expected + ["transfers.txt|2|4|\(long)", "transfers.txt|3|5|second"])
    }

    /// Kept values distinguish keys, even if there are so many that they are written after their rows.
    @Test func keptValuesTellKeysApart() throws {
        let rows = (0..<30_000).map { "a\($0),b\($0)\n" }.joined()
        let feed = try LayeredFeed(["transfers.txt": "from_stop_id,to_stop_id\n\(rows)a0,b0\n"])
        let store = try feed.imported()
        #expect(
            try store.rows("SELECT message FROM notice WHERE code = 'duplicate_key'") == [
                "transfers.txt, row 30002: has the same from_stop_id, to_stop_id, from_trip_id, to_trip_id, from_route_id, "
                    + "to_route_id as row 2; stored all the same"
            ])
    }

    /// The index of a table's key finds duplicate keys in any order of rows. Each invalid date is a key of its own.
    @Test(arguments: [1, Int.max]) func repeatedDaysAreNotedWithTheirFirstRow(leastRows: Int) throws {
        func store(_ more: String) throws -> AskedStore {
            let days = (0..<600).map { "x\($0 % 30),202601\(10 + $0 / 30),1\n" }.joined()
            let feed = try LayeredFeed(["calendar_dates.txt": "service_id,date,exception_type\n\(days)\(more)"])
            feed.options.rowsOfLongTable = leastRows
            return try feed.imported()
        }
        let notices = "SELECT row_number, message FROM notice WHERE code = 'duplicate_key'"
        #expect(
            try store("x3,20260111,2\nnew,20260111,1\nx0,20260110,1\nx3,20260111,1\n").rows(notices) == [
                "602|calendar_dates.txt, row 602: has the same service_id, date as row 35; stored all the same",
                "604|calendar_dates.txt, row 604: has the same service_id, date as row 2; stored all the same",
                "605|calendar_dates.txt, row 605: has the same service_id, date as row 35; stored all the same",
            ])
        #expect(try store("x3,today,1\nx3,tomorrow,1\nx3,today,2\n").rows(notices).count == 1)
    }

    /// Only the first rows with duplicate keys are named, in their order. The others are counted.
    @Test func manyRepeatedKeysAreCountedAndTheFirstNamed() throws {
        let rows = (0..<3_000).map { "s\(1 + $0 % 2),s\(1 + $0 / 2 % 2)\n" }.joined()
        let feed = try LayeredFeed(["transfers.txt": "from_stop_id,to_stop_id\n\(rows)"])
        feed.options.rowsOfLongTable = 1
        feed.options.noticesKeptPerCode = 70
        let store = try feed.imported()
        #expect(
            try store.rows("SELECT row_number FROM notice WHERE code = 'duplicate_key' ORDER BY rowid")
                == (6...75).map(String.init))
        #expect(try store.rows("SELECT count FROM notice_total WHERE code = 'duplicate_key'") == ["2996"])
    }

    /// More keys than are held, whatever their order, and in two lists that are put together.
    @Test(arguments: [0, 1, 63, 64, 65, 500, 1_000], [1, 20, 100, 2_000])
    func theFirstOfManyKeysAreFound(wanted: Int, most: Int) {
        var random = SeededGenerator(seed: UInt64(wanted))
        let rows = (0..<UInt32(1_000)).map { $0 * 3 + .random(in: 0...2, using: &random) }
        for order in [rows, rows.reversed(), rows.shuffled(using: &random)] {
            var keys = RepeatedKeys(most: most)
            var others = RepeatedKeys(most: most)
            for row in order {
                if row % 4 == 1 { others.add(RepeatedKey(row: row, first: row / 2)) }
                if row % 4 != 1 { keys.add(RepeatedKey(row: row, first: row / 2)) }
            }
            keys.add(others)
            #expect(keys.count == rows.count)
            #expect(keys.first(wanted).map(\.row) == Array(rows.prefix(min(wanted, most))))
            #expect(keys.first(wanted).allSatisfy { $0.first == $0.row / 2 })
        }
    }

    /// The first and the last service day come between more than a thousand removed days on either side.
    @Test func theFirstAndLastDayAreFoundBehindManyRemovedOnes() throws {
        func removed(_ year: Int) -> String {
            (0..<1_200).map { "x\($0),\(year)0101,2\n" }.joined()
        }
        let feed = try LayeredFeed([
            "calendar_dates.txt":
                "service_id,date,exception_type\n\(removed(2020))y,20210203,1\nz,20300405,1\n\(removed(2040))"
        ])
        #expect(try feed.imported().rows("SELECT start_date, end_date FROM feed") == ["20210203|20300405"])
    }

    /// A wrong language is checked once, but each of its rows gets a notice.
    @Test func theSameWrongLanguageIsNotedInEachRow() throws {
        let names = (0..<3).map { "stops,stop_name,zh_TW,n,s\($0)\nstops,stop_name,de,n,s\($0)\n" }.joined()
        let feed = try LayeredFeed([
            "translations.txt": "table_name,field_name,language,translation,record_id\n\(names)"
        ])
        #expect(
            try feed.imported().rows("SELECT row_number FROM notice WHERE code = 'invalid_language_code'") == [
                "2", "4", "6",
            ])
    }
}
