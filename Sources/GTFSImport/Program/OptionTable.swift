/// An option of a command, as declared in its table.
package struct OptionDefinition: Sendable {
    /// With its dashes: "--keep".
    package let name: String
    /// One letter with its dash, where there is one: "-h".
    package let letter: String?
    /// What stands for its value in the help, such as "N"; nil when it takes none.
    package let value: String?
    /// One line for the help.
    package let meaning: String

    package init(_ name: String, letter: String? = nil, value: String? = nil, _ meaning: String) {
        self.name = name
        self.letter = letter
        self.value = value
        self.meaning = meaning
    }

    /// "--keep N", or "-h, --help"
    package var synopsis: String {
        (letter.map { $0 + ", " } ?? "") + name + (value.map { " " + $0 } ?? "")
    }
}

/// Arguments that a command does not understand; the message says which and why.
package struct UsageError: Error, Sendable, Equatable {
    package let message: String

    package init(_ message: String) { self.message = message }
}

/// Splits a command's arguments into options and operands (POSIX utility conventions, guideline 9 relaxed: options may
/// also follow operands).
///
///     let arguments = try OptionTable(options).parse(["feed.zip", "--keep=2", "out.sqlite"])
///     arguments.operands          // ["feed.zip", "out.sqlite"]
///     arguments.values["--keep"]  // "2"
package struct OptionTable: Sendable {
    /// What was given; the last of several equal options counts. An option without a value has the value "".
    package struct Arguments: Sendable, Equatable {
        package var operands: [String] = []
        package var values: [String: String] = [:]
    }

    package let options: [OptionDefinition]

    package init(_ options: [OptionDefinition]) { self.options = options }

    /// `--` ends the options; a lone `-` is an operand. Throws `UsageError`.
    package func parse(_ arguments: [String]) throws(UsageError) -> Arguments {
        var parsed = Arguments()
        var remaining = arguments[...]
        while let argument = remaining.popFirst() {
            if argument == "--" {
                parsed.operands += remaining
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                parsed.operands.append(argument)
                continue
            }
            let (option, attached) = try definition(of: argument)
            parsed.values[option.name] = try value(of: option, attached: attached, following: &remaining)
        }
        return parsed
    }

    private func definition(of argument: String) throws(UsageError) -> (OptionDefinition, attached: String?) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = options.first(where: { $0.name == parts[0] || $0.letter == parts[0] }) else {
            let hint = nearest(to: parts[0]).map { "; did you mean \($0)?" } ?? ""
            throw UsageError("unknown option \(parts[0])\(hint)")
        }
        return (option, parts.count == 2 ? parts[1] : nil)
    }

    private func value(
        of option: OptionDefinition, attached: String?, following: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard option.value != nil else {
            if let attached { throw UsageError("\(option.name) takes no value, but was given \"\(attached)\"") }
            return ""
        }
        guard let value = attached ?? following.popFirst() else {
            throw UsageError("\(option.name) needs a value: \(option.name) \(option.value ?? "")")
        }
        return value
    }

    /// The option that was probably meant: one that begins so, or else the one with the fewest letters to change.
    func nearest(to argument: String) -> String? {
        if argument.count > 3, let longer = options.first(where: { $0.name.hasPrefix(argument) }) { return longer.name }
        let distances = options.map { (name: $0.name, distance: Self.distance($0.name, argument)) }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance * 3 <= best.name.count ? best.name : nil
    }

    /// Letters to insert, delete or replace (Levenshtein), in the product of both lengths.
    static func distance(_ first: String, _ second: String) -> Int {
        let first = Array(first)
        let second = Array(second.prefix(100))
        var row = Array(0...second.count)
        for i in first.indices {
            var diagonal = row[0]
            row[0] = i + 1
            for j in second.indices {
                let replaced = diagonal + (first[i] == second[j] ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, diagonal + 1, row[j] + 1)
            }
        }
        return row[second.count]
    }
}
