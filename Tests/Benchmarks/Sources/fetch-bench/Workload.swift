import TransitStore

/// The queries, which are the same for both sides and in every run.
struct Workload: Sendable {
    struct Query: Sendable {
        let place: Coordinate
        /// The beginning of a window of twenty minutes.
        let from: ServiceTime
        let to: ServiceTime
    }

    /// Random places in Berlin at random times of the day.
    let queries: [Query]

    init(count: Int, seed: UInt64 = 4) {
        var random = Randomness(state: seed)
        queries = (0..<count).map { _ in
            let place = Coordinate(
                latitude: 52.522 + .random(in: -0.1...0.1, using: &random),
                longitude: 13.415 + .random(in: -0.15...0.15, using: &random))
            let from = Int.random(in: 6 * 3600..<22 * 3600, using: &random)
            return Query(place: place, from: ServiceTime(seconds: from), to: ServiceTime(seconds: from + 1_200))
        }
    }

    /// Beginnings of words in Berlin's stop names, as people type them.
    static let prefixes = [
        "adl", "barb", "boxh", "danz", "donho", "ebers", "flug", "frankf", "gesund", "gneis", "gorli", "hasen", "honow",
        "inval", "jannow", "karlsh", "kott", "leop", "lubars", "mehr", "mock", "nollen", "oran", "oslo", "prenz",
        "rath",
        "rudes", "schles", "schonh", "span", "trept", "uhl", "vikt", "warsch", "yorck",
    ]

    /// Texts that people type before they see their stop: half a word, a word, two halves.
    static let texts =
        prefixes + [
            "gesundbrunnenpl", "gorlitzers", "kottbusserd", "s gesund", "u kott", "danziger", "spandauerdamm", "u berl",
            "rathausmarkt", "berlin oslo", "u oran", "warschauer", "haus turm", "frankfurteral", "yorckufer",
        ]

    /// Similar texts with a letter wrong, missing, doubled or swapped.
    static let wrongTexts = [
        "adlregestell", "gesundbrunen", "gorlizter", "kotbusser", "barbarosa", "boxhagner", "danzgier", "donhofff",
        "ebeswalder", "flughfaen", "jannovitz", "karlshrost", "frankfruter", "leopolt", "prenzlaur", "treptwoer",
        "viktroia", "schleisches", "warshauer", "nollendrof",
    ]

    /// `count` random row numbers from 1 to a bound.
    static func numbers(_ count: Int, upTo bound: Int) -> [Int] {
        var random = Randomness(state: 7)
        return (0..<count).map { _ in Int.random(in: 1...max(bound, 1), using: &random) }
    }
}

/// SplitMix64 (Steele, Lea, Flood, 2014), which gives the same numbers on every machine.
struct Randomness: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
