import SearchText

/// Texts as a store compares them: by the bytes of their UTF-8. This is also the order of their code points.
///
/// Swift's own operators compare characters. For them, "é" in one code point equals "é" in two. `hasSameBytes` and
/// `ExactText` compare bytes.
extension String {
    func hasBytePrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    func hasByteSuffix(_ suffix: String) -> Bool { utf8.reversed().starts(with: suffix.utf8.reversed()) }

    /// The number of code points before the first U+0000 (<https://sqlite.org/lang_corefunc.html#length>).
    var lengthInSQL: Int64 { Int64(unicodeScalars.prefix { $0 != "\0" }.count) }

    /// Looks for the first byte of the part, then at the rest; the general search of collections took an eighth of the
    /// instructions of opening a store.
    func containsBytes(of part: String) -> Bool {
        guard let first = part.utf8.first else { return true }
        if part.utf8.count > Self.mostPlainBytes { return containsBytes(ofLong: part) }
        var rest = utf8[...]
        while let place = rest.firstIndex(of: first) {
            rest = rest[place...]
            if rest.starts(with: part.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// A longer part is not compared at each place of a text: in a million letters, that would take too long.
    static let mostPlainBytes = 256

    /// Looks at each byte of the text once (the algorithm of Knuth, Morris and Pratt).
    private func containsBytes(ofLong part: String) -> Bool {
        guard utf8.count >= part.utf8.count else { return false }
        let part = Array(part.utf8)
        // For each beginning of the part, the length of its longest shorter beginning that it also ends with.
        var ends = [0]
        ends.reserveCapacity(part.count)
        func extended(_ length: Int, by byte: UInt8) -> Int {
            var length = length
            while length > 0, part[length] != byte { length = ends[length - 1] }
            return part[length] == byte ? length + 1 : 0
        }
        for byte in part.dropFirst() { ends.append(extended(ends[ends.count - 1], by: byte)) }
        var length = 0
        for byte in utf8 {
            length = extended(length, by: byte)
            if length == part.count { return true }
        }
        return false
    }

    /// The first text, in the order of bytes, that comes after all texts with this prefix; nil when there is none.
    var endOfPrefixRange: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let scalar = Unicode.Scalar(next) else { continue }
            scalars.append(scalar)
            return String(String.UnicodeScalarView(scalars))
        }
        return nil
    }

    /// Whether there is such a text: not for the empty text, and not for one of U+10FFFF alone.
    var hasEndOfPrefixRange: Bool { unicodeScalars.contains { $0 != "\u{10FFFF}" } }
}

extension String {
    /// The text without case and diacritics: what `[cd]` compares.
    ///
    ///     #Predicate<Stop> { $0.name.folded.starts(with: "U Görli") }
    ///     // t0.normalized_name >= 'u gorli' AND t0.normalized_name < 'u gorlj'
    ///
    /// In a request, a constant beside a folded property is folded too. Swift itself, and so `Predicate.evaluate`,
    /// compares the constant as written: there, write `folded` for the constant as well. A constant that ends with a
    /// sigma also finds longer words in a request. In Swift it does not, because its folded form ends with ς.
    public var folded: String { SearchText.normalize(self) }

    /// The text without diacritics but with its capitals: what `[d]` compares.
    var withoutDiacritics: String { utf8.allSatisfy { $0 < 0x80 } ? self : SearchText.withoutMarks(self) }
}
