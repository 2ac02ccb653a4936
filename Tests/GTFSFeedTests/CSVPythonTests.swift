import Foundation
import TestSupport
import Testing

@testable import GTFSFeed

/// Compares the reader with Python's csv module. People check imports with it, so both must follow the same rules,
/// except for blanks before quoted fields, which `compare_cells.records` moves into the quotes.
@Suite("CSV against Python")
struct CSVPythonTests {
    /// Reads texts, each preceded by its length. For each text it writes a line of JSON: the non-blank records and the
    /// numbers of the blank ones.
    static let program = """
        import json, struct, sys
        sys.path.insert(0, sys.argv[1])
        from compare_cells import records
        while (head := sys.stdin.buffer.read(4)):
            text = sys.stdin.buffer.read(struct.unpack("<I", head)[0]).decode()
            rows = list(records(text))
            blank = [number for number, row in enumerate(rows, 1) if not row]
            print(json.dumps({"rows": [row for row in rows if row], "blank": blank}))
        """

    /// The folder of compare_cells.py.
    static let support = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../GTFSImportTests/Support").path

    struct Answer: Decodable {
        var rows: [[String]]
        var blank: [Int]
    }

    /// Python's answers, one for each text; nil if python3 is not installed.
    static func python(_ texts: [String]) throws -> [Answer]? {
        let folder = FileManager.default.temporaryDirectory.appending(path: "csv-python-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var input = Data()
        for text in texts {
            withUnsafeBytes(of: UInt32(text.utf8.count).littleEndian) { input.append(contentsOf: $0) }
            input.append(contentsOf: text.utf8)
        }
        // The input is a file, because Python answers while it reads: with two full pipes, both sides would wait.
        try input.write(to: folder.appending(path: "input"))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-B", "-c", program, support]
        process.standardInput = try FileHandle(forReadingFrom: folder.appending(path: "input"))
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let answer = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        if process.terminationStatus == 127 { return nil }
        try #require(process.terminationStatus == 0)
        return try answer.split(separator: 0x0A).map { try JSONDecoder().decode(Answer.self, from: Data($0)) }
    }

    @Test func `twenty thousand random texts read as csv.reader reads them`() throws {
        let pieces = [
            "a", "b", ",", ",", "\"", "\"", "\r", "\n", "\r\n", " ", "\t", ", \"", "\" ,", "é", "\0", "\u{0C}",
            "\u{2028}", "\u{1E}",
        ]
        var generator = SeededGenerator(seed: 2_026)
        let texts = (0..<20_000).map { _ -> String in
            // The leading "h," makes the comma the delimiter. It also keeps NUL from being the second byte, which would
            // look like UTF-16.
            let length = Int.random(in: 0...14, using: &generator)
            return (["h,"] + (0..<length).map { _ in pieces.randomElement(using: &generator) ?? "" }).joined()
        }
        guard let answers = try Self.python(texts) else {
            print("Skipped: python3 is not installed, so the reader was not compared with its csv module.")
            return
        }
        try #require(answers.count == texts.count)
        for (text, answer) in zip(texts, answers) {
            let blockBytes = Int.random(in: 1...20, using: &generator)
            let reading = try CSVReading(PiecemealSource(Array(text.utf8)), blockBytes: blockBytes)
            let rows = reading.rows.map { $0.fields.map { String(decoding: $0, as: UTF8.self) } }
            // Swift compares strings by canonical equivalence. That is exact here, as no piece has two spellings.
            guard rows == answer.rows, reading.blankRows.firstNumbers == answer.blank else {
                Issue.record("\(text.debugDescription): read \(rows), Python \(answer.rows), blank \(answer.blank)")
                return
            }
        }
    }
}
