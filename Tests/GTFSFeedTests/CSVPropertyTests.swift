import TestSupport
import Testing

@testable import GTFSFeed

@Suite("CSV against its plain twin")
struct CSVPropertyTests {
    /// Pieces that form odd cases when joined at random. Every text begins with "h,", so the comma is the delimiter.
    static let pieces = [
        "a", "bc", ",", ",", "\"", "\"", "\"\"", "\r", "\n", "\r\n", " ", "é", "\0", "x\"y", "\t", ";", ", \"", "\"\t,",
    ]

    static func text(_ generator: inout SeededGenerator, length: Int) -> [UInt8] {
        let body = (0..<length).map { _ in pieces.randomElement(using: &generator) ?? "" }
        return Array((["h,"] + body).joined().utf8)
    }

    @Test(arguments: UInt64(1)...40)
    func `random text in random pieces reads as the twin reads it`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<250 {
            let bytes = Self.text(&generator, length: Int.random(in: 0...60, using: &generator))
            let maximum = Bool.random(using: &generator) ? 1 << 20 : Int.random(in: 2...40, using: &generator)
            let blockBytes = Int.random(in: 1...80, using: &generator)
            let mostRows = [1, 2, 3, .max].randomElement(using: &generator) ?? .max
            let sizes = (0..<8).map { _ in Int.random(in: 1...30, using: &generator) }
            let reading = try CSVReading(
                PiecemealSource(bytes, sizes: sizes), blockBytes: blockBytes, maximumRecordBytes: maximum,
                mostRows: mostRows)
            let difference = reading.difference(from: CSVTwin(bytes, maximumRecordBytes: maximum))
            if let difference {
                let text = String(decoding: bytes, as: UTF8.self).debugDescription
                Issue.record(
                    "\(text), blocks of \(blockBytes) and \(mostRows) rows, records up to \(maximum): \(difference)")
                return
            }
        }
    }

    @Test(arguments: UInt64(1)...5)
    func `long random text fills many blocks of ordinary size`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let bytes = Self.text(&generator, length: 60_000)
        for maximum in [100, 5_000, 1 << 20] {
            let reading = try CSVReading(PiecemealSource(bytes), blockBytes: 4_096, maximumRecordBytes: maximum)
            #expect(reading.difference(from: CSVTwin(bytes, maximumRecordBytes: maximum)) == nil)
        }
    }
}
