import SQLite
import TestSupport
import Testing

@testable import GTFSSchema

/// The SQL of tables and indexes: SQLite accepts it, and it matches what readers were promised.
@Suite struct StoreSchemaTests {
    private static let allFiles = Specification.gtfs.files

    @Test func everythingTogetherMakesAStore() throws {
        let store = try EmptyStore()
        #expect(try store.connection.text("PRAGMA integrity_check") == "ok")
        #expect(
            try store.texts("SELECT name FROM sqlite_schema WHERE type = 'view'").sorted()
                == (Self.allFiles.map(\.view) + ["kept_row", "kept_value", "extra_cell"]).sorted())
        for file in Self.allFiles {
            #expect(try store.connection.integer("SELECT count(*) FROM \(file.view)") == 0)
        }
    }

    @Test func everyReferenceIsDeclared() throws {
        let store = try EmptyStore()
        for file in Self.allFiles {
            let declared = try store.texts(
                "SELECT \"from\" || ' ' || \"table\" || '.' || \"to\" FROM pragma_foreign_key_list('\(file.table)')")
            let expected = file.fields.compactMap { field in field.referencedTable.map { "\(field.column) \($0).id" } }
            #expect(declared.sorted() == expected.sorted(), "\(file.table)")
        }
        #expect(try store.texts("PRAGMA foreign_key_check").isEmpty)
    }

    /// Programs that join by declared references joined `service_day` with `service.id`, and lost the services that
    /// share the days of another one.
    @Test func noReferenceLeadsFromADayToOneService() throws {
        let keys = try EmptyStore().texts("SELECT \"table\" FROM pragma_foreign_key_list('service_day')")
        #expect(keys.isEmpty)
    }

    /// Other databases take a REAL for four bytes. Django refuses a key that may be NULL.
    @Test func typesMeanTheSameElsewhere() throws {
        let store = try EmptyStore()
        let tables = "FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table'"
        let types = try store.texts("SELECT DISTINCT c.type \(tables) ORDER BY 1")
        #expect(types == ["BLOB", "DOUBLE", "INTEGER", "TEXT"])
        let keys = "SELECT t.name \(tables) AND c.pk > 0 AND NOT c.\"notnull\" AND c.name <> 'id'"
        #expect(try store.texts(keys) == [])
    }

    @Test func columnsStandInTheOrderOfTheFile() throws {
        let store = try EmptyStore()
        for file in Self.allFiles where file.storage == .rows {
            let columns = try store.columns(of: file.table)
            #expect(Array(columns.prefix(file.fields.count + 1)) == ["id"] + file.fields.map(\.column))
            #expect(StoreSchema.rowColumns(of: file, extra: []) == columns)
        }
        #expect(try store.columns(of: "stop").last == "normalized_name")
        #expect(try store.columns(of: "service").suffix(2) == ["in_calendar", "day_set"])
        #expect(try store.columns(of: "route").last == "timezone")
        #expect(try Array(store.columns(of: "stop_time").dropLast()) == file("stop_times.txt").storedOrder)
        #expect(try store.columns(of: "stop_time").last == "filled_times")
    }

    /// Whatever columns a feed has, a clustered table ends up with all of them.
    @Test func absentColumnsAreAddedAfterTheRows() throws {
        var random = SeededGenerator(seed: 22)
        for _ in 0..<20 {
            let store = try EmptyStore { file in
                Set(file.fields.map(\.name).filter { _ in Bool.random(using: &random) })
            }
            for file in Self.allFiles {
                #expect(try Set(store.columns(of: file.table)).isSuperset(of: file.fields.map(\.column)))
                _ = try store.connection.integer("SELECT count(*) FROM \(file.view)")
            }
        }
    }

    @Test func extraColumnsMayHaveAnyName() throws {
        let names = [
            "plain", "select", "two words", "it's", "a\"b", "\"", "Straße", "t.id", "x;y", "[z]", "--", "1",
            "a\"\u{301}b", "\"\u{301}",
        ]
        let extra = names.map { StoreSchema.ExtraColumn(column: $0, viewColumn: "the " + $0) }
        for keptValues in [false, true] {
            let store = try EmptyStore(keptValues: keptValues, extra: extra)
            for file in Self.allFiles {
                #expect(try store.columns(of: file.view) == file.fields.map(\.name) + extra.map(\.viewColumn))
                #expect(try Set(store.columns(of: file.table)).isSuperset(of: names))
            }
        }
    }

    @Test func unknownFilesHaveTableAndView() throws {
        let connection = try Connection(path: ":memory:", mode: .create)
        let columns = ["a", "it's \"b\""].map { StoreSchema.ExtraColumn(column: $0, viewColumn: $0) }
        try connection.execute(StoreSchema.createTable(unknown: "extra_x \"y\"", columns: columns))
        try connection.execute("INSERT INTO \"extra_x \"\"y\"\"\" VALUES(1, 'one', 'two')")
        let view = StoreSchema.createView(unknown: "gtfs_x \"y\"", table: "extra_x \"y\"", columns: columns)
        try connection.execute(view)
        #expect(
            view
                == #"CREATE VIEW "gtfs_x ""y""" AS SELECT t."a" AS "a", t."it's ""b""" AS "it's ""b""" FROM "extra_x ""y""" AS t"#
        )
        #expect(try connection.text(#"SELECT a || "it's ""b""" FROM "gtfs_x ""y""""#) == "onetwo")
    }

    @Test func indexesAreNamedOnceAndLeadWithEveryForeignKey() throws {
        let indexes = StoreSchema.indexes
        #expect(Set(indexes.map(\.name)).count == indexes.count)
        #expect(Set(indexes.map(\.name)).isDisjoint(with: Self.allFiles.map(\.table)))
        let store = try EmptyStore()
        for file in Self.allFiles {
            let leading = try Set(
                store.texts(
                    "SELECT i.name FROM pragma_index_list('\(file.table)') AS l, pragma_index_info(l.name) AS i "
                        + "WHERE i.seqno = 0"))
            for field in file.fields where field.type == .reference || field.type == .group || field.type == .id {
                #expect(leading.contains(field.column), "\(file.table).\(field.column)")
            }
        }
    }

    @Test func indexesThatWerePromised() {
        let sql = StoreSchema.indexes.map(\.sql)
        #expect(sql.contains("CREATE INDEX stop_longitude_latitude ON stop(longitude, latitude)"))
        #expect(sql.contains("CREATE INDEX stop_normalized_name ON stop(normalized_name)"))
        #expect(sql.contains("CREATE INDEX stop_time_stop_departure_time ON stop_time(stop, departure_time)"))
        #expect(sql.contains(#"CREATE UNIQUE INDEX "stop_stop_id" ON "stop"("stop_id")"#))
    }

    @Test func quotesWithinANameAreDoubled() {
        #expect(StoreSchema.quoted("a\"b\"") == "\"a\"\"b\"\"\"")
        #expect(StoreSchema.quoted("") == "\"\"")
        #expect(StoreSchema.literal("it's '") == "'it''s '''")
        #expect(StoreSchema.literal("") == "''")
    }

    @Test func tablesHaveThisSQL() throws {
        #expect(
            StoreSchema.createTable(
                of: try file("frequencies.txt"), present: [],
                extra: [StoreSchema.ExtraColumn(column: "note", viewColumn: "note")])
                == #"CREATE TABLE "frequency"(id INTEGER PRIMARY KEY, "trip" INTEGER REFERENCES "trip"(id), "#
                + #""start_time" INTEGER, "end_time" INTEGER, "headway_secs" INTEGER, "exact_times" INTEGER, "note" TEXT)"#
        )
        #expect(
            StoreSchema.createTable(of: try file("shapes.txt"), present: ["shape_pt_lat", "shape_pt_lon"], extra: [])
                == #"CREATE TABLE "shape_point"("shape" INTEGER NOT NULL REFERENCES "shape"(id), "#
                + #""sequence" INTEGER NOT NULL, "latitude" DOUBLE, "longitude" DOUBLE, "shape_dist_traveled" DOUBLE, "#
                + #"PRIMARY KEY("shape", "sequence")) WITHOUT ROWID"#)
        // Fields that the feed lacks come last, after its extra columns, so that records can end before them.
        #expect(
            StoreSchema.createTable(
                of: try file("shapes.txt"), present: ["shape_pt_lon"],
                extra: [StoreSchema.ExtraColumn(column: "note", viewColumn: "note")]
            )
            .contains(
                #""longitude" DOUBLE, "note" TEXT, "latitude" DOUBLE, "shape_dist_traveled" DOUBLE, PRIMARY KEY"#))
    }
}

extension FileDefinition {
    /// The columns of a clustered table: those of the key, then the others in the order of the file.
    fileprivate var storedOrder: [String] {
        keyFields.map(\.column) + fields.filter { $0.keyPosition == nil }.map(\.column)
    }
}
