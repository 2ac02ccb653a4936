import Console
import Glibc
import Testing

struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("Görlitzer Ufer", 14), ("Go\u{308}rlitz", 7), ("Пристань", 8), ("東京", 4), ("서울", 4),
        ("ﾄｳｷｮｳ", 5),
        ("😀", 2), ("👩‍👩‍👧", 2), ("a\u{200B}b", 2), ("Ｑ", 2), ("🇩🇪", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
        // As wcwidth(3) counts: letters and spacing marks take one column each, also within a syllable.
        ("น้ำ", 2), ("กำแพงเพชร", 9), ("नमस्ते क्षेत्र", 9), ("काशी", 4), ("ক্ষ", 2), ("மதுரை", 5), ("မြန်မာ", 5),
    ])
    func `wide characters take two columns of a terminal, marks none`(text: String, width: Int) {
        #expect(text.displayWidth == width)
        #expect(text.leftAligned(columns: 20).displayWidth == 20)
        #expect(text.rightAligned(columns: 20).displayWidth == 20)
        #expect(text.leftAligned(columns: 0) == text)
        #expect(text.cut(toColumns: width) == text)
        let cut = text.cut(toColumns: 3)
        #expect(text.hasPrefix(cut) && String(cut).displayWidth <= 3)
        #expect(width < 3 || String(cut).displayWidth >= 2)
    }
}

struct OptionTableTests {
    private let table = OptionTable([
        OptionDefinition("--set", value: "NAME=VALUE", "a value"),
        OptionDefinition("--all", letter: "-a", "everything"),
    ])

    @Test func `options may be repeated`() throws {
        let arguments = try table.parse(["--set", "a=1", "x", "--set=b=2", "-a"])
        #expect(arguments.operands == ["x"])
        #expect(arguments.values == ["--set": "b=2", "--all": ""])
        #expect(arguments.allValues["--set"] == ["a=1", "b=2"])
    }

    @Test func `a combining mark may follow the equals sign and the dash`() throws {
        #expect(try table.parse(["--set=\u{301}a=\u{301}b"]).values == ["--set": "\u{301}a=\u{301}b"])
        #expect(throws: UsageError("unknown option -\u{301}x; if it is not an option, write -- before it")) {
            try table.parse(["-\u{301}x"])
        }
        #expect(throws: UsageError("--all takes no value, but was given \"\u{301}\"")) {
            try table.parse(["--all=\u{301}"])
        }
    }

    @Test func `a part of what standard input holds is an operand`() throws {
        #expect(try table.parse(["-#a.zip", "-#b/"]).operands == ["-#a.zip", "-#b/"])
    }

    @Test func `negative numbers are operands`() throws {
        #expect(try table.parse(["-33.9,151.2", "-1"]).operands == ["-33.9,151.2", "-1"])
        #expect(throws: UsageError("unknown option -x; if it is not an option, write -- before it")) {
            try table.parse(["-x"])
        }
    }

    @Test func `the help shows each option on a line, texts aligned`() {
        #expect(table.lines == "  --set NAME=VALUE  a value\n  -a, --all         everything")
    }
}

struct BufferedOutputTests {
    @Test func `blocks are written whole, the rest when flushed`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let output = BufferedOutput(Terminal(descriptor: ends[1]))
        try output.write("one\n")
        try output.write("two\n")
        try output.flush()
        try output.flush()
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(ends[0], &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self) == "one\ntwo\n")
        let failure = #expect(throws: BufferedOutput.Failure.self) {
            try output.write("three")
            try output.flush()
        }
        #expect(failure?.reason == "Bad file descriptor")
    }
}
