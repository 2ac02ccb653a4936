import ICU
import SearchText
import TestSupport
import Testing

/// Compares the normalizer with ICU's transliterator, which applies the rule that the store promises.
final class NameNormalizerTests {
    let normalizer = NameNormalizer()
    let transliterator = Transform(rules: ":: NFD; :: [:Nonspacing Mark:] Remove; :: Lower; :: NFC;")

    @Test(arguments: [
        ("Gedenkstätte Dt. Widerstand (Berlin)", "gedenkstatte dt. widerstand (berlin)"),
        ("ÖÄÜ ß ẞ", "oau ß ß"),
        ("Площадь Революции, Йошкар-Ола", "площадь революции, иошкар-ола"),
        ("ΟΔΟΣ Σ ΣΑΣ ΑΣ. Σ'Σ", "οδος σ σας ας. σ'ς"),
        ("İstanbul ILGAZ", "istanbul ilgaz"),
        ("Łódź Øresund Æ Đà Nẵng", "łodz øresund æ đa nang"),
        ("がぎぐ パリ", "かきく ハリ"),
        ("서울역", "서울역"),
        ("", ""),
        ("a\u{0}B", "a\u{0}b"),
    ])
    func `known names are normalized`(name: String, expected: String) {
        #expect(normalizer.normalize(name) == expected)
        #expect(Array(SearchText.normalize(name).utf8) == Array(expected.utf8))
    }

    @Test func `every assigned code point, alone and between others, is normalized as by the transliterator`() {
        compareEveryCodePoint(by: normalizedBytes, with: transliterator)
    }

    @Test func `without the lower case, every assigned code point becomes what the transliterator makes of it`() {
        let transliterator = Transform(rules: ":: NFD; :: [:Nonspacing Mark:] Remove; :: NFC;")
        compareEveryCodePoint(by: bytesWithoutMarks, with: transliterator)
    }

