import SQLite
import Testing

@testable import GTFSSchema

/// The views of kept values, kept rows and extra cells, which show names in place of the stored numbers.
@Suite struct KeptViewTests {
    private func store() throws -> EmptyStore {
        let store = try EmptyStore(keptValues: true)
        try store.keep([
            ("stop_time", 1, 4, "stop", "nowhere"), ("stop_time", 1, 4, "arrival_time", "soon"),
            ("stop", 7, 0, "latitude", "north"),
        ])
        try store.connection.execute(
            """
            INSERT INTO kept_name VALUES(0, 'stops.txt'), (1, 'invalid_row_length'), (2, 'trips.txt'), (3, 'duplicate_key');
            INSERT INTO numbered_row VALUES(0, 5, 3, 's,S'), (2, 2, 1, 't'), (2, 9, 3, 't,u');
            INSERT INTO numbered_cell VALUES(0, 5, 6, 'beyond'), (0, 5, 7, 'the header'), (2, 3, 4, 'x')
            """)
        return store
    }

    @Test func namesStandInPlaceOfNumbers() throws {
        let store = try store()
        #expect(
            try store.texts(
                "SELECT \"table\" || ' ' || \"row\" || ' ' || sequence || ' ' || \"column\" || ' ' || value FROM kept_value "
                    + "ORDER BY \"table\", \"column\"")
                == ["stop 7 0 latitude north", "stop_time 1 4 arrival_time soon", "stop_time 1 4 stop nowhere"])
        #expect(
            try store.texts(
                "SELECT file || ' ' || row_number || ' ' || reason || ' ' || text FROM kept_row ORDER BY 1")
                == [
                    "stops.txt 5 duplicate_key s,S", "trips.txt 2 invalid_row_length t",
                    "trips.txt 9 duplicate_key t,u",
                ])
        #expect(
            try store.texts(
                "SELECT file || ' ' || row_number || ' ' || position || ' ' || value FROM extra_cell ORDER BY 1")
                == ["stops.txt 5 6 beyond", "stops.txt 5 7 the header", "trips.txt 3 4 x"])
        #expect(
            try store.texts("SELECT text FROM kept_row WHERE reason = 'duplicate_key' AND file = 'trips.txt'") == [
                "t,u"
            ])
    }

    /// Each view may have half a million rows for a feed, so these lookups need an index.
    @Test(arguments: [
        ("kept_value", "\"table\" = 'stop' AND \"row\" = 7 AND sequence = 0 AND \"column\" = 'latitude'"),
        ("kept_value", "\"table\" = 'stop_time' AND \"row\" = 1"),
        ("kept_value", "\"column\" = 'stop' AND value = 'nowhere'"),
        ("kept_row", "file = 'trips.txt' AND row_number = 9"),
        ("extra_cell", "file = 'stops.txt' AND row_number = 5"),
    ])
    func whoKnowsANameFindsAnIndex(view: String, condition: String) throws {
        let plan = try store().plan("SELECT * FROM \(view) WHERE \(condition)")
        let reads = plan.filter { $0.hasPrefix("SEARCH n ") || $0.hasPrefix("SCAN n") }
        #expect(reads.count == 1 && reads[0].hasPrefix("SEARCH n USING "), "\(plan)")
    }

    /// A query for the first rows of a file by row number needs no sort.
    @Test(arguments: ["kept_row", "extra_cell"]) func rowsOfAFileComeInTheirOrder(view: String) throws {
        let plan = try store().plan("SELECT * FROM \(view) WHERE file = 'stops.txt' ORDER BY row_number LIMIT 2")
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    }

    /// The key of a view is unique, so no row is read twice when all are read.
    @Test(arguments: StoreSchema.keptViews) func theKeyOfEachRowIsItsOwn(view: StoreSchema.KeptView) throws {
        let key = view.key.map(StoreSchema.quoted).joined(separator: ", ")
        let rows = try store().texts("SELECT count(*) FROM \(view.name) GROUP BY \(key)")
        #expect(rows == ["1", "1", "1"])
    }
}
