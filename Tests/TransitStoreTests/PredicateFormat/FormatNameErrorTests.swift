import Testing

@testable import TransitStore

/// Properties, functions and relationships that do not exist, or that do not support what the text asks of them.
@Suite struct FormatNameErrorTests {
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
                "objectID = 3",
                """
                predicate: Stop has no property objectID; SELF stands for the row, as in SELF = 3
                  objectID = 3
                  ^~~~~~~~
                """
            ),
            (
                "name = Embarcadero",
                """
                predicate: Stop has no property Embarcadero; a text needs quotes ('Embarcadero'); it has \(Stop.entity.propertyNames.joined(separator: ", "))
                  name = Embarcadero
                         ^~~~~~~~~~~
                """
            ),
            (
                "plc_url = 'x'",
                """
                predicate: Stop has no property plc_url; a text needs quotes ('plc_url'); it has \(Stop.entity.propertyNames.joined(separator: ", ")); feedColumns() reads the columns that only this feed has
                  plc_url = 'x'
                  ^~~~~~~
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
                predicate: there is no function FUNCTION; folded(…), coalesce(…), length(…), abs(…), distance(…), inBox(…), hasWords(…), SUBQUERY(…) and TERNARY(…) are all there are
                  FUNCTION(1) = 2
                  ^~~~~~~~
                """
            ),
            (
                "stopTimes.departureTime > '8:00'",
                """
                predicate: stopTimes stands for many rows: put ANY, ALL or NONE before the comparison, or ask for \
                stopTimes.@count or a SUBQUERY
                  stopTimes.departureTime > '8:00'
                  ^~~~~~~~~
                """
            ),
            (
                "ANY 2 = childStops.id",
                """
                predicate: childStops stands for many rows: they stand to the left of the operator
                  ANY 2 = childStops.id
                          ^~~~~~~~~~
                """
            ),
            (
                "ANY childStops.qqqqqq = 1",
                """
                predicate: Stop has no property qqqqqq; it has \(Stop.entity.propertyNames.joined(separator: ", "))
                  ANY childStops.qqqqqq = 1
                                 ^~~~~~
                """
            ),
            (
                "name[cd] = 'a'",
                """
                predicate: options stand after the operator, as in =[cd]
                  name[cd] = 'a'
                      ^
                """
            ),
            (
                "SUBQUERY(stopTimes, $x, $x.departureTime > 28800) > 3",
                """
                predicate: SUBQUERY stands for many rows: ask for their number, as in SUBQUERY(…).@count > 0
                  SUBQUERY(stopTimes, $x, $x.departureTime…
                  ^~~~~~~~
                """
            ),
            (
                "ANY (stopTimes.stopSequence = 3)",
                """
                predicate: put ANY, ALL or NONE directly before the comparison
                  ANY (stopTimes.stopSequence = 3)
                      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
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
                predicate: name is not a relationship; of a text, only its length can be asked
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
                "nam = 'a' AND name",
                """
                predicate: expected an operator: =, !=, <, <=, >, >=, BETWEEN, IN, BEGINSWITH, CONTAINS, ENDSWITH, LIKE or MATCHES
                  nam = 'a' AND name
                                    ^
                """
            ),
            (
                "stopTimes.stop.@count = 1",
                """
                predicate: stopTimes stands for many rows: put ANY, ALL or NONE before the comparison, or ask for \
                stopTimes.@count or a SUBQUERY
                  stopTimes.stop.@count = 1
                  ^~~~~~~~~
                """
            ),
            (
                "parentStation.@count = 1",
                """
                predicate: an aggregate follows a to-many relationship, as in stopTimes.@count
                  parentStation.@count = 1
                                ^~~~~~
                """
            ),
            (
                "name.length.length = 1",
                """
                predicate: length is not a relationship
                  name.length.length = 1
                              ^~~~~~
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
        ] as [(String, String)]) func aFaultyNameIsShownInTheText(format: String, message: String) throws
    {
        let error = try #require(throws: StoreError.self) { try Condition<Stop>(format: format) }
        #expect(error.message == message)
    }
}
