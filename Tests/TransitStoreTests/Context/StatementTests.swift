import SQLite
import Testing
import TransitStore

/// SQL statements that a program writes itself, and the feed's own columns.
struct StatementTests {
    private static func store() throws -> TestStore {
        try TestStore { connection in
            try connection.insertStop(0, "Hafen", 52, 13)
            try connection.insertStop(1, "Markt", 52.1, 13.1)
            try connection.execute("ALTER TABLE stop ADD COLUMN \"nach\"\"bar\" TEXT")
            try connection.execute("ALTER TABLE stop ADD COLUMN zone_color TEXT")
            try connection.execute("UPDATE stop SET \"nach\"\"bar\" = 'Möwe', zone_color = NULL WHERE id = 1")
        }
    }

    @Test func `rows are read by name, with arguments in order`() throws {
        let context = try Self.store().context()
        let sql = "SELECT name, latitude + ? AS moved, ? AS empty FROM stop WHERE name >= ? ORDER BY id"
        let rows = try context.fetchRows(sql: sql, 1, nil, "H")
        #expect(
            rows.map(\.description) == [
                "[name: \"Hafen\", moved: 53.0, empty: nil]", "[name: \"Markt\", moved: 53.1, empty: nil]",
            ])
        #expect(try context.fetchRows(sql: sql, 2, nil, "M").map { $0["moved"].double } == [54.1])
        #expect(
            try context.fetchRows(sql: " with a(b) AS (VALUES (?)) SELECT b FROM a", ServiceTime(hours: 1))[0][0]
                == 3_600)
        for comment in ["-- why\n", "/* why */", "/* one */ -- two\n\t/**/"] {
            #expect(try context.fetchRows(sql: comment + "SELECT 1").map { $0[0] } == [1], "\(comment)")
        }
    }

    @Test func `a view is refused by its name`() throws {
        let context = try ImportedStore.sample.get().context()
        let error = #expect(throws: StoreError.self) { try context.fetchRows(sql: "SELECT * FROM gtfs_stops") }
        #expect(error?.code == .syntax)
        #expect(
            error?.message
                == "SQLite refused a statement: access to view \"gtfs_stops\" prohibited (SELECT * FROM gtfs_stops); "
                + "fetchRows(sql:) reads tables, not views")
    }

    @Test(arguments: [
        ("DELETE FROM stop", StoreError.Code.readOnly), ("PRAGMA case_sensitive_like = ON", .readOnly),
        ("ATTACH 'x' AS y", .readOnly), ("", .readOnly), ("-- SELECT", .readOnly),
        ("/* SELECT */ DELETE FROM stop", .readOnly), ("; SELECT 1", .readOnly), ("/* SELECT", .readOnly),
        ("WITH a AS (SELECT 1) DELETE FROM stop", .readOnly), ("SELECT nothing FROM stop", .syntax),
        ("SELECT name FROM stop WHERE id = ?", .missingVariable), ("SELECT", .syntax),
    ])
    func `statements that are no queries are refused`(sql: String, code: StoreError.Code) throws {
        let context = try Self.store().context()
        let error = #expect(throws: StoreError.self) { try context.fetchRows(sql: sql) }
        #expect(error?.code == code, "\(error?.message ?? "")")
        #expect(try context.fetchRows(sql: "SELECT count(*) FROM stop")[0][0] == 2)
    }

    /// SQLite would not run the text after the first statement. Comments and semicolons do not count as statements.
    @Test func `a second statement is refused`() throws {
        let context = try Self.store().context()
        for (sql, rest) in [
            ("SELECT 1; SELECT 2", "SELECT 2"), ("SELECT 1;DELETE FROM stop;", "DELETE FROM stop;"),
            ("SELECT ';' -- ;\n; ; /* two */ -- three\n VALUES (2)", "VALUES (2)"), ("SELECT 1; nonsense", "nonsense"),
            ("SELECT 1; -1", "-1"), ("SELECT 1; /2", "/2"), ("SELECT 1\0; SELECT 2", "\0; SELECT 2"),
        ] {
            let error = #expect(throws: StoreError.self, "\(sql)") { try context.fetchRows(sql: sql) }
            #expect(error?.code == .syntax)
            #expect(error?.message == "fetchRows(sql:) takes one statement; ask for \"\(rest)\" by itself")
        }
        for sql in [
            "SELECT 1;", "SELECT 1 ; ;", "SELECT 1 -- ; SELECT 2", "SELECT 1; /* SELECT 2 */\n-- SELECT 3",
            "SELECT 1; /* 2",
        ] {
            #expect(try context.fetchRows(sql: sql).map { $0[0] } == [1], "\(sql)")
        }
    }

    @Test func `a wrong number of arguments is refused`() throws {
        let context = try Self.store().context()
        func message(_ sql: String, _ arguments: Int?...) throws -> String? {
            let error = #expect(throws: StoreError.self) {
                switch arguments.count {
                case 0: try context.fetchRows(sql: sql)
                case 1: try context.fetchRows(sql: sql, arguments[0])
                default: try context.fetchRows(sql: sql, arguments[0], arguments[1])
                }
            }
            return error?.message
        }
        #expect(try message("SELECT ?") == "The statement has 1 parameter and 0 arguments")
        #expect(try message("SELECT ?, ?", 1) == "The statement has 2 parameters and 1 argument")
        #expect(try message("SELECT ?", 1, nil) == "The statement has 1 parameter and 2 arguments")
    }

    @Test func `of several stores one is meant`() throws {
        let (one, other) = (try Self.store(), try Self.store())
        let (first, second) = (try one.open(), try other.open())
        let context = StoreCoordinator([first, second]).makeContext()
        let error = #expect(throws: StoreError.self) { try context.fetchRows(sql: "SELECT 1") }
        #expect(error?.message == "The context has 2 stores: name the one that the statement is for (in:)")
        #expect(try context.fetchRows(sql: "SELECT 1", in: second).count == 1)
        #expect(throws: StoreError.self) { try first.makeContext().fetchRows(sql: "SELECT 1", in: second) }
    }

    /// Internal columns do not count as the feed's own, in any table.
    @Test func `no table of a feed without own columns has any`() throws {
        let context = try ImportedStore.sample.get().context()
        for entity in try context.stores[0].model.entities where entity.columns.first?.name == "id" {
            let request = FetchRequest<StoreObject>(entity: entity.name)
            for object in try context.fetch(request.limit(3)) {
                #expect(try object.feedColumns() == [:], "\(entity.name)")
            }
        }
    }

    @Test func `a row without a class has the feed's own columns as well`() throws {
        let store = try TestStore { connection in
            try connection.execute("ALTER TABLE fare_attribute ADD COLUMN rebate TEXT")
            try connection.execute("INSERT INTO fare_attribute(id, fare_id, price, rebate) VALUES (0, 'f', 2.5, 'ten')")
        }
        let fares = try store.context().fetch(FetchRequest<StoredRow>(entity: "fare_attribute"))
        #expect(try fares.map { try $0.feedColumns() } == [["rebate": "ten"]])
    }

    @Test func `a feed's own columns are read by name`() throws {
        let context = try Self.store().context()
        let stops = try context.fetch(FetchRequest<Stop>(sortedBy: .ascending(\.id)))
        #expect(try stops.map { try $0.feedColumns() } == [[:], ["nach\"bar": "Möwe"]])
        #expect(try context.insert(Stop.self).feedColumns() == [:])
    }
}
