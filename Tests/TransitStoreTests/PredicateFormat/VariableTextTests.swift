import Testing

@testable import TransitStore

/// Values of variables as command lines write them.
@Suite struct VariableTextTests {
    @Test(
        arguments: [
            ("U1", "U1"), ("", ""), ("  U Görlitzer Bhf ", "U Görlitzer Bhf"), ("O'Hare", "O'Hare"), ("a,b", "a,b"),
            (#"C:\new"#, #"C:\new"#), ("'U1'", "U1"), (#" "'s-Hertogenbosch" "#, "'s-Hertogenbosch"), ("' a '", " a "),
            (#"'\u00E9\'\n'"#, "é'\n"), ("'NIL'", "NIL"), ("\"NULL\"", "NULL"), ("nil", "nil"), ("'{a}'", "{a}"),
            ("NILS", "NILS"), ("8:00", "8:00"), ("a}", "a}"),
        ]) func textsMayHaveQuotes(text: String, value: String) throws
    {
        #expect(try VariableText.value(of: text, called: "X") as? String == value)
    }

    @Test(arguments: ["NIL", "NULL", " NIL "]) func nilAndNullAreMissing(text: String) throws {
        #expect(try VariableText.value(of: text, called: "X") == nil)
    }

    @Test(
        arguments: [
            ("{F1, 12}", ["F1", "12"]), ("{F1,12}", ["F1", "12"]), ("{'F1', '12'}", ["F1", "12"]),
            (" { F1 ,\t\"12\" } ", ["F1", "12"]), ("{}", []), ("{ }", []), ("{a b}", ["a b"]), ("{''}", [""]),
            ("{'a, b', c}", ["a, b", "c"]), (#"{'it\'s', "\"", O'Hare}"#, ["it's", "\"", "O'Hare"]),
            ("{NIL, 'NIL', NULL}", [nil, "NIL", nil]), ("{'}', a}", ["}", "a"]),
        ] as [(String, [String?])]) func listsHaveTextsAndNIL(text: String, value: [String?]) throws
    {
        let list = try VariableText.value(of: text, called: "X") as? [Any?]
        #expect(list?.map { $0 as? String } == value)
    }

    @Test(
        arguments: [
            ("{a", "the list that begins here has no closing }\n  {a\n  ^"),
            ("{a,}", "an element is missing; an empty text is written ''\n  {a,}\n     ^"),
            ("{,a}", "an element is missing; an empty text is written ''\n  {,a}\n   ^"),
            ("{a,", "an element is missing; an empty text is written ''\n  {a,\n     ^"),
            ("{a} b", "nothing may follow the list; a text like this stands in quotes\n  {a} b\n      ^"),
            ("{'a' b}", "expected a comma or } after the quotes\n  {'a' b}\n       ^"),
            ("{a, {b}}", "a list holds no lists; a text with braces stands in quotes\n  {a, {b}}\n      ^"),
            (
                "'a' b",
                "nothing may follow the quotes; a text that begins with a quote is written like \"'s Hof\"\n  'a' b\n      ^"
            ),
            (
                "'s-Hof",
                "the text that begins here has no closing '; a text that begins with a quote is written like \"'s Hof\"\n"
                    + "  's-Hof\n  ^"
            ),
            (
                #"{'\q'}"#,
                #"after a backslash only " ' \ n r t u U have a meaning; a backslash itself is written \\"#
                    + "\n  {'\\q'}\n    ^~"
            ),
        ]) func whatIsNeitherTextNorListIsRefused(text: String, message: String) throws
    {
        #expect(throws: StoreError(.syntax, "--set L: \(message)")) {
            try VariableText.value(of: text, called: "--set L")
        }
    }
}
