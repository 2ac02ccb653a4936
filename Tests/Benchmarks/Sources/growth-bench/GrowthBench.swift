import Glibc
import TransitStore

/// Measures how the time of each operation of the fetch layer grows with the store and with the number of questions and
/// changes.
@main struct GrowthBench {
    static let usage = """
        usage: growth-bench SMALL LARGE [--rounds N] [--size N] [--only WORD]

        LARGE has ten times the rows of SMALL, and the operations do ten times as much in it. A line has, between tabs:
        operation, units of work in either store, and the nanoseconds of processor time a unit of every round, in LARGE and in SMALL.
        """

    static func main() async {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            for operation in Operation.all where operation.name.contains(options.word) || options.word.isEmpty {
                try await measure(operation, options)
            }
        } catch {
            let message = "growth-bench: \(error)\n"
            _ = write(STDERR_FILENO, message, message.utf8.count)
            exit(error is UsageError ? 64 : 1)
        }
    }

    /// The stores take turns. The first round, which reads the files, does not count.
    private static func measure(_ operation: Operation, _ options: Options) async throws {
        var times: [[Double]] = [[], []]
        var units = [0, 0]
        for round in 0...options.rounds {
            for isSmall in round.isMultiple(of: 2) ? [false, true] : [true, false] {
                let (path, size) = isSmall ? (options.small, options.size) : (options.large, options.size * 10)
                let side = isSmall ? 1 : 0
                let time: Double
                do { (units[side], time) = try await operation.measured(path, size) } catch {
                    throw BenchmarkError("\(operation.name): \(error)")
                }
                if round > 0 { times[side].append(time / Double(max(units[side], 1))) }
            }
        }
        let texts = times.map { $0.map { "\($0)" }.joined(separator: " ") }
        let line = ([operation.name] + units.map { "\($0)" } + texts).joined(separator: "\t") + "\n"
        _ = write(STDOUT_FILENO, line, line.utf8.count)
    }
}

/// The program's parsed arguments.
struct Options {
    let small: String
    let large: String
    var rounds = 3
    /// The number of questions or changes in the small store.
    var size = 200
    /// Only operations whose names contain it; empty for all.
    var word = ""

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        func next() throws(UsageError) -> String {
            guard let argument = rest.popFirst() else { throw UsageError(description: GrowthBench.usage) }
            return argument
        }
        func number() throws(UsageError) -> Int {
            guard let number = Int(try next()), number > 0 else { throw UsageError(description: GrowthBench.usage) }
            return number
        }
        (small, large) = (try next(), try next())
        while let option = rest.popFirst() {
            switch option {
            case "--rounds": rounds = try number()
            case "--size": size = try number()
            case "--only": word = try next()
            default: throw UsageError(description: GrowthBench.usage)
            }
        }
    }
}

struct UsageError: Error, CustomStringConvertible {
    let description: String
}

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
