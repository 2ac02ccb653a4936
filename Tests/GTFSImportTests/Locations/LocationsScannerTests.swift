import GTFSFeed
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// Compares the scanner that cuts the collection into features with SQLite's parser, which reads whole documents.
@Suite("Scanning locations.geojson")
struct LocationsScannerTests {
    typealias Reading = LocationsReading

    /// Documents with everything that the scanner must distinguish, and some faulty ones.
    static let documents: [String] = [
        Reading.collection(Reading.feature(), Reading.feature(id: #""b\"]}\\""#), Reading.feature(id: "-1.5e+3")),
        "\u{FEFF} {\r\n \"name\" : \"}{][\\\"\" ,\t\"features\" : [ 1 , \"]\" , null , [ ] , {} ] , \"x\":-0 , \"type\":\"FeatureCollection\" }\n",
        #"{"features":[],"type":"FeatureCollection","features":[{"id":"ü€😀"}],"features":7}"#,
        #"{"type":"FeatureCollection","features":[{"id":1,"p":"\u0000\ud83d"},{"id":01},{"id":"a""b"}]}"#,
        #"{"type":"FeatureCollection","features":[{"id":1}{"id":2}]}"#,
        #"{"type":"FeatureCollection","features":[{"id":[}]},{"id":2}]}"#,
        #"{"type":"Feature","id":"a","geometry":null,"properties":{}}"#,
        "[]", "{}", "{}{}", "null", "\"features\"",
    ]

    @Test(arguments: documents)
    func `reads of any size give the same, and a document cut at any byte what was before`(_ text: String) throws {
        let bytes = Array(text.utf8)
        let parser = try GeoJSONParser()
        let whole = try Reading(bytes)
        for end in 0...bytes.count {
            let cut = Array(bytes[..<end])
            let reading = try Reading(cut, parser: parser)
            for (sizes, buffer) in [([1], 1), ([1, 2, 3], 2), ([7, 1], 5), ([1], 64)] {
                #expect(try Reading(cut, readSizes: sizes, bufferBytes: buffer, parser: parser) == reading)
            }
            #expect(whole.records.starts(with: reading.records))
            #expect(
                try Self.content(of: Self.pieces(of: cut)) == Self.content(of: cut), "all is in a piece or the rest")
        }
    }

    @Test func `documents with a finding, cut at any byte, are read alike in any pieces`() throws {
        let parser = try GeoJSONParser()
        for text in LocationsNoticeTests.allCases.map(\.text) {
            let bytes = Array(text.utf8)
            for end in 0..<bytes.count {
                let cut = Array(bytes[..<end])
                #expect(
                    try Reading(cut, readSizes: [1, 3], bufferBytes: 2, parser: parser) == Reading(cut, parser: parser))
            }
        }
    }

    @Test func `arbitrary bytes do no harm`() throws {
        let parser = try GeoJSONParser()
        var random = SeededGenerator(seed: 8259)
        for _ in 0..<3_000 {
            var bytes = Array(Self.documents.randomElement(using: &random, or: "").utf8)
            for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let reading = try Reading(bytes, readSizes: [5, 1], bufferBytes: 8, parser: parser)
            #expect(reading.features == reading.records.count + reading.keptRows.count)
            #expect(reading.records.allSatisfy { $0.geometry == nil || $0.geometry?.first == "{" })
        }
    }

    /// All pieces of a document, followed by the rest after its fault.
    private static func pieces(of bytes: [UInt8]) throws -> [UInt8] {
        var scanner = GeoJSONFeatureScanner(
            try TextSource(LocationsReading.Source(bytes: bytes, sizes: [2, 1])), bufferBytes: 3)
        var pieces: [UInt8] = []
        do {
            while true {
                switch try scanner.next() {
                case .member(let name, let value): pieces += name + value
                case .features: pieces += "\"features\"".utf8
                case .feature(let feature): pieces += feature
                case .end, .empty: return pieces
                }
            }
        } catch is GeoJSONFeatureScanner.Fault {
            while case let rest = try scanner.rest(), !rest.isEmpty { pieces += rest }
            return pieces
        }
    }

