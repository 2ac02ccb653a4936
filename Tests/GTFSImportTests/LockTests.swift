import Foundation
import Testing

@testable import GTFSImport

@Suite struct LockTests {
    let folder: PublicationFolder
    let target: StoreTarget

    init() throws {
        folder = try PublicationFolder()
        target = try StoreTarget(folder.path("berlin.sqlite"))
    }

    @Test func leavesNothing() throws {
        let lock = try StoreLock(target)
        #expect(try folder.contents() == ["berlin.sqlite.lock": "\(getpid())\n"])
        lock.release()
        lock.release()
        #expect(try folder.contents().isEmpty)
    }

    @Test func namesTheHolder() throws {
        let lock = try StoreLock(target)
        let error = #expect(throws: ImportError.self) { try StoreLock(target) }
        #expect(error?.kind == .locked)
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

    @Test func aFileLeftByADeadHolderLocksNothing() throws {
        try folder.write("999999\n", to: "berlin.sqlite.lock")
        let lock = try StoreLock(target)
        #expect(try folder.contents() == ["berlin.sqlite.lock": "\(getpid())\n"])
        lock.release()
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
        #expect(error?.kind == .cannotCreateStore)
        #expect(error?.message == "\(folder.path)/berlin.sqlite.lock cannot be created: Is a directory")
    }

    /// Holders come and go and remove the file each time: two must never hold it at once.
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
