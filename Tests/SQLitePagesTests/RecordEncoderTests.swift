import SQLite
import SQLitePages
import TestSupport
import Testing

@Suite("Records are byte for byte what SQLite writes")
struct RecordEncoderTests {
    /// Lets SQLite store each value with a key, and compares its records with ours.
    private func compare(_ values: [SQLiteValue], type: String) throws {
        let rows = values.enumerated().map { [SQLiteValue.integer(Int64($0.offset)), $0.element] }
        let folder = try TemporaryFolder()
        let path = try folder.database("CREATE TABLE t(k INTEGER PRIMARY KEY, v \(type)) WITHOUT ROWID")
        try Connection(path: path, mode: .create).insert(rows, into: "t")
        var reader = try PlainTreeReader(path)
        let root = try #require(try rootPages(path)["t"])
        #expect(reader.records(root: root) == rows.map(record))
    }

    @Test("integers at the edges of every length are encoded as by SQLite")
    func integers() throws {
        var values: [Int64] = [.min, .max]
        for bit in 0..<63 { values += [-1, 0, 1].flatMap { [(1 << bit) + $0, -(1 << bit) + $0] } }
        try compare(values.map { .integer($0) }, type: "INTEGER")
    }

    @Test("doubles are encoded as by SQLite: whole ones as integers, NaN as NULL, minus zero as zero")
    func doubles() throws {
        var values: [Double] = [
            0, -0.0, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1, -52.522,
        ]
        for bit in 0..<64 {
            let power = Double(sign: .plus, exponent: bit, significand: 1)
            values += [power, -power, power - 1, -power + 1, power + 1, -power - 1, power + 0.5, -power - 0.5]
        }
        try compare(values.map { .double($0) }, type: "REAL")
    }

    @Test("texts of every length up to three bytes of type are encoded as by SQLite")
    func texts() throws {
        var values = (0...200).map { String(repeating: "x", count: $0) }
        values += [8184, 8185, 8186, 8192, 70_000].map { String(repeating: "y", count: $0) }
        values += ["Straße", "Ångström", "東京", "🚊", "e\u{301}", "nul\0within"]
        try compare(values.map { .text($0) }, type: "TEXT")
    }

    @Test(
        "headers of one, two and three bytes of length are encoded as by SQLite",
        arguments: [1, 2, 125, 126, 127, 128, 300, 1999])
    func manyColumns(_ count: Int) throws {
        for text in ["", String(repeating: "x", count: 60), String(repeating: "x", count: 9000)] {
            // Leaves out rows of 10 MB and more, such as 1,999 columns with texts of 9,000 bytes.
            guard text.count * count < 10_000_000 else { continue }
            let columns = (1..<count).map { ", c\($0) TEXT" }.joined()
            let folder = try TemporaryFolder()
            let path = try folder.database("CREATE TABLE t(k INTEGER PRIMARY KEY\(columns)) WITHOUT ROWID")
            let row = [.integer(7)] + [SQLiteValue](repeating: .text(text), count: count - 1)
            try Connection(path: path, mode: .create).insert([row], into: "t")
            var reader = try PlainTreeReader(path)
            #expect(reader.records(root: try #require(try rootPages(path)["t"])) == [record(row)])
        }
    }

    @Test("an encoder that has grown goes on as before")
    func growing() {
        var encoder = RecordEncoder(columns: 2)
        let text = [UInt8](repeating: 65, count: 100_000)
        for length in [3, 100_000, 3, 0, 99_999, 1] {
            let encoded = text.withUnsafeBytes { bytes in
                let start = bytes.baseAddress.unsafelyUnwrapped
                return Array(
                    encoder.encode(
                        tags: [1, 3], payloads: [Int64(length), Int64(length)], text: start, otherText: start))
            }
            #expect(encoded == record([.integer(Int64(length)), .text(String(repeating: "A", count: length))]))
        }
    }

    @Test("NULL, and tags that mean nothing, are NULL")
    func nulls() {
        #expect(record([.null, .null]) == [3, 0, 0])
        var encoder = RecordEncoder(columns: 1)
        let bytes: [UInt8] = [0]
        let encoded = bytes.withUnsafeBytes { bytes in
            let start = bytes.baseAddress.unsafelyUnwrapped
            return Array(encoder.encode(tags: [9], payloads: [5], text: start, otherText: start))
        }
        #expect(encoded == [2, 0])
    }
}
