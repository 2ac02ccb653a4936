import Foundation
import Testing
import TransitStore

/// Errors have one shape: code, message, place and cause. Functions that throw only `StoreError` declare it; the
/// `catch` clauses here need that in order to compile.
@Suite struct StoreErrorTests {
    @Test(
        arguments: [
            (2.0, "2"), (0.5, "0.5"), (-1, "-1"), (1e300, "1e+300"), (-1e300, "-1e+300"), (.infinity, "inf"),
            (-.infinity, "-inf"), (.nan, "nan"),
        ] as [(Double, String)])
    func anyTimeLimitIsNamed(seconds: Double, text: String) {
        let message = StoreError.tookTooLong("The fetch", seconds: seconds).message
        #expect(message == "The fetch took longer than \(text) s and was stopped.")
    }

    @Test func aFaultInATextHasItsLineAndColumn() {
        do {
            _ = try Condition<Stop>(format: "id > 1\n  AND nam = 'Zoo'")
            Issue.record("the condition was understood")
        } catch {
            #expect(error.code == .unknownProperty)
            #expect(error.place == StoreError.Place("predicate", line: 2, column: 7))
            #expect(error.cause == nil)
        }
    }

    @Test func aFaultInATemplateFileHasItsLine() {
        do {
            _ = try TemplateFile(text: "[near]\nentity = Stop\nthere = 1\n", name: "near.ini")
            Issue.record("the file was understood")
        } catch {
            #expect(error.code == .syntax)
            #expect(error.place == StoreError.Place("near.ini", line: 3))
        }
    }

    @Test func aStoreThatCannotBeOpenedIsThePlace() {
        let path = NSTemporaryDirectory() + UUID().uuidString + ".sqlite"
        do {
            _ = try TransitStore(path: path)
            Issue.record("there is a store at \(path)")
        } catch {
            #expect(error.code == .missing)
            #expect(error.place?.source == path)
        }
    }

    @Test func whatSQLiteRefusesIsTheCause() throws {
        let context = try TestStore.berlin().context()
        do {
            _ = try context.fetchRows(sql: "SELECT nowhere FROM stop")
            Issue.record("SQLite knows the column")
        } catch {
            #expect(error.cause?.code == 1)
            #expect(error.cause?.message == "no such column: nowhere")
            #expect(error.place?.source == context.stores[0].path)
        }
    }

    /// Requests to timetables and searches, as a program outside this package makes them.
    @Test func timetablesAndSearchesThrowNothingElse() throws {
        let store = try ImportedStore.sample.get().open()
        let context = store.makeContext()
        let nowhere = DepartureRequest.Place.stops(["nowhere"])
        let request = DepartureRequest(nowhere, from: .now, within: .seconds(60))
        #expect(Self.code { () throws(StoreError) in _ = try context.departures(request) } == .unknownRow)
        #expect(Self.code { () throws(StoreError) in _ = try store.departures(request) } == .unknownRow)
        #expect(Self.code { () throws(StoreError) in _ = try store.timeZone(at: nowhere) } == .unknownRow)
        #expect(Self.code { () throws(StoreError) in _ = try store.routes(named: "nothing") } == .unknownRow)
        let first = Self.code { () throws(StoreError) in
            _ = try context.firstDeparture(at: nowhere, on: ServiceDate(20_260_731))
        }
        #expect(first == .unknownRow)
        let near = Self.code { () throws(StoreError) in
            _ = try context.nearestStops(to: Coordinate(latitude: 91, longitude: 0))
        }
        #expect(near == .unsuitableValue)
        let words = (0...64).map { "word\($0)" }.joined(separator: " ")
        #expect(Self.code { () throws(StoreError) in _ = try context.searchStops(words) } == .tooComplex)
        let property = Self.code { () throws(StoreError) in _ = try FetchedProperty<Stop>(format: "id +", as: "x") }
        #expect(property == .syntax)
    }

    private static func code(_ body: () throws(StoreError) -> Void) -> StoreError.Code? {
        do {
            try body()
            return nil
        } catch { return error.code }
    }

    /// Every other throwing public function declares `StoreError`. Background functions also throw `CancellationError`,
    /// functions with closures throw what the closures throw, and protocol requirements and decoding what the protocol
    /// says.
    @Test func allOthersNameTheError() throws {
        let listing = try String(contentsOfFile: ImportedStore.packageRoot + "/.ci/surface.tsv", encoding: .utf8)
        let lines = listing.split(separator: "\n").map { $0.split(separator: "\t") }
        let unnamed = lines.filter {
            $0[0] == "TransitStore" && $0[3].contains("throws") && !$0[3].contains("throws(StoreError)")
        }
        let known = [
            "InBackground(", "init(from:)", "encode(to:)", "Iterator.next(", "forEachRow(", "sectionName:", "decoded(",
        ]
        let others = unnamed.filter { line in !known.contains { line[2].contains($0) } }
        #expect(others.map { $0[2] } == [])
        #expect(unnamed.count > 10)
    }

    /// Errors that say the same are equal, wherever they come from.
    @Test func errorsAreEqualIfCodeAndMessageAre() {
        #expect(StoreError(.failed, "x") == StoreError(.failed, "x"))
        #expect(StoreError(.failed, "x") != StoreError(.syntax, "x"))
        #expect(StoreError(.failed, "x").hashValue == StoreError(.failed, "x").hashValue)
    }
}
