import Dispatch

/// Two ways to the same rows, that take turns.
struct Contest {
    /// One of the two: does the iterations of a range and tells what they found.
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
    /// How many iterations a round has, and how many one side does before it is the other's turn.
    let iterations: Int
    let turn: Int
    /// Rounds that do not count.
    let warmUps: Int

    init(iterations: Int, turn: Int = 20, warmUps: Int = 1, ours: Side, other: Side) {
        self.iterations = iterations
        self.turn = min(turn, iterations)
        self.warmUps = warmUps
        self.ours = ours
        self.other = other
    }

    /// Microseconds an iteration, of each round.
    struct Result {
        var ours: [Double] = []
        var other: [Double] = []
        /// Rows that one round found.
        var rows = 0
    }

    /// Runs rounds to warm up, then `rounds` of them. In turns of few iterations both meet the same frequency of the
    /// processor and the same neighbours on the machine; who begins changes from turn to turn.
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
                let begin = DispatchTime.now().uptimeNanoseconds
                let tally = try (isOurs ? ours : other).run(range)
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
