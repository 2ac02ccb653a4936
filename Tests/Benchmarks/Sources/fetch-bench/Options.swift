/// The program's parsed arguments.
struct Options {
    struct Count {
        let contest: String
        let isOurs: Bool
        let iterations: Int
        let rounds: Int
    }

    let store: String
    var rounds = 5
    /// The number of fetches in a round.
    var size = 1_000
    var otherStores: [String] = []
    var count: Count?

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        func next() throws(UsageError) -> String {
            guard let argument = rest.popFirst() else { throw UsageError(description: FetchBench.usage) }
            return argument
        }
        func number(from least: Int = 1) throws(UsageError) -> Int {
            guard let number = Int(try next()), number >= least else { throw UsageError(description: FetchBench.usage) }
            return number
        }
        store = try next()
        while let option = rest.popFirst() {
            switch option {
            case "--rounds": rounds = try number()
            case "--size": size = try number()
            case "--stops": otherStores.append(try next())
            case "--count":
                count = Count(
                    contest: try next(), isOurs: try next() == "ours", iterations: try number(), rounds: try number())
            default: throw UsageError(description: FetchBench.usage)
            }
        }
    }
}

struct UsageError: Error, CustomStringConvertible {
    let description: String
}
