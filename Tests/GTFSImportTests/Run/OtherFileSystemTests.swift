import Foundation
import TestSupport
import Testing

/// File systems that lack something which ext4 has: hard links, locks, a store that can be replaced. Each lack is made
/// by a system call that fails in the real program.
@Suite(.enabled(if: FaultLibrary.path != nil, "there is no C compiler"))
struct OtherFileSystemTests {
    let folder: TemporaryFolder
    let feed = CommandLineProgram.packageRoot + "/pipelines/sample-feed"
    private var store: String { folder.path("a.sqlite") }
    private let old: Data

    init() throws {
        folder = try TemporaryFolder()
        #expect(try CommandLineProgram.run([feed, folder.path("a.sqlite"), "--quiet"]).exitCode == 0)
        old = try Data(contentsOf: URL(filePath: folder.path("a.sqlite")))
    }

    private func bytes(_ ending: String = "") throws -> Data { try Data(contentsOf: URL(filePath: store + ending)) }

    /// The refusals of link(2) on exFAT and of most mounts of object stores.
    @Test(arguments: [EPERM, EOPNOTSUPP, ENOSYS, EMLINK])
    func `without hard links, an earlier store is a copy`(error: Int32) throws {
        chmod(store, 0o640)
        let imported = try FaultLibrary.run(
            [feed, store, "--quiet", "--keep", "2", "--routes", "1"], failing: "link", error: error, times: 0)
        #expect(imported == CommandLineProgram.Result(exitCode: 0, output: "", error: ""))
        #expect(try folder.contents().keys.sorted() == ["a.sqlite", "a.sqlite.1"])
        let new = try bytes()
        #expect(try bytes(".1") == old && new != old)
        #expect(try FileManager.default.attributesOfItem(atPath: store + ".1")[.posixPermissions] as? Int == 0o640)
        let back = try FaultLibrary.run(["--rollback", store, "--quiet"], failing: "link", error: error, times: 0)
        #expect(back.exitCode == 0, "\(back.error)")
        #expect(try bytes() == old && bytes(".1") == new)
    }

    /// A hard link fails where anything has the name. So does a copy, even if it is a link to a disk that is not there.
    @Test func `a copy replaces no link`() throws {
        try FileManager.default.createSymbolicLink(atPath: store + ".1", withDestinationPath: "/no/such/disk/a.sqlite")
        let result = try FaultLibrary.run(
            [feed, store, "--quiet", "--keep", "1", "--routes", "1"], failing: "link", error: EPERM, times: 0)
        #expect(result.exitCode == 73 && result.error.contains("a.sqlite.1: File exists"), "\(result)")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: store + ".1") == "/no/such/disk/a.sqlite")
        #expect(try bytes() == old)
    }

    /// Docker mounts a single file if a volume names one.
    @Test(arguments: [("rename", EBUSY, "0"), ("link", EXDEV, "1")])
    func `a store that is a mount point is refused with advice`(
        call: String, error: Int32, keep: String
    ) throws {
        let result = try FaultLibrary.run(
            [feed, store, "--force", "--quiet", "--keep", keep], failing: call, error: error, onPath: "/a.sqlite",
            times: 0)
        #expect(result.exitCode == 73)
        #expect(
            result.error == "Failed: \(store) cannot be written as a store: it is a mount point of its own and cannot "
                + "be replaced; mount its folder instead\n")
        #expect(try bytes() == old)
        #expect(try folder.contents().keys.sorted() == ["a.sqlite"])
    }

    /// Such a lock would be opened again and again, for ever.
    @Test func `a lock that cannot be recognized is given up`() throws {
        let result = try FaultLibrary.run(
            [feed, store, "--force", "--quiet"], failing: "stat", error: EIO, onPath: "a.sqlite.lock", times: 0)
        #expect(result.exitCode == 73)
        #expect(result.error.contains("a.sqlite.lock cannot be locked: its file is another one each time"), "\(result)")
        #expect(try bytes() == old)
    }

    /// A disk may report only when it is flushed that it did not write.
    @Test func `a page that does not reach the disk is not published`() throws {
        let page = folder.path("a.html")
        let arguments = [feed, store, "--force", "--quiet", "--report", page]
        #expect(try CommandLineProgram.run(arguments).exitCode == 0)
        let before = try Data(contentsOf: URL(filePath: page))
        let result = try FaultLibrary.run(arguments, failing: "fsync", error: EIO, onPath: ".writing", times: 0)
        #expect(result.error.contains("\(page) cannot be written: Input/output error"), "\(result)")
        #expect(try Data(contentsOf: URL(filePath: page)) == before)
        #expect(try folder.contents().keys.sorted() == ["a.html", "a.sqlite"])
        let silent = try FaultLibrary.run(arguments, failing: "fsync", error: EINVAL, onPath: ".writing", times: 0)
        #expect(silent == CommandLineProgram.Result(exitCode: 0, output: "", error: ""))
    }

    @Test func `a page without locks leaves no file behind`() throws {
        let result = try FaultLibrary.run(
            [feed, store, "--force", "--quiet", "--report", folder.path("a.html")], failing: "flock", error: ENOLCK,
            onPath: ".writing", times: 0)
        #expect(result == CommandLineProgram.Result(exitCode: 0, output: "", error: ""))
        #expect(try folder.contents().keys.sorted() == ["a.html", "a.sqlite"])
    }
}
