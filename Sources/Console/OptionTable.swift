import Glibc
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

    /// The process's arguments without the program's name, byte for byte (`String.pathBytes`). Swift's own list repairs
    /// arguments that are not valid UTF-8, so a different file would be opened.
    ///
    /// If memory was short when the program began, Swift has no arguments; then the system is asked
    /// (proc_pid_cmdline(5)). The system is not asked first, because it also lists a loader that was named explicitly
    /// (`ld-linux-x86-64.so.2 import-gtfs …`). Throws if neither Swift nor the system has them, as where /proc is not
    /// mounted.
    package static func processArguments() throws(UsageError) -> [String] {
        guard CommandLine.argc > 0 else { return try systemArguments() }
        return (1..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0].map { String(path: $0) } }
    }

    private static func systemArguments() throws(UsageError) -> [String] {
        guard let commandLine else {
            throw UsageError("the arguments cannot be read from /proc/self: \(SystemError.last.words); mount /proc")
        }
        let words = commandLine.split(separator: 0, omittingEmptySubsequences: false).dropFirst().dropLast()
        return words.map { String(pathBytes: $0) }
    }

    /// Name and arguments, each followed by a NUL; nil if the system does not provide them.
    private static var commandLine: [UInt8]? {
        let descriptor = SystemFile.open("/proc/self/cmdline", O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var room = 4_096
        while let bytes = try? SystemFile.head(room, of: descriptor) {
            if bytes.count < room { return bytes }
            room *= 8
        }
        return nil
    }

    /// `--` ends the options; a lone `-` and arguments that begin like a negative number are operands. Throws
    /// `UsageError`.
    package func parse(_ arguments: [String]) throws(UsageError) -> Arguments {
        var parsed = Arguments()
        var remaining = arguments[...]
        while let argument = remaining.popFirst() {
            if argument == "--" {
                parsed.operands += remaining
                break
            }
            guard argument.begins(with: "-"), argument != "-", !argument.isNegativeNumber else {
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
            let bound = maximum == .max ? "of at least \(minimum)" : "from \(minimum) to \(maximum)"
            throw UsageError("\(option) takes a whole number \(bound), not \"\(text)\"")
        }
        return number
    }

    /// The number of bytes given for an option: digits, and K, M, G, T, P or E (in either case) for powers of 1024; nil
    /// when it was not given.
    package func size(
        _ option: String, atLeast minimum: UInt64 = 1, atMost maximum: UInt64 = 1 << 60
    ) throws(UsageError) -> UInt64? {
        guard let text = values[option] else { return nil }
        guard let bytes = ByteSize.bytes(text), bytes >= minimum, bytes <= maximum else {
            let least = minimum > 1 ? "from \(ByteSize.text(minimum)) " : ""
            throw UsageError(
                "\(option) takes bytes \(least)up to \(ByteSize.text(maximum)), such as 300M or 2G, not \"\(text)\"")
        }
        return bytes
    }
}

/// Numbers of bytes as options write them: 4G is 4 · 1024³.
package enum ByteSize {
    private static let letters = ["", "K", "M", "G", "T", "P", "E"]

    /// "4G" or "4g" as 4,294,967,296; nil if the text is not a size or the number does not fit.
    static func bytes(_ text: String) -> UInt64? {
        let letter = letters.dropFirst().firstIndex { text.ends(with: $0) || text.ends(with: $0.lowercased()) }
        let digits = letter == nil ? text.utf8[...] : text.utf8.dropLast()
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit), let number = UInt64(Substring(digits))
        else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << UInt64(10 * (letter ?? 0)))
        return overflow ? nil : bytes
    }

    /// The size in an option's notation, in the largest unit that leaves it whole: 1,536 as "1536", 2,048 as "2K".
    package static func text(_ bytes: UInt64) -> String {
        var (number, letter) = (bytes, 0)
        while number >= 1_024, number % 1_024 == 0, letter < letters.count - 1 {
            (number, letter) = (number / 1_024, letter + 1)
        }
        return "\(number)\(letters[letter])"
    }
}

extension OptionTable {
    /// The options for the help, one per line: "  --keep N      keep N earlier stores".
    package var lines: String {
        let width = (options.map(\.synopsis.displayWidth).max() ?? 0) + 2
        return options.map { "  \($0.synopsis.leftAligned(columns: width))\($0.meaning)" }.joined(separator: "\n")
    }
}

extension String {
    /// Whether it begins with a minus sign and a digit, as no option does.
    fileprivate var isNegativeNumber: Bool {
        utf8.first == UInt8(ascii: "-") && utf8.dropFirst().first.map(\.isDigit) ?? false
    }
}
