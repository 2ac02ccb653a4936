import ICU
import Testing

struct RegularExpressionTests {
    @Test(arguments: [
        ("a+", "aaa", true), ("a+", "aab", false), ("", "", true), ("", "a", false), ("(?i)ö.", "Öx", true),
        ("\\p{Lu}\\p{Ll}*", "Ölmühle", true), (".", "😀", true), ("..", "😀", false), ("\\w+", "Пристань", true),
        ("a\u{0}b", "a\u{0}b", true),
    ])
    func `the whole text matches`(pattern: String, text: String, expected: Bool) throws {
        #expect(try RegularExpression(pattern).matches(text) == expected)
    }

    @Test(arguments: [
        ("(a", "parentheses do not pair up"), ("[a", "a [ is not closed"), ("*", "an operator stands where none can"),
        ("\\x{zz}", "a backslash does not begin a complete escape"),
        ("a\\", "a backslash does not begin a complete escape"),
        ("a{x}", "{…} does not hold a count"), ("a{3,2}", "a count is out of range"),
        ("[b-a]", "a range has no end, or begins after it"), ("[a-", "a range has no end, or begins after it"),
        ("(a)\\2", "there is no such group"),
        ("\\k<x>", "the name of a group is incomplete, unknown or given twice"),
        ("(?<n>a)(?<n>b)", "the name of a group is incomplete, unknown or given twice"),
        ("(?i", "the options after (? are not complete"),
        ("\\p{Foo}", "there is no such property of characters, as in \\p{Lu}"),
        ("[[:foo:]]", "there is no such property of characters, as in \\p{Lu}"),
        ("\\N{FOO}", "there is no character of the name in \\N{…}"),
        ("(?<=a*)b", "what (?<=…) or (?<!…) looks for may be of any length"),
        ("(?(1)a)", "ICU does not have this kind of group"),
        (String(repeating: "(", count: 300) + String(repeating: ")", count: 300), "it is nested too deeply"),
        (String(repeating: "a", count: 20_000), "it is too long"),
    ])
    func `a pattern that is none is refused with the reason`(pattern: String, reason: String) {
        let error = #expect(throws: RegularExpression.Failure.self) { try RegularExpression(pattern) }
        #expect(error?.reason == reason)
    }

    @Test func `one expression serves many texts, also after one took too long`() throws {
        let expression = try RegularExpression("(a|a)*b")
        let error = #expect(throws: RegularExpression.Failure.self) {
            try expression.matches(String(repeating: "a", count: 60))
        }
        #expect(error?.reason == "matching takes too long or too much memory")
        #expect(try expression.matches("aab"))
        #expect(try !expression.matches("aac"))
    }
}
