/// Scans numbers and texts in quotes.
extension SyntaxScanner {
    mutating func number() throws(SyntaxProblem) -> SyntaxToken.Kind {
        let start = position
        if current == "0", let radix = following.flatMap({ Self.radixes[$0] }) {
            return .integer(try whole(radix: radix))
        }
        skipDigits()
        var isWhole = true
        // `.5`, `3.25` and `37.`, as in C.
        if current == ".", following?.isWordPart != true || following?.isDigit == true {
            position += 1
            skipDigits()
            isWhole = false
        }
        if current == "e" || current == "E" {
            let signed = following == "+" || following == "-"
            let digit = position + (signed ? 2 : 1)
            if digit < scalars.count, scalars[digit].isDigit {
                position = digit
                skipDigits()
                isWhole = false
            }
        }
        guard current?.isWordPart != true else {
            _ = word()
            throw SyntaxProblem("letters follow a number; a text stands in quotes", at: start..<position)
        }
        let digits = String(String.UnicodeScalarView(scalars[start..<position]))
        if isWhole, let number = Int64(digits) { return .integer(number) }
        guard let number = Double(digits), number.isFinite else {
            throw SyntaxProblem("the number is too great", at: start..<position)
        }
        return .double(number)
    }

    private static let radixes: [Unicode.Scalar: Int] = ["x": 16, "X": 16, "o": 8, "O": 8, "b": 2, "B": 2]

    /// `0x1F`, `0o17`, `0b101`
    private mutating func whole(radix: Int) throws(SyntaxProblem) -> Int64 {
        let start = position
        let digits = word().dropFirst(2)
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && ($0.hexDigitValue ?? radix) < radix }) else {
            throw SyntaxProblem(
                "expected a whole number of base \(radix) after the first two characters", at: start..<position)
        }
        guard let number = Int64(digits, radix: radix) else {
            throw SyntaxProblem("the number is too great", at: start..<position)
        }
        return number
    }

    private mutating func skipDigits() { while current?.isDigit == true { position += 1 } }

    /// A text in single or double quotes; the current character is the opening quote.
    mutating func quotedText() throws(SyntaxProblem) -> String {
        let start = position
        let quote = scalars[position]
        position += 1
        var text = String.UnicodeScalarView()
        while let scalar = current, scalar != quote {
            if scalar == "\\" {
                text.append(try escaped())
            } else {
                text.append(scalar)
                position += 1
            }
        }
        guard current == quote else {
            throw SyntaxProblem("the text that begins here has no closing \(quote)", at: start..<start + 1)
        }
        position += 1
        return String(text)
    }

    /// `\"`, `\'`, `\\`, `\n`, `\r`, `\t`, `\u00E9`, `\U0001F600`
    private mutating func escaped() throws(SyntaxProblem) -> Unicode.Scalar {
        let start = position
        position += 2
        switch start + 1 < scalars.count ? scalars[start + 1] : nil {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": return try utf16(start)
        case "U": return try character(try hexadecimal(8, start), start)
        case let scalar? where scalar == "\"" || scalar == "'" || scalar == "\\": return scalar
        default:
            position = min(position, scalars.count)
            throw SyntaxProblem(
                #"after a backslash only " ' \ n r t u U have a meaning; a backslash itself is written \\"#,
                at: start..<position)
        }
    }

    /// One code unit, or the two of a surrogate pair: `\uD83D\uDE00`.
    private mutating func utf16(_ start: Int) throws(SyntaxProblem) -> Unicode.Scalar {
        let first = try hexadecimal(4, start)
        guard 0xD800..<0xDC00 ~= first, current == "\\", following == "u" else { return try character(first, start) }
        position += 2
        let second = try hexadecimal(4, start)
        guard 0xDC00..<0xE000 ~= second else { return try character(first, start) }
        return try character(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00), start)
    }

    private func character(_ number: UInt32, _ start: Int) throws(SyntaxProblem) -> Unicode.Scalar {
        guard let scalar = Unicode.Scalar(number) else {
            throw SyntaxProblem("these digits are no character", at: start..<position)
        }
        return scalar
    }

    private mutating func hexadecimal(_ count: Int, _ start: Int) throws(SyntaxProblem) -> UInt32 {
        let end = min(position + count, scalars.count)
        let digits = scalars[position..<end]
        position = end
        guard digits.count == count, digits.allSatisfy(\.properties.isASCIIHexDigit),
            let number = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
        else { throw SyntaxProblem("expected \(count) hexadecimal digits of a character", at: start..<position) }
        return number
    }
}
