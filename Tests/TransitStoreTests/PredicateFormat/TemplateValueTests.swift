import Testing

@testable import TransitStore

/// Values of templates are the same from code, which binds them later, and from a command line, which has them at once.
@Suite struct TemplateValueTests {
    let fixture = Result { try TestStore.berlin() }

    /// A condition on stop times and values for its variables.
    struct Values: Sendable, CustomTestStringConvertible {
        let format: String
        let values: [String: any Sendable]
        var testDescription: String { "\(format) \(values)" }

        init(_ format: String, _ values: [String: any Sendable]) { (self.format, self.values) = (format, values) }
        var any: [String: Any] { values.mapValues { $0 } }
    }

    @Test(
        arguments: [
            Values("departureTime >= $T", ["T": "8:00"]), Values("$T <= departureTime", ["T": "08:00:00"]),
            Values("departureTime >= $T", ["T": 28_800]), Values("departureTime >= $T", ["T": ServiceTime(hours: 8)]),
            Values("departureTime BETWEEN {$A, $B}", ["A": "8:00", "B": "8:30"]),
            Values("departureTime BETWEEN $SPAN", ["SPAN": ["8:00", "8:30"]]),
            Values("stop.latitude BETWEEN $SPAN", ["SPAN": [52, 53]]),
            Values("stop.name BETWEEN[cd] $NAMES", ["NAMES": ["A", "Öl"]]),
            Values("departureTime - arrivalTime > $D", ["D": "0:00:30"]),
            Values("departureTime + $D > '8:30'", ["D": "0:10"]),
            Values("stop.latitude > $LAT AND stop.longitude < $LON", ["LAT": "52.5", "LON": "13.42"]),
            Values("stopSequence = -$N", ["N": "-3"]), Values("stop = $STOP", ["STOP": 2]),
            Values("stop.stopID = $ID", ["ID": "s2"]), Values("stop.name ==[c] $NAME", ["NAME": "ZOO"]),
            Values("stop.name < [cd] $NAME", ["NAME": "Öl"]), Values("stop.name BEGINSWITH[cd] $NAME", ["NAME": "U G"]),
            Values("trip.route.shortName IN $LINES", ["LINES": ["U1", "M29"]]),
            Values("trip.route.shortName IN $LINES", ["LINES": Set(["U1", "M29"])]),
            Values("trip.route.shortName IN $LINES", ["LINES": "U1"]),
            Values("trip.route.shortName IN $LINES", ["LINES": [String]()]),
            Values("trip.route.shortName IN[cd] $LINES", ["LINES": ["u1", "m29"]]),
            Values("trip.route.shortName IN[c] $LINES", ["LINES": ["u1", "m29"]]),
            Values("departureTime IN $TIMES", ["TIMES": ["8:01", "25:10"]]),
            Values("NOT trip.route.routeType IN $TYPES", ["TYPES": ["1", "3"]]),
            Values("trip.service.startDate <= $DAY", ["DAY": "2026-04-27"]),
            Values("trip.service.startDate IN $DAYS", ["DAYS": ["20260101", "2026-01-02"]]),
            Values("stopHeadsign = $NONE", ["NONE": QueryValue.null]),
            Values("SUBQUERY(trip.stopTimes, $x, $x.departureTime >= $T).@count > $N", ["T": "10:00", "N": "1"]),
            Values("trip.stopTimes.@max.departureTime > $T", ["T": "8:30"]),
            Values("TERNARY(stopSequence > 1, departureTime, $T) = $T", ["T": "8:01"]),
        ]) func codeAndCommandLineBindTheSame(_ values: Values) throws
    {
        var text = RequestText(entity: "StopTime")
        text.predicate = values.format
        let store = try fixture.get().open()
        let read: FetchRequest<StopTime> = try text.request(in: store, values.any)
        var templates = RequestTemplates()
        templates["t"] = FetchRequest<StopTime>(where: try Condition(format: values.format))
        let bound: FetchRequest<StopTime> = try templates.request("t", values.any)
        #expect(bound.description == read.description)
        #expect(bound == read)
        let context = store.makeContext()
        #expect(try context.fetchCount(bound) == context.fetchCount(read))
        let condition = try Condition<StopTime>(format: values.format).substituting(values.any)
        #expect(FetchRequest(where: condition) == read)
    }

