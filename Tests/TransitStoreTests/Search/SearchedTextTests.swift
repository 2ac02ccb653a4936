import Testing

@testable import TransitStore

@Suite struct SearchedTextTests {
    @Test func `only scripts without blanks are cut by a dictionary`() {
        for text in ["สยาม", "ลาว", "ရန်ကုန်", "ភ្នំពេញ", "北京", "とうきょう", "トウキョウ", "ﾄｳｷｮｳ", "𠮷野家", "Köln 東"] {
            #expect(SearchedText(text).isCutByDictionary, "\(text)")
        }
        for text in ["Köln – Süd", "5 € d’Or", "Сад №1", "서울역", "თბილისი", "አዲስ", "Ⅳ", "→ Nord", "😀", "Ả"] {
            #expect(!SearchedText(text).isCutByDictionary, "\(text)")
        }
    }
}
