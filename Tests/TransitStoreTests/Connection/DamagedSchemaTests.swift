import Foundation
import SQLite
import Testing

@testable import TransitStore

/// A name that was changed within sqlite_schema is damage, whatever SQLite's words for it.
@Suite struct DamagedSchemaTests {
    /// One letter of one column's name: valid names that are other ones.
    @Test func aChangedColumnNameIsCorrupt() throws {
        let fixture = try TestStore.berlin()
        let whole = try Data(contentsOf: URL(filePath: fixture.path))
        let other = fixture.folder + "/other.sqlite"
        var (damaged, refused) = (0, 0)
        for (table, sql, columns) in try tables(fixture.path) {
            // SQLite may leave an older copy of the text in unused bytes.
            let copies = whole.ranges(of: Data(sql.utf8.prefix(40)))
            #expect(!copies.isEmpty, "\(table)")
            let columnList = sql.utf8.prefix { $0 != UInt8(ascii: "(") }.count
            for column in columns {
                let names = copies.compactMap {
                    whole[($0.lowerBound + columnList)...].firstRange(of: Data(column.utf8))
                }
                guard !names.isEmpty else { continue }
                var store = whole
                for last in names.map({ $0.upperBound - 1 }) {
                    store[last] = UInt8(ascii: whole[last] == UInt8(ascii: "q") ? "w" : "q")
                }
                try store.write(to: URL(filePath: other))
                damaged += 1
                for error in failures(other) {
                    refused += 1
                    #expect(error.code == .corrupt, "\(table).\(column): \(error)")
                    #expect(error.message.hasPrefix("\(other) is damaged"), "\(table).\(column): \(error)")
                    #expect(error.message.hasSuffix("Import the feed again."), "\(table).\(column): \(error)")
                }
            }
        }
        #expect(damaged > 200 && refused > 200, "\(damaged) \(refused)")
    }

    private func tables(_ path: String) throws -> [(table: String, sql: String, columns: [String])] {
        let connection = try Connection(path: path, mode: .create)
        let names = try connection.prepare(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        var tables: [(table: String, sql: String, columns: [String])] = []
        while try names.step() {
            let columns = try connection.prepare("SELECT name FROM pragma_table_info(?) WHERE length(name) > 1")
            columns.bind(1, names.text(0))
            var found: [String] = []
            while try columns.step() { found.append(columns.text(0) ?? "") }
            tables.append((names.text(0) ?? "", names.text(1) ?? "", found))
        }
        return tables
    }

    /// What the ways to read a store throw.
    private func failures(_ path: String) -> [StoreError] {
        var configuration = TransitStore.Configuration()
        configuration.sqlDebug = .off
        let store: TransitStore
        do { store = try TransitStore(path: path, configuration: configuration) } catch { return [error] }
        let context = store.makeContext()
        var errors: [StoreError] = []
        func attempt(_ body: () throws -> Void) {
            do { try body() } catch { errors.append(StoreError(any: error)) }
        }
        for entity in StoreModel.typedEntities {
            let request = FetchRequest<StoreObject>(entity: entity.name)
            attempt { _ = try context.fetch(request) }
            attempt { _ = try context.fetchCount(request) }
        }
        attempt {
            _ = try context.fetch(FetchRequest<Stop>(where: .within(meters: 800, of: TestStore.pointOfInterest)))
        }
        attempt { _ = try context.fetch(FetchRequest<Stop>(where: .name(hasWords: "zoo"))) }
        attempt { _ = try context.searchStops("zoo", limit: 3) }
        attempt { _ = try store.model }
        attempt {
            for event in [DepartureRequest.Event.departures, .arrivals] {
                var request = DepartureRequest(.stops(["s2"]), on: ServiceDate(20_260_504))
                request.event = event
                _ = try context.departures(request)
            }
        }
        attempt {
            for trip in try context.fetch(FetchRequest<Trip>()) { _ = try trip.runs(on: ServiceDate(20_260_504)) }
        }
        return errors
    }
}