    private func compareEveryCodePoint(by normalized: ([UInt8]) -> [UInt8], with transliterator: Transform?) {
        // "*" stands for the code point. All contexts are in one text, separated by spaces, because the reference is
        // slow. Ideographs and private-use characters are many and alike, so they get fewer contexts.
        let contexts = Array("* a*b Σ* *Σ AΣ* AΣ*B A*Σ ** E*\u{301} か* 가*\u{11A8} *\u{11A8}".utf8)
        let fewContexts = Array("* AΣ*".utf8)
        var compared = 0
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), ICULibrary.isAssigned(value) else { continue }
            compared += 1
            let encoded = Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            var text: [UInt8] = []
            let isOneOfMany = scalar.properties.isUnifiedIdeograph || scalar.properties.generalCategory == .privateUse
            for byte in isOneOfMany ? fewContexts : contexts {
                if byte == UInt8(ascii: "*") { text.append(contentsOf: encoded) } else { text.append(byte) }
            }
            let expected = text.withUnsafeBytes { transliterator?.apply($0) }
            if normalized(text) != expected { Issue.record("U+\(String(value, radix: 16))") }
        }
        #expect(compared > 280_000)
    }

    @Test func `all pairs of letters of a hard alphabet are normalized as by the transliterator`() {
        let alphabet: [Character] = [
            "a", "Z", " ", "'", ".", ":", "1", "Σ", "σ", "ς", "Ä", "ß", "İ", "ı", "\u{301}", "\u{345}", "\u{AD}",
            "\u{200D}",
            "\u{1100}", "\u{1161}", "\u{11A8}", "가", "\u{9C7}", "\u{9BE}", "\u{1D15E}", "𐐀", "東", "\u{302E}",
            "\u{F900}",
            "\u{FFFD}", "\u{0}", "\n", "\u{1FB4}", "K", "Å", "\u{0DD9}", "\u{0DCF}", "\u{11131}", "\u{11127}",
        ]
        for first in alphabet {
            for second in alphabet {
                let pair = "\(first)\(second)"
                expectSame(alphabet.map { "\(pair)\($0)" }.joined(separator: " "))
                expectSame(pair)
            }
        }
    }

    @Test func `random texts are normalized as by the transliterator`() {
        var random = SeededGenerator(seed: 2024)
        for _ in 0..<4000 {
            var text = ""
            for _ in 0..<Int(random.next() % 40) { text.unicodeScalars.append(random.scalar()) }
            expectSame(text)
        }
    }

    @Test func `random bytes, malformed as they are, read as U+FFFD`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<4000 {
            let leads: [UInt8] = [0x41, 0x20, 0xC3, 0xE2, 0xF0, 0xED, 0xF4, 0x80, 0xA3, 0xBF, 0xCE, 0xFF, 0xC0]
            let bytes = (0..<Int(random.next() % 24)).map { _ in
                random.next() % 4 == 0 ? UInt8(truncatingIfNeeded: random.next()) : leads[Int(random.next() % 13)]
            }
            #expect(normalizedBytes(bytes) == reference(bytes), "\(bytes)")
            #expect(normalizedBytes(bytes) == reference(Array(String(decoding: bytes, as: UTF8.self).utf8)), "\(bytes)")
        }
    }

    @Test func `long texts are normalized as by the transliterator`() {
        expectSame(String(repeating: "ΟΔΟΣ Straße 東京 ", count: 4_000))
        expectSame(String(repeating: "Ä", count: 20_000) + "Σ")
        let noSpaces = String(repeating: "Ж", count: 800_000) + "𐐀"
        #expect(normalizer.normalize(noSpaces) == String(repeating: "ж", count: 800_000) + "𐐨")
        let marks = "a" + String(repeating: "\u{301}", count: 400_000) + "Σ"
        #expect(normalizer.normalize(marks) == "aς")
        let many = String(repeating: "𐐀", count: 700_000)
        #expect(normalizer.normalize(many) == String(repeating: "𐐨", count: 700_000))
    }

    @Test(arguments: [
        ("", ""), ("Köln Hbf", "Koln Hbf"), ("ϴ ϔ K", "ϴ ϒ K"), ("Α\u{345} Ǆ ǅ", "Α Ǆ ǅ"), ("ΣΑΣ", "ΣΑΣ"),
        (String(repeating: "Ä Ж", count: 400_000), String(repeating: "A Ж", count: 400_000)),
    ])
    func `marks are removed and capitals stay`(text: String, expected: String) {
        #expect(SearchText.withoutMarks(text).utf8.elementsEqual(expected.utf8))
    }

    @Test func `the array is replaced, not appended to`() {
        var normalized: [UInt8] = [1, 2, 3]
        for name in ["Zürich", "Ab", "", "ΣΑΣ"] {
            name.utf8.withContiguousStorageIfAvailable {
                normalizer.normalize(UnsafeRawBufferPointer($0), into: &normalized)
            }
            #expect(normalized == reference(Array(name.utf8)))
        }
        normalizer.normalize(UnsafeRawBufferPointer(start: nil, count: 0), into: &normalized)
        #expect(normalized.isEmpty)
    }

    @Test func `normalizing twice changes nothing`() {
        var random = SeededGenerator(seed: 99)
        for _ in 0..<2000 {
            var text = ""
            for _ in 0..<12 { text.unicodeScalars.append(random.scalar()) }
            let once = normalizer.normalize(text)
            // A sigma may become final, or stop being final, when a mark near it is removed. All else is stable.
            #expect(fold(normalizer.normalize(once)) == fold(once))
        }
    }

    private func fold(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "ς" ? "σ" : $0 }))
    }

    /// Sorting marks takes quadratic time: two minutes for these 500,000.
    @Test func `a letter with endless marks loses them`() {
        let marks = String(repeating: "\u{301}\u{323}", count: 250_000)
        #expect(normalizer.normalize("A\(marks)B C") == "ab c")
        // Note stems are not nonspacing marks, so they stay, up to 1,000 of them.
        let stems = String(repeating: "\u{1D165}", count: 3_000)
        #expect(normalizer.normalize("A\(stems)B").unicodeScalars.count == 1_002)
        expectSame("A\(String(repeating: "\u{1D165}\u{301}", count: 500))B")
    }

    /// Each becomes two marks that are out of order with those of the next, and ICU sorts them in quadratic
    /// time: an import of a stop with 150,000 such signs did not end within 280 s.
    @Test func `endless vowel signs that consist of marks are removed as marks are`() {
        for sign in ["\u{F73}", "\u{F75}", "\u{F81}"] {
            let signs = String(repeating: sign, count: 150_000)
            #expect(normalizer.normalize("Σ\(signs)B C") == "σb c")
            expectSame("Σ\(String(repeating: sign, count: 600))B")
        }
    }

    private func expectSame(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let bytes = Array(text.utf8)
        let normalized = normalizedBytes(bytes)
        if normalized != reference(bytes) {
            let shown = text.unicodeScalars.prefix(60).map { String($0.value, radix: 16) }.joined(separator: " ")
            Issue.record("differs from the transliterator: \(shown)", sourceLocation: sourceLocation)
        }
    }

    private func normalizedBytes(_ bytes: [UInt8]) -> [UInt8] {
        var normalized: [UInt8] = []
        bytes.withUnsafeBytes { normalizer.normalize($0, into: &normalized) }
        return normalized
    }

    private func bytesWithoutMarks(_ bytes: [UInt8]) -> [UInt8] {
        Array(SearchText.withoutMarks(String(decoding: bytes, as: UTF8.self)).utf8)
    }

    private func reference(_ bytes: [UInt8]) -> [UInt8]? {
        bytes.withUnsafeBytes { transliterator?.apply($0) }
    }
}

extension SeededGenerator {
    /// Mostly letters of alphabets in use, with spaces, marks and other characters in between.
    mutating func scalar() -> Unicode.Scalar {
        let blocks: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0xA0...0x24F, 0x300...0x36F, 0x370...0x3FF, 0x400...0x52F, 0x5D0...0x5EA, 0x900...0xDFF,
            0xE00...0xE7F, 0x1100...0x11FF, 0x1200...0x137F, 0x1E00...0x1FFF, 0x3040...0x30FF, 0x4E00...0x9FFF,
            0xAC00...0xD7A3, 0x10000...0x1FFFF, 0x1D100...0x1D1FF, 0x20...0x20, 0x3A3...0x3A3, 0x2000...0x206F,
        ]
        let block = blocks[Int(next() % UInt64(blocks.count))]
        let value = block.lowerBound + UInt32(next() % UInt64(block.count))
        return Unicode.Scalar(value) ?? " "
    }
}
