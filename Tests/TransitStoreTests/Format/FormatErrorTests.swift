import Testing

@testable import TransitStore

/// What is no condition is said, and shown where it stands; names and values that do not fit have tests of their own.
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
        ] as [(String, String)]) func saysWhatIsWrong(format: String, message: String) throws
    {
        let error = try #require(throws: StoreError.self) { try Condition<Stop>(format: format) }
        #expect(error.message == message)
    }

    @Test func codes() throws {
        func code(_ format: String) -> StoreError.Code? {
            do { _ = try Condition<Stop>(format: format) } catch { return error.code }
            return nil
        }
        #expect(code("nam = 3") == .unknownProperty)
        #expect(code("name = = 3") == .syntax)
        #expect(code("name = 'x'") == nil)
    }
}
