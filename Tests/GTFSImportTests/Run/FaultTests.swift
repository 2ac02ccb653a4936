import Foundation
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// The message that an operator reads when a system call fails.
@Suite(.enabled(if: FaultLibrary.path != nil, "there is no C compiler"))
struct FaultTests {
    let folder: TemporaryFolder
    let feed = CommandLineProgram.packageRoot + "/pipelines/sample-feed"
    private var store: String { folder.path("a.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        #expect(try CommandLineProgram.run([feed, store, "--quiet"]).exitCode == 0)
    }

    private func failing(
        _ call: String, _ number: Int = 1, with error: Int32, onPath part: String = ".importing", times: Int = 1
    ) throws -> CommandLineProgram.Result {
        let before = try Data(contentsOf: URL(filePath: store))
        let result = try FaultLibrary.run(
            [feed, store, "--force", "--quiet"], failing: call, number: number, error: error, onPath: part, times: times
        )
        #expect(try Data(contentsOf: URL(filePath: store)) == before)
        #expect(try folder.contents().keys.sorted() == ["a.sqlite"])
        return result
    }

    /// "Failed: /x/.a.sqlite.123.importing cannot be written: …" without the process id.
    private func sentence(_ result: CommandLineProgram.Result) -> String {
        result.error.replacing(folder.path, with: "HERE").replacing(/\.a\.sqlite\.\d+/, with: ".a.sqlite.N")
    }

    @Test func whatCannotBeReadBackIsNoBug() throws {
        for number in [1, 2, 5, 10] {
            let result = try failing("pread", number, with: EIO)
            #expect(result.exitCode == 74)
            let words = sentence(result)
            #expect(
                words == "Failed: HERE/.a.sqlite.N.importing cannot be read back: Input/output error\n"
                    || words
                        == "Failed: HERE/.a.sqlite.N.importing: the database's header cannot be read: Input/output error\n",
                "\(words)")
        }
    }

    @Test(arguments: [
        (EDQUOT, "Disk quota exceeded"), (ENOSPC, "No space left on device"), (EIO, "Input/output error"),
    ])
    func whatCannotBeWrittenSaysWhy(error: Int32, words: String) throws {
        let result = try failing("pwrite", with: error)
        #expect(result.exitCode == 74)
        #expect(sentence(result) == "Failed: HERE/.a.sqlite.N.importing cannot be written: \(words)\n")
    }

    @Test func tooManyOpenFilesAreSaidForWhatTheyAre() throws {
        // The first call creates the temporary file, the second opens it.
        let result = try failing("open", 2, with: EMFILE)
        #expect(result.exitCode == 74)
        #expect(sentence(result) == "Failed: HERE/.a.sqlite.N.importing cannot be opened: Too many open files\n")
    }

    /// If `stat` fails for a file of the feed, the import fails. It once left the file out and published the rest.
    @Test(arguments: [2, 5, 20]) func aFileThatCannotBeLookedAtIsNotLeftOut(number: Int) throws {
        let result = try failing("stat", number, with: EIO, onPath: "/sample-feed/")
        #expect(result.exitCode == 74)
        #expect(result.error.hasPrefix("Failed: \(feed)/"))
        #expect(result.error.hasSuffix(": reading failed: Input/output error\n"))
    }

    /// The archive that cannot be read may be the feed, or one of two.
    @Test func `of several archives none is left out because its disk fails`() throws {
        let archives = try TemporaryFolder()
        let (one, other) = (archives.path("a.zip"), archives.path("b.zip"))
        let script = "cd '\(feed)' && python3 -m zipfile -c '\(one)' *.txt && cp '\(one)' '\(other)'"
        #expect(try CommandLineProgram.run(["-c", script], executable: "/bin/sh").exitCode == 0)
        let result = try FaultLibrary.run(
            [archives.path, archives.path("b.sqlite"), "--quiet"], failing: "pread", error: EIO, onPath: "/a.zip",
            times: 0)
        #expect(result.exitCode == 74)
        #expect(result.error == "Failed: \(one): reading failed: Input/output error\n")
    }

    /// If `stat` fails for an earlier store, the import must not treat that store as missing and replace it.
    @Test func anEarlierStoreThatCannotBeLookedAtStays() throws {
        try FileManager.default.copyItem(atPath: store, toPath: folder.path("a.sqlite.1"))
        try FileManager.default.copyItem(atPath: store, toPath: folder.path("a.sqlite.2"))
        for number in 1...8 {
            let result = try FaultLibrary.run(
                [feed, store, "--force", "--quiet", "--keep", "3"], failing: "stat", number: number, error: EIO,
                onPath: "a.sqlite.2")
            #expect([0, 74].contains(result.exitCode), "\(number): \(result.error)")
            let kept = try folder.contents().keys.filter { $0.hasPrefix("a.sqlite") }.count
            #expect(kept >= 3, "\(number)")
        }
    }

