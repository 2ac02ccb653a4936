import SQLite
import Testing

@testable import TransitStore

/// If a store lists a column as empty, fetches do not read it. Its values still read as missing.
@Suite struct EmptyColumnTests {
    private static let columns = ["stop_id", "url", "zone_id", "id", "no_such_column"]

    /// The same rows in a store that lists no empty columns and in one that lists some.
    private func stores() throws -> (plain: TestStore, naming: TestStore) {
        let (plain, naming) = (try TestStore.berlin(), try TestStore.berlin())
        let connection = try Connection(path: naming.path, mode: .create)
        try connection.execute("PRAGMA journal_mode = OFF; UPDATE stop SET stop_id = NULL")
        for column in Self.columns { try connection.execute("INSERT INTO empty_column VALUES('stop', '\(column)')") }
        return (plain, naming)
    }

    @Test func theyAreNotSelected() throws {
        let (_, naming) = try stores()
        let select = try naming.open().selectAll(Stop.entity)
        #expect(
            select.sql.text == "SELECT t0.id, NULL, t0.code, t0.name, t0.tts_name, t0.description, t0.latitude, "
                + "t0.longitude, NULL, NULL, t0.location_type, t0.parent_station, t0.timezone, t0.wheelchair_boarding, "
                + "t0.level, t0.platform_code, t0.access, t0.normalized_name FROM stop AS t0")
        #expect(select.emptyColumns == 0b11_0000_0010)
    }

    @Test func aStoreThatSaysNothingIsReadWhole() throws {
        let (plain, _) = try stores()
        let connection = try Connection(path: plain.path, mode: .create)
        try connection.execute("PRAGMA journal_mode = OFF; DROP TABLE empty_column")
        let store = try plain.open()
        #expect(store.selectAll(Stop.entity).emptyColumns == 0)
        #expect(try store.makeContext().fetch(FetchRequest<Stop>()).map(\.stopID).contains("s1"))
    }

    /// Fetched, from the row cache, by key, by a relationship, in batches and in the background.
    @Test func everyWayToAnObjectReadsTheSame() async throws {
        let (plain, naming) = try stores()
        let (all, some) = (try plain.context(), try naming.context())
        #expect(try values(all.fetch(FetchRequest<Stop>())) == values(some.fetch(FetchRequest<Stop>())))
        var request = FetchRequest<Stop>()
        request.fetchBatchSize = 3
        #expect(try values(Array(all.fetchBatches(request))) == values(Array(some.fetchBatches(request))))
        request.sortDescriptors = [.ascending(\.name)]
        #expect(try values(Array(all.fetchBatches(request))) == values(Array(some.fetchBatches(request))))
        let background = try await naming.context().fetchInBackground(FetchRequest<Stop>())
        #expect(try values(background) == values(all.fetch(FetchRequest<Stop>())))
        let fresh = try naming.context()
        for stop in try all.fetch(FetchRequest<Stop>()) {
            let twin = try #require(try fresh.object(Stop.self, id: stop.id))
            #expect(values([twin]) == values([stop]))
            #expect(values(Array(twin.childStops)) == values(Array(stop.childStops)))
        }
    }

    /// The values of all columns except `stop_id`, which only one of the stores has filled.
    private func values(_ stops: [Stop]) -> [[QueryValue?]] {
        stops.map { stop in Stop.entity.columns.map(\.name).filter { $0 != "stop_id" }.map { stop.value(of: $0) } }
    }

    @Test func keysAreAlwaysRead() throws {
        let columns = StoredColumns(
            StopTime.entity, empty: [ExactText("trip"), ExactText("stop_sequence"), ExactText("stop_headsign")])
        #expect(columns.list.hasPrefix("t0.trip, ") && columns.list.contains("t0.stop_sequence"))
        #expect(!columns.list.contains("stop_headsign"))
    }
}