    /// The bytes without structure: names and values only.
    private static func content(of bytes: [UInt8]) -> [UInt8] {
        let structure = Array(" \t\r\n,:{}[]\u{FEFF}".utf8)
        return bytes.filter { !structure.contains($0) }
    }

    @Test func `mutated documents are faultless exactly where SQLite reads them whole`() throws {
        let parser = try GeoJSONParser()
        let counter = try Connection(path: ":memory:", mode: .create).prepare(
            "SELECT sum(json_array_length(value)) FROM json_each(?1) WHERE key = 'features' AND type = 'array'")
        var random = SeededGenerator(seed: 7946)
        var (valid, invalid) = (0, 0)
        for _ in 0..<4_000 {
            let bytes = Self.mutated(Array(Self.documents.randomElement(using: &random, or: "").utf8), &random)
            let sizes = (0..<3).map { _ in Int.random(in: 1...9, using: &random) }
            let reading = try Reading(
                bytes, readSizes: sizes, bufferBytes: Int.random(in: 1...40, using: &random), parser: parser)
            let text = String(
                decoding: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...], as: UTF8.self)
            let isObject = try parser.kind(of: text) == "object"
            // What is not UTF-8 may become another text, in which a backslash is the second byte of a character.
            if reading.messages.contains(where: { $0.contains("converted from GB18030") }) { continue }
            let isRead = !reading.notices.contains { $0.kind == .malformedJson || $0.kind == .emptyFile }
            #expect(isObject == isRead, "\(text.debugDescription): \(reading.messages)")
            #expect(reading.features == reading.records.count + reading.keptRows.count)
            if isObject {
                valid += 1
                counter.bind(1, text)
                _ = try counter.step()
                #expect(Int64(reading.features) == counter.integer(0), "\(text.debugDescription)")
                counter.reset()
            } else {
                invalid += 1
            }
        }
        #expect(valid > 300 && invalid > 300)
    }

    /// Replaces, removes, inserts or swaps up to three bytes. Inserts no NUL, because SQLite would stop reading there.
    private static func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        let alphabet = Array("{}[]\":,\\ \n019.-eEtnuax".utf8) + [0x01, 0x7F]
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let place = Int.random(in: 0..<max(bytes.count, 1), using: &random)
            guard place < bytes.count else { continue }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = alphabet.randomElement(using: &random, or: 0)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(alphabet.randomElement(using: &random, or: 0), at: place)
            default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
            }
        }
        return bytes
    }

    // MARK: Limits

    @Test func `a feature beyond the limits ends the reading, and nothing of it is lost`() throws {
        let text = Reading.collection(#"{"id":"a"}"#, #"{"id":"long"}"#, #"{"id":"b"}"#)
        let long = try Reading(Array(text.utf8), bufferBytes: 1, limits: .init(pieceBytes: 19, depth: 9))
        #expect(long.features == 3)
        let reading = try Reading(Array(text.utf8), bufferBytes: 1, limits: .init(pieceBytes: 12, depth: 9))
        #expect(reading.records.isEmpty)
        #expect(
            reading.messages == [
                "malformed_json: locations.geojson: a value is longer than 12 bytes after 21 bytes; "
                    + "no feature was read, the rest of the file is kept in extra_file"
            ])
        #expect(String(decoding: reading.rest, as: UTF8.self) == String(text.dropFirst()))

        let deep = try Reading(
            Array(Reading.collection(#"{"id":[[[]]]}"#, #"{"id":[[[[]]]]}"#).utf8), limits: .init(depth: 4))
        #expect(deep.features == 1)
        #expect(
            deep.messages.last
                == "malformed_json: locations.geojson: a feature has more than 4 brackets within each other "
                + "after 63 bytes; the feature before it was read, the rest of the file is kept in extra_file")
        #expect(String(decoding: deep.rest, as: UTF8.self) == #"{"id":[[[[]]]]}]}"#)
    }

    @Test func `brackets without end end at the limit`() throws {
        let reading = try Reading(Array(Reading.collection(String(repeating: "[", count: 100_000)).utf8))
        #expect(reading.features == 0)
        #expect(reading.rest.count == 100_002)
    }
}

extension Collection {
    fileprivate func randomElement(using random: inout some RandomNumberGenerator, or other: Element) -> Element {
        randomElement(using: &random) ?? other
    }
}
