import Testing

@testable import TransitStore

/// A text that is not a condition is refused, and the message shows the place. Other tests check names and values.
@Suite struct FormatErrorTests {
    @Test(
        arguments: [
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
                "SUBQUERY(stopTimes, $x, $x.departureTime > 28800)",
                """
                predicate: SUBQUERY stands for many rows: ask for their number, as in SUBQUERY(…).@count > 0
                  SUBQUERY(stopTimes, $x, $x.departureTime > 28800)
                                                                   ^
                """
            ),
            (
                "stopTimes[0].departureTime > 3",
                """
                predicate: […] cannot pick one of many rows: put ANY, ALL or NONE before the comparison, or use \
                SUBQUERY(…).@count or an aggregate such as @min.NAME
                  stopTimes[0].departureTime > 3
                           ^
                """
            ),
            (
                "stopTimes.departureTime.@max > 3",
                """
                predicate: expected . and a property after @max, as in stopTimes.@max.departureTime
                  stopTimes.departureTime.@max > 3
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
                "length:(name) = 3",
                """
                predicate: : has no meaning here; functions are written without it: length(name), @max.latitude
                  length:(name) = 3
                        ^
                """
            ),
            (
                "id > 2 ** 3",
                """
                predicate: there is no ** (power)
                  id > 2 ** 3
                         ^~
                """
            ),
            (
                "name IN ('Zoo', 'x')",
                """
                predicate: a list stands in braces: {a, b}
                  name IN ('Zoo', 'x')
                                ^
                """
            ),
            (
                "name NOT IN {'Zoo'}",
                """
                predicate: NOT stands before the comparison, as in NOT (id IN {1, 2})
                  name NOT IN {'Zoo'}
                       ^~~
                """
            ),
            (
                "(stopTimes[SIZE] > 3)",
                """
                predicate: the number of rows is asked for by .@count
                  (stopTimes[SIZE] > 3)
                            ^
                """
            ),
            (
                "name ==[l] 'x'",
                """
                predicate: expected [c], [d], [cd] or [n]
                  name ==[l] 'x'
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
                "IN = 3",
                """
                predicate: IN cannot stand here; a property of this name is written #in
                  IN = 3
                  ^~
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
        ] as [(String, String)]) func aFaultOfTheGrammarIsShownInTheText(format: String, message: String) throws
    {
        let error = try #require(throws: StoreError.self) { try Condition<Stop>(format: format) }
        #expect(error.message == message)
    }

    @Test func unknownNamesAndFaultsOfTheGrammarHaveCodesOfTheirOwn() throws {
        func code(_ format: String) -> StoreError.Code? {
            do { _ = try Condition<Stop>(format: format) } catch { return error.code }
            return nil
        }
        #expect(code("nam = 3") == .unknownProperty)
        #expect(code("name = = 3") == .syntax)
        #expect(code("name = 'x'") == nil)
    }
}

/// The cost of a hostile text is limited.
@Suite struct FormatLimitTests {
    @Test func depthAndLengthAreBounded() throws {
        for format in [
            String(repeating: "(", count: 60_000), String(repeating: "NOT ", count: 10_000) + "id = 1",
            "id = " + String(repeating: "-", count: 60_000) + "1", "id IN " + String(repeating: "{", count: 10_000),
            "id = 1" + String(repeating: " + 1", count: 10_000), String(repeating: "x", count: 100_000),
            "id = TERNARY(" + String(repeating: "id = TERNARY(", count: 4_000),
        ] {
            #expect(throws: StoreError.self) { try Condition<Stop>(format: format) }
        }
        let sum = String(repeating: " + 1", count: 45)
        var mixed = "1"
        for _ in 0..<20 { mixed = "TERNARY(\(mixed)\(sum) = 1, 1, 2)" }
        for format in [
            "id = \(mixed)", "id = 1" + String(repeating: " + 1", count: 81), "abs(abs(1\(sum))\(sum))\(sum) = 1",
            "SUBQUERY(stopTimes, $x, id\(sum)\(sum) = 1).@count\(sum) = 1",
            "ANY stopTimes.@max.departureTime\(sum)\(sum)\(sum) = 1", "id IN {1\(sum)\(sum)\(sum), 2}",
        ] {
            let error = #expect(throws: StoreError.self) { try Condition<Stop>(format: format) }
            #expect(
                error?.message.contains("more than 80 brackets and operators within each other") == true, "\(format)")
        }
        let longest = FetchRequest<Stop>(
            where: try Condition(format: "latitude = 1" + String(repeating: " + 1", count: 79)))
        #expect(try TestStore.berlin().context().fetchCount(longest) == 0)
        let deep = String(repeating: "(", count: 49) + "id = 1" + String(repeating: ")", count: 49)
        #expect(try Condition<Stop>(format: deep) == Condition(format: "id = 1"))
        let wide = "id = 1" + String(repeating: " OR id = 1", count: 900)
        _ = try TestStore.berlin().context().fetch(FetchRequest<Stop>(where: try Condition(format: wide)))
    }

    /// BETWEEN and IN compare their value several times. Within each other they would multiply: a text of 600
    /// characters would become a statement of gigabytes.
    @Test(arguments: ["BETWEEN {1, 2}", "IN {id, 2}", "IN[c] {'a', 'b'}"])
    func valuesThatMultiplyAreRefused(test: String) throws {
        let values = test.contains("'") ? "'a', 'b'" : "1, 0"
        func nested(_ depth: Int) -> String {
            let start = test.contains("'") ? "name" : "id"
            return (0..<depth).reduce(start) { text, _ in "TERNARY(\(text) \(test), \(values))" } + " \(test)"
        }
        let context = try TestStore.berlin().context()
        for depth in 0...6 {
            _ = try context.fetchCount(FetchRequest<Stop>(where: try Condition(format: nested(depth))))
        }
        for depth in [11, 20] {
            let error = #expect(throws: StoreError.self) { try Condition<Stop>(format: nested(depth)) }
            #expect(error?.message.contains("this value would be compared 2 times") == true)
        }
        let long = FetchRequest<Stop>(
            where: try Condition(format: "name IN[c] %@", (0..<20_000).map { "Stop \($0)" }))
        #expect(try context.fetchCount(long) == 0)
    }

    /// SQLite joins 64 tables at most. With unsaved changes, a path of 1,000 names was not refused within 39 s.
    @Test func longPathsAreRefused() throws {
        func path(_ count: Int) -> String { String(repeating: "parentStation.", count: count) + "name" }
        let context = try TestStore.berlin().context()
        try #require(try context.fetchFirst(FetchRequest<Stop>())).set(\.code, to: "1")
        #expect(try context.fetchCount(FetchRequest<Stop>(where: try Condition(format: path(20) + " = 'x'"))) == 0)
        for format in [path(65) + " = 'x'", path(4_000) + " = 'x'", "id = 1 OR \(path(65)) = 'x'"] {
            let error = #expect(throws: StoreError.self) { try Condition<Stop>(format: format) }
            #expect(error?.message.contains("the path leads through more than 64 to-one relationships") == true)
        }
    }

    @Test func aPatternThatTakesForeverIsGivenUp() throws {
        let store = try TestStore { connection in
            try connection.insertStop(0, String(repeating: "a", count: 60) + "!", nil, nil)
        }
        let request = FetchRequest<Stop>(where: try Condition(format: "name MATCHES '(a|a)*b?(a|aa)+'"))
        let context = try store.context()
        let error = #expect(throws: StoreError.self) { try context.fetch(request) }
        #expect(error?.message.contains("MATCHES '(a|a)*b?(a|aa)+': matching takes too long") == true)
        #expect(error?.code == .tooComplex)
        // The same where the object is tested in memory.
        let stop = try #require(try context.fetchFirst(FetchRequest<Stop>()))
        try stop.set(\.code, to: "1")
        #expect(#expect(throws: StoreError.self) { try context.fetch(request) }?.code == .tooComplex)
        context.rollback()
        #expect(try context.fetch(FetchRequest<Stop>(where: Condition(format: "name MATCHES 'a+!'"))).count == 1)
    }
}
