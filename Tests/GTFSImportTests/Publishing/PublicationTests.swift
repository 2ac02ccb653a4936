import Foundation
import SQLitePages
import SystemFiles
import TestSupport
import Testing

@testable import GTFSImport

@Suite struct PublicationTests {
    let folder: TemporaryFolder
    let target: StoreTarget

    init() throws {
        folder = try TemporaryFolder()
        target = try StoreTarget(folder.path("a.sqlite"))
    }

    private func publish(_ text: String, keeping count: Int = 0) throws {
        let publication = try StorePublication(target)
        try text.write(toFile: publication.temporaryPath, atomically: false, encoding: .utf8)
        try publication.publish(keeping: count)
    }

    private func publishingFails(_ text: String = "new") -> ImportError? {
        #expect(throws: ImportError.self) { try publish(text) }
    }

    @Test func buildsBesideTheStoreAndReplacesIt() throws {
        try folder.write("a.sqlite", "old")
        let publication = try StorePublication(target)
        let name = try #require(publication.temporaryPath.wholeMatch(of: #/(.+)/\.a\.sqlite\.(\d{7})\.importing/#))
        // Two containers that share a folder but no locks may both be process 1.
        #expect(String(name.1) == folder.path && Int(name.2) != Int(getpid()))
        try "new".write(toFile: publication.temporaryPath, atomically: false, encoding: .utf8)
        #expect(try folder.contents()["a.sqlite"] == "old")
        try publication.publish()
        #expect(try folder.contents() == ["a.sqlite": "new"])
    }

    @Test func discardingLeavesWhatWasThere() throws {
        try folder.write("a.sqlite", "old")
        let publication = try StorePublication(target)
        let journal = URL(filePath: publication.temporaryPath + "-journal").lastPathComponent
        try folder.write(journal, "x")
        publication.discard()
        publication.discard()
        #expect(try folder.contents() == ["a.sqlite": "old"])
    }

    @Test func aSecondImportIsLockedOutAndDisturbsNothing() throws {
        let first = try StorePublication(target)
        try "new".write(toFile: first.temporaryPath, atomically: false, encoding: .utf8)
        let error = #expect(throws: ImportError.self) { try StorePublication(target) }
        #expect(error?.code == .locked)
        try first.publish()
        #expect(try folder.contents() == ["a.sqlite": "new"])
    }

