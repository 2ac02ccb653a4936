import KeySorting
import Testing

@testable import GTFSImport

@Suite("Texts of indexes share memory")
struct IndexTextBudgetTests {
    private func add(_ text: String, to texts: IndexTexts) -> UInt32? {
        var text = text
        return text.withUTF8 { texts.number(of: UnsafeRawBufferPointer($0)) }
    }

    /// SQLite makes an index that has too many texts. The memory that its texts took goes to the other indexes.
    @Test func anAbandonedIndexGivesItsMemoryBack() {
        let budget = TextBudget()
        let long = String(repeating: "a", count: 1_000)
        let other = IndexTexts(budget: budget)
        do {
            let texts = IndexTexts(budget: budget)
            var count = 0
            while add("\(count) \(long)", to: texts) != nil { count += 1 }
            #expect(count > 40_000)
            #expect(add("7 \(long)", to: texts) == 7)
            #expect(add(long, to: other) == nil)
        }
        #expect(add(long, to: other) == 0)
    }

    /// A text takes 48 bytes in addition to its own.
    @Test func aTextTakes() {
        let budget = TextBudget()
        let texts = IndexTexts(budget: budget)
        for number in 0..<100 { #expect(add("text \(10_000 + number)", to: texts) == UInt32(number)) }
        #expect(budget.take((48 << 20) - 100 * 58))
        #expect(!budget.take(1))
    }

    @Test func aTextOfMoreThan1024BytesIsRefused() {
        let texts = IndexTexts(budget: TextBudget())
        #expect(add(String(repeating: "a", count: 1_025), to: texts) == nil)
        #expect(add(String(repeating: "a", count: 1_024), to: texts) == 0)
    }
}
