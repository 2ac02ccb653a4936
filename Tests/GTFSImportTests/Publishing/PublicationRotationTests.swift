import Foundation
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

@Suite struct PublicationRotationTests {
    let folder: TemporaryFolder
    let target: StoreTarget

    init() throws {
        folder = try TemporaryFolder()
        target = try StoreTarget(folder.path("a"))
    }

    private func publish(_ text: String, keeping count: Int) throws {
        let publication = try StorePublication(target)
        try text.write(toFile: publication.temporaryPath, atomically: false, encoding: .utf8)
        try publication.publish(keeping: count)
    }

    @Test func keepsAsManyAsAsked() throws {
        for number in 1...6 { try publish("\(number)", keeping: 3) }
        #expect(try folder.contents() == ["a": "6", "a.1": "5", "a.2": "4", "a.3": "3"])
    }

    @Test func keepsNoneByDefaultAndLeavesOldOnesAlone() throws {
        for number in 1...3 { try publish("\(number)", keeping: 2) }
        try publish("4", keeping: 0)
        #expect(try folder.contents() == ["a": "4", "a.1": "2", "a.2": "1"])
        try publish("5", keeping: 1)
        #expect(try folder.contents() == ["a": "5", "a.1": "4", "a.2": "1"])
    }

    @Test func fillsAGapFirst() throws {
        for (name, text) in [("a", "5"), ("a.1", "4"), ("a.3", "2")] { try folder.write(name, text) }
        try publish("6", keeping: 3)
        #expect(try folder.contents() == ["a": "6", "a.1": "5", "a.2": "4", "a.3": "2"])
    }

    /// `--force` was given, so the files are replaced.
    @Test func `files that are not stores are not kept`() throws {
        let before = ["a": "9", "a.1": "8", "a.2": "no store", "a.3": "6"]
        for (name, text) in before { try folder.write(name, text) }
        func publish(_ text: String, _ foreignNumbers: Set<Int>) throws {
            let publication = try StorePublication(target)
            try text.write(toFile: publication.temporaryPath, atomically: false, encoding: .utf8)
            try publication.publish(keeping: 3, foreignNumbers: foreignNumbers)
        }
        try publish("10", [2])
        #expect(try folder.contents() == ["a": "10", "a.1": "9", "a.2": "8", "a.3": "6"])
        try publish("11", [3])
        #expect(try folder.contents() == ["a": "11", "a.1": "10", "a.2": "9", "a.3": "8"])
        try publish("12", [1, 2])
        #expect(try folder.contents() == ["a": "12", "a.1": "11", "a.2": "9", "a.3": "8"])
        try publish("13", [0, 3])
        #expect(try folder.contents() == ["a": "13", "a.1": "11", "a.2": "9", "a.3": "8"])
    }

