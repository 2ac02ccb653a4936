import Foundation
import SQLite
import Testing

@testable import TransitStore

/// No statement for departures scans a table. Each starts at its stops or routes and finds rows by keys and indexes.
@Suite struct DeparturePlanTests {
    private static func skeletons() -> [DepartureSkeleton] {
        var skeletons: [DepartureSkeleton] = []
        for event in [DepartureRequest.Event.departures, .arrivals] {
            for drive in [DepartureSkeleton.Drive.stops(1), .stops(8), .routes(1), .routes(2)] {
                for days in [1, 4] {
                    for isByFrequency in [false, true] {
                        for columns in [FilledColumns.all, [], [.pickupType]] {
                            let plain = DepartureSkeleton(
                                event: event, drive: drive, days: days, isByFrequency: isByFrequency,
                                hasFrequencies: true, routeFilter: .parameters(days - 1), hasDirection: days > 1,
                                columns: columns)
                            var (services, lines, stops, known) = (plain, plain, plain, plain)
                            services.services = .byReader
                            known.services = .known
                            lines.joined = .line
                            stops.joined = .lineAndStop
                            let list = DepartureSkeleton(
                                event: event, drive: drive, days: days, isByFrequency: isByFrequency,
                                hasFrequencies: true, routeFilter: .list, hasDirection: days > 1, columns: columns)
                            skeletons += [plain, services, known, lines, stops] + (days > 1 ? [list] : [])
                        }
                    }
                }
            }
        }
        return skeletons
    }

    @Test func everyStatementSearchesAndNoneScans() throws {
        let connection = try Connection(path: ImportedStore.sample.get().path, mode: .readOnly)
        try StoreFunctions.register(on: connection, KnownServiceDates(), FunctionFailure())
        let skeletons = Self.skeletons()
        #expect(Set(skeletons).count == 528)
        for skeleton in skeletons {
            let text = DepartureSelect(skeleton).text
            let statement = try connection.prepare("EXPLAIN QUERY PLAN " + text)
            while try statement.step() {
                let step = statement.text(3) ?? ""
                // A statement may scan rows of VALUES and a list in JSON, and nothing else.
                let isValues =
                    ["SCAN place", "SCAN day", "SCAN CONSTANT ROW"].contains(step)
                    || step.hasSuffix("CONSTANT ROWS") || step.hasSuffix("-ROW VALUES CLAUSE")
                    || step.hasPrefix("SCAN json_each VIRTUAL TABLE")
                #expect(!step.contains("SCAN") || isValues, "\(step) in \(text)")
                #expect(!step.contains("AUTOMATIC") && !step.contains("TEMP B-TREE"), "\(step) in \(text)")
            }
        }
    }

    /// SQLite 3.40 takes 256 rows of VALUES for fifty million, and then first reads whole tables to make Bloom filters:
    /// departures of 200 stops among 3 million calls took 430 ms instead of 5.
    @Test(arguments: [100_000, 3_300_000, 30_000_000], [1, DepartureReader.mostDays])
    func theLongestStatementReadsNoWholeTable(calls: Int, days: Int) throws {
        let store = try ImportedStore(feed: ImportedStore.packageRoot + "/pipelines/sample-feed")
        try store.pretendToBeBig()
        let connection = try Connection(path: store.path, mode: .create)
        try connection.execute(
            "INSERT INTO sqlite_stat1 VALUES ('stop_time', 'stop_time', '\(calls) 21 1'), "
                + "('stop_time', 'stop_time_stop_departure_time', '\(calls) 251 1'), "
                + "('trip', 'trip_service', '\(calls / 25) 91'), ('trip', 'trip_route', '\(calls / 25) 126'), "
                + "('service_day', 'service_day', '177664 501 1'), ('service', 'service_day_set', '1302 1')")
        let reader = try Connection(path: store.path, mode: .readOnly)
        try StoreFunctions.register(on: reader, KnownServiceDates(), FunctionFailure())
        let most = DeparturePlaces.mostInStatement
        for (event, drive) in [
            (DepartureRequest.Event.departures, .stops(most)), (.arrivals, .stops(most)),
            (.departures, DepartureSkeleton.Drive.routes(most)),
        ] {
            let skeleton = DepartureSkeleton(
                event: event, drive: drive, days: days, isByFrequency: false, hasFrequencies: true,
                routeFilter: .parameters(0), hasDirection: false, columns: .all)
            let plan = try reader.prepare("EXPLAIN QUERY PLAN " + DepartureSelect(skeleton).text)
            while try plan.step() {
                let step = plan.text(3) ?? ""
                #expect(!step.contains("BLOOM") && !step.contains("SCAN stop_time"), "\(step), \(skeleton)")
            }
        }
    }

    @Test func aStopIsLookedForInTheIndexOfDepartures() throws {
        let request = DepartureRequest(.stops(["a"]), from: Instant(unixSeconds: 0), within: .seconds(1))
        #expect(
            request.sql.text.contains(
                "FROM stop_time AS c INDEXED BY stop_time_stop_departure_time CROSS JOIN trip AS t1"))
        #expect(request.frequencySQL.text.contains("FROM frequency_call AS c CROSS JOIN trip AS t1"))
        #expect(request.description == request.sql.text)
    }

    /// With a limit, a request does not read what comes after it.
    @Test func aLimitStopsEarly() throws {
        let log = Lines()
        let store = try ImportedStore.sample.get().open { log.append($0) }
        let context = store.makeContext()
        var request = DepartureRequest(
            .stops(["bahnhof"]), from: try #require(Instant("2026-10-05T06:00:00Z")), within: .seconds(300 * 86_400))
        request.limit = 1
        #expect(try context.departures(request).count == 1)
        #expect(
            log.all.count { $0.contains("FROM stop_time AS c") || $0.contains("place CROSS JOIN stop_time AS c") } <= 6)
    }
}
