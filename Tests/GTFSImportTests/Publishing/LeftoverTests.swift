import Foundation
import SystemFiles
import TestSupport
import Testing

@testable import GTFSImport

/// Removes temporary files of dead runs, but not those that someone has open or other files that look like them.
@Suite struct LeftoverTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ permissions: mode_t = 0o600) throws {
        try folder.write(name, "left")
        chmod(folder.path(name), permissions)
    }

    @Test func leftoversOfDeadProgramsAreRemoved() throws {
        for name in ["etilqs_5f0c1a2b3c4d5e6f", "etilqs_0", ".import-gtfs-0123456789abcdef"] { try make(name) }
        let kept = ["etilqs_x", "etilqs_", "etilqs_ä", "etilqs_5f0c1a2b3c4d5e6f0"]
        for name in kept { try make(name) }
        try make("etilqs_1", 0o644)
        try StorePublication(StoreTarget(folder.path("a.sqlite"))).discard()
        #expect(try folder.contents().keys.sorted() == (kept + ["etilqs_1"]).sorted())
    }

    @Test func temporaryFilesThatAProgramHasOpenStay() throws {
        try make("etilqs_5f0c")
        let descriptor = SystemFile.open(folder.path("etilqs_5f0c"), O_RDWR)
        try StorePublication(StoreTarget(folder.path("a.sqlite"))).discard()
        #expect(try folder.contents().keys.sorted() == ["etilqs_5f0c"])
        close(descriptor)
        try StorePublication(StoreTarget(folder.path("a.sqlite"))).discard()
        #expect(try folder.contents().isEmpty)
    }
}