    /// Another machine whose locks do not reach here takes this run's file for a leftover, and makes its own.
    @Test func anImportWhoseFileIsGonePublishesNothing() throws {
        try folder.write("a.sqlite", "old")
        let publication = try StorePublication(target)
        let name = URL(filePath: publication.temporaryPath).lastPathComponent
        unlink(publication.temporaryPath)
        try folder.write(".a.sqlite.1.importing", "half")
        let gone = #expect(throws: ImportError.self) { try publication.temporary.seal(PageSums(pageSize: 4096)) }
        #expect(
            gone?.message
                == "\(publication.temporaryPath) is gone: another import has taken it for a leftover, as locks do not "
                + "reach from there to here")
        #expect(throws: ImportError.self) { try publication.publish() }
        #expect(try folder.contents()["a.sqlite"] == "old" && folder.contents()[name] == nil)
    }

    @Test func removesLeftoversOfDeadImportsAndNothingElse() throws {
        let leftovers = [
            ".a.sqlite.1.importing", ".a.sqlite.99.importing-journal", ".a.sqlite.7.importing-wal",
            ".a.sqlite.7.importing-shm", ".a.sqlite.7.importing-was-2", ".a.sqlite.7.importing-copy",
            "a.sqlite.lock",
            ".import-gtfs-0123456789abcdef",
        ]
        let others = [
            ".a.sqlite..importing", ".a.sqlite.x.importing", ".a.sqlite.1.importing-x", ".b.sqlite.1.importing",
            ".a.sqlite", "a.sqlite.1.importing", ".aXsqlite.1.importing", ".a.sqlite.7.importing-was-x",
        ]
        for name in leftovers + others { try folder.write(name, "1") }
        try publish("new")
        #expect(try folder.contents().keys.sorted() == (others + ["a.sqlite"]).sorted())
    }

    @Test func namesOfEarlierStoresEndInTheirNumber() {
        #expect(target.earlierPath(12) == folder.path("a.sqlite.12"))
        let numbers = ["a.sqlite.1", "a.sqlite.12"].map { target.earlierNumber(inName: $0) }
        #expect(numbers == [1, 12])
        for ending in ["", ".", ".0", ".-1", ".+1", ".01", ".1.1", ".x", ".lock", ".99999999999999999999"] {
            #expect(target.earlierNumber(inName: "a.sqlite" + ending) == nil)
        }
        #expect(target.earlierNumber(inName: "b.sqlite.1") == nil)
    }

    @Test func whoReadsTheOldStoreKeepsIt() throws {
        try folder.write("a.sqlite", "old")
        let reader = try #require(FileHandle(forReadingAtPath: folder.path("a.sqlite")))
        try publish("new")
        #expect(try reader.readToEnd() == Data("old".utf8))
    }

    // Where the store may go.

    @Test func aLinkStaysALink() throws {
        try FileManager.default.createDirectory(atPath: folder.path("disk"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.sqlite"), withDestinationPath: "disk/real.sqlite")
        for _ in 0..<2 {  // the first time, the link dangles
            let publication = try StorePublication(StoreTarget(folder.path("link.sqlite")))
            #expect(publication.target.path == "\(folder.path)/disk/real.sqlite")
            try publication.publish()
        }
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link.sqlite"))
        #expect(link == "disk/real.sqlite")
    }

    @Test func refusesWhatIsNoFile() throws {
        try folder.write("file", "x")
        try FileManager.default.createSymbolicLink(atPath: folder.path("loop"), withDestinationPath: "loop")
        let here = folder.path
        let expected = [
            ("", "the store's path is empty"),
            (here, "\(here) cannot be written as a store: it is a folder"),
            (here + "/", "\(here)/ cannot be written as a store: it names a folder"),
            (here + "/..", "\(here)/.. cannot be written as a store: it names a folder"),
            (
                "/dev/null",
                "/dev/null cannot be written as a store: it is a device; OUT must be the path of a file"
            ),
            (
                here + "/none/a.sqlite",
                "\(here)/none/a.sqlite cannot be written as a store: folder \(here)/none: No such file or directory"
            ),
            (
                here + "/file/a.sqlite",
                "\(here)/file/a.sqlite cannot be written as a store: \(here)/file is not a folder"
            ),
            (here + "/loop", "\(here)/loop cannot be written as a store: Too many levels of symbolic links"),
        ]
        for (path, message) in expected {
            let error = #expect(throws: ImportError.self) { try StoreTarget(path) }
            #expect((error?.code, error?.message) == (.cannotCreateStore, message))
        }
    }

    /// The links in /proc/self/fd lead to open files and pipes, even to those without a path.
    @Test func refusesWhatHasNoPath() throws {
        func expectRefusal(of descriptor: Int32, _ reason: String) {
            let path = "/proc/self/fd/\(descriptor)"
            let error = #expect(throws: ImportError.self) { try StoreTarget(path) }
            let message = "\(path) cannot be written as a store: it is \(reason); OUT must be the path of a file"
            #expect((error?.code, error?.message) == (.cannotCreateStore, message))
        }
        let pipe = Pipe()
        expectRefusal(of: pipe.fileHandleForWriting.fileDescriptor, "a pipe")
        try folder.write("gone", "x")
        let gone = try #require(FileHandle(forReadingAtPath: folder.path("gone")))
        #expect(try StoreTarget("/proc/self/fd/\(gone.fileDescriptor)").path == folder.path("gone"))
        try FileManager.default.removeItem(atPath: folder.path("gone"))
        expectRefusal(of: gone.fileDescriptor, "a file without a path")
    }

    @Test func aNameTooLongIsAnError() throws {
        let name = String(repeating: "n", count: 255)
        let error = #expect(throws: ImportError.self) { try StorePublication(StoreTarget(folder.path(name))) }
        #expect(error?.code == .cannotCreateStore)
        #expect(error?.message == "\(folder.path)/\(name).lock cannot be opened: File name too long")
        #expect(try folder.contents().isEmpty)
    }

    /// The names of temporary files must fit whatever digits the process id and the number of an earlier store have.
    @Test func `the longest possible name is accepted, and one more byte is refused`() throws {
        for (count, isAccepted) in [(227, true), (228, false), (255, false)] {
            let path = folder.path(String(repeating: "ä", count: 50) + String(repeating: "n", count: count - 100))
            let (report, error) = Importer(
                ImportOptions(feed: CommandLineProgram.packageRoot + "/pipelines/sample-feed", store: path)
            ).run()
            #expect((report.status == .published) == isAccepted)
            guard let error else { continue }
            let reason = "the name has \(count) bytes, but at most 227 leave room for the files beside the store"
            #expect(error == StoreTarget.cannotCreate(path, reason))
        }
        #expect(try folder.contents().count == 1)
    }

    @Test func neverReplacesTheFeed() throws {
        try folder.write("a.sqlite", "PK")
        let path = folder.path("a.sqlite")
        let existing = try ExistingFiles(of: target, keeping: 0)
        for feed in [path, "\(folder.path)/./a.sqlite", path + "#inner.zip"] {
            let error = #expect(throws: ImportError.self) { try existing.refuseInput(argument: feed) }
            #expect(
                error?.message == "\(path) cannot be written as a store: it is read as the feed, which is never written"
            )
        }
        try existing.refuseInput(argument: folder.path("b.zip"))
    }

    @Test(arguments: ["-journal", "-wal"]) func aJournalBesideTheStoreRefuses(ending: String) throws {
        try folder.write("a.sqlite", "old")
        try folder.write("a.sqlite\(ending)", "pages of the old store")
        let before = try folder.contents()
        let error = try #require(publishingFails())
        #expect(error.code == .cannotCreateStore)
        #expect(
            error.message
                == "\(folder.path)/a.sqlite\(ending) exists: a program has written to the store, and SQLite would "
                + "apply that file to the new one. Close that program, or open the store once with sqlite3, then import again"
        )
        #expect(try folder.contents() == before)
    }

    @Test func aJournalThatAppearsMeanwhileRefuses() throws {
        try folder.write("a.sqlite", "old")
        let publication = try StorePublication(target)
        try folder.write("a.sqlite-journal", "hot")
        #expect(throws: ImportError.self) { try publication.publish(keeping: 2) }
        #expect(try folder.contents() == ["a.sqlite": "old", "a.sqlite-journal": "hot"])
    }

    @Test func anEmptyJournalDoesNotMatter() throws {
        try folder.write("a.sqlite-journal", "")
        try publish("new")
        #expect(try folder.contents() == ["a.sqlite": "new", "a.sqlite-journal": ""])
    }

    // Permissions.

    @Test func aNewStoreIsReadableForAllAsTheUmaskAllows() throws {
        try publish("new")
        let mask = umask(0)
        umask(mask)
        #expect(try folder.permissions("a.sqlite") == 0o644 & ~Int(mask))
    }

    @Test(arguments: [0o600, 0o640, 0o444, 0o664]) func permissionsAreHandedOn(permissions: Int) throws {
        try folder.write("a.sqlite", "old")
        chmod(folder.path("a.sqlite"), mode_t(permissions))
        try publish("new", keeping: 1)
        #expect(try folder.permissions("a.sqlite") == permissions)
        #expect(try folder.permissions("a.sqlite.1") == permissions)
    }

    /// The file in which the new store is built can be written all the same.
    @Test func `a store that no one may write is replaced`() throws {
        try folder.write("a.sqlite", "old")
        chmod(folder.path("a.sqlite"), 0o444)
        // Root may write every file, so the test runs as an ordinary user.
        chmod(folder.path, 0o777)
        try asAnotherUser { try publish("new") }
        #expect(try folder.contents() == ["a.sqlite": "new"])
        #expect(try folder.permissions("a.sqlite") == 0o444)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give files away")) func theOwnerIsHandedOn() throws {
        try folder.write("a.sqlite", "old")
        chown(folder.path("a.sqlite"), 65_534, 65_533)
        try publish("new")
        let status = try #require(FileStatus(path: folder.path("a.sqlite")))
        #expect(status.owner == 65_534 && status.group == 65_533)
    }

    // Stopping.

    @Test func aCancelledImportPublishesNothing() throws {
        try folder.write("a.sqlite", "old")
        for (signal, kind) in [(SIGINT, ImportError.Code.interrupted), (SIGTERM, .terminated), (SIGHUP, .terminated)] {
            let cancellation = CancellationFlag()
            let publication = try StorePublication(target, cancellation: cancellation)
            #expect(cancellation.filesToRemove.contains(publication.temporaryPath))
            #expect(cancellation.cancel(signal: signal))
            #expect(!cancellation.cancel(signal: SIGINT))
            let error = #expect(throws: ImportError.self) { try publication.publish(keeping: 2) }
            #expect(error?.code == kind)
            #expect(cancellation.filesToRemove.isEmpty)
            #expect(try folder.contents() == ["a.sqlite": "old"])
        }
    }

    @Test func afterTheExchangeItIsTooLate() throws {
        let cancellation = CancellationFlag()
        try StorePublication(target, cancellation: cancellation).publish()
        #expect(!cancellation.cancel())
        #expect(!cancellation.isSet && cancellation.error == nil)
    }

    @Test func cancellingInterruptsWhatIsRegistered() {
        let cancellation = CancellationFlag()
        let calls = Counter()
        cancellation.onCancel { calls.add(1) }
        cancellation.cancel()
        #expect(calls.total == 1)
        cancellation.onCancel { calls.add(1) }
        #expect(calls.total == 2)
        cancellation.onCancel(nil)
    }
}
