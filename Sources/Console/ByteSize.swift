import SystemFiles

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

extension OptionTable.Arguments {
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
