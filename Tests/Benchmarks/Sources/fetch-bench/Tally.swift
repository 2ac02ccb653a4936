import CFetch
import TransitStore

/// The results of a run of fetches. Both sides of a contest must have the same tally.
struct Tally: Equatable {
    var rows = 0
    /// The sum of ids and of the lengths of texts in bytes, or of other values that the contest compares.
    var sum = 0

    static func += (tally: inout Tally, other: Tally) {
        tally.rows += other.rows
        tally.sum &+= other.sum
    }

    init() {}

    init(rows: Int, sum: Int) {
        self.rows = rows
        self.sum = sum
    }

    init(_ stops: [Stop]) {
        rows = stops.count
        for stop in stops { sum &+= stop.id &+ Self.bytes(stop.stopID, stop.name, stop.platformCode) }
    }

    /// The length of texts, which a program that shows them would decode as well.
    static func bytes(_ texts: String?...) -> Int {
        texts.reduce(0) { $0 &+ ($1?.utf8.count ?? 0) }
    }

    /// Throws when the fetch failed.
    init(_ raw: RawTally) throws {
        guard raw.rows >= 0 else { throw BenchmarkError("a fetch in C failed") }
        rows = Int(raw.rows)
        sum = Int(raw.sum)
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
