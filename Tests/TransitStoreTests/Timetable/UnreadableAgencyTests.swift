import Foundation
import SQLite
import Testing

@testable import TransitStore

/// With unsaved changes of lines, departures need the zones of all agencies. If these cannot be read, departures must
/// fail; they were once counted in UTC.
@Suite struct UnreadableAgencyTests {
    /// Berlin, with a page of zeros in the place of its agencies.
    private static func damaged() throws -> TestStore {
        let store = try TestStore.berlin()
        let connection = try Connection(path: store.path, mode: .immutable)
        let size = try #require(try connection.integer("PRAGMA page_size"))
        let page = try #require(
            try connection.integer("SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = 'agency'"))
        let file = try FileHandle(forWritingTo: URL(filePath: store.path))
        try file.seek(toOffset: UInt64((page - 1) * size))
        try file.write(contentsOf: Data(count: Int(size)))
        try file.close()
        return store
    }

    private static func contextWithAChangedLine(_ store: TestStore) throws -> StoreContext {
        let context = try store.context()
        let line = try #require(try context.fetchFirst(FetchRequest<Route>()))
        try line.setValue("other", for: "shortName")
        return context
    }

    @Test func zonesAreThoseOfTheAgencies() throws {
        let store = try TestStore.berlin()
        let context = try Self.contextWithAChangedLine(store)
        let changed = try #require(try context.changedTimetable(store: 0))
        #expect(changed.zones.map(\.name) == ["Europe/Berlin"])
    }

    @Test func departuresThrowIfAnAgencyCannotBeRead() throws {
        let store = try Self.damaged()
        let context = try Self.contextWithAChangedLine(store)
        let read = #expect(throws: StoreError.self) { try context.changedTimetable(store: 0) }
        #expect(read?.code == .corrupt)
        let from = try #require(Instant("2026-07-31T10:00:00Z"))
        let request = DepartureRequest(.stops(["s2"]), from: from, within: .seconds(3_600))
        let departures = #expect(throws: StoreError.self) { try context.departures(request) }
        #expect(departures?.code == .corrupt)
    }
}
