/// Scans numbers and texts in quotes.
extension SyntaxScanner {
    mutating func number() throws(SyntaxProblem) -> SyntaxToken.Kind {
        let start = position
        skipDigits()
        var isWhole = true
        if current == ".", following?.isDigit == true {
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
        case "u": return try hexadecimal(4, start)
        case "U": return try hexadecimal(8, start)
        case let scalar? where scalar == "\"" || scalar == "'" || scalar == "\\": return scalar
        default:
            position = min(position, scalars.count)
            throw SyntaxProblem(
                #"after a backslash only " ' \ n r t u U have a meaning; a backslash itself is written \\"#,
                at: start..<position)
        }
    }

    private mutating func hexadecimal(_ count: Int, _ start: Int) throws(SyntaxProblem) -> Unicode.Scalar {
        let end = min(position + count, scalars.count)
        let digits = scalars[position..<end]
        position = end
        guard digits.count == count, digits.allSatisfy(\.properties.isASCIIHexDigit),
            let number = UInt32(String(String.UnicodeScalarView(digits)), radix: 16),
            let scalar = Unicode.Scalar(number)
        else { throw SyntaxProblem("expected \(count) hexadecimal digits of a character", at: start..<position) }
        return scalar
    }
}
