import SearchText
import Testing
import TransitStore

/// Texts in scripts without blanks between words, which ICU cuts into words by dictionaries.
extension StopSearchTests {
    @Test(arguments: [
        ("六", ["六本木ヒルズ"]), ("六本", ["六本木ヒルズ"]), ("六本木", ["六本木ヒルズ"]), ("新神", ["新神戸"]),
        ("高岡駅", ["高岡駅前"]), ("สถานีรถไฟหัว", ["สถานีรถไฟหัวลำโพง"]),
        ("лук'янівська", ["Лукʼянівська"]),
    ])
    func `half a name of a script without blanks is found`(text: String, expected: [String]) throws {
        let store = try Self.store([
            (0, "六本木ヒルズ", nil, 1), (1, "新神戸", nil, 1), (2, "高岡駅前", nil, 1), (3, "สถานีรถไฟหัวลำโพง", nil, 1),
            (4, "Лукʼянівська", nil, 1),
        ])
        #expect(try names(text, store) == expected)
    }

    /// The dictionary splits half a name otherwise than the whole name, or not at all: ท่าอ is one word for it.
    @Test(arguments: ["ท่าอากาศยานสุวรรณภูมิ", "สนามกีฬาแห่งชาติ", "東京大学病院前", "สถานี ท่าอากาศยาน", "สยามพารากอน"])
    func `every beginning of such a name finds it, also if it is new`(name: String) throws {
        let context = try Self.store([(0, name, nil, 1), (1, "Zoo", nil, 1)]).context()
        try #require(try context.object(Stop.self, id: 1)).set(\.name, to: name)
        for count in 1...name.unicodeScalars.count {
            let text = String(String.UnicodeScalarView(name.unicodeScalars.prefix(count)))
            #expect(try context.searchStops(text).map(\.id) == [0, 1], "\(text)")
        }
    }

    /// They stand behind other letters or signs, and the dictionary may cut their beginnings otherwise than the whole.
    @Test(arguments: ["JR常盤通南湖北", "(常盤通南湖北)", "3 常盤通南湖北", "BTS สยามพารากอน", "ทางออก5สยามพารากอน"])
    func `every beginning of letters that stand together finds the name`(name: String) throws {
        let context = try Self.store([(0, name, nil, 1), (1, "Zoo", nil, 1)]).context()
        try #require(try context.object(Stop.self, id: 1)).set(\.name, to: name)
        let last = try #require(UnbrokenText(SearchText.normalize(name)).runs.last)
        for count in 1...last.unicodeScalars.count {
            let text = String(String.UnicodeScalarView(last.unicodeScalars.prefix(count)))
            #expect(try context.searchStops(text).map(\.id) == [0, 1], "\(text)")
            #expect(try context.searchStops(text + " zoo").isEmpty, "\(text)")
        }
    }

    /// The dictionary takes the whole name for 新神戸 three times, and its first eight characters for 新神戸, 新神戸, 新 and 神.
    @Test func `half a name that repeats a word is found`() throws {
        let store = try Self.store([(0, "新神戸新神戸新神戸", nil, 1), (1, "神戸", nil, 1)])
        #expect(try names("新神戸新神戸新神", store) == ["新神戸新神戸新神戸"])
    }
}
