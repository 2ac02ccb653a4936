import Dispatch

/// Two ways to fetch the same rows. They take turns.
struct Contest {
    /// One of the two ways. `run` does the iterations of a range and returns their tally.
    struct Side {
        let name: String
        let run: (Range<Int>) throws -> Tally

        init(_ name: String, _ run: @escaping (Range<Int>) throws -> Tally) {
            self.name = name
            self.run = run
        }
    }

    let ours: Side
    let other: Side
    /// The number of iterations in a round, and in a side's turn.
    let iterations: Int
    let turn: Int
    /// The number of rounds that do not count.
    let warmUps: Int
    /// Whether each turn is run once more before it is measured, since the other side's turn has displaced from the
    /// processor's caches what this side reads.
    let isRepeated: Bool

    init(
        iterations: Int, turn: Int = 20, warmUps: Int = 1, isRepeated: Bool = false, ours: Side, other: Side
    ) {
        self.iterations = iterations
        self.turn = min(turn, iterations)
        self.warmUps = warmUps
        self.isRepeated = isRepeated
        self.ours = ours
        self.other = other
    }

    /// Microseconds per iteration, for each round.
    struct Result {
        var ours: [Double] = []
        var other: [Double] = []
        /// Rows that one round found.
        var rows = 0
    }

    /// Runs the warm-up rounds, then `rounds` that count. Turns are short, so both sides meet the same processor
    /// frequency and the same load from other programs. The side that begins changes from turn to turn.
    func result(rounds: Int) throws -> Result {
        var result = Result()
        for round in 0..<warmUps + rounds {
            let (ourTime, otherTime, rows) = try self.round(round)
            result.rows = rows
            guard round >= warmUps else { continue }
            result.ours.append(ourTime / Double(iterations) / 1_000)
            result.other.append(otherTime / Double(iterations) / 1_000)
        }
        return result
    }

    private func round(_ round: Int) throws -> (ours: Double, other: Double, rows: Int) {
        var times = (ours: 0.0, other: 0.0, rows: 0)
        for (position, start) in stride(from: 0, to: iterations, by: turn).enumerated() {
            let range = start..<min(start + turn, iterations)
            var found = (Tally(), Tally())
            for isOurs in (position + round).isMultiple(of: 2) ? [true, false] : [false, true] {
                let side = isOurs ? ours : other
                if isRepeated { _ = try side.run(range) }
                let begin = DispatchTime.now().uptimeNanoseconds
                let tally = try side.run(range)
                let time = Double(DispatchTime.now().uptimeNanoseconds - begin)
                if isOurs { (found.0, times.ours) = (tally, times.ours + time) }
                if !isOurs { (found.1, times.other) = (tally, times.other + time) }
            }
            guard found.0 == found.1 else {
                throw BenchmarkError("\(ours.name) found \(found.0), \(other.name) \(found.1)")
            }
            times.rows += found.0.rows
        }
        return times
    }
}
