import Foundation
import Testing

@testable import Console

/// Foundation reads back what was written.
@Suite struct JSONTextTests {
    private func read(_ json: String) throws -> NSDictionary? {
        try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary
    }

    @Test func objectsAndArraysNestInTheirOrder() throws {
        var json = JSONText()
        json.object { json in
            json.member("file") { $0.string("stops.txt") }
            json.member("rows") { json in
                json.array { json in
                    json.integer(-1)
                    json.object { _ in }
                    json.array { _ in }
                    json.string("")
                }
            }
            json.member("seconds") { $0.seconds(0.123_45) }
        }
        #expect(json.text == #"{"file":"stops.txt","rows":[-1,{},[],""],"seconds":0.123}"#)
        let expected: NSDictionary = ["file": "stops.txt", "rows": [-1, [:], [], ""] as NSArray, "seconds": 0.123]
        #expect(try read(json.text) == expected)
    }

    /// Every character comes back, and none that steers a terminal is written as it is.
    @Test func everyCharacterComesBack() throws {
        for first in stride(from: UInt32(0), through: 0x10FFFF, by: 0x1000) {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: (first..<first + 0x1000).compactMap(Unicode.Scalar.init))
            let quoted = JSONText.quoted(String(text))
            let isHarmless = quoted.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            #expect(isHarmless, "from \(first)")
            let object = try read("{\"text\":\(quoted)}")
            let scalars = (object?["text"] as? String).map { Array($0.unicodeScalars) }
            #expect(scalars == Array(text), "from \(first)")
        }
    }

    @Test(arguments: [
        (0, "0.0"), (1.0004, "1.0"), (0.0016, "0.002"), (-2.5, "-2.5"), (1e16, "1e+16"), (.nan, "null"),
        (.infinity, "null"), (-.infinity, "null"),
    ])
    func secondsAreRoundedToMilliseconds(seconds: Double, written: String) throws {
        var json = JSONText()
        json.array { $0.seconds(seconds) }
        #expect(json.text == "[\(written)]")
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(json.text.utf8)) }
    }
}
