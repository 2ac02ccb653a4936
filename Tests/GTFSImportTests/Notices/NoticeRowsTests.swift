import Testing

@testable import GTFSImport

/// The notices in the store, whose pages the import writes itself.
@Suite struct NoticeRowsTests {
    private static let rows = 9_000
    private static let kept = 5_000

    /// An unknown stop: each of another length, also in letters of three bytes.
    private static func stop(_ row: Int) -> String {
        "\(row)" + String(repeating: row % 3 == 0 ? "名" : "x", count: row % 180)
    }

    private func store() throws -> AskedStore {
        let lines = (0..<Self.rows).map { "\(Self.stop($0)),s1,\($0 % 2 == 0 ? "0" : "many")\n" }
        let feed = try LayeredFeed(["transfers.txt": "from_stop_id,to_stop_id,transfer_type\n" + lines.joined()])
        feed.options.noticesKeptPerCode = Self.kept
        return try feed.imported()
    }

    @Test func manyNoticesAreStoredInOrderWithTheirPlace() throws {
        let store = try store()
        try store.expectSound()
        #expect(
            try store.rows("SELECT id, value FROM notice WHERE code = 'foreign_key_violation' ORDER BY id").count
                == Self.kept)
        #expect(
            try store.rows(
                "SELECT row_number, severity, file, field, value FROM notice WHERE code = 'foreign_key_violation' "
                    + "ORDER BY id")
                == (0..<Self.kept).map { "\($0 + 2)|ERROR|transfers.txt|from_stop_id|\(Self.stop($0))" })
        #expect(
            try store.rows(
                "SELECT DISTINCT message LIKE file || ', row ' || row_number || ', ' || field || ': %' FROM notice "
                    + "WHERE row_number IS NOT NULL AND field IS NOT NULL") == ["1"])
    }

    @Test func theIndexHasEachNotice() throws {
        let store = try store()
        let columns = "SELECT code, count(*), min(id), max(id) FROM notice"
        #expect(
            try store.rows("\(columns) INDEXED BY notice_code GROUP BY code")
                == store.rows("\(columns) NOT INDEXED GROUP BY code"))
        #expect(
            try store.rows("SELECT code, kept FROM notice_total EXCEPT SELECT code, count(*) FROM notice GROUP BY code")
                .isEmpty)
        #expect(try store.rows("SELECT count(*) - max(id), min(id) FROM notice") == ["0|1"])
    }

    @Test func withoutDetailsThereAreOnlyTotals() throws {
        let feed = try LayeredFeed(["transfers.txt": "from_stop_id,to_stop_id\nx,s1\n"])
        feed.options.noticesKeptPerCode = 0
        let store = try feed.imported()
        try store.expectSound()
        #expect(try store.rows("SELECT count(*) FROM notice") == ["0"])
        #expect(
            try store.rows("SELECT count, kept FROM notice_total WHERE code = 'foreign_key_violation'") == ["1|0"])
    }
}
