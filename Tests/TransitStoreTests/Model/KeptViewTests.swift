import SQLite
import Testing
import TransitStore

/// The views of kept values, kept rows and extra cells are fetched like tables.
@Suite struct KeptViewTests {
    private let store = Result {
        try TestStore { connection in
            try connection.insertStop(0, "Markt", 52, 13)
            try connection.insert(
                "kept_column", "\"table\", \"column\", table_name, column_name",
                ["0, 3, 'stop', 'latitude'", "1, 0, 'trip', 'route'"])
            try connection.insert(
                "numbered_value", "\"table\", \"row\", sequence, \"column\", value",
                (0..<200).map { "0, \($0), 0, 3, 'north \($0)'" } + ["1, 7, 0, 0, 'gone'"])
            try connection.insert("kept_name", "id, name", ["0, 'stops.txt'", "1, 'duplicate_key'"])
            try connection.insert("numbered_row", "file, row_number, reason, text", ["0, 9, 1, 's,S'"])
            try connection.insert(
                "numbered_cell", "file, row_number, position, value", ["0, 2, 5, 'x'", "0, 2, 6, 'y'"])
        }
    }

    private func request(_ entity: String, _ words: String, _ store: TransitStore) throws -> FetchRequest<StoredRow> {
        FetchRequest(entity: entity, where: try Condition(format: words, entity: entity, in: store))
    }

    @Test func rowsAreFoundByTheirNames() throws {
        let context = try store.get().context()
        let open = context.stores[0]
        let gone = try context.fetch(request("kept_value", "table = 'trip'", open))
        #expect(gone.map { $0.value(of: "value") } == ["gone"])
        #expect(gone.map { $0.value(of: "row") } == [7])
        #expect(try context.fetchCount(request("kept_value", "column = 'latitude' AND row < 100", open)) == 100)
        let kept = try context.fetchFirst(request("kept_row", "reason = 'duplicate_key'", open))
        #expect(kept?.value(of: "text") == "s,S")
        let cells = try context.fetch(request("extra_cell", "file = 'stops.txt' AND rowNumber = 2", open))
        #expect(cells.map { $0.value(of: "position") } == [5, 6])
    }

    @Test func objectsAreTheSameByTheirKey() throws {
        let context = try store.get().context()
        var request = try request("kept_value", "table = 'stop'", context.stores[0])
        request.fetchBatchSize = 20
        let all = try context.fetch(request)
        #expect(all.count == 200)
        let ids = try context.fetchIDs(request)
        #expect(Set(ids).count == 200)
        #expect(zip(all, ids).allSatisfy { object, id in context.object(with: id) === object })
        // As a fault, which reads its row by the key.
        let other = context.stores[0].makeContext()
        let row = try #require(other.object(with: ids[17]) as? StoredRow)
        #expect(row.value(of: "value") == all[17].value(of: "value"))
    }

    @Test func groupsAreCounted() throws {
        let context = try store.get().context()
        var text = RequestText(entity: "kept_value")
        (text.properties, text.groupBy) = ("table, @count AS n", "table")
        let request: FetchRequest<StoredRow> = try text.request(in: context.stores[0])
        #expect(try context.fetchRows(request).count == 2)
    }
}
