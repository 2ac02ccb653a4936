import Foundation
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// A store counts as unchanged only if it is undamaged. The next import of the same feed replaces a damaged store.
@Suite struct SoundStoreTests {
    private static let pageSize = 4096
    private static let noSums = "it has no checksums: another program has written to it, or an early version made it"

    @Test(arguments: [
        ("zeros", "page 32 and 7 more are not as published"), ("one bit", "page 41 is not as published"),
        ("swapped pages", "page 8 and 1 more are not as published"), ("cut", noSums), ("longer", noSums),
        ("in the sums", "its checksums are damaged"),
        // Nothing in the rest can be read as a store, so it may be any file of SQLite.
        ("cut at a page", nil),
    ])
    func aDamagedStoreIsHealed(kind: String, damage: String?) throws {
        let feed = try LayeredFeed()
        #expect(feed.run().report.status == .published)
        let url = URL(filePath: feed.options.store)
        let whole = try Data(contentsOf: url)
        var hurt = whole
        switch kind {
        case "zeros":
            hurt.replaceSubrange(31 * Self.pageSize..<39 * Self.pageSize, with: Data(count: 8 * Self.pageSize))
        case "one bit": hurt[40 * Self.pageSize + 4_000] ^= 4
        case "swapped pages":
            // Those of `feed` and `notice`: empty tables have equal pages.
            let (one, other) = (page(8, whole), page(9, whole))
            hurt.replaceSubrange(one, with: whole[other])
            hurt.replaceSubrange(other, with: whole[one])
        case "cut": hurt = hurt.prefix(hurt.count - 1)
        case "cut at a page": hurt = hurt.prefix(50 * Self.pageSize)
        case "longer": hurt += Data([0])
        default: hurt[hurt.count - 100] ^= 1
        }
        try #require(hurt != whole)
        try hurt.write(to: url)
        let (report, error) = feed.run()
        #expect(error == nil && report.status == .published)
        #expect(
            report.replacedDamage == damage.map { "\(feed.options.store) was damaged and is replaced: \($0)" } ?? "")
        #expect(try Data(contentsOf: url) == whole)
        #expect(feed.run().report.status == .unchanged)
    }

    private func page(_ number: Int, _ data: Data) -> Range<Int> {
        (number - 1) * Self.pageSize..<number * Self.pageSize
    }

    @Test func theReportSaysWhatWasWrong() throws {
        let feed = try LayeredFeed()
        feed.run()
        let url = URL(filePath: feed.options.store)
        var hurt = try Data(contentsOf: url)
        hurt[30 * Self.pageSize + 10] ^= 1
        try hurt.write(to: url)
        let report = feed.run().report
        #expect(
            report.replacedDamage == "\(feed.options.store) was damaged and is replaced: page 31 is not as published")
    }

    /// SQLite does not notice another program's change as damage, but the importer does.
    @Test func aStoreThatAnotherProgramChangedIsMadeAnew() throws {
        let feed = try LayeredFeed()
        feed.run()
        let whole = try Data(contentsOf: URL(filePath: feed.options.store))
        let connection = try Connection(path: feed.options.store, mode: .create)
        try connection.execute("UPDATE stop SET name = 'Elsewhere'")
        let report = feed.run().report
        #expect(report.status == .published)
        #expect(try Data(contentsOf: URL(filePath: feed.options.store)) == whole)
    }

    /// Readers refuse such a store and advise another import. That import must not report the store as unchanged.
    @Test func aStoreOfAnotherLayoutIsMadeAnew() throws {
        let feed = try LayeredFeed()
        feed.run()
        #expect(try PublishedStore.find(feed.options.store) != nil)
        let connection = try Connection(path: feed.options.store, mode: .create)
        try connection.execute(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, ', earliest_time INTEGER NOT NULL', '') WHERE name = 'feed'
            """)
        #expect(try PublishedStore.find(feed.options.store) == nil)
        #expect(feed.run().report.status == .published)
        #expect(try PublishedStore.find(feed.options.store) != nil)
    }

    /// Another version of the program may find more, or store values in another way. A store that was changed for this
    /// test is damaged, and would be made again for that reason: so its content is asked, not an import.
    @Test(arguments: [true, false]) func onlyAStoreOfThisVersionIsAsIfMadeAgain(isOfThisVersion: Bool) throws {
        let feed = try LayeredFeed()
        let log = ImportLog(feed.options)
        log.report = feed.run().report
        if !isOfThisVersion {
            try Connection(path: feed.options.store, mode: .create).execute("UPDATE feed SET tool_version = '0.0.1'")
        }
        let store = try #require(try PublishedStore.find(feed.options.store))
        #expect(store.isMade(from: log, feed.options) == isOfThisVersion)
    }

    /// schema/README.md shows a program that checks a store. The program works.
    @Test func theProgramOfTheSchemaPageFindsADamagedPage() throws {
        let feed = try LayeredFeed()
        feed.run()
        let root = URL(filePath: CommandLineProgram.packageRoot)
        let page = try String(contentsOf: root.appending(path: "schema/README.md"), encoding: .utf8)
        let section = try #require(page.range(of: "## Checking a store")).upperBound
        let start = try #require(page.range(of: "```python\n", range: section..<page.endIndex)).upperBound
        let end = try #require(page.range(of: "```", range: start..<page.endIndex)).lowerBound
        let program = feed.folder.path("check.py")
        try String(page[start..<end]).write(toFile: program, atomically: true, encoding: .utf8)
        func run() throws -> Int32 {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["python3", program, feed.options.store]
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
        }
        #expect(try run() == 0)
        var hurt = try Data(contentsOf: URL(filePath: feed.options.store))
        hurt[30 * Self.pageSize] ^= 1
        try hurt.write(to: URL(filePath: feed.options.store))
        #expect(try run() == 1)
    }
}
