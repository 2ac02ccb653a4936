import SearchText
import Testing

struct SpellingTests {
    @Test func `distance counts letters`() {
        #expect(Spelling.distance("", "") == 0)
        #expect(Spelling.distance("", "abc") == 3)
        #expect(Spelling.distance("kitten", "sitting") == 3)
        #expect(Spelling.distance("--json", "--jsno") == 1)
        #expect(Spelling.distance("nmae", "name") == 1)
        #expect(Spelling.distance("ab", "ba") == 1)
        #expect(Spelling.distance("abcd", "badc") == 2)
        // The letter between two that are swapped counts for itself.
        #expect(Spelling.distance("ca", "abc") == 3)
    }

    @Test func `the nearest name`() {
        let names = ["arrivalTime", "departureTime", "stop", "IN"]
        #expect(Spelling.nearest(to: "departuretime", among: names) == "departureTime")
        #expect(Spelling.nearest(to: "depa", among: names) == "departureTime")
        #expect(Spelling.nearest(to: "stp", among: names) == "stop")
        #expect(Spelling.nearest(to: "sotp", among: names) == "stop")
        #expect(Spelling.nearest(to: "ship", among: names) == nil)
        #expect(Spelling.nearest(to: "", among: names) == nil)
        #expect(Spelling.nearest(to: "x", among: []) == nil)
        #expect(Spelling.nearest(to: String(repeating: "x", count: 100_000), among: names) == nil)
    }
}
