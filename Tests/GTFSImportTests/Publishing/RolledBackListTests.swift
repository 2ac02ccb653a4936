import Foundation
import Synchronization
import TestSupport
import Testing

@testable import GTFSImport

/// When the list of feeds that were rolled back is written, deleted and put right.
@Suite struct RolledBackListTests {
    let feed: LayeredFeed
    private var store: String { feed.options.store }
    private var list: String { store + ".rolled-back" }

    /// The live store has 3 trips, `.1` 2, `.2` 1.
    init() throws { feed = try LayeredFeed(generations: 3) }

    /// It was once deleted after the lock was released. A rollback that began in between lost its list, and the next
    /// import published the feed that was taken back.
    @Test func `a publication deletes the list while it holds the lock`() throws {
        #expect(try feed.rollBack().exitCode == 0)
        let (lock, list) = (store + ".lock", list)
        let isLocked = Mutex(false)
        try feed.write(trips: 4)
        let (report, _) = Failpoint.$observer.withValue({ place in
            guard place == "oldest-removed" else { return }
            let manager = FileManager.default
            isLocked.withLock { $0 = manager.fileExists(atPath: lock) && !manager.fileExists(atPath: list) }
        }) { feed.run() }
        #expect(report.status == .published)
        #expect(isLocked.withLock { $0 })
    }

    /// The live store's own feed stayed on the list, and was refused with other options.
    @Test func `a rollback that was killed before the exchange leaves no feed on the list`() throws {
        let command = "IMPORT_GTFS_FAILPOINT=rollback-listed '\(CommandLineProgram.path)' --rollback '\(store)'"
        #expect(try CommandLineProgram.run(["-c", command], executable: "/bin/sh").exitCode != 0)
        #expect(feed.trips() == 3 && FileManager.default.fileExists(atPath: list))
        #expect(feed.run().report.status == .unchanged)
        feed.options.maximumFieldBytes = 5_000
        #expect(feed.run().report.status == .published)
        #expect(feed.trips(".1") == 3)
    }

    @Test func `a rollback whose list has a foreign file's place renames nothing`() throws {
        try FileManager.default.moveItem(atPath: store + ".2", toPath: store + ".4")
        try "my notes".write(toFile: list, atomically: true, encoding: .utf8)
        let names = try feed.folder.contents().keys.sorted()
        let result = try feed.rollBack()
        #expect(result.exitCode == 73)
        #expect(
            result.error == "Failed: \(list) exists and is no list of feeds that were rolled back; move it away\n")
        #expect(try feed.folder.contents().keys.sorted() == names)
    }

    /// The damage may be in the hash itself.
    @Test func `a damaged store is rolled back with a warning about its feed`() throws {
        let hash = try #require(LiveStore(path: store)?.contentHash)
        var bytes = try Data(contentsOf: URL(filePath: store))
        let place = try #require(bytes.range(of: Data(hash.utf8)))
        bytes[place.lowerBound] = UInt8(ascii: hash.hasPrefix("0") ? "1" : "0")
        try bytes.write(to: URL(filePath: store))
        let result = try feed.rollBack()
        #expect(result.exitCode == 0 && feed.trips() == 2)
        let warning = "\(store).2 is damaged, so its feed may not be the one that was noted, "
        #expect(result.error.contains("Warning: \(warning)and the next import may bring it back\n"), "\(result.error)")
    }

    /// After a rollback by root with a strict umask, the service's user could import nothing any more.
    @Test(.enabled(if: geteuid() == 0, "only root may give files away"), arguments: [0o640, 0o440] as [mode_t])
    func `the list belongs to the store's user, who may read and write it`(permissions: mode_t) throws {
        chown(store, otherUser, otherUser)
        chmod(store, permissions)
        let command = "umask 077; exec '\(CommandLineProgram.path)' --rollback '\(store)'"
        #expect(try CommandLineProgram.run(["-c", command], executable: "/bin/sh").exitCode == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: list)
        #expect(attributes[.ownerAccountID] as? uid_t == otherUser)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
    }
}
