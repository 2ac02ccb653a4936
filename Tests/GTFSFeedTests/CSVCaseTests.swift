import Testing

@testable import GTFSFeed

/// One small file, its expected rows and the flags of the last row.
struct CSVCase: Sendable, CustomTestStringConvertible {
    var text: String
    var rows: [[String]]
    var flags: RowFlags = []
    var blankRows: [Int] = []
    var maximumRecordBytes = 1 << 20

    init(
        _ text: String, _ rows: [[String]], _ flags: RowFlags = [], blank: [Int] = [], maximum: Int = 1 << 20
    ) {
        (self.text, self.rows, self.flags) = (text, rows, flags)
        (blankRows, maximumRecordBytes) = (blank, maximum)
    }

    var testDescription: String { text.debugDescription }

    /// Reads the case with the given sizes of reads and blocks; returns what differs, or nil.
    func difference(_ sizes: [Int], blockBytes: Int) throws -> String? {
        let reading = try CSVReading(
            PiecemealSource(Array(text.utf8), sizes: sizes), blockBytes: blockBytes,
            maximumRecordBytes: maximumRecordBytes)
        let read = reading.rows.map { row in row.fields.map { String(decoding: $0, as: UTF8.self) } }
        let manner = "reads of \(sizes), blocks of \(blockBytes)"
        if read != rows { return "\(manner): \(read)" }
        if let last = reading.rows.last, last.flags != flags { return "\(manner): flags \(last.flags.rawValue)" }
        return reading.blankRows.firstNumbers == blankRows ? nil : "\(manner): blank \(reading.blankRows)"
    }
}

