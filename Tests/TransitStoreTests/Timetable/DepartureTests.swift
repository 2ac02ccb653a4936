import Foundation
import Testing

@testable import TransitStore

/// Departures against the slow way, on feeds at random.
@Suite struct DepartureTests {
    static func imported(_ model: TimetableModel) throws -> ImportedStore {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try model.write(to: folder)
        return try ImportedStore(feed: folder)
    }

    /// Around the night of 25 October 2026, when Europe's clocks are put back, and others.
    static func window(_ random: inout some RandomNumberGenerator) -> (from: Instant, seconds: Int64) {
        let start = Int64.random(in: 1_792_200_000..<1_794_000_000, using: &random)
        let seconds: [Int64] = [0, 1, 1_200, 7_200, 86_400, 200_000, 2_000_000]
        return (Instant(unixSeconds: start), seconds.randomElement(using: &random) ?? 0)
    }

    static let places = ["top", "hall", "p1", "p2", "b1", "x", "y", "z"]

    /// Asks both the same, and compares; says where they differ.
    static func compare(
        _ context: StoreContext, _ model: TimetableModel, _ seed: UInt64, questions: Int,
        _ random: inout some RandomNumberGenerator
    ) throws -> Bool {
        for _ in 0..<questions {
            let stops = Array(places.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
            let (from, seconds) = window(&random)
            var request = DepartureRequest(.stops(stops), from: from, within: .seconds(seconds))
            let isArrival = Bool.random(using: &random)
            if isArrival { request.event = .arrivals }
            let route = [nil, nil, "r0", "r1"].randomElement(using: &random) ?? nil
            if let route {
                request.routes = try context.fetch(FetchRequest<Route>(where: #Predicate { $0.routeID == route })).map(
                    \.objectID)
            }
            let expected = model.departures(
                at: Set(stops), from.unixSeconds..<from.unixSeconds + seconds, arrivals: isArrival, route: route)
            let found = try context.departures(request).map(TimetableModel.line)
            guard found == expected else {
                let place =
                    zip(found, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? min(found.count, expected.count)
                Issue.record(
                    """
                    seed \(seed), \(isArrival ? "arrivals" : "departures") at \(stops) from \(from) within \(seconds) \
                    of \(route ?? "all"): row \(place) of \(found.count) is \
                    \(found.dropFirst(place).first ?? "missing"), not \(expected.dropFirst(place).first ?? "there")
                    """)
                return false
            }
            request.limit = Int.random(in: 1...6, using: &random)
            let limited = try context.departures(request).map(TimetableModel.line)
            #expect(limited == Array(expected.prefix(request.limit)), "seed \(seed), limit \(request.limit)")
            request.limit = 0
            #expect(
                Array(context.departures(lazily: request)).map(TimetableModel.line) == expected, "seed \(seed), lazily")
        }
        return true
    }

    @Test func feedsAtRandomAsTheSlowWayHasThem() throws {
        for seed in 1...25 as ClosedRange<UInt64> {
            var random = SplitMix(state: seed)
            let model = TimetableModel.random(&random)
            let store = try Self.imported(model)
            guard try Self.compare(store.context(), model, seed, questions: 40, &random) else { return }
        }
    }

    @Test func theBackgroundAndTheStoreAnswerTheSame() async throws {
        var random = SplitMix(state: 99)
        let imported = try Self.imported(TimetableModel.random(&random))
        let store = try imported.open()
        let context = store.makeContext()
        for _ in 0..<20 {
            let (from, seconds) = Self.window(&random)
            let request = DepartureRequest(.stops(["top", "x"]), from: from, within: .seconds(seconds))
            let expected = try context.departures(request)
            #expect(try store.departures(request) == expected)
            #expect(try await store.departuresInBackground(request) == expected)
        }
    }
}
