import GTFSSchema
import SQLite
import SearchText
import TestSupport
import Testing

@testable import GTFSImport

/// Records that translations name are looked up while reading. The results equal those from the finished tables.
@Suite struct TranslatedRecordTests {
    /// Translations for known and unknown records of every file, in any order. Names are translated by record and by
    /// value, and some translations are spoken forms.
    private static func layer(_ random: inout SeededGenerator, rows: Int) -> [String: String] {
        func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? "" }
        let tables = TranslatedRecords.files.map(\.name) + ["stops", "stops", "stops", "feed_info", "Stops", ""]
        var lines = "table_name,field_name,language,translation,record_id,record_sub_id,field_value\n"
        for row in 0..<rows {
            lines +=
                [
                    pick(tables), pick(["stop_name", "stop_name", "tts_stop_name", "stop_desc", ""]),
                    pick(["de", "ja"]),
                    pick(["", "K\u{F6}nig \(row)", "Haus \(row % 7)", "O'Hara", "\u{41A}\u{438}\u{457}\u{432}"]),
                    pick(["", "s1", "s2", " s1 ", "S1", "r", "t", "u", "gone", "att"]), pick(["", "1"]),
                    pick(["", "", "One", "Two"]),
                ].joined(separator: ",") + "\n"
        }
        return [
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,tts_stop_name\ns1,One,50.1,8.1,first\n"
                + "s2,Two,50.2,8.2,\ns1,Again,50.3,8.3,\n",
            "translations.txt": lines,
            "attributions.txt": "attribution_id,organization_name,is_producer\natt,A,1\n",
            "fare_media.txt": "fare_media_id,fare_media_type\ns1,0\n",
        ]
    }

    /// The files of the feed that translations name.
    private static let named: Set = [
        "agency", "stops", "routes", "trips", "stop_times", "calendar", "fare_media", "attributions",
    ]

    private static let names = """
        SELECT id, name FROM stop WHERE name IS NOT NULL
        UNION ALL SELECT stop.id, translation FROM translation JOIN stop ON stop.stop_id = record_id
        WHERE lower(table_name) = 'stops' AND field_name = 'stop_name' AND translation IS NOT NULL
        UNION ALL SELECT stop.id, translation FROM translation JOIN stop ON stop.name = field_value
        WHERE lower(table_name) = 'stops' AND field_name = 'stop_name' AND record_id IS NULL AND translation IS NOT NULL
        """
    private static let readings = """
        SELECT id, tts_name FROM stop WHERE tts_name IS NOT NULL
        UNION ALL SELECT stop.id, translation FROM translation JOIN stop ON stop.stop_id = record_id
        WHERE lower(table_name) = 'stops' AND field_name = 'tts_stop_name' AND translation IS NOT NULL
        """

    @Test(arguments: [0, 1, 20, 800], [1, Int.max])
    func namesAndRecordsAreThoseOfTheTables(rows: Int, rowsOfLongTable: Int) throws {
        var random = SeededGenerator(seed: UInt64(rows))
        let feed = try LayeredFeed(Self.layer(&random, rows: rows))
        feed.options.rowsOfLongTable = rowsOfLongTable
        feed.options.noticesKeptPerCode = .max
        let store = try feed.imported()
        let terms = try words(of: Self.names, store) { SearchText.words($0) }
        #expect(try Set(store.rows("SELECT stop, normalized_word FROM search_term")) == terms)
        let spoken = try words(of: Self.readings, store) { SearchText.words($0) }
        let spellings = try Set(store.rows("SELECT stop, normalized_word FROM search_spelling"))
        #expect(spoken.subtracting(terms).isSubset(of: spellings))
        #expect(spellings.isDisjoint(with: terms))
        let records = try TranslatedRecords.files.map { file -> [String] in
            let (name, table, column) = (file.name, file.id.table, file.id.column)
            guard Self.named.contains(name) else { return [] }
            return try store.rows(
                "SELECT id + 1, record_id FROM translation WHERE lower(table_name) = '\(name)' AND record_id IS NOT NULL "
                    + "AND (record_sub_id IS NOT NULL) = \(name == "stop_times") AND "
                    + "field_value IS NULL AND record_id NOT IN (SELECT \(column) FROM \(table) WHERE \(column) IS NOT NULL) ORDER BY id"
            )
        }
        let calls = try store.rows(
            "SELECT id + 1, record_sub_id FROM translation WHERE lower(table_name) = 'stop_times' AND record_sub_id IS NOT NULL "
                + "AND field_value IS NULL AND record_id IN (SELECT trip_id FROM trip) AND record_sub_id NOT IN (SELECT stop_sequence || '' "
                + "FROM gtfs_stop_times WHERE trip_id = record_id) ORDER BY id")
        let expected = Array((records.dropLast() + [calls] + records.suffix(1)).joined())
        let unknown =
            "SELECT row_number, value FROM notice WHERE code = 'translation_foreign_key_violation' ORDER BY id"
        #expect(try store.rows(unknown) == expected)
    }

    private func words(
        of names: String, _ store: AskedStore, _ words: (String) -> [String]
    ) throws -> Set<String> {
        let rows = try store.connection.prepare(names)
        var all: Set<String> = []
        while try rows.step() { all.formUnion(words(rows.text(1) ?? "").map { "\(rows.integer(0))|\($0)" }) }
        return all
    }

    @Test("of many unknown records the first are named and all are counted")
    func many() throws {
        let lines = (0..<90).map { "stops,stop_name,de,n,x\($0)\nroutes,route_long_name,de,n,y\($0)\n" }.joined()
        let feed = try LayeredFeed([
            "translations.txt": "table_name,field_name,language,translation,record_id\n\(lines)"
        ])
        feed.options.noticesKeptPerCode = 100
        let store = try feed.imported()
        let code = "code = 'translation_foreign_key_violation'"
        #expect(
            try store.rows("SELECT value FROM notice WHERE \(code) ORDER BY id")
                == (0..<90).map { "x\($0)" } + (0..<10).map { "y\($0)" })
        #expect(try store.rows("SELECT count, kept FROM notice_total WHERE \(code)") == ["180|100"])
    }

    /// A translation of a call names a trip and a stop_sequence of this trip.
    @Test(arguments: [1, Int.max]) func aTranslationOfACallNeedsTheCall(rowsOfLongTable: Int) throws {
        let lines = ["t,2", "t,02", "t,3", "t,x", "t,", "u,1", "v,1", "t,-1", "t,2 2", "t,99999999999999999999"]
        let feed = try LayeredFeed([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,2\nu,06:00:00,06:00:00,s1,5\nu,06:10:00,06:10:00,s2,6\n",
            "translations.txt": "table_name,field_name,language,translation,record_id,record_sub_id\n"
                + lines.map { "stop_times,stop_headsign,de,n,\($0)\n" }.joined() + "routes,route_long_name,de,n,r,7\n",
        ])
        feed.options.rowsOfLongTable = rowsOfLongTable
        let store = try feed.imported()
        let notices = "FROM notice WHERE code = 'translation_foreign_key_violation' ORDER BY row_number"
        #expect(
            try store.rows("SELECT row_number, field, value \(notices)") == [
                "4|record_sub_id|3", "5|record_sub_id|x", "7|record_sub_id|1", "8|record_id|v", "9|record_sub_id|-1",
                "10|record_sub_id|2 2", "11|record_sub_id|99999999999999999999",
            ])
        #expect(
            try store.messages.contains(
                "translations.txt, row 4, record_sub_id: \"3\" is not a stop_sequence of trip \"t\"; stored as it is"))
    }

    /// Without the column record_sub_id, a translation may be meant for all calls of a trip.
    @Test func aTranslationWithoutASequenceNeedsTheTripOnly() throws {
        let store = try LayeredFeed([
            "translations.txt":
                "table_name,field_name,language,translation,record_id\nstop_times,stop_headsign,de,n,t\n"
        ]).imported()
        let count = "SELECT count(*) FROM notice WHERE code = 'translation_foreign_key_violation'"
        #expect(try store.rows(count) == ["0"])
    }

    /// Records are looked up also where the columns of the translation itself are missing.
    @Test func recordsAreLookedUpWithoutAColumnOfTranslations() throws {
        let store = try LayeredFeed(["translations.txt": "table_name,record_id\nstops,gone\nstops,s1\n"]).imported()
        let unknown = "SELECT row_number, value FROM notice WHERE code = 'translation_foreign_key_violation'"
        #expect(try store.rows(unknown) == ["2|gone"])
    }

    /// Feeds of Japan still have translations in the older form, which names no table and no field.
    @Test(arguments: ["trans_id,lang,translation", "translation, Trans_ID ,lang"]) func olderTranslationsAreSearched(
        header: String
    ) throws {
        let isReversed = header.hasPrefix("translation")
        let rows = [("One", "ja-Hrkt", "しょうぶ"), ("Three", "fr", "Trois"), ("One", "", ""), ("", "fr", "Rien")].map {
            isReversed ? "\($0.2),\($0.0),\($0.1)" : "\($0.0),\($0.1),\($0.2)"
        }
        let store = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns1,One,50.1,8.1\ns2,Two,50.2,8.2\n",
            "translations.txt": ([header] + rows).joined(separator: "\n") + "\n",
        ]).imported()
        let words = SearchText.words("しょうぶ").map { "s1|\($0)" }
        #expect(
            try store.rows("SELECT stop_id, normalized_word FROM search_term JOIN stop ON stop.id = stop ORDER BY 1, 2")
                == ["s1|one"] + words.sorted() + ["s2|two"])
    }
}
