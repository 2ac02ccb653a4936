import Foundation
import TestSupport
import Testing

@testable import GTFSImport

@Suite struct LockTests {
    let folder: TemporaryFolder
    let target: StoreTarget

    init() throws {
        folder = try TemporaryFolder()
        target = try StoreTarget(folder.path("berlin.sqlite"))
    }

    @Test func aReleasedLockLeavesNoFile() throws {
        let lock = try StoreLock(target)
        #expect(try folder.contents() == ["berlin.sqlite.lock": "\(getpid())\n"])
        lock.release()
        lock.release()
        #expect(try folder.contents().isEmpty)
    }

    @Test func namesTheHolder() throws {
        let lock = try StoreLock(target)
        let error = #expect(throws: ImportError.self) { try StoreLock(target) }
        #expect(error?.code == .locked)
        #expect(error?.message == "another import (process \(getpid())) is writing \(folder.path)/berlin.sqlite")
        lock.release()
        try StoreLock(target).release()
    }

    @Test func aLinkToTheStoreSharesItsLock() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("today.sqlite"), withDestinationPath: "berlin.sqlite")
        let lock = try StoreLock(target)
        defer { lock.release() }
        let other = try StoreTarget(folder.path("today.sqlite"))
        #expect(other == target)
        #expect(throws: ImportError.self) { try StoreLock(other) }
    }

    @Test func aFileLeftByADeadHolderDoesNotLock() throws {
        try folder.write("berlin.sqlite.lock", "999999\n")
        let lock = try StoreLock(target)
        #expect(try folder.contents() == ["berlin.sqlite.lock": "\(getpid())\n"])
        lock.release()
        #expect(try folder.contents().isEmpty)
    }

    /// Such a lock once kept the folder's owner out for good, and a held one was no reason to come again later (75).
    @Test(.enabled(if: geteuid() == 0, "only root may act as another user"))
    func `a lock of another user locks if it is held, and only then`() throws {
        chmod(folder.path, 0o777)
        // An import that waits for its feed. The umask of this process counts for all tests that run meanwhile.
        let waiting = Process()
        waiting.executableURL = URL(filePath: "/bin/sh")
        waiting.arguments = ["-c", "umask 077; exec '\(CommandLineProgram.path)' - '\(target.path)' --quiet"]
        waiting.standardInput = Pipe()
        waiting.standardError = FileHandle.nullDevice
        try waiting.run()
        while waiting.isRunning, try folder.contents()["berlin.sqlite.lock"]?.hasSuffix("\n") != true { usleep(5_000) }
        let error = #expect(throws: ImportError.self) { try asAnotherUser { try StoreLock(target) } }
        #expect(error?.code == .locked)
        waiting.terminate()
        waiting.waitUntilExit()
        try folder.write("berlin.sqlite.lock", "999999\n")
        try asAnotherUser { try StoreLock(target) }.release()
        #expect(try folder.contents().isEmpty)
    }

    @Test func doesNotRemoveALockThatIsNoLongerItsOwn() throws {
        let lock = try StoreLock(target)
        unlink(lock.path)
        let other = try StoreLock(target)
        lock.release()
        #expect(try folder.contents().count == 1)
        #expect(throws: ImportError.self) { try StoreLock(target) }
        other.release()
    }

    @Test func aFolderInItsPlaceIsAnError() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("berlin.sqlite.lock"), withIntermediateDirectories: false)
        let error = #expect(throws: ImportError.self) { try StoreLock(target) }
        #expect(error?.code == .cannotCreateStore)
        #expect(error?.message == refusal("it is a folder"))
    }

    private func refusal(_ reason: String) -> String {
        "\(folder.path)/berlin.sqlite.lock is not the lock of an import: \(reason). "
            + "Move it away, or choose another name for the store"
    }

    private func expectRefusal(_ reason: String, _ location: SourceLocation = #_sourceLocation) {
        let error = #expect(throws: ImportError.self, sourceLocation: location) { try StoreLock(target) }
        #expect(error?.code == .cannotCreateStore, sourceLocation: location)
        #expect(error?.message == refusal(reason), sourceLocation: location)
    }

    /// A file with the lock's name stays unchanged unless an import made it.
    @Test func whatIsNoLockIsNeitherCutNorRemoved() throws {
        let path = folder.path("berlin.sqlite.lock")
        for text in ["precious", "12x\n", "1\n2\n", String(repeating: "1", count: 40)] {
            try folder.write("berlin.sqlite.lock", text)
            expectRefusal("it holds something else than a process id")
            #expect(try folder.contents() == ["berlin.sqlite.lock": text])
        }
        try folder.write("berlin.sqlite.lock", "12\n")
        link(path, folder.path("12"))
        expectRefusal("the file has another name as well")
        unlink(path)
        symlink("12", path)
        expectRefusal("it is a symbolic link")
        #expect(try folder.contents()["12"] == "12\n")
        unlink(path)
        mkfifo(path, 0o600)
        expectRefusal("it is a pipe")
    }

    /// Each holder removes the file when it is done. Two must never hold the lock at once.
    @Test func atMostOneHolds() async throws {
        let holders = Counter()
        let wins = Counter()
        let target = target
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<2_000 {
                        guard let lock = try? StoreLock(target) else { continue }
                        #expect(holders.add(1) == 1)
                        wins.add(1)
                        holders.add(-1)
                        lock.release()
                    }
                }
            }
        }
        #expect(wins.total > 0)
        #expect(try folder.contents().isEmpty)
    }
}