@Suite("CSV case by case")
struct CSVCaseTests {
    static let plain: [CSVCase] = [
        CSVCase("", []),
        CSVCase("\n", [], blank: [1]),
        CSVCase("\r\n\n\r", [], blank: [1, 2, 3]),
        CSVCase("a", [["a"]]),
        CSVCase("a,b", [["a", "b"]]),
        CSVCase("a,b\n", [["a", "b"]]),
        CSVCase("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
        CSVCase("a,b\r1,2\r", [["a", "b"], ["1", "2"]]),
        CSVCase("a,b\n1,2", [["a", "b"], ["1", "2"]]),
        CSVCase("a,b\n1,", [["a", "b"], ["1", ""]]),
        CSVCase("a,b\n,", [["a", "b"], ["", ""]]),
        CSVCase("a,b\n1\n1,2,3", [["a", "b"], ["1"], ["1", "2", "3"]]),
        CSVCase("a,b\n  , \t\n", [["a", "b"], ["  ", " \t"]]),
        CSVCase("a\n \n", [["a"], [" "]]),
        CSVCase("a,b\n\n1,2\n", [["a", "b"], ["1", "2"]], blank: [2]),
        CSVCase("\n\na,b\n1,2\n\n", [["a", "b"], ["1", "2"]], blank: [1, 2, 5]),
        CSVCase("a,b\r\r\n1,2", [["a", "b"], ["1", "2"]], blank: [2]),
        CSVCase("a,b\n\r1,2", [["a", "b"], ["1", "2"]], blank: [2]),
        CSVCase("a,b\n1\u{0C}2,3\u{0B}4", [["a", "b"], ["1\u{0C}2", "3\u{0B}4"]]),
        CSVCase("a,b\n1\u{85}2,3\u{2028}4", [["a", "b"], ["1\u{85}2", "3\u{2028}4"]]),
        CSVCase("a,b\n\0,1\0", [["a", "b"], ["\0", "1\0"]]),
        CSVCase("ä,ö\nЖ,東京駅", [["ä", "ö"], ["Ж", "東京駅"]]),
        CSVCase("\u{FEFF}a,b\n1,2", [["a", "b"], ["1", "2"]]),
        CSVCase("a\tb\n1,2\t3\n", [["a", "b"], ["1,2", "3"]]),
        CSVCase("a;b\n1,2;3\n", [["a", "b"], ["1,2", "3"]]),
        CSVCase("a\tb;c\n1;2\t3\n", [["a", "b;c"], ["1;2", "3"]]),
        CSVCase("a,b\tc\n1\t2,3\n", [["a", "b\tc"], ["1\t2", "3"]]),
        CSVCase("\n\na\tb\n1,2\t3\n", [["a", "b"], ["1,2", "3"]], blank: [1, 2]),
        CSVCase("a\n1;2\t3,4\n", [["a"], ["1;2\t3", "4"]]),
    ]

    static let quoted: [CSVCase] = [
        CSVCase("\"a\",\"b\"", [["a", "b"]], .quoted),
        CSVCase("a\n\"\"", [["a"], [""]], .quoted),
        CSVCase("a\n\"\"\n", [["a"], [""]], .quoted),
        CSVCase("a\n\"1,2\",3\n", [["a"], ["1,2", "3"]], .quoted),
        CSVCase("a\n\"1\"\"2\"\n", [["a"], ["1\"2"]], .quoted),
        CSVCase("a\n\"\"\"1\"\"\"\n", [["a"], ["\"1\""]], .quoted),
        CSVCase("a\n\" \"\" \"", [["a"], [" \" "]], .quoted),
        CSVCase("a\n\"\"\"\"\n", [["a"], ["\""]], .quoted),
        CSVCase("a\n\"1\r\n2\"\r\n", [["a"], ["1\r\n2"]], [.quoted, .newlineInside]),
        CSVCase("a\n\"1\n\n2\",3\n", [["a"], ["1\n\n2", "3"]], [.quoted, .newlineInside]),
        CSVCase("a\n\"1\r\"\r\n", [["a"], ["1\r"]], [.quoted, .newlineInside]),
        CSVCase("a\n\"1\n\"\"2\"\n", [["a"], ["1\n\"2"]], [.quoted, .newlineInside]),
        CSVCase("a\n1\"2\"3,\"\n", [["a"], ["1\"2\"3", "\n"]], [.quoted, .newlineInside, .unterminatedQuote]),
        CSVCase("a\n1\"2\"3\n", [["a"], ["1\"2\"3"]]),
        CSVCase("a\n\"abc\"d\"e\",x", [["a"], ["abcd\"e\"", "x"]], [.quoted, .textAfterClosingQuote]),
        CSVCase("a\n\"1\" x,2", [["a"], ["1 x", "2"]], [.quoted, .textAfterClosingQuote]),
        CSVCase("a\n\"1\"b\"\"c,d", [["a"], ["1b\"\"c", "d"]], [.quoted, .textAfterClosingQuote]),
        CSVCase("a\n\"1\"\"\"x\"y\n", [["a"], ["1\"x\"y"]], [.quoted, .textAfterClosingQuote]),
        CSVCase("a\n\"1\"x\n\"2\"\n", [["a"], ["1x"], ["2"]], .quoted),
        CSVCase("a\n\"", [["a"], [""]], [.quoted, .unterminatedQuote]),
        CSVCase("a\n1,\"", [["a"], ["1", ""]], [.quoted, .unterminatedQuote]),
        CSVCase("a\n1,\"b,c", [["a"], ["1", "b,c"]], [.quoted, .unterminatedQuote]),
        CSVCase("a\n\"\"\"", [["a"], ["\""]], [.quoted, .unterminatedQuote]),
        CSVCase("a\n\"b\n", [["a"], ["b\n"]], [.quoted, .unterminatedQuote, .newlineInside]),
        CSVCase("a\tb\n\"1\t2\"\t3", [["a", "b"], ["1\t2", "3"]], .quoted),
    ]

    /// Blanks beside quotes.
    static let padded: [CSVCase] = [
        CSVCase("a\n\"1\" ,2", [["a"], ["1 ", "2"]], .quoted),
        CSVCase("a\n1,\"2\" \t\r\n", [["a"], ["1", "2 \t"]], .quoted),
        CSVCase("a\n\"1\" ", [["a"], ["1 "]], .quoted),
        CSVCase("a\n\"1\" \"2\"", [["a"], ["1 \"2\""]], [.quoted, .textAfterClosingQuote]),
        CSVCase("a\n \"1,2\"\n", [["a"], [" 1,2"]], .quoted),
        CSVCase("a, \"b,c\"", [["a", " b,c"]], .quoted),
        CSVCase(" \"a\"\t, \"b\"\n\t\"1\",2\n", [[" a\t", " b"], ["\t1", "2"]], .quoted),
        CSVCase("a\n1, \"2\"\"3\" ,4", [["a"], ["1", " 2\"3 ", "4"]], .quoted),
        CSVCase("a\n \"\" ,1", [["a"], ["  ", "1"]], .quoted),
        CSVCase("a\n \"\"", [["a"], [" "]], .quoted),
        CSVCase("a\n \"1\n2\" \n", [["a"], [" 1\n2 "]], [.quoted, .newlineInside]),
        CSVCase("a\n \" 1 \" \r\n", [["a"], ["  1  "]], .quoted),
        CSVCase("a\tb\n \"1\t2\" \t3\n", [["a", "b"], [" 1\t2 ", "3"]], .quoted),
        CSVCase("a\tb\n\t\"1\"\n", [["a", "b"], ["", "1"]], .quoted),
        // Text stands before the quote, or after the closing one: all quotes are text.
        CSVCase("a\n1 \"2\" 3,4", [["a"], ["1 \"2\" 3", "4"]]),
        CSVCase("a\n1, \"2\" 3,4", [["a"], ["1", " \"2\" 3", "4"]]),
        CSVCase("a\n \"1\" \"2, 3\"", [["a"], [" \"1\" \"2", " 3\""]]),
        CSVCase("a\n \"1\" 2, \"3,4\"", [["a"], [" \"1\" 2", " 3,4"]], .quoted),
        CSVCase("a\n \"1, \"2,3\"", [["a"], [" \"1", " 2,3"]], .quoted),
        CSVCase("a\n\0\"1\"\n\u{0C}\"1,2\"", [["a"], ["\0\"1\""], ["\u{0C}\"1", "2\""]]),
        // No quote closes the field: only its own quote is text, and no line is taken in.
        CSVCase("a\n1, \"2\n3,4\n", [["a"], ["1", " \"2"], ["3", "4"]]),
        CSVCase("a\n1, \"", [["a"], ["1", " \""]]),
        CSVCase("a\n1, \"2\"\"\n3,\"4\"\n", [["a"], ["1", " \"2\"\""], ["3", "4"]], .quoted),
        CSVCase("a\n1, \"2\n3, \"4\n", [["a"], ["1", " \"2"], ["3", " \"4"]]),
    ]

    static let openAtEnd: RowFlags = [.quoted, .unterminatedQuote, .newlineInside]

    static let long: [CSVCase] = [
        CSVCase("a\n12345678\n", [["a"], ["12345678"]], maximum: 8),
        CSVCase("a\n123456789\n", [["a"], ["12345678"]], .tooLong, maximum: 8),
        CSVCase("a\n123456789", [["a"], ["12345678"]], .tooLong, maximum: 8),
        CSVCase("a\n12,45,78,01\n3", [["a"], ["12", "45", "78"], ["3"]], maximum: 8),
        CSVCase("a\n12,4567,,,,\n", [["a"], ["12", "4567", ""]], .tooLong, maximum: 8),
        CSVCase("a\n1234567,,\"\n\"\n", [["a"], ["1234567", ""], ["\n"]], openAtEnd, maximum: 8),
        CSVCase(
            "a\n\"123\"5678901\r\n", [["a"], ["123567"]], [.quoted, .textAfterClosingQuote, .tooLong], maximum: 8),
        // A stray quote: no closing quote follows within the limit, so the line is kept as it is, quotes included.
        CSVCase("a\n\"b,c\nd,e\nf,g\n", [["a"], ["\"b", "c"], ["d", "e"], ["f", "g"]], maximum: 8),
        CSVCase("a\n1,\"b\n2,c\n3,d\n", [["a"], ["1", "\"b"], ["2", "c"], ["3", "d"]], maximum: 8),
        CSVCase("a\n\"1\",\"b\n2,cdefg", [["a"], ["1", "\"b"], ["2", "cdefg"]], maximum: 8),
        CSVCase("a\n\"123456\"\n", [["a"], ["123456"]], .quoted, maximum: 8),
        CSVCase("a\n\"1234567\"\n", [["a"], ["\"1234567"]], [.unterminatedQuote, .tooLong], maximum: 8),
        CSVCase("a\n\"123456\n\"\n", [["a"], ["\"123456"], ["\n"]], openAtEnd, maximum: 8),
        CSVCase("a\n\"12\"      x\n", [["a"], ["12    "]], [.quoted, .tooLong], maximum: 8),
        CSVCase("a\n \"12\"    x\n", [["a"], [" 12   "]], [.quoted, .tooLong], maximum: 8),
        CSVCase("a\n \"1234567\"\n", [["a"], [" \"123456"]], .tooLong, maximum: 8),
        CSVCase("a\n       \"1\"\n", [["a"], ["       \""]], .tooLong, maximum: 8),
        CSVCase("a\n        \"1\"\n", [["a"], ["        "]], .tooLong, maximum: 8),
        CSVCase("a\n1, \"b\n2, \"c\" \n3,d\n", [["a"], ["1", " \"b"], ["2", " c "], ["3", "d"]], maximum: 8),
    ]

    @Test(arguments: plain + quoted + padded + long)
    func `a case reads the same cut at every byte and in blocks of any size`(example: CSVCase) throws {
        let length = example.text.utf8.count
        for cut in 1...max(1, length) {
            for blockBytes in [1, 2, 3, 7, 64, 4_096] {
                #expect(try example.difference([cut, .max], blockBytes: blockBytes) == nil)
            }
        }
        for blockBytes in 1...(length + 2) {
            #expect(try example.difference([1], blockBytes: blockBytes) == nil)
        }
    }

    @Test(arguments: plain + quoted + padded + long)
    func `the twin agrees with the table`(example: CSVCase) {
        var bytes = Array(example.text.utf8)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        let header = example.rows.first?.count ?? 0
        let delimiters: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: "\t"), UInt8(ascii: ";")]
        let twins = delimiters.map { CSVTwin(bytes, delimiter: $0, maximumRecordBytes: example.maximumRecordBytes) }
        let twin = twins.first { $0.rows.first?.fields.count == header && header > 1 } ?? twins[0]
        #expect(twin.rows.map { $0.fields.map { String(decoding: $0, as: UTF8.self) } } == example.rows)
        #expect((twin.rows.last?.flags ?? []) == example.flags)
        #expect(twin.blankRows == example.blankRows)
    }
}
