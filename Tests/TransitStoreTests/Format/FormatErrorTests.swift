import Testing

@testable import TransitStore

/// What is wrong is said, and shown where it stands. One table of texts and messages, long because it is whole.
@Suite struct FormatErrorTests {
    @Test(
        arguments: [
            (
                "nam = 'x'",
                """
                predicate: Stop has no property nam; did you mean name?
                  nam = 'x'
                  ^~~
                """
            ),
            (
                "name = 'x' AND parentStation.qqqqqq = 3",
                """
                predicate: Stop has no property qqqqqq; it has \(Stop.entity.propertyNames.joined(separator: ", "))
                  name = 'x' AND parentStation.qqqqqq = 3
                                               ^~~~~~
                """
            ),
            (
                "parentStation.stop_code = 'x'",
                """
                predicate: Stop has no property stop_code; stop_code is called code here
                  parentStation.stop_code = 'x'
                                ^~~~~~~~~
                """
            ),
            (
                "stopTimes.@min.trip_id = 'x'",
                """
                predicate: StopTime has no property trip_id; trip_id is called trip.tripID here
                  stopTimes.@min.trip_id = 'x'
                                 ^~~~~~~
                """
            ),
            (
                "FUNCTION(1) = 2",
                """
                predicate: there is no function FUNCTION; folded(…), coalesce(…), length(…), distance(…), inBox(…), hasWords(…), SUBQUERY(…) and TERNARY(…) are all there are
                  FUNCTION(1) = 2
                  ^~~~~~~~
                """
            ),
            (
                "name BEGINS 'x'",
                """
                predicate: expected an operator: =, !=, <, <=, >, >=, BETWEEN, IN, BEGINSWITH, CONTAINS, ENDSWITH, LIKE or \
                MATCHES; did you mean BEGINSWITH?
                  name BEGINS 'x'
                       ^~~~~~
                """
            ),
            (
                "name",
                """
                predicate: expected an operator: =, !=, <, <=, >, >=, BETWEEN, IN, BEGINSWITH, CONTAINS, ENDSWITH, LIKE or \
                MATCHES
                  name
                      ^
                """
            ),
            (
                "name = ",
                """
                predicate: expected a value: a property, a number, a text in quotes, $NAME or (
                  name =\u{20}
                         ^
                """
            ),
            (
                "(name = 'x'",
                """
                predicate: expected ) to close the ( at character 1
                  (name = 'x'
                             ^
                """
            ),
            (
                "name = 'x')",
                """
                predicate: there is no ( for this )
                  name = 'x')
                            ^
                """
            ),
            (
                "name = 'x' name = 'y'",
                """
                predicate: expected AND, OR or the end
                  name = 'x' name = 'y'
                             ^~~~
                """
            ),
            (
                "name = 'x",
                """
                predicate: the text that begins here has no closing '
                  name = 'x
                         ^
                """
            ),
            (
                #"name = 'a\d'"#,
                #"""
                predicate: after a backslash only " ' \ n r t u U have a meaning; a backslash itself is written \\
                  name = 'a\d'
                           ^~
                """#
            ),
            (
                "id = 12ab",
                """
                predicate: letters follow a number; a text stands in quotes
                  id = 12ab
                       ^~~~
                """
            ),
            (
                "id = 1e999",
                """
                predicate: the number is too great
                  id = 1e999
                       ^~~~~
                """
            ),
            (
                "id = 8:30",
                """
                predicate: : has no meaning here; a time stands in quotes: '08:30:00'
                  id = 8:30
                        ^
                """
            ),
            (
                "id = %@",
                """
                predicate: there is no argument for this placeholder: none is given
                  id = %@
                       ^~
                """
            ),
            (
                "id = %q",
                """
                predicate: expected %@, %d, %f or %K for an argument
                  id = %q
                       ^~
                """
            ),
            (
                "id = $ 3",
                """
                predicate: expected a name after $, as in $NAME
                  id = $ 3
                       ^
                """
            ),
            (
                "locationType = 'abc'",
                """
                predicate: expected a number
                  locationType = 'abc'
                                 ^~~~~
                """
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
                "name ==[x] 'a'",
                """
                predicate: expected [c], [d] or [cd]
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
                predicate: no regular expression: parentheses do not pair up
                  name MATCHES '(a'
                               ^~~~
                """
            ),
            (
                "stopTimes.departureTime > '8:00'",
                """
                predicate: stopTimes stands for many rows: put ANY, ALL or NONE before the comparison, or ask for \
                stopTimes.@count or a SUBQUERY
                  stopTimes.departureTime > '8:00'
                  ^~~~~~~~~~
                """
            ),
            (
                "ANY name = 'x'",
                """
                predicate: ANY asks about the rows of a to-many relationship; there is none
                  ANY name = 'x'
                      ^~~~
                """
            ),
            (
                "ANY (stopTimes.stopSequence = 3)",
                """
                predicate: put ANY, ALL or NONE directly before the comparison
                  ANY (stopTimes.stopSequence = 3)
                       ^~~~~~~~~~~~~~~~~~~~~~
                """
            ),
            (
                "ANY stopTimes = 3",
                """
                predicate: rows of stop_time have no key of one number; name a property of them
                  ANY stopTimes = 3
                      ^~~~~~~~~
                """
            ),
            (
                "@count > 3",
                """
                predicate: an aggregate asks about a relationship, as in stopTimes.@count; alone it belongs into the \
                properties to fetch and the condition on groups, in code Condition(having:)
                  @count > 3
                  ^~~~~~
                """
            ),
            (
                "stopTimes.@median.id > 3",
                """
                predicate: expected @count, @min, @max, @avg or @sum
                  stopTimes.@median.id > 3
                            ^~~~~~~
                """
            ),
            (
                "stopTimes.@sum.stopHeadsign > 3",
                """
                predicate: @sum takes numbers and times, not a text
                  stopTimes.@sum.stopHeadsign > 3
                            ^~~~~~~~~~~~~~~~~
                """
            ),
            (
                "name.parts = 3",
                """
                predicate: name is no relationship; of a text, only its length can be asked
                  name.parts = 3
                       ^~~~~
                """
            ),
            (
                "SUBQUERY(name, $x, $x.id = 3).@count = 0",
                """
                predicate: expected one to-many relationship, such as stopTimes
                  SUBQUERY(name, $x, $x.id = 3).@count = 0
                           ^~~~
                """
            ),
            (
                "SUBQUERY(stopTimes, x, x.id = 3).@count = 0",
                """
                predicate: expected a variable for the related rows, such as $x
                  SUBQUERY(stopTimes, x, x.id = 3).@count = 0
                                      ^
                """
            ),
            (
                "IN = 3",
                """
                predicate: IN cannot stand here; a property of this name is written #in
                  IN = 3
                  ^~
                """
            ),
            (
                "parentStation = 'abc'",
                """
                predicate: expected the id of a row of stop, a number
                  parentStation = 'abc'
                                  ^~~~~
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
            (
                "name = 'a'\n  AND nam = 'b'",
                """
                predicate: Stop has no property nam; did you mean name?
                    AND nam = 'b'
                        ^~~
                """
            ),
            (
                "\u{1B}[31m = 3",
                """
                predicate: this character has no meaning here
                  \u{FFFD}[31m = 3
                  ^
                """
            ),
        ] as [(String, String)]) func saysWhatIsWrong(format: String, message: String) throws
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
            ("trip.frequencies.@min.id.x > 3", "id is no relationship"),
            ("$x.id = 3", "$x stands for a value, not for a row of a SUBQUERY"),
        ]) func saysWhatDoesNotFit(format: String, reason: String) throws
    {
        let error = try #require(throws: StoreError.self) { try Condition<StopTime>(format: format) }
        #expect(error.message.hasPrefix("predicate: \(reason)\n"), "\(error)")
    }

    @Test func argumentsThatDoNotFit() throws {
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

    @Test func codes() throws {
        func code(_ format: String) -> StoreError.Code? {
            do { _ = try Condition<Stop>(format: format) } catch { return (error as? StoreError)?.code }
            return nil
        }
        #expect(code("nam = 3") == .unknownProperty)
        #expect(code("name = = 3") == .syntax)
        #expect(code("name = 'x'") == nil)
    }
}
