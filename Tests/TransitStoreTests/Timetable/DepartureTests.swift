import Foundation
import TestSupport
import Testing

@testable import TransitStore

extension ObjectID {
    /// The row with this key in the first store of any context.
    var inAnyStore: ObjectID { ObjectID(entity, key) }
}

/// Compares departures with the model's slow way, on random feeds. `RANDOM_TIMETABLES=1000` tries that many instead of
/// 28.
@Suite struct DepartureTests {
    static let seeds = max(ProcessInfo.processInfo.environment["RANDOM_TIMETABLES"].flatMap { UInt64($0) } ?? 28, 1)

    static func imported(_ model: TimetableModel) throws -> ImportedStore {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try model.write(to: folder)
        return try ImportedStore(feed: folder)
    }

    /// A window that begins in the three weeks around 25 October 2026, when Europe's clocks are put back.
    static func window(_ random: inout some RandomNumberGenerator) -> (from: Instant, seconds: Int64) {
        let start = Int64.random(in: 1_792_200_000..<1_794_000_000, using: &random)
        let seconds: [Int64] = [0, 1, 1_200, 7_200, 86_400, 200_000, 2_000_000]
        return (Instant(unixSeconds: start), seconds.randomElement(using: &random) ?? 0)
    }

    static let places = ["top", "hall", "p1", "p2", "b1", "x", "y", "z"]

    /// Asks the context and the model the same questions. Returns the number of departures that were compared; nil if
    /// they differ, and records the first difference.
    static func compare(
        _ context: StoreContext, _ model: TimetableModel, _ seed: UInt64, questions: Int,
        _ random: inout some RandomNumberGenerator
    ) throws -> Int? {
        var compared = 0
        for _ in 0..<questions {
            let question = DepartureQuestion.random(model, &random)
            var request = try question.request(context)
            let expected = model.departures(question)
            let found = try context.departures(request).map(TimetableModel.line)
            guard found == expected else {
                recordDifference(found, expected, "seed \(seed), \(question)")
                return nil
            }
            compared += found.count
            request.limit = Int.random(in: 1...6, using: &random)
            let limited = try context.departures(request).map(TimetableModel.line)
            #expect(limited == Array(expected.prefix(request.limit)), "seed \(seed), limit \(request.limit)")
            request.limit = 0
            #expect(
                Array(context.departures(lazily: request)).map(TimetableModel.line) == expected, "seed \(seed), lazily")
        }
        return compared
    }

    private static func recordDifference(_ found: [String], _ expected: [String], _ asked: String) {
        let place =
            zip(found, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? min(found.count, expected.count)
        Issue.record(
            """
            \(asked): row \(place) of \(found.count) is \(found.dropFirst(place).first ?? "missing"), not \
            \(expected.dropFirst(place).first ?? "there")
            """)
    }

    private static func context(_ imported: ImportedStore, keepsRows: Bool) throws -> StoreContext {
        var configuration = TransitStore.Configuration()
        if !keepsRows { configuration.rowCacheCapacity = 0 }
        return try TransitStore(path: imported.path, configuration: configuration).makeContext()
    }

    private static func objectIDs(_ stops: [String], _ context: StoreContext) throws -> [ObjectID] {
        try stops.flatMap { id in try context.fetchIDs(FetchRequest<Stop>(where: #Predicate { $0.stopID == id })) }
    }

    /// A connection that keeps no rows reads routes and stops along with departures.
    @Test(arguments: [true, false])
    func feedsAtRandomAsTheSlowWayHasThem(keepsRows: Bool) throws {
        var compared = 0
        for seed in 1...Self.seeds {
            var random = SeededGenerator(seed: seed)
            let middles = TimetableModel.middles
            let model = TimetableModel.random(&random, around: middles[Int(seed) % middles.count])
            let imported = try Self.imported(model)
            let context = try Self.context(imported, keepsRows: keepsRows)
            compared += try #require(try Self.compare(context, model, seed, questions: 40, &random))
        }
        #expect(compared > 1_000)
    }

    /// Compares all that a departure shows, with and without kept rows.
    @Test func aConnectionThatKeepsNothingShowsTheSame() throws {
        var compared = 0
        for seed in 100...115 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let imported = try Self.imported(TimetableModel.random(&random))
            let contexts = try [true, false].map { try Self.context(imported, keepsRows: $0) }
            for _ in 0..<40 {
                let (from, seconds) = Self.window(&random)
                let ids = try Self.objectIDs(Array(Self.places.shuffled(using: &random).prefix(1)), contexts[0])
                    .map(\.inAnyStore)
                for place in [.objects(ids), .near(Coordinate(latitude: 52.5, longitude: 13.4), meters: 5)] as [Place] {
                    let request = DepartureRequest(place, from: from, within: .seconds(seconds))
                    let shown = try contexts.map { try $0.departures(request).map(Self.everything) }
                    #expect(shown[0] == shown[1], "seed \(seed), \(request.place) from \(from) within \(seconds)")
                    compared += shown[0].count
                }
            }
        }
        #expect(compared > 1_000)
    }

    private typealias Place = DepartureRequest.Place

    private static func everything(of departure: Departure) -> [String] {
        let texts: [String?] = [
            TimetableModel.line(departure), departure.stopName, departure.platformCode, departure.routeID,
            departure.routeShortName, departure.routeLongName, departure.routeColor, departure.routeTextColor,
            departure.serviceZone.name, departure.timeZone.name, departure.localTime,
            "\(departure.directionID?.rawValue ?? -1) \(departure.pickupType.rawValue) \(departure.dropOffType.rawValue)",
            "\(departure.stopObjectID) \(departure.tripObjectID) \(departure.stopTimeObjectID)",
        ]
        return texts.map { $0 ?? "none" }
    }

    @Test func theBackgroundAndTheStoreAnswerTheSame() async throws {
        var random = SeededGenerator(seed: 99)
        var compared = 0
        for _ in 0..<4 {
            let imported = try Self.imported(TimetableModel.random(&random))
            let store = try imported.open()
            let context = store.makeContext()
            for _ in 0..<20 {
                let (from, seconds) = Self.window(&random)
                let request = DepartureRequest(.stops(["top", "x"]), from: from, within: .seconds(seconds))
                let expected = try context.departures(request)
                #expect(try store.departures(request) == expected)
                #expect(try await store.departuresInBackground(request) == expected)
                compared += expected.count
            }
        }
        #expect(compared > 0)
    }
}
