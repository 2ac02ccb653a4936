import SearchText
import TestSupport
import Testing

@Suite struct UnbrokenTextTests {
    @Test(arguments: [
        "สยาม", "ລາວ", "ရန်ကုန်", "ភ្នំពេញ", "北京", "とうきょう", "トウキョウ", "ﾄｳｷｮｳ", "𠮷野家",
    ]) func `only letters of scripts without blanks make runs`(run: String) {
        let normalized = SearchText.normalize(run)
        #expect(UnbrokenText(normalized).runs == [normalized])
        let text = UnbrokenText("koln \(normalized)(\(normalized)3")
        #expect(text.runs == [normalized, normalized])
        #expect(text.rest == "koln  ( 3")
    }

    @Test(arguments: [
        "", "Köln – Süd", "5 € d’Or", "Сад №1", "서울역", "თბილისი", "አዲስ", "Ⅳ", "→ Nord", "😀", "Ả", "・、。",
    ]) func `other letters and signs make none`(text: String) {
        #expect(UnbrokenText(text).runs == [])
        #expect(UnbrokenText(text).rest == text)
        #expect(UnbrokenText.runs(in: Array(text.utf8)) == [])
    }

    @Test func `bytes have the same runs as their text`() {
        var random = SeededGenerator(seed: 7)
        let letters = Array("aé3 .(駅東京カしกา한Ả😀".unicodeScalars)
        for _ in 0..<2_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                text.unicodeScalars.append(letters[Int.random(in: letters.indices, using: &random)])
            }
            let (whole, runs) = (UnbrokenText(text), UnbrokenText.runs(in: Array(text.utf8)))
            #expect(runs == whole.runs)
            #expect(runs.reduce(into: whole.rest.utf8.count) { $0 += $1.utf8.count - 1 } == text.utf8.count)
        }
    }
}
