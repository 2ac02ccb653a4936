import Foundation
import TestSupport
import Testing

@testable import GTFSImport

/// Rolling a publication back, and not importing the same feed again.
@Suite struct RollbackTests {
    let feed: LayeredFeed

    /// Four generations: the live one has 4 trips, `.1` 3, `.2` 2, `.3` 1.
    init() throws { feed = try LayeredFeed(generations: 4) }

    private func publish(_ count: Int) throws {
        try feed.write(trips: count)
        #expect(feed.run().report.status == .published)
    }

    /// The number of trips in the live store and in each earlier one.
    private func generations() throws -> [Int?] {
        [feed.trips()] + (1...4).map { feed.trips(".\($0)") }
    }

    @Test func eachRollbackGoesOneStoreFurtherBack() throws {
        #expect(try generations() == [4, 3, 2, 1, nil])
        let hash = try #require(LiveStore(path: feed.options.store + ".1")?.contentHash)
        let store = feed.options.store
        #expect(
            try feed.rollBack()
                == CommandLineProgram.Result(
                    exitCode: 0, output: "",
                    error: "Rolled back: \(store) is again the store that was \(store).1, content \(hash); "
                        + "the one that was live is now \(store).3\n"))
        #expect(try generations() == [3, 2, 1, 4, nil])
        #expect(try feed.rollBack().exitCode == 0)
        #expect(try generations() == [2, 1, 4, 3, nil])
        #expect(try !feed.rollBack().error.contains("its feed was rolled back before"))
        #expect(try feed.rollBack().error.contains("; its feed was rolled back before; the one that was live"))
        #expect(try generations() == [4, 3, 2, 1, nil])
        #expect(
            try feed.folder.contents().keys.sorted() == [
                "feed", "store.sqlite", "store.sqlite.1", "store.sqlite.2", "store.sqlite.3",
                "store.sqlite.rolled-back",
            ])
    }

    /// In a folder with the sticky bit, a user cannot rename another user's file.
    @Test(.enabled(if: geteuid() == 0, "only root may act as another user"))
    func aGapThatCannotBeClosedStopsTheRollback() throws {
        let store = feed.options.store
        unlink(store + ".1")
        chmod(feed.folder.path, 0o1777)
        let error = #expect(throws: ImportError.self) {
            try asAnotherUser { try Rollback(of: StoreTarget(store)).run() }
        }
        #expect(error?.code == .cannotCreateStore)
        #expect(error?.message == "\(store).2 cannot be renamed to \(store).1: Operation not permitted")
        #expect(try generations() == [4, nil, 2, 1, nil])
    }

    /// The other user owns the live store, but not the one that is to replace it. The live feed is not refused.
    @Test(
        .enabled(if: geteuid() == 0, "only root may act as another user"),
        arguments: ["", "0123456789abcdef0123456789abcdef\n"])
    func aRollbackThatFailsListsNoFeed(list: String) throws {
        let store = feed.options.store
        chown(store, otherUser, otherUser)
        chmod(feed.folder.path, 0o1777)
        if !list.isEmpty {
            try Data(list.utf8).write(to: URL(filePath: store + ".rolled-back"))
            chown(store + ".rolled-back", otherUser, otherUser)
        }
        let error = #expect(throws: ImportError.self) {
            try asAnotherUser { try Rollback(of: StoreTarget(store)).run() }
        }
        #expect(error?.message == "\(store).1 cannot be renamed to \(store): Operation not permitted")
        #expect(try generations() == [4, 3, 2, 1, nil])
        #expect((try? String(contentsOfFile: store + ".rolled-back", encoding: .utf8)) ?? "" == list)
    }

    /// The server still offers the feed that was rolled back. The next nightly import must not publish it again.
    @Test func aFeedThatWasRolledBackStaysAway() throws {
        #expect(try feed.rollBack().exitCode == 0)
        let before = try Data(contentsOf: URL(filePath: feed.options.store))
        let (_, error) = feed.run()
        #expect(error?.code == .feedRefused)
        #expect(
            error?.message
                == "\(feed.options.feed): \(feed.options.store) was rolled back from this feed; it is "
                + "imported again when the feed changes, or now with --force")
        #expect(try Data(contentsOf: URL(filePath: feed.options.store)) == before)
        try feed.write(trips: 3)  // the feed of the live store
        #expect(feed.run().report.status == .unchanged)
        try publish(7)
        #expect(try generations() == [7, 3, 2, 1, nil])
        #expect(!FileManager.default.fileExists(atPath: feed.options.store + ".rolled-back"))
        try publish(4)
    }

    /// The renames after the first one close a gap in the numbers. The store after the gap must stay.
    @Test(.enabled(if: FaultLibrary.path != nil, "there is no C compiler"))
    func aGapThatStaysTakesNoStore() throws {
        let store = feed.options.store
        let result = try FaultLibrary.run(
            ["--rollback", store], failing: "rename", error: EIO, onPath: "store.sqlite.1")
        #expect(result.exitCode == 0)
        #expect(
            result.error.contains("; the one that was live is now \(store).4\n")
                && result.error.contains(
                    "\(store).2 cannot be renamed to \(store).1: Input/output error; the next rollback closes the gap"),
            "\(result.error)")
        #expect(try generations() == [3, nil, 2, 1, 4])
        #expect(try feed.rollBack().exitCode == 0)
        #expect(try generations() == [2, 1, 4, 3, nil])
    }

    /// The name of the list may be taken: by another program's file, or by the feed itself.
    @Test func aFileThatIsNoListStays() throws {
        let list = feed.options.store + ".rolled-back"
        try "precious\n".write(toFile: list, atomically: true, encoding: .utf8)
        try publish(5)
        let result = try feed.rollBack()
        #expect(result.exitCode == 73)
        #expect(
            result.error.contains("\(list) exists and is no list of feeds that were rolled back; move it away"),
            "\(result.error)")
        #expect(try String(contentsOfFile: list, encoding: .utf8) == "precious\n")
        #expect(try generations() == [5, 4, 3, 2, nil])
    }

    /// A power cut may leave a part of the last line.
    @Test func aListWithACutLineIsOne() throws {
        let list = feed.options.store + ".rolled-back"
        try "0123456789abcdef0123456789abcdef\n0123".write(toFile: list, atomically: true, encoding: .utf8)
        #expect(try feed.rollBack().exitCode == 0)
        try feed.write(trips: 4)
        #expect(feed.run().error?.code == .feedRefused)
        try publish(7)
        #expect(!FileManager.default.fileExists(atPath: list))
    }

    @Test func theFeedIsNotTakenForTheList() throws {
        let list = feed.options.store + ".rolled-back"
        try FileManager.default.moveItem(atPath: feed.options.feed, toPath: list)
        feed.options.feed = list
        let (_, error) = feed.run()
        #expect(error?.code == .cannotCreateStore)
        #expect(
            error?.message == "\(list) cannot be written as a store: it is read as the feed, which is never written")
        #expect(FileManager.default.fileExists(atPath: list + "/trips.txt"))
    }

    @Test func aListThatCannotBeReadStopsTheImport() throws {
        let list = feed.options.store + ".rolled-back"
        try FileManager.default.createDirectory(atPath: list, withIntermediateDirectories: false)
        try feed.write(trips: 5)
        let error = feed.run().error
        #expect(error?.code == .cannotCreateStore)
        #expect(error?.message == "\(list) exists and is no list of feeds that were rolled back; move it away")
        #expect(try generations() == [4, 3, 2, 1, nil])
        feed.options.force = true
        #expect(feed.run().report.status == .published)
    }

    @Test func forcePublishesAFeedThatWasRolledBack() throws {
        #expect(try feed.rollBack().exitCode == 0)
        feed.options.force = true
        try publish(4)
        #expect(try generations() == [4, 3, 2, 1, nil])
        feed.options.force = false
        #expect(feed.run().report.status == .unchanged)
    }

    @Test func jsonReportsTheStoreThatIsLiveAgain() throws {
        let result = try CommandLineProgram.run(["--rollback", feed.options.store, "--json", "--quiet"])
        #expect(result.exitCode == 0 && result.error.isEmpty)
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        #expect(object?["status"] as? String == "published")
        #expect((object?["rows"] as? [String: Int])?["trips.txt"] == 3)
        #expect(object?["content_hash"] as? String == LiveStore(path: feed.options.store)?.contentHash)
    }

    @Test func withoutAnEarlierStoreNothingChanges() throws {
        let alone = try LayeredFeed()
        alone.run()
        let before = try Data(contentsOf: URL(filePath: alone.options.store))
        let result = try CommandLineProgram.run(["--rollback", alone.options.store])
        #expect(result.exitCode == 66)
        #expect(
            result.error == "Failed: \(alone.options.store).1 does not exist: no earlier store was kept "
                + "(imports keep them with --keep N)\n")
        #expect(try Data(contentsOf: URL(filePath: alone.options.store)) == before)
        #expect(try alone.folder.contents().keys.sorted() == ["feed", "store.sqlite"])
    }

    @Test func aDamagedStoreIsNotBroughtBack() throws {
        let path = feed.options.store + ".1"
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: 9_000)
        try file.write(contentsOf: Data([0xFF, 0xFE, 0xFD]))
        try file.close()
        let before = try generations()
        let result = try feed.rollBack()
        #expect(result.exitCode == 65)
        #expect(result.error.hasPrefix("Refused: \(path) is damaged and cannot be the store again: "))
        #expect(try generations() == before)
    }

    @Test func aRollbackDuringAnImportEndsWith75() throws {
        let lock = try StoreLock(StoreTarget(feed.options.store))
        defer { lock.release() }
        #expect(try feed.rollBack().exitCode == 75)
        #expect(try generations() == [4, 3, 2, 1, nil])
    }

    /// The state that killed runs leave: a gap, and the live store under a second name.
    @Test func gapsAndSecondNamesAreOvercome() throws {
        let store = feed.options.store
        try FileManager.default.removeItem(atPath: store + ".1")
        try FileManager.default.linkItem(atPath: store, toPath: store + ".1")
        try FileManager.default.moveItem(atPath: store + ".3", toPath: store + ".7")
        #expect(try feed.rollBack().error.contains("is again the store that was \(store).2, content"))
        #expect(try generations() == [2, 1, 4, nil, nil])
        try FileManager.default.moveItem(atPath: store + ".1", toPath: store + ".4")
        try feed.folder.write("store.sqlite.05", "not ours")
        try feed.folder.write("store.sqlite.20261124", "not ours")
        try FileManager.default.createDirectory(atPath: store + ".2026", withIntermediateDirectories: false)
        #expect(try feed.rollBack().exitCode == 0)
        #expect(try generations() == [4, 1, 2, nil, nil])
        #expect(try feed.folder.contents()["store.sqlite.05"] == "not ours")
        #expect(try feed.folder.contents()["store.sqlite.20261124"] == "not ours")
        #expect(FileManager.default.fileExists(atPath: store + ".2026"))
    }

    /// After a kill at any point, the live name still has a store, no store is lost, and a second rollback succeeds.
    @Test(arguments: ["rollback-linked", "rollback-listed", "rollback-renamed", "rollback-moved", "rollback-moved:2"])
    func aRollbackKilledAtAnyPlaceLosesNoStore(place: String) throws {
        let command = "IMPORT_GTFS_FAILPOINT=\(place) '\(CommandLineProgram.path)' --rollback '\(feed.options.store)'"
        #expect(try CommandLineProgram.run(["-c", command], executable: "/bin/sh").exitCode != 0)
        let left = try generations()
        #expect(left[0] == 4 || left[0] == 3)
        #expect(Set(left.compactMap(\.self)) == [1, 2, 3, 4])
        #expect(try feed.rollBack().exitCode == 0)
        #expect(try generations().compactMap(\.self).count == 4)
        try publish(9)
        #expect(try generations().first == 9)
    }

    /// The second name of the live store that a killed rollback leaves must not become an earlier store beside `.1`.
    @Test(arguments: ["rollback-linked", "rollback-listed"])
    func aKilledRollbackLeavesNoStoreTwice(place: String) throws {
        let store = feed.options.store
        let killed = try CommandLineProgram.run(["--rollback", store], environment: ["IMPORT_GTFS_FAILPOINT": place])
        #expect(killed.exitCode != 0)
        #expect(try generations() == [4, 3, 2, 1, 4])
        feed.options.previousStoresKept = 5
        try publish(9)
        #expect(try generations() == [9, 4, 3, 2, 1])
        #expect(!FileManager.default.fileExists(atPath: store + ".5"))
    }

    /// Without hard links, the store that is live is copied. The copy must not count as an earlier store before another
    /// one is live.
    @Test(
        .enabled(if: FaultLibrary.path != nil, "there is no C compiler"),
        arguments: ["rollback-linked", "rollback-listed", "rollback-renamed", "rollback-moved", "rollback-moved:2"])
    func aRollbackOfCopiesKilledAtAnyPlaceLosesNoStore(place: String) throws {
        let (store, withoutLinks) = (feed.options.store, FaultLibrary.failing("link", error: EPERM))
        let killed = withoutLinks.merging(["IMPORT_GTFS_FAILPOINT": place]) { $1 }
        #expect(try CommandLineProgram.run(["--rollback", store], environment: killed).exitCode != 0)
        if ["rollback-linked", "rollback-listed"].contains(place) {
            #expect(try CommandLineProgram.run(["--rollback", store], environment: killed).exitCode != 0)
            #expect(try generations() == [4, 3, 2, 1, nil])
        }
        #expect(try CommandLineProgram.run(["--rollback", store], environment: withoutLinks).exitCode == 0)
        #expect(try generations().compactMap(\.self).sorted() == [1, 2, 3, 4])
        #expect(try generations().last == .some(nil))
        #expect(try feed.folder.contents().keys.allSatisfy { !$0.contains("importing") })
        try publish(9)
        #expect(try generations().first == 9)
    }

    /// The list was written before the kill, but the store stayed live.
    @Test(.enabled(if: FaultLibrary.path != nil, "there is no C compiler"))
    func aRollbackOfCopiesThatWasKilledRefusesNoLiveFeed() throws {
        let (store, withoutLinks) = (feed.options.store, FaultLibrary.failing("link", error: EPERM))
        let killed = withoutLinks.merging(["IMPORT_GTFS_FAILPOINT": "rollback-listed"]) { $1 }
        #expect(try CommandLineProgram.run(["--rollback", store], environment: killed).exitCode != 0)
        let again = try CommandLineProgram.run(
            [feed.options.feed, store, "--keep", "3", "--notices-per-code", "7", "--quiet"], environment: withoutLinks)
        #expect(again.exitCode == 0, "\(again)")
        #expect(try generations() == [4, 4, 3, 2, nil])
    }

    /// A gap that a killed run left is closed by a rollback that takes place, not by one that is stopped.
    @Test(arguments: ["rollback-locked", "rollback-checked"]) func aRollbackStoppedBeforeItsFirstChangeChangesNothing(
        place: String
    ) throws {
        try FileManager.default.moveItem(atPath: feed.options.store + ".3", toPath: feed.options.store + ".4")
        let (before, names) = try (generations(), feed.folder.contents().keys.sorted())
        let (cancellation, target) = (CancellationFlag(), try StoreTarget(feed.options.store))
        let error = #expect(throws: ImportError.self) {
            try Failpoint.$observer.withValue({ if $0 == place { cancellation.cancel(signal: SIGTERM) } }) {
                try Rollback(of: target, cancellation: cancellation).run()
            }
        }
        #expect(error?.code == .terminated && error?.message == "stopped by SIGTERM")
        #expect(try generations() == before && feed.folder.contents().keys.sorted() == names)
        #expect(cancellation.filesToRemove.isEmpty)
    }

    @Test func afterItsFirstChangeItIsTooLateToStop() throws {
        let (cancellation, target) = (CancellationFlag(), try StoreTarget(feed.options.store))
        _ = try Failpoint.$observer.withValue({ if $0 == "rollback-linked" { cancellation.cancel(signal: SIGTERM) } }) {
            try Rollback(of: target, cancellation: cancellation).run()
        }
        #expect(!cancellation.isSet)
        #expect(try generations() == [3, 2, 1, 4, nil])
    }

    /// Whenever a signal comes, the rollback either has not begun or is complete, and no lock stays.
    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 143)] as [(Int32, Int32)])
    func aSignalAtAnyMomentLeavesARollbackUndoneOrComplete(signal: Int32, exitCode: Int32) throws {
        var expected = try generations()
        for attempt in 0..<40 {
            let process = CommandLineProgram.process(["--rollback", feed.options.store])
            try process.run()
            usleep(UInt32(attempt) * 500)
            kill(process.processIdentifier, signal)
            let result = CommandLineProgram.finish(process)
            // Before the program watches for signals, they end it as they do by default.
            let code = result.signal == signal ? exitCode : result.exitCode
            #expect([0, exitCode].contains(code), "\(result)")
            if code == 0 { expected = Array(expected[1...3] + expected[0...0] + [nil]) }
            #expect(try generations() == expected)
            #expect(!FileManager.default.fileExists(atPath: feed.options.store + ".lock"))
        }
    }
}
