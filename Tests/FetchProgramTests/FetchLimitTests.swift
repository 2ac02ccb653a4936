import Foundation
import Testing

/// What is larger than SQLite takes is the request's fault, not the program's.
@Suite struct FetchLimitTests {
    private static let deep =
        String(repeating: "(id > 0 AND (id = 1 OR ", count: 16) + "id = 2" + String(repeating: "))", count: 16)

    @Test(arguments: [
        (deep, "parser stack overflow"),
        (Array(repeating: "parentStation.", count: 70).joined() + "name = 'x'", "at most 64 tables in a join"),
        ("'\(String(repeating: "x", count: 60))' MATCHES '(.*)*(.*)*(.*)*(.*)*y'", "matching takes too long"),
    ])
    func tooLarge(condition: String, reason: String) throws {
        let result = try FetchProgram.run("fetch", "Stop", "--where", condition, "--count")
        #expect(result.exitCode == 65)
        #expect(result.error.hasPrefix("fetch-gtfs: The request is too large or too complex: "), "\(result.error)")
        #expect(result.error.contains(reason), "\(result.error)")
    }

    @Test func templatesMayBeginWithAByteOrderMark() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "templates-\(UUID().uuidString).ini")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("\u{FEFF}[all]\nentity = Stop\nlimit = 1\n".utf8).write(to: file)
        let result = try FetchProgram.run("fetch", "--templates", file.path, "--template", "all", "--format", "jsonl")
        #expect(result.exitCode == 0, "\(result.error)")
        try Data("[all]\nentity = Stop\nlimit = 0\n".utf8).write(to: file)
        let none = try FetchProgram.run("fetch", "--templates", file.path, "--template", "all")
        #expect(none.exitCode == 65)
        #expect(none.error.hasSuffix(":3: limit takes a whole number of at least 1, not 0\n"), "\(none.error)")
    }
}
