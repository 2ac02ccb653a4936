import SearchText
import Testing

struct SpellingTests {
    @Test func `distance counts letters`() {
        #expect(Spelling.distance("", "") == 0)
        #expect(Spelling.distance("", "abc") == 3)
        #expect(Spelling.distance("kitten", "sitting") == 3)
        #expect(Spelling.distance("--json", "--jsno") == 2)
    }

    @Test func `the nearest name`() {
        let names = ["arrivalTime", "departureTime", "stop", "IN"]
        #expect(Spelling.nearest(to: "departuretime", among: names) == "departureTime")
        #expect(Spelling.nearest(to: "depa", among: names) == "departureTime")
        #expect(Spelling.nearest(to: "stp", among: names) == "stop")
        #expect(Spelling.nearest(to: "ship", among: names) == nil)
        #expect(Spelling.nearest(to: "", among: names) == nil)
        #expect(Spelling.nearest(to: "x", among: []) == nil)
        #expect(Spelling.nearest(to: String(repeating: "x", count: 100_000), among: names) == nil)
    }
}
