import Foundation
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// What happens to a damaged store, and to files that stand where earlier stores belong.
@Suite struct RebuiltStoreTests {
    let feed: LayeredFeed
    private var store: String { feed.options.store }

    /// The live store has 2 trips, `.1` has 1.
    init() throws { feed = try LayeredFeed(generations: 2) }

    private func damage(_ path: String, at offset: UInt64 = 9_000) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: Data([0xFF, 0xFE, 0xFD]))
        try file.close()
    }

    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    /// Two rollbacks come round to the store that was rolled back first. It is live now, whatever the list says.
    @Test func `a store that a rollback brought back is made again when it is damaged`() throws {
        let sound = try bytes(store)
        #expect(try feed.rollBack().exitCode == 0 && feed.trips() == 1)
        #expect(feed.run().error?.code == .feedRefused)
        #expect(try feed.rollBack().exitCode == 0 && feed.trips() == 2)
        #expect(feed.run().report.status == .unchanged)
        try damage(store)
        #expect(feed.run().report.status == .published)
        #expect(try bytes(store) == sound)
        #expect(feed.trips(".1") == 1)
    }

    /// Two stores of one feed differ in their options only, so the list names the feed of the live store.
    @Test func `the feed of both stores is refused only where a store stands`() throws {
        feed.options.maximumFieldBytes = 5_000
        #expect(feed.run().report.status == .published)
        #expect(try feed.rollBack().exitCode == 0)
        #expect(feed.run().error?.code == .feedRefused)
        feed.options.maximumFieldBytes = ImportOptions(feed: "", store: "").maximumFieldBytes
        #expect(feed.run().report.status == .unchanged)
        try damage(store)
        #expect(feed.run().report.status == .published)
        try FileManager.default.removeItem(atPath: store)
        #expect(feed.run().report.status == .published)
    }

    /// An unchanged feed is not judged again, even if its damaged store is made again.
    @Test func `no policy keeps a damaged store`() throws {
        feed.options.policy.maximumShrink = 20
        feed.options.policy.serviceWithinDays = 7
        feed.options.policy.date = 20_900_101
        #expect(feed.run().report.status == .unchanged)
        let sound = try bytes(store)
        try damage(store)
        let (report, error) = feed.run()
        #expect(error == nil && report.status == .published)
        #expect(report.replacedDamage.hasPrefix("\(store) was damaged and is replaced: "))
        #expect(try bytes(store) == sound)
        try feed.write(trips: 3)
        #expect(feed.run().error?.code == .feedRefused)
    }

    /// The report page compares the rows of the new store with those that the damaged one counted.
    @Test(arguments: [Int64.min, .max]) func `a count of a damaged store may be any number`(count: Int64) throws {
        try Connection(path: store, mode: .create).execute("UPDATE feed_file SET row_count = \(count)")
        let page = feed.folder.path("page.html")
        let result = try CommandLineProgram.run(["--report", page, feed.options.feed, store])
        #expect(result.exitCode == 0, "\(result.error)")
        #expect(FileManager.default.fileExists(atPath: page))
    }

    /// A store whose record cannot be read is judged as a new one, because nobody knows what it was made from.
    @Test(arguments: ["cut", "record", "empty"])
    func `a refused feed says that the store which stays is damaged`(kind: String) throws {
        switch kind {
        case "cut": try bytes(store).prefix(9_000).write(to: URL(filePath: store))
        case "record": try damage(store, at: 100)
        default: try Data().write(to: URL(filePath: store))
        }
        let hurt = try bytes(store)
        feed.options.policy.serviceWithinDays = 7
        feed.options.policy.date = 20_900_101
        let (report, error) = feed.run()
        #expect(error?.code == .feedRefused && report.replacedDamage.isEmpty)
        #expect(try bytes(store) == hurt)
        #expect(report.warnings.count == 1, "\(report.warnings)")
        #expect(report.warnings.first?.hasPrefix("\(store) is damaged and stays as it is: ") == true)
    }

    @Test func `a refused feed says nothing of a sound store`() throws {
        try feed.write(trips: 3)
        feed.options.policy.serviceWithinDays = 7
        feed.options.policy.date = 20_900_101
        let (report, error) = feed.run()
        #expect(error?.code == .feedRefused && report.warnings.isEmpty)
    }

    /// The first bytes say that the file is a store. If they are damaged, the sums at its end say it.
    @Test(arguments: [0, 5, 15, 68, 69])
    func `a store whose first bytes are damaged is made again`(offset: UInt64) throws {
        let sound = try bytes(store)
        try damage(store, at: offset)
        #expect(feed.run().report.status == .published)
        #expect(try bytes(store) == sound && feed.trips(".1") == 1)
        try damage(store, at: offset)
        #expect(try feed.rollBack().exitCode == 0 && feed.trips() == 1)
    }

    @Test func `a damaged store is not kept`() throws {
        let sound = try bytes(store)
        try damage(store)
        #expect(feed.run().report.status == .published)
        #expect(try bytes(store) == sound && feed.trips(".1") == 1)
        #expect(try feed.rollBack().exitCode == 0 && feed.trips() == 1)
    }

    @Test(arguments: [true, false])
    func `a damaged store is not kept either when another takes its place`(isForced: Bool) throws {
        try damage(store)
        if isForced { feed.options.force = true } else { try feed.write(trips: 3) }
        let (report, _) = feed.run()
        #expect(report.status == .published)
        #expect(report.replacedDamage.hasPrefix("\(store) was damaged and is replaced: "), "\(report.replacedDamage)")
        #expect(feed.trips() == (isForced ? 2 : 3) && feed.trips(".1") == 1)
        #expect(try feed.rollBack().exitCode == 0 && feed.trips() == 1)
    }

    @Test func `a damaged earlier store is named with the next one`() throws {
        feed.options.previousStoresKept = 2
        try feed.write(trips: 3)
        #expect(feed.run().report.status == .published)
        try damage(store + ".1")
        let error = try feed.rollBack().error
        #expect(error.hasSuffix("; remove it to go back to \(store).2\n"), "\(error)")
        try FileManager.default.removeItem(atPath: store + ".1")
        #expect(try feed.rollBack().exitCode == 0 && feed.trips() == 1)
    }

    /// A rename would make the store's name a link, and the next import would write over what it points to.
    @Test func `a link in the place of an earlier store stays`() throws {
        let archived = store + "-archived"
        try FileManager.default.moveItem(atPath: store + ".1", toPath: archived)
        try FileManager.default.createSymbolicLink(atPath: store + ".1", withDestinationPath: archived)
        let result = try feed.rollBack()
        #expect(result.exitCode == 73)
        #expect(
            result.error == "Failed: \(store).1 is a symbolic link, and a rollback renames earlier stores; put the "
                + "store itself there, or remove it\n")
        #expect(feed.trips() == 2)
        try FileManager.default.removeItem(atPath: archived)
        #expect(try feed.rollBack().exitCode == 73)
    }

    @Test(arguments: ["", ".2"]) func `a rollback renames nothing but stores`(suffix: String) throws {
        try "notes\n".write(toFile: store + suffix, atomically: true, encoding: .utf8)
        let result = try feed.rollBack()
        #expect(result.exitCode == 73)
        #expect(
            result.error == "Failed: \(store)\(suffix) is not a store of import-gtfs, and a rollback would rename it; "
                + "move it away\n")
        #expect(try String(contentsOfFile: store + suffix, encoding: .utf8) == "notes\n")
        #expect(feed.trips(".1") == 1)
    }

    @Test func `a rollback puts nothing but a store in the live one's place`() throws {
        try "notes\n".write(toFile: store + ".1", atomically: true, encoding: .utf8)
        let result = try feed.rollBack()
        #expect(result.exitCode == 73)
        #expect(result.error.hasPrefix("Failed: \(store).1 is not a store of import-gtfs, and a rollback would"))
        #expect(feed.trips() == 2)
    }

    /// Its checksums still show that it was a store, but not which feed it was made from.
    @Test func `a store that cannot be read is rolled back with a warning`() throws {
        try damage(store, at: 0)
        let result = try feed.rollBack()
        #expect(result.exitCode == 0 && feed.trips() == 1)
        #expect(result.error.contains("its feed is unknown, and the next import may bring it back"), "\(result.error)")
    }
}