    @Test func somethingElseByTheNameOfAKeptStoreRefuses() throws {
        try folder.write("a", "old")
        try FileManager.default.createDirectory(atPath: folder.path("a.1"), withIntermediateDirectories: false)
        let error = #expect(throws: ImportError.self) { try publish("new", keeping: 2) }
        #expect(error?.code == .cannotCreateStore)
        #expect(
            error?.message
                == "\(folder.path)/a cannot be written as a store: \(folder.path)/a.1, where the earlier one goes, "
                + "is a folder")
        #expect(try folder.contents() == ["a": "old", "a.1": "?"])
    }

    /// Starts from the files that kill -9 leaves between any two steps. The next run must end as if no run was killed.
    @Test func theNextRunHealsWhatAKilledOneLeft() throws {
        let old = ["a": "9", "a.1": "8", "a.2": "7"]
        let states: [(left: [String: String], linked: Bool, after: [String: String])] = [
            (old.with(".a.7.importing", "half"), false, ["a": "10", "a.1": "9", "a.2": "8"]),
            (["a": "9", "a.1": "8", ".a.7.importing-was-2": "7"], false, ["a": "10", "a.1": "9", "a.2": "8"]),
            (
                ["a": "9", "a.2": "8", ".a.7.importing": "x", ".a.7.importing-was-2": "7"], false,
                ["a": "10", "a.1": "9", "a.2": "8"]
            ),
            (["a": "9", "a.2": "8", ".a.7.importing": "x"], true, ["a": "10", "a.1": "9", "a.2": "8"]),
        ]
        for state in states {
            for name in try folder.contents().keys { unlink(folder.path(name)) }
            for (name, text) in state.left { try folder.write(name, text) }
            if state.linked { link(folder.path("a"), folder.path("a.1")) }
            try publish("10", keeping: 2)
            #expect(try folder.contents() == state.after)
        }
    }

    /// Where each name of a file has a number of its own (sshfs, mergerfs) or there are no hard links, a second name
    /// looks like a copy. The copy must not push out an earlier store.
    @Test func theNextRunRemovesACopyThatAKilledOneLeft() throws {
        let states: [(left: [String: String], after: [String: String])] = [
            (
                ["a": "9", "a.1": "9", "a.2": "8", ".a.7.importing": "x", ".a.7.importing-was-2": "7"],
                ["a": "10", "a.1": "9", "a.2": "8"]
            ),
            (["a": "9", "a.1": "9", "a.2": "8", ".a.7.importing": "x"], ["a": "10", "a.1": "9", "a.2": "8"]),
            (["a": "9", "a.1": "9", ".a.7.importing-copy": "x"], ["a": "10", "a.1": "9"]),
            // The same feed was published twice; no run was killed.
            (["a": "9", "a.1": "9", "a.2": "8"], ["a": "10", "a.1": "9", "a.2": "9"]),
            (["a": "9", "a.1": "7", "a.2": "8", ".a.7.importing": "x"], ["a": "10", "a.1": "9", "a.2": "7"]),
        ]
        for state in states {
            for name in try folder.contents().keys { unlink(folder.path(name)) }
            for (name, text) in state.left { try folder.write(name, text) }
            try publish("10", keeping: 2)
            #expect(try folder.contents() == state.after)
        }
    }

    @Test func aLinkToACopyIsNoCopy() throws {
        for (name, text) in ["a": "9", "copy": "9", ".a.7.importing": "x"] { try folder.write(name, text) }
        symlink(folder.path("copy"), folder.path("a.1"))
        try TemporaryStore.removeLeftovers(of: target)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("a.1")) == folder.path("copy"))
    }

    /// Someone may have put another store in the place.
    @Test func aStoreThatWasSetAsideGetsAFreeNumber() throws {
        let left = ["a": "9", "a.1": "x", "a.3": "y", ".a.7.importing": "half", ".a.7.importing-was-1": "8"]
        for (name, text) in left { try folder.write(name, text) }
        try TemporaryStore.removeLeftovers(of: target)
        #expect(try folder.contents() == ["a": "9", "a.1": "x", "a.2": "8", "a.3": "y"])
    }

    /// The next run may publish nothing, as its feed is unchanged or refused. Then all earlier stores must be back,
    /// also those beyond the number that was to be kept.
    @Test(arguments: ["keep", "keep-moved", "keep-linked", "rename", "renamed", "folder-flushed", "oldest-removed"])
    func `a run that was killed loses no earlier store`(place: String) throws {
        let isPublished = ["renamed", "folder-flushed", "oldest-removed"].contains(place)
        let feed = try LayeredFeed()
        let store = feed.options.store
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: (store as NSString).deletingLastPathComponent)
                .filter { $0.contains((store as NSString).lastPathComponent) }
        }
        func publish(_ count: Int, keeping: Int, killedAt failpoint: String? = nil) throws {
            try feed.write(trips: count)
            let result = try CommandLineProgram.run(
                [feed.options.feed, store, "--keep", String(keeping)],
                environment: failpoint.map { ["IMPORT_GTFS_FAILPOINT": $0] } ?? [:])
            #expect((result.exitCode == 0) == (failpoint == nil), "\(result)")
        }
        for visit in 1...3 {
            for name in try names() { unlink((store as NSString).deletingLastPathComponent + "/" + name) }
            for count in 1...4 { try publish(count, keeping: 3) }
            guard visit == 1 || place == "keep-moved" else { break }
            try publish(5, keeping: visit == 3 ? 1 : 2, killedAt: visit == 2 ? "\(place):2" : place)
            try publish(isPublished ? 5 : 4, keeping: 3)
            let found = ["", ".1", ".2", ".3"].map { feed.trips($0) }
            #expect(found == (isPublished ? [5, 4, 3, 1] : [4, 3, 2, 1]), "\(place), \(visit)")
            #expect(try names().count == 4)
        }
    }

    @Test func undoingARotationBringsEveryStoreBack() throws {
        for count in 0...4 {
            for kept in 0...4 {
                for name in try folder.contents().keys { unlink(folder.path(name)) }
                try folder.write("a", "now")
                for number in 0..<kept { try folder.write("a.\(number + 1)", "\(number)") }
                let before = try folder.contents()
                var earlier = EarlierStores(of: target, keeping: count, beside: TemporaryStore(target))
                try earlier.shift()
                #expect(try folder.contents()["a"] == "now")
                earlier.undo()
                #expect(try folder.contents() == before)
            }
        }
    }

    /// Readers open the store repeatedly while it is republished. It always exists and is always complete.
    @Test func readersNeverMissTheStore() async throws {
        func publishGeneration(_ number: Int) throws {
            let publication = try StorePublication(target)
            let connection = try Connection(path: publication.temporaryPath, mode: .create)
            try connection.execute(
                """
                PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; CREATE TABLE t(n);
                WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 500)
                INSERT INTO t SELECT \(number) FROM r
                """)
            try publication.publish(keeping: 2)
        }
        try publishGeneration(0)
        let ends = Counter()
        let path = folder.path("a")
        try await withThrowingTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    while ends.total == 0 {
                        let reader = try Connection(path: path, mode: .readOnly)
                        let rows = try reader.text("SELECT count(*) || ' of ' || count(DISTINCT n) FROM t")
                        #expect(rows == "500 of 1")
                    }
                }
            }
            for number in 1...100 { try publishGeneration(number) }
            ends.add(1)
            try await group.waitForAll()
        }
        #expect(try folder.contents().keys.sorted() == ["a", "a.1", "a.2"])
    }

    /// A reader in the middle of a result continues in the store that it opened.
    @Test func anOpenResultIsReadToItsEnd() throws {
        let connection = try Connection(path: folder.path("a"), mode: .create)
        try connection.execute("CREATE TABLE t(n); INSERT INTO t VALUES (1), (2), (3)")
        let reader = try Connection(path: folder.path("a"), mode: .readOnly)
        let statement = try reader.prepare("SELECT n FROM t")
        #expect(try statement.step())
        try publish("no database at all", keeping: 0)
        #expect(try statement.step() && statement.integer(0) == 2)
        #expect(try statement.step() && statement.integer(0) == 3)
    }
}

extension Dictionary {
    fileprivate func with(_ key: Key, _ value: Value) -> Self { merging([key: value]) { $1 } }
}
