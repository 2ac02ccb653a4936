import Testing

@testable import TransitStore

/// Values and arguments that do not fit what they are compared with.
@Suite struct FormatValueErrorTests {
    @Test(
        arguments: [
            (
                "locationType = 'abc'",
                """
                predicate: expected a number such as 3
                  locationType = 'abc'
                                 ^~~~~
                """
            ),
            (
                "id = 0b12",
                """
                predicate: expected a whole number of base 2 after the first two characters
                  id = 0b12
                       ^~~~
                """
            ),
            (
                "id = 0x\u{FF11}",
                """
                predicate: expected a whole number of base 16 after the first two characters
                  id = 0x\u{FF11}
                       ^~~
                """
            ),
            (
                "id = 0xFFFFFFFFFFFFFFFF",
                """
                predicate: the number is too great
                  id = 0xFFFFFFFFFFFFFFFF
                       ^~~~~~~~~~~~~~~~~~
                """
            ),
            (
                #"name = '\uD83D'"#,
                #"""
                predicate: these digits are no character
                  name = '\uD83D'
                          ^~~~~~
                """#
            ),
            (
                "stopID = 12",
                """
                predicate: a number cannot be compared with a text; put it into quotes
                  stopID = 12
                           ^~
                """
            ),
            (
                "stopID = id",
                """
                predicate: a number cannot be compared with a text
                  stopID = id
                           ^~
                """
            ),
            (
                "id CONTAINS '1'",
                """
                predicate: expected a text, not a number
                  id CONTAINS '1'
                  ^~
                """
            ),
            (
                "name LIKE 3",
                """
                predicate: expected a text, not a number; put it into quotes
                  name LIKE 3
                            ^
                """
            ),
            (
                "abs(abs(abs(id))) = 3",
                """
                predicate: abs stands within abs at most once
                  abs(abs(abs(id))) = 3
                          ^~~~~~~
                """
            ),
            (
                "name ==[x] 'a'",
                """
                predicate: expected [c], [d], [cd] or [n]
                  name ==[x] 'a'
                          ^
                """
            ),
            (
                "name <[c] 'a'",
                """
                predicate: the order of texts takes [cd] or no option
                  name <[c] 'a'
                       ^
                """
            ),
            (
                "id BETWEEN {1}",
                """
                predicate: BETWEEN needs a list of two values: {lower, upper}
                  id BETWEEN {1}
                             ^~~
                """
            ),
            (
                "id BETWEEN 1 AND 3",
                """
                predicate: BETWEEN needs a list of two values: {lower, upper}
                  id BETWEEN 1 AND 3
                             ^
                """
            ),
            (
                "id BETWEEN latitude AND longitude",
                """
                predicate: BETWEEN needs a list of two values: {lower, upper}
                  id BETWEEN latitude AND longitude
                             ^~~~~~~~
                """
            ),
            (
                "id IN 3",
                """
                predicate: IN needs a list, such as {1, 2}, a text or a to-many relationship
                  id IN 3
                        ^
                """
            ),
            (
                "id = {1, 2}",
                """
                predicate: a list can only stand after IN and BETWEEN, or before CONTAINS
                  id = {1, 2}
                       ^~~~~~
                """
            ),
            (
                "name MATCHES '(a'",
                """
                predicate: not a regular expression: parentheses do not pair up
                  name MATCHES '(a'
                               ^~~~
                """
            ),
            (
                "parentStation = '12'",
                """
                predicate: a text is no row of stop; compare one of its properties, such as its id
                  parentStation = '12'
                                  ^~~~
                """
            ),
            (
                "parentStation = level",
                """
                predicate: a relationship to level cannot be compared with a relationship to stop
                  parentStation = level
                                  ^~~~~
                """
            ),
        ] as [(String, String)]) func aFaultyValueIsShownInTheText(format: String, message: String) throws
    {
        let error = try #require(throws: StoreError.self) { try Condition<Stop>(format: format) }
        #expect(error.message == message)
    }

    @Test(
        arguments: [
            ("departureTime > '8 o clock'", "expected a time such as '08:30:00'"),
            ("departureTime > '8:60'", "expected a time such as '08:30:00'"),
            (
                "departureTime > TRUE AND trip.service.startDate = '2026-02-29'",
                "expected a date such as '2026-04-27' or '20260427'"
            ),
            ("trip.service.startDate = 2026-04-27", "this is a calculation; a date stands in quotes: '2026-04-27'"),
            ("trip.service.startDate + 1 = 3", "dates cannot be calculated with"),
            ("departureTime = trip.service.startDate", "a date cannot be compared with a time"),
            ("departureTime + 'x' > 3", "expected a time such as '08:30:00'"),
            ("1 + trip.headsign > 3", "a text cannot be compared with a number"),
            (
                "ANY stop.stopTimes.stopSequence + trip.frequencies.headwaySecs > 3",
                "only one side can name properties of many rows"
            ),
            ("trip.frequencies.@min.id.x > 3", "id is not a relationship"),
            (
                "SUBQUERY(stop.childStops.stopTimes, $x, $x.stopSequence = 1).@count > 0",
                "expected one to-many relationship, such as stopTimes"
            ),
            ("$x.id = 3", "$x stands for a value, not for a row of a SUBQUERY"),
        ]) func saysWhatDoesNotFit(format: String, reason: String) throws
    {
        let error = try #require(throws: StoreError.self) { try Condition<StopTime>(format: format) }
        #expect(error.message.hasPrefix("predicate: \(reason)\n"), "\(error)")
    }

    @Test func `dates in a list or in a set are dates`() throws {
        let dates = [ServiceDate(20_260_501)]
        for list in [dates, Set(dates)] as [Any] {
            let error = try #require(throws: StoreError.self) {
                try Condition<StopTime>(format: "departureTime IN %@", list)
            }
            #expect(error.message.hasPrefix("predicate: a date cannot be compared with a time\n"), "\(error)")
            _ = try Condition<StopTime>(format: "trip.service.startDate IN %@", list)
        }
    }

    @Test(arguments: ["coalesce(NIL, name) > 3", "coalesce(name, NIL) > 3", "coalesce(NIL, latitude) = 'x'"])
    func `the value for a missing one has a kind`(format: String) throws {
        #expect(throws: StoreError.self) { try Condition<Stop>(format: format) }
    }

    /// A time plus some seconds is a time, but a multiple of a time is not.
    @Test func `a multiple of a time is not compared with a time`() throws {
        _ = try Condition<StopTime>(format: "departureTime + 60 > '8:00' AND departureTime * 2 > 60")
        #expect(throws: StoreError.self) { try Condition<StopTime>(format: "departureTime * 2 > '8:00'") }
    }

    /// A sum of times is a number of seconds; the greatest of them is a time.
    @Test func `a sum of times is not compared with a time`() throws {
        _ = try Condition<StopTime>(having: "@sum.departureTime > 3 AND @max.departureTime > '8:00'")
        #expect(throws: StoreError.self) { try Condition<StopTime>(having: "@sum.departureTime > '8:00'") }
        // A variable's text is read as a value of the other side's kind.
        let later = try Condition<StopTime>(having: "@sum.departureTime > $LIMIT")
        #expect(try "\(later.substituting(["LIMIT": "3600"]))" == "@sum.departureTime > 3600")
        #expect(throws: StoreError.self) { try later.substituting(["LIMIT": "8:00"]) }
        let latest = try Condition<StopTime>(having: "@max.departureTime > $LIMIT")
        #expect(try "\(latest.substituting(["LIMIT": "1:00"]))" == "@max.departureTime > 3600")
    }

    @Test func argumentsThatDoNotFitAreRefused() throws {
        struct Thing {}
        for (format, arguments, reason) in [
            ("id = %@", [1, 2], "2 arguments are given, but there is 1 placeholder"),
            (
                "name = '%@'", ["Zoo"],
                "1 argument is given, but there are 0 placeholders; one in quotes is a text: leave out the quotes"
            ),
            ("id = %@ OR id = %@", [1], "there is no argument for this placeholder: only 1 given"),
            ("id = %d", ["1"], "%d stands for a whole number; use %@ for all else"),
            ("id = %d", [1.5], "%d stands for a whole number; use %@ for all else"),
            ("id = %f", [nil], "%f stands for a number; use %@ for all else"),
            ("%K = 3", [3], "%K stands for a key path, such as \"stop.name\""),
            ("%K = 3", ["stop..name"], "Stop has no property stop; did you mean stopID?"),
            (
                "id = %@", [Thing()],
                "a Thing cannot be bound: numbers, texts, times, dates, objects and lists of them can"
            ),
            (
                "id IN %@", [[1, nil, Thing()] as [Any?]],
                "a list with a Thing cannot be bound: numbers, texts, times, dates, objects and lists of them can"
            ),
            (
                "id IN %@", [[[1], [2]]],
                "a list with a Array<Int> cannot be bound: numbers, texts, times, dates, objects and lists of them can"
            ),
            (
                "stopTimes CONTAINS %@", [ObjectID(StopTime.entity, row: 3)],
                "a ObjectID cannot be bound, because trip and stopSequence make its key: compare these, or write a "
                    + "#Predicate, which takes such objects"
            ),
        ] as [(String, [Any?], String)] {
            let error = try #require(throws: StoreError.self) {
                try Condition<Stop>(format: format, arguments: arguments)
            }
            #expect(error.message.hasPrefix("predicate: \(reason)\n"), "\(error)")
        }
        #expect(throws: StoreError(.unsuitableValue, "A Thing cannot be bound to the variable $X")) {
            try Condition<Stop>(format: "id = $X", arguments: [], variables: ["X": Thing()])
        }
    }
}
