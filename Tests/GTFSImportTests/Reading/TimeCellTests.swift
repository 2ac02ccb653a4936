import TestSupport
import Testing

@testable import GTFSImport

/// Compares the parsing of GTFS times with a slow and simple implementation.
@Suite struct ServiceTimeTests {
    /// The simple parser: one to three digits of hours, two each of minutes and seconds, both below 60.
    private static func twin(_ text: [UInt8]) -> Int64? {
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(Array.init)
        guard parts.count == 3, (1...3).contains(parts[0].count), parts[1].count == 2, parts[2].count == 2 else {
            return nil
        }
        let numbers = parts.map { $0.allSatisfy { 48...57 ~= $0 } ? Int64(String(decoding: $0, as: UTF8.self)) : nil }
        guard let hours = numbers[0], let minutes = numbers[1], let seconds = numbers[2], minutes < 60, seconds < 60
        else { return nil }
        return hours * 3600 + minutes * 60 + seconds
    }

    /// Like `twin`, but each part may have one to three digits, and seconds may be absent.
    private static func lenientTwin(_ text: [UInt8]) -> Int64? {
        var parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(Array.init)
        if parts.count == 2 { parts.append([48]) }
        guard parts.count == 3, parts.allSatisfy({ (1...3).contains($0.count) && $0.allSatisfy { 48...57 ~= $0 } })
        else { return nil }
        let numbers = parts.compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
        return numbers[1] < 60 && numbers[2] < 60 ? numbers[0] * 3600 + numbers[1] * 60 + numbers[2] : nil
    }

    private func check(_ bytes: [UInt8]) {
        let strict = withBytes(bytes) { TimeCell.parse($0.bytes) }
        if strict != Self.twin(bytes) {
            Issue.record("\(bytes) is \(String(describing: strict)), not \(String(describing: Self.twin(bytes)))")
        }
        let lenient = withBytes(bytes) { TimeCell.parseLeniently($0.bytes) }
        if lenient != Self.lenientTwin(bytes) {
            Issue.record("\(bytes) leniently is \(String(describing: lenient))")
        }
    }

    @Test func everyTimeOfFourDaysComesBack() {
        for seconds in Int64(0)..<4 * 86400 {
            let text = TimeCell.text(seconds)
            if withBytes(text, { TimeCell.parse($0.bytes) }) != seconds { Issue.record("\(text)") }
            guard text.hasPrefix("0") else { continue }
            if withBytes(String(text.dropFirst()), { TimeCell.parse($0.bytes) }) != seconds { Issue.record("\(text)") }
        }
    }

    /// Puts every byte in every place of some valid times. The parser's bit masks must not accept a wrong byte.
    @Test(arguments: ["00:00:00", "23:59:59", "99:59:59", "19:08:07", "9:59:59", "0:00:00", "250:00:00", "999:59:59"])
    func anyByteInAnyPlaceIsReadAsByTheTwin(text: String) {
        let valid = Array(text.utf8)
        check(valid)
        for place in valid.indices {
            for byte in UInt8.min ... .max {
                var changed = valid
                changed[place] = byte
                check(changed)
                for other in [place - 1, place + 1, 2, 5] where valid.indices.contains(other) && other != place {
                    for second in [0x2F, 0x3A, 0x30, 0x39, 0x35, 0x36, 0x00, 0x80, 0xB0, 0xFF] as [UInt8] {
                        var twice = changed
                        twice[other] = second
                        check(twice)
                    }
                }
            }
        }
    }

    @Test func randomBytesAreReadAsByTheTwin() {
        var random = SeededGenerator(seed: 1)
        let alphabet = Array("0123456789012345678901234567895:::::: -+.aP".utf8) + [0, 0x80, 0xFF]
        for _ in 0..<30_000 {
            let count = Int.random(in: 0...10, using: &random)
            check((0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] })
        }
        for _ in 0..<30_000 {
            check((0..<8).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        }
    }

    @Test func readLeniently() {
        let expected: [(String, Int64?)] = [
            ("6:05", 21900), ("06:05", 21900), ("6:5:3", 21903), ("006:05:00", 21900), ("24:00", 86400),
            ("250:00:00", 900_000), ("6", nil), ("", nil), (":", nil), ("6:", nil), (":05", nil), ("6:60", nil),
            ("6:05:60", nil), ("-6:05", nil), ("6:05:00:00", nil), ("6:05 PM", nil), ("6.05", nil), ("1000:00", nil),
            ("soon", nil),
        ]
        for (text, seconds) in expected {
            #expect(withBytes(text) { TimeCell.parseLeniently($0.bytes) } == seconds, "\(text)")
        }
    }

    @Test func textIsAsInTheFile() {
        #expect(TimeCell.text(0) == "00:00:00")
        #expect(TimeCell.text(86399) == "23:59:59")
        #expect(TimeCell.text(90600) == "25:10:00")
        #expect(TimeCell.text(900_000) == "250:00:00")
    }
}
