import SearchText
import SystemFiles

/// An option of a command, as declared in its table.
package struct OptionDefinition: Sendable {
    /// With its dashes: "--keep".
    package let name: String
    /// One letter with its dash, if it has one: "-h".
    package let letter: String?
    /// The placeholder for its value in the help, such as "N"; nil when it takes no value.
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
    /// The parsed arguments. If an option is given several times, its last value counts. An option without a value has
    /// the value "".
    package struct Arguments: Sendable, Equatable {
        package var operands: [String] = []
        package var values: [String: String] = [:]
        /// All values of each option, in the order in which they were given.
        package var allValues: [String: [String]] = [:]
    }

    package let options: [OptionDefinition]

    package init(_ options: [OptionDefinition]) { self.options = options }

    /// The options for the help, one per line: "  --keep N      keep N earlier stores".
    package var lines: String {
        let width = (options.map(\.synopsis.displayWidth).max() ?? 0) + 2
        return options.map { "  \($0.synopsis.leftAligned(columns: width))\($0.meaning)" }.joined(separator: "\n")
    }

    /// `--` ends the options. Operands are a lone `-`, what begins with `-#` (a part of the feed on standard input) and
    /// what begins like a negative number. Throws `UsageError`.
    package func parse(_ arguments: [String]) throws(UsageError) -> Arguments {
        var parsed = Arguments()
        var remaining = arguments[...]
        while let argument = remaining.popFirst() {
            if argument == "--" {
                parsed.operands += remaining
                break
            }
            guard argument.begins(with: "-"), argument != "-", !argument.begins(with: "-#"), !argument.isNegativeNumber
            else {
                parsed.operands.append(argument)
                continue
            }
            let (option, attached) = try definition(of: argument)
            let value = try value(of: option, attached: attached, following: &remaining)
            parsed.values[option.name] = value
            parsed.allValues[option.name, default: []].append(value)
        }
        return parsed
    }

    private func definition(of argument: String) throws(UsageError) -> (OptionDefinition, attached: String?) {
        let parts = argument.parts(at: "=", mostSplits: 1)
        guard let option = options.first(where: { $0.name == parts[0] || $0.letter == parts[0] }) else {
            throw UsageError("unknown option \(parts[0])\(hint(onUnknown: parts[0]))")
        }
        return (option, parts.count == 2 ? parts[1] : nil)
    }

    private func hint(onUnknown name: String) -> String {
        if let nearest = NearestName.find(name, among: options.map(\.name)) { return "; did you mean \(nearest)?" }
        // Stops and files may have such names.
        return name.begins(with: "--") ? "" : "; if it is not an option, write -- before it"
    }

    private func value(
        of option: OptionDefinition, attached: String?, following: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard option.value != nil else {
            if let attached { throw UsageError("\(option.name) takes no value, but was given \"\(attached)\"") }
            return ""
        }
        if let attached { return attached }
        guard let value = following.popFirst() else {
            throw UsageError("\(option.name) needs a value: \(option.name) \(option.value ?? "")")
        }
        // Taking the next option for a value would hide that one is missing.
        if options.contains(where: { $0.name == value || $0.letter == value }) {
            throw UsageError(
                "\(option.name) needs a value, but \(value) follows; if that is the value, write \(option.name)=\(value)"
            )
        }
        return value
    }
}

extension OptionTable.Arguments {
    /// The whole number given for an option, in plain decimal digits; nil when it was not given.
    package func number(_ option: String, atLeast minimum: Int, atMost maximum: Int = .max) throws(UsageError) -> Int? {
        guard let text = values[option] else { return nil }
        guard text.utf8.allSatisfy(\.isDigit), let number = Int(text), number >= minimum,
            number <= maximum
        else {
            // The greatest number is told only if it was exceeded, or is one that the option chose.
            let isTooGreat = !text.isEmpty && text.utf8.allSatisfy(\.isDigit) && Int(text) == nil
            let bound = maximum == .max && !isTooGreat ? "of at least \(minimum)" : "from \(minimum) to \(maximum)"
            throw UsageError("\(option) takes a whole number \(bound), not \"\(text)\"")
        }
        return number
    }
}

extension String {
    /// Whether it begins with a minus sign and a digit, as no option does.
    fileprivate var isNegativeNumber: Bool {
        utf8.first == UInt8(ascii: "-") && utf8.dropFirst().first.map(\.isDigit) ?? false
    }
}
