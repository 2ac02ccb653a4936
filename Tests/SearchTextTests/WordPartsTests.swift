import SearchText
import Testing

struct WordPartsTests {
    @Test(arguments: [
        ("k.valdemara", ["k", "valdemara"]), ("l'hospitalet", ["l", "hospitalet"]),
        ("l’hospitalet", ["l", "hospitalet"]), ("a.b.c", ["a", "b", "c"]), ("line_2", ["line", "2"]),
        ("10.30", ["10", "30"]), ("col·legi", ["col", "legi"]), ("a．b", ["a", "b"]),
        ("лукʼянівська", ["лук", "янівська"]), ("oʻahu", ["o", "ahu"]), ("markt", ["markt"]),
        (".markt.", ["markt"]), ("'", []), ("", []), ("київ", ["київ"]), ("東京", ["東京"]),
        // Bytes of these signs stand in other letters too.
        ("·÷â€", ["÷â€"]),
    ])
    func `parts of words`(word: String, expected: [String]) {
        #expect(WordParts.parts(of: word) == expected)
    }

    @Test func `the first part is the beginning of the word, and not told again`() {
        var parts: [String] = []
        var word = "d'.alsace.sud"
        word.withUTF8 { utf8 in
            WordParts.forEachFurtherPart(of: UnsafeRawBufferPointer(utf8)) {
                parts.append(String(decoding: $0, as: UTF8.self))
            }
        }
        #expect(parts == ["alsace", "sud"])
    }

    /// Whatever stands between letters and digits: each run of them is the beginning of a word or of a part.
    @Test func `every run of letters is found`() {
        var random = SplitMix(state: 8)
        let signs = Array(".':,;_·‘’‧＇．： -/()&+")
        for _ in 0..<3_000 {
            var (text, runs) = ("", [String]())
            for _ in 0..<Int(random.next() % 6 + 1) {
                let run = String(
                    (0..<Int(random.next() % 4 + 1)).map { _ in "abcxyzñд".map(\.self)[Int(random.next() % 8)] })
                runs.append(SearchText.normalize(run))
                text += run + String(signs[Int(random.next() % UInt64(signs.count))])
            }
            let words = SearchText.words(text)
            let found = words + words.flatMap(WordParts.parts)
            #expect(runs.allSatisfy { run in found.contains { $0.hasPrefix(run) } }, "\(text): \(found)")
        }
    }
}
