import SearchText
import Testing

struct NearestNameTests {
    @Test func `distance counts letters`() {
        #expect(NearestName.distance("", "") == 0)
        #expect(NearestName.distance("", "abc") == 3)
        #expect(NearestName.distance("kitten", "sitting") == 3)
        #expect(NearestName.distance("--json", "--jsno") == 1)
        #expect(NearestName.distance("nmae", "name") == 1)
        #expect(NearestName.distance("ab", "ba") == 1)
        #expect(NearestName.distance("abcd", "badc") == 2)
        // Swapped letters count as one change only if they are adjacent in both words.
        #expect(NearestName.distance("ca", "abc") == 3)
    }

    @Test func `the nearest name`() {
        let names = ["arrivalTime", "departureTime", "stop", "IN"]
        #expect(NearestName.find("departuretime", among: names) == "departureTime")
        #expect(NearestName.find("depa", among: names) == "departureTime")
        #expect(NearestName.find("stp", among: names) == "stop")
        #expect(NearestName.find("sotp", among: names) == "stop")
        #expect(NearestName.find("ship", among: names) == nil)
        #expect(NearestName.find("", among: names) == nil)
        #expect(NearestName.find("x", among: []) == nil)
        #expect(NearestName.find(String(repeating: "x", count: 100_000), among: names) == nil)
    }
}
