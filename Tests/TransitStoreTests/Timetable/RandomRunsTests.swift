import Foundation
import TestSupport
import Testing

@testable import TransitStore

/// Compares runs and service days of trips and lines with the model's slow way, after the import and after changes.
@Suite struct RandomRunsTests {
    @Test func tripsAndLinesRunAsTheSlowWayHasThem() throws {
        var compared = 0
        for seed in 1...30 as ClosedRange<UInt64> {
            var (model, random) = Self.randomModel(seed)
            let imported = try DepartureTests.imported(model)
            let context = try imported.context()
            compared += try Self.compare(context, model, "seed \(seed)", &random)
            var changer = TimetableChanger(model, context, random)
            for change in 1...6 {
                try changer.change()
                compared += try Self.compare(context, changer.model, "seed \(seed), change \(change)", &random)
            }
            #expect(context.hasMetMissingRowsOnly)
        }
        #expect(compared > 1_000, "\(compared)")
    }

    /// A model, and the generator that has made it.
    private static func randomModel(_ seed: UInt64) -> (TimetableModel, SeededGenerator) {
        var random = SeededGenerator(seed: seed &* 32_452_843)
        let middles = TimetableModel.middles
        let model = TimetableModel.random(&random, around: middles[Int(seed) % middles.count])
        return (model, random)
    }

    /// Returns how many calls were compared.
    private static func compare(
        _ context: StoreContext, _ model: TimetableModel, _ comment: Comment, _ random: inout SeededGenerator
    ) throws -> Int {
        let date = TimetableModel.date(Int.random(in: -8...12, using: &random), after: model.middle)
        var compared = 0
        for trip in model.trips {
            let id = trip.id
            let object = try #require(
                try context.fetchFirst(FetchRequest<Trip>(where: #Predicate { $0.tripID == id })), comment)
            let expected = model.runs(of: trip, on: date)
            #expect(try lines(object.runs(on: ServiceDate(date)), context) == expected, comment)
            #expect(
                try object.serviceDays().map(\.number) == model.days.filter { model.runs(trip.service, $0) }, comment)
            compared += expected.reduce(0) { $0 + $1.count }
        }
        for route in try context.fetch(FetchRequest<Route>()) {
            let runs = model.trips.contains { $0.route == route.routeID && model.runs($0.service, date) }
            #expect(try route.isRunning(on: ServiceDate(date)) == runs, comment)
        }
        return compared
    }

    /// A list for each run: how the trip is repeated, then its calls.
    private static func lines(_ runs: [TripRun], _ context: StoreContext) throws -> [[String]] {
        try runs.map { run in
            try [run.repetition?.rawValue ?? ""]
                + run.calls.map { call in
                    let stop = try #require(context.object(with: call.stopObjectID) as? Stop)
                    return [
                        "\(call.stopSequence)", stop.stopID, "\(call.arrival.unixSeconds)",
                        "\(call.departure.unixSeconds)", "\(call.isInterpolated)",
                    ].joined(separator: " ")
                }
        }
    }

    @Test func firstAndLastDepartureAreThoseOfTheWholeDay() throws {
        var found = 0
        for seed in 21...40 as ClosedRange<UInt64> {
            var (model, random) = Self.randomModel(seed)
            let context = try DepartureTests.imported(model).context()
            for _ in 0..<12 {
                var question = DepartureQuestion.random(model, &random)
                let date = TimetableModel.date(Int.random(in: -8...12, using: &random), after: model.middle)
                (question.isArrivals, question.direction, question.date) = (false, nil, date)
                (question.routes, question.window) = (nil, 0..<(1 << 40))
                guard case .stops = question.place else { continue }
                let place = try question.request(context).place
                let first = try context.firstDeparture(at: place, on: ServiceDate(date)).map(TimetableModel.line)
                let last = try context.lastDeparture(at: place, on: ServiceDate(date)).map(TimetableModel.line)
                let expected = model.departures(question)
                #expect(first == expected.first && last == expected.last, "seed \(seed), \(question)")
                found += expected.isEmpty ? 0 : 1
            }
        }
        #expect(found > 15, "\(found)")
    }
}
