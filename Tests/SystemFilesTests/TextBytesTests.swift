import SystemFiles
import Testing

/// A separator counts whatever stands beside it: a mark that Swift joins to it, or a letter that Swift joins it to.
@Suite struct TextBytesTests {
    private static let neighbours = ["", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{600}", "\r", "x", "\u{10FFFF}"]

    @Test(arguments: ["=", ",", "#", "/", "\n", "."] as [Unicode.Scalar])
    func textsAreSplit(separator: Unicode.Scalar) {
        for one in Self.neighbours {
            for two in Self.neighbours {
                let text = "\(one)\(separator)\(two)\(separator)"
                #expect(Self.bytes(text.parts(at: separator)) == Self.bytes([one, two, ""]))
                #expect(
                    Self.bytes(text.parts(at: separator, mostSplits: 1)) == Self.bytes([one, "\(two)\(separator)"]))
            }
        }
    }

    @Test func endsAreFoundAndTakenOff() {
        for text in Self.neighbours {
            #expect("--x\(text)".begins(with: "--x") && "\(text).txt".ends(with: ".txt"))
            #expect("--x\(text)".without(prefix: "--x").map { Array($0.utf8) } == Array(text.utf8))
            #expect("\(text).txt".without(suffix: ".txt").map { Array($0.utf8) } == Array(text.utf8))
            #expect(Array(" \t \(text)\t ".trimmingBlanks.utf8) == Array(text.utf8))
        }
        #expect(!"\u{E9}".begins(with: "e\u{301}") && !"e\u{301}".ends(with: "\u{E9}"))
        #expect("txt".without(suffix: ".txt") == nil && "-".without(prefix: "--") == nil && " \t".trimmingBlanks == "")
    }

    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test func hexadecimalDigitsAreFilledUpAndNotCut() {
        #expect(UInt8(10).hexadecimal(digits: 2) == "0a")
        #expect(UInt32.max.hexadecimal(digits: 8) == "ffffffff")
        #expect(UInt32(0x1F600).hexadecimal(digits: 4) == "1f600")
    }
}
