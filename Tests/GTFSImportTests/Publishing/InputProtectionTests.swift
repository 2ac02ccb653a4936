import Foundation
import TestSupport
import Testing

@testable import GTFSImport

/// An import never writes to the files that it reads, whatever their names. Each of these cases once replaced or lost
/// part of the feed.
@Suite struct InputProtectionTests {
    let folder: TemporaryFolder
    private static let sample = CommandLineProgram.packageRoot + "/pipelines/sample-feed"

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: Self.sample, toPath: folder.path("d"))
        let zip = try CommandLineProgram.run(
            ["-c", "cd '\(folder.path)' && python3 -m zipfile -c f.zip d/*.txt"], executable: "/bin/sh")
        #expect(zip.exitCode == 0)
    }

    private func importing(_ words: String) throws -> CommandLineProgram.Result {
        let command = "cd '\(folder.path)' && '\(CommandLineProgram.path)' \(words)"
        return try CommandLineProgram.run(["-c", command], executable: "/bin/sh")
    }

    private func data(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: folder.path(name))) }

    private func expectRefused(_ words: String, keeping file: String, naming path: String) throws {
        let before = try data(file)
        for force in ["", " --force"] {
            let result = try importing(words.replacing("FORCE", with: force))
            #expect(result.exitCode == 73, "\(words)\(force): \(result.error)")
            #expect(try data(file) == before)
            let isForeign = result.error.contains(
                "exists and is not a store of import-gtfs; --force replaces it")
            let isInput = result.error.hasPrefix(
                "Failed: \(folder.path)/\(path) cannot be written as a store: it is read as the feed, which is never written\n"
            )
            #expect(isInput || (force.isEmpty && isForeign), "\(result.error)")
        }
        #expect(try folder.contents().keys.allSatisfy { !$0.hasSuffix(".lock") && !$0.hasSuffix(".importing") })
    }

    @Test func standardInputIsNotReplaced() throws {
        try expectRefused("- f.zip FORCE < f.zip", keeping: "f.zip", naming: "f.zip")
    }

    @Test func standardInputIsNotReplacedEvenIfReadInPart() throws {
        try expectRefused("- f.zip FORCE < f.zip", keeping: "f.zip", naming: "f.zip")
        let result = try importing(
            "x 2>/dev/null; exec 3< f.zip; head -c 10 <&3 > /dev/null; "
                + "'\(CommandLineProgram.path)' - f.zip --force <&3")
        #expect(result.exitCode == 73)
    }

    @Test func aFileOfTheFolderThatIsReadIsNotReplaced() throws {
        try expectRefused("d d/transfers.txt FORCE", keeping: "d/transfers.txt", naming: "d/transfers.txt")
    }

    @Test func anEmptyFileOfTheFolderIsNotReplaced() throws {
        try folder.write("d/notes.txt", "")
        let result = try importing("d d/notes.txt")
        #expect(result.exitCode == 73)
        #expect(try data("d/notes.txt").isEmpty)
    }

    @Test func aLinkToTheFeedIsNotReplaced() throws {
        link(folder.path("f.zip"), folder.path("hard.sqlite"))
        symlink("f.zip", folder.path("soft.sqlite"))
        try expectRefused("f.zip hard.sqlite FORCE", keeping: "f.zip", naming: "hard.sqlite")
        try expectRefused("f.zip soft.sqlite FORCE", keeping: "f.zip", naming: "f.zip")
        try expectRefused("hard.sqlite#d/ f.zip FORCE", keeping: "f.zip", naming: "f.zip")
    }

    /// The inner archive is copied out of the outer one, so no file of the feed is read from `outer.zip` itself.
    @Test func anOuterArchiveIsNotReplacedByAStoreOfItsInnerOne() throws {
        let zip = try CommandLineProgram.run(
            [
                "-c",
                "cd '\(folder.path)' && mkdir k && python3 -m zipfile -c inner.zip d/*.txt && "
                    + "python3 -m zipfile -c k/outer.zip inner.zip && cp k/outer.zip 'a#b.zip'",
            ], executable: "/bin/sh")
        #expect(zip.exitCode == 0)
        try expectRefused("k k/outer.zip FORCE", keeping: "k/outer.zip", naming: "k/outer.zip")
        try expectRefused("k/outer.zip k/outer.zip FORCE", keeping: "k/outer.zip", naming: "k/outer.zip")
        try expectRefused("k/outer.zip#inner.zip k/outer.zip FORCE", keeping: "k/outer.zip", naming: "k/outer.zip")
        try expectRefused("'a#b.zip' 'a#b.zip' FORCE", keeping: "a#b.zip", naming: "a#b.zip")
        try expectRefused("'a#b.zip#inner.zip' 'a#b.zip' FORCE", keeping: "a#b.zip", naming: "a#b.zip")
        let word = try CommandLineProgram.run(
            ["-c", "cd '\(folder.path)' && cat k/outer.zip | '\(CommandLineProgram.path)' - new.sqlite --quiet"],
            executable: "/bin/sh")
        #expect(word.exitCode == 0)
    }

    @Test func aFolderWhereAnEarlierStoreGoesIsToBeMovedAway() throws {
        #expect(try importing("d a.sqlite --quiet").exitCode == 0)
        try FileManager.default.createDirectory(atPath: folder.path("a.sqlite.1"), withIntermediateDirectories: false)
        let result = try importing("f.zip a.sqlite --keep 1")
        #expect(result.exitCode == 73)
        #expect(
            result.error.hasPrefix(
                "Failed: \(folder.path)/a.sqlite.1 exists and is not a store of import-gtfs; move it away\n"))
    }

    @Test func aFeedWithTheNameOfAnEarlierStoreIsNotMoved() throws {
        #expect(try importing("d a.sqlite").exitCode == 0)
        link(folder.path("f.zip"), folder.path("a.sqlite.1"))
        try expectRefused("f.zip a.sqlite --keep 1 FORCE", keeping: "f.zip", naming: "a.sqlite.1")
        #expect(try importing("f.zip a.sqlite").exitCode == 0)
    }

    /// Files whose names begin like the store's belong to the feed. They were once left out.
    @Test func filesOfTheFeedWhoseNamesBeginLikeTheStoresAreRead() throws {
        let result = try importing("d d/stops --quiet")
        #expect(result.exitCode == 0)
        #expect(try AskedStore(folder.path("d/stops")).rows("SELECT count(*) FROM stop") == ["22"])
        #expect(try importing("d d/stops").error.hasPrefix("Unchanged: "))
    }

    /// Stores in the feed's folder do not belong to the feed, whatever `--keep` says now.
    @Test func storesInTheFeedsFolderAreNoPartOfIt() throws {
        for _ in 0..<3 { #expect(try importing("d d/a.sqlite --keep 2 --force --quiet").exitCode == 0) }
        #expect(try importing("d d/a.sqlite").error.hasPrefix("Unchanged: "))
        #expect(try importing("d d/a.sqlite --keep 2").error.hasPrefix("Unchanged: "))
        // A rollback advises to remove a damaged one, which leaves a gap.
        try FileManager.default.removeItem(atPath: folder.path("d/a.sqlite.1"))
        #expect(try importing("d d/a.sqlite").error.hasPrefix("Unchanged: "))
    }

    /// Without a store, a file cannot be the index of its log. A notice tells of it.
    @Test func `a file whose name begins like that of a new store is read`() throws {
        try folder.write("d/a.sqlite-shm", "of the agency")
        #expect(try importing("d d/a.sqlite --quiet").exitCode == 0)
        let unknown = "SELECT file FROM notice WHERE code = 'unknown_file'"
        #expect(try AskedStore(folder.path("d/a.sqlite")).rows(unknown) == ["a.sqlite-shm"])
    }

    /// The second night once took the first night's report for an unknown file of the feed, so the feed had changed.
    @Test func `reports in the feed's folder are no part of it`() throws {
        let words = "d d/a.sqlite --report d/a.html --metrics d/a.prom"
        #expect(try importing(words).error.hasPrefix("Published: "))
        #expect(try importing(words).error.hasPrefix("Unchanged: "))
        try folder.write("d/notes.html", "of the agency")
        #expect(try importing(words + " --quiet").exitCode == 0)
        #expect(
            try AskedStore(folder.path("d/a.sqlite")).rows("SELECT file FROM notice WHERE code = 'unknown_file'")
                == ["notes.html"])
        // Only what the program wrote is left out: this is a file of the feed.
        #expect(try importing("d b.sqlite --report d/transfers.txt --quiet").exitCode == 0)
        #expect(try AskedStore(folder.path("b.sqlite")).rows("SELECT count(*) FROM transfer") == ["5"])
    }

    @Test func aFileWithTheNameOfAnEarlierStoreRefusesTheImport() throws {
        #expect(try importing("d a.sqlite").exitCode == 0)
        try folder.write("a.sqlite.1", "precious")
        let result = try importing("f.zip a.sqlite --keep 2")
        #expect(result.exitCode == 73)
        #expect(
            result.error.hasPrefix(
                "Failed: \(folder.path)/a.sqlite.1 exists and is not a store of import-gtfs; --force replaces it\n"
            ))
        #expect(try folder.contents()["a.sqlite.1"] == "precious")
    }

    /// `--force` once moved such files to the numbers of earlier stores, and the next night's import refused.
    @Test func `force replaces files that are not stores, and the next import needs no force`() throws {
        try folder.write("a.sqlite", "not a store")
        #expect(try importing("d a.sqlite --keep 2 --force --quiet").exitCode == 0)
        #expect(try folder.contents().keys.filter { $0.hasPrefix("a.sqlite.") }.isEmpty)
        #expect(try importing("f.zip a.sqlite --keep 2 --quiet").exitCode == 0)
        let (first, second) = (try data("a.sqlite.1"), try data("a.sqlite"))
        try FileManager.default.removeItem(atPath: folder.path("a.sqlite.1"))
        try folder.write("a.sqlite.1", "not a store")
        try first.write(to: URL(filePath: folder.path("a.sqlite.2")))
        #expect(try importing("d a.sqlite --keep 2 --quiet").exitCode == 73)
        #expect(try importing("d a.sqlite --keep 2 --force --quiet").exitCode == 0)
        #expect(try data("a.sqlite.1") == second)
        #expect(try data("a.sqlite.2") == first)
        #expect(try importing("f.zip a.sqlite --keep 2 --quiet").exitCode == 0)
    }
}