    /// The disk can read the beginning of the store, which tells its feed, but not all of it.
    @Test func `an unchanged feed replaces a store that cannot be read`() throws {
        let sound = try Data(contentsOf: URL(filePath: store))
        var words = ""
        for number in 1...40 {
            let result = try FaultLibrary.run(
                [feed, store, "--keep", "1"], failing: "pread", number: number, error: EIO, onPath: "/a.sqlite")
            #expect([0, 74].contains(result.exitCode), "\(result.error)")
            #expect(try Data(contentsOf: URL(filePath: store)) == sound)
            #expect(try folder.contents().keys.sorted() == ["a.sqlite"])
            words += result.error
        }
        #expect(words.contains("; \(store): page 1 cannot be read: Input/output error; it is replaced\n"), "\(words)")
        let advice = "Only --force replaces a store that the disk cannot read"
        #expect(words.contains("Failed: \(store) cannot be read: Input/output error. \(advice)\n"), "\(words)")
    }

    /// Nobody knows whether it is damaged, and to keep it is only to rename it.
    @Test func `a store that cannot be read is kept if the import is forced`() throws {
        let sound = try Data(contentsOf: URL(filePath: store))
        let arguments = [feed, store, "--force", "--keep", "1", "--routes", "1", "--json"]
        let result = try FaultLibrary.run(
            arguments, failing: "pread", error: EIO, onPath: "/a.sqlite", times: 0)
        #expect(result.exitCode == 0, "\(result.error)")
        #expect(try Data(contentsOf: URL(filePath: store + ".1")) == sound)
        #expect(try Data(contentsOf: URL(filePath: store)) != sound)
        let warning = "cannot be read: Input/output error. It is kept unread as an earlier store"
        #expect(result.error.contains(try Regex("Warning: \(store): byte \\d+ \(warning)\n")), "\(result.error)")
    }

    @Test func brokenOffCallsAreTriedAgain() throws {
        for call in ["pread", "pwrite", "fsync", "open", "rename", "unlink", "ftruncate"] {
            for number in 1...3 {
                let result = try FaultLibrary.run(
                    [feed, store, "--force", "--quiet"], failing: call, number: number, error: EINTR,
                    onPath: folder.path)
                #expect(result == CommandLineProgram.Result(exitCode: 0, output: "", error: ""), "\(call) \(number)")
            }
        }
    }

    /// The first flush is made ahead, the second waits for the whole store.
    @Test(arguments: [1, 2]) func aFailedFlushOfTheStoreFails(number: Int) throws {
        let result = try failing("fsync", number, with: EIO)
        #expect(result.exitCode == 74)
        #expect(
            sentence(result) == "Failed: HERE/.a.sqlite.N.importing cannot be flushed to the disk: Input/output error\n"
        )
    }

    /// The third flush is the folder's. The new store is already in place, so the import succeeds and warns of what a
    /// power cut may do.
    @Test func aFailedFlushOfTheFolderIsSaid() throws {
        try FileManager.default.createDirectory(atPath: folder.path("flat"), withIntermediateDirectories: false)
        let arguments = [feed, folder.path("flat/b.sqlite"), "--json"]
        let result = try FaultLibrary.run(arguments, failing: "fsync", number: 3, error: EIO)
        #expect(result.exitCode == 0)
        let warning =
            "folder \(folder.path)/flat cannot be flushed to the disk: Input/output error. "
            + "The new store is in place; a power cut may bring the earlier one back"
        #expect(result.error.contains("\nWarning: \(warning)\n"))
        let report = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        #expect(report?["warnings"] as? [String] == [warning])
        // A file system that cannot flush folders (EINVAL) causes no warning.
        let silent = try FaultLibrary.run(
            [feed, folder.path("flat/b.sqlite"), "--force", "--json"], failing: "fsync", number: 3, error: EINVAL)
        #expect(silent.output.contains(#""warnings":[]"#))
    }

    @Test func tooLittleMemoryForSQLiteIsNoBug() {
        for code in [7, 3_082] as [Int32] {
            let error = ImportError(SQLiteError(code: code, message: "out of memory", context: "SELECT 1"), path: "/x")
            #expect(error.code == .inputOutput)
            #expect(error.message == "/x: there is not enough memory to make the store; give the import more of it")
        }
    }

    @Test func noSentenceHoldsSQL() {
        for code in [1, 8, 10, 11, 13, 14, 26, 2_067] as [Int32] {
            let error = SQLiteError(code: code, message: "words", context: "INSERT INTO notice_total VALUES(1)")
            #expect(!ImportError(error, path: "/x").message.contains("INSERT"))
        }
    }
}