    @Test(
        arguments: [
            (Values("departureTime >= $T", ["T": "soon"]), "$T is 'soon': expected a time such as '08:30:00'"),
            (Values("departureTime IN $T", ["T": ["8:00", "x"]]), "$T is 'x': expected a time such as '08:30:00'"),
            (
                Values("trip.service.startDate = $D", ["D": "2026-02-30"]),
                "$D is '2026-02-30': expected a date such as '2026-04-27' or '20260427'"
            ),
            (Values("stop.latitude > $LAT", ["LAT": "52,5"]), "$LAT is '52,5': expected a number such as 3"),
            // The feed's id, even if it looks like a row's number.
            (
                Values("stop = $S", ["S": "2"]),
                "$S is '2': a text is no row of stop; compare one of its properties, such as its id"
            ),
        ]) func valuesThatCannotBeBoundAreRefused(_ values: Values, message: String) throws
    {
        var text = RequestText(entity: "StopTime")
        text.predicate = values.format
        text.labels = [.predicate: "t.ini:3: [t] where"]
        let store = try fixture.get().open()
        let read = try #require(throws: StoreError.self) {
            let _: FetchRequest<StopTime> = try text.request(in: store, values.any)
        }
        #expect(read.code == .unsuitableValue)
        #expect(read.message.hasPrefix("t.ini:3: [t] where: \(message)\n"))
        var templates = RequestTemplates()
        templates["t"] = FetchRequest<StopTime>(where: try Condition(format: values.format))
        #expect(throws: StoreError(.unsuitableValue, "The template t: \(message)")) {
            let _: FetchRequest<StopTime> = try templates.request("t", values.any)
        }
    }

    @Test func namesThatAreMissingOrTooManyAreNamed() throws {
        var templates = RequestTemplates()
        var request = FetchRequest<StopTime>(
            where: try Condition(format: "departureTime >= $AFTER AND trip.route.shortName IN $LINES"))
        request.propertiesToFetch = [.expression(.parameter("LABEL"), as: "label"), .count()]
        templates["t"] = request
        let all: [String: Any] = ["AFTER": "8:00", "LINES": ["U1"], "LABEL": "x"]
        for (values, error) in [
            ([:], StoreError(.missingVariable, "The template t has no value for its variables $AFTER, $LABEL, $LINES")),
            (
                all.filter { $0.key != "LINES" },
                StoreError(.missingVariable, "The template t has no value for its variable $LINES")
            ),
            (
                all.merging(["AFTR": 1]) { $1 },
                StoreError(.unknownVariable, "The template t has no variable $AFTR; did you mean $AFTER?")
            ),
            (
                all.merging(["Q": 1]) { $1 },
                StoreError(.unknownVariable, "The template t has no variable $Q; it has $AFTER, $LABEL, $LINES")
            ),
            (
                all.merging(["AFTER": [1]]) { $1 },
                StoreError(
                    .unsuitableValue, "The template t: $AFTER is a list, which can only stand after IN and BETWEEN")
            ),
            (
                all.merging(["AFTER": fixture]) { $1 },
                StoreError(
                    .unsuitableValue, "The template t: $AFTER is a Result<TestStore, Error>, which cannot be bound")
            ),
            (
                all.merging(["LINES": [1]]) { $1 },
                StoreError(.unsuitableValue, "The template t: $LINES is 1: expected a text")
            ),
        ] as [([String: Any], StoreError)] {
            #expect(throws: error) { let _: FetchRequest<StopTime> = try templates.request("t", values) }
        }
        let bound: FetchRequest<StopTime> = try templates.request("t", all)
        #expect(try fixture.get().context().fetchRows(bound).map { $0["label"] } == ["x"])
        // A request with unbound variables throws instead of running.
        #expect(throws: StoreError.self) { try fixture.get().context().fetch(request) }
    }

    /// A value before BETWEEN is compared twice. Within each other, such values would multiply.
    @Test(arguments: ["BETWEEN $R", "IN[c] $R"]) func valuesThatMultiplyAreRefused(test: String) throws {
        let values = test.hasPrefix("IN") ? ["a", "b"] as [Any] : [1, 2]
        func bound(_ depth: Int) throws -> Condition<Stop> {
            let start = test.hasPrefix("IN") ? ("name", "'a', 'b'") : ("id", "1, 0")
            let text = (0..<depth).reduce(start.0) { text, _ in "TERNARY(\(text) \(test), \(start.1))" }
            return try Condition(format: text + " \(test)").substituting(["R": values])
        }
        _ = try fixture.get().context().fetchCount(FetchRequest<Stop>(where: try bound(6)))
        #expect(#expect(throws: StoreError.self) { try bound(11) }?.code == .tooComplex)
    }
}
