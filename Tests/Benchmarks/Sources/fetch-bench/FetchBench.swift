import Glibc
import TransitStore

/// Measures fetches against C over a store of the benchmarks' feed, or runs one side's fetches for a tool that counts.
@main struct FetchBench {
    static let usage = """
        usage: fetch-bench STORE [--rounds N] [--size N] [--stops STORE]…     contests, a line each
               fetch-bench STORE --count CONTEST ours|other N ROUNDS          one side's first N fetches, silently, so often

        A line has, between tabs: contest, number of stops, the two sides, rows found in a round, and the microseconds an
        iteration of every round, of one side and of the other.
        """

    static func main() {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            if let count = options.count { try run(count, options) } else { try run(options) }
        } catch {
            let message = "fetch-bench: \(error)\n"
            _ = write(STDERR_FILENO, message, message.utf8.count)
            exit(error is UsageError ? 64 : 1)
        }
    }

    private static func run(_ options: Options) throws {
        for (name, make) in Contests.all {
            let contests = try Contests(path: options.store, size: options.size)
            try report(name, contests, make(contests), options)
            guard Contests.cold.contains(name) else { continue }
            let cold = try Contests(path: options.store, size: options.size, isCold: true)
            try report(name + Contests.coldSuffix, cold, make(cold), options)
        }
        try compareStops(options)
    }

    /// Fetches the same places in stores with more stops. Compares with C in the same store, and with the first store.
    private static func compareStops(_ options: Options) throws {
        for path in options.otherStores {
            let (few, many) = try (
                Contests(path: options.store, size: options.size), Contests(path: path, size: options.size)
            )
            try report("box of 800 m", many, many.within(800), options)
            let contest = Contest(
                iterations: options.size, ours: many.ourSide(800, name: "more stops"),
                other: few.ourSide(800, name: "few stops"))
            try report("box of 800 m in more stops", many, contest, options)
        }
    }

    private static func report(_ name: String, _ contests: Contests, _ contest: Contest, _ options: Options) throws {
        do {
            let result = try contest.result(rounds: options.rounds)
            let times = [result.ours, result.other].map { $0.map { "\($0)" }.joined(separator: " ") }
            let stops = contests.raw.count(of: "stop")
            let cells = [name, "\(stops)", contest.ours.name, contest.other.name, "\(result.rows)"] + times
            print(cells.joined(separator: "\t"))
        } catch {
            throw BenchmarkError("\(name): \(error)")
        }
    }

    private static func run(_ count: Options.Count, _ options: Options) throws {
        guard let (make, isCold) = Contests.named(count.contest) else {
            throw UsageError(description: "there is no contest \(count.contest)")
        }
        let contest = try make(Contests(path: options.store, size: count.iterations, isCold: isCold))
        let side = count.isOurs ? contest.ours : contest.other
        for _ in 0..<count.rounds { _ = try side.run(0..<min(count.iterations, contest.iterations)) }
    }
}
