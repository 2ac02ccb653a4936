import Glibc
import SystemFiles
import TestSupport
import Testing

/// Flushes a file on another thread while it is written.
@Suite struct FlushAheadTests {
    @Test func theFileMayGrowMeanwhile() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("store")
        let descriptor = SystemFile.open(path, O_RDWR | O_CREAT, 0o600)
        defer { close(descriptor) }
        let piece = [UInt8](repeating: 7, count: 1 << 16)
        try piece.withUnsafeBytes { try SystemFile.write($0, to: descriptor, at: 0) }
        let ahead = FlushAhead(path) { false }
        for place in 1..<32 {
            try piece.withUnsafeBytes { try SystemFile.write($0, to: descriptor, at: place << 16) }
        }
        try ahead.finish()
        #expect(try folder.bytes("store") == [UInt8](repeating: 7, count: 32 << 16))
    }

    /// The system does not flush devices (fsync(2), EINVAL).
    @Test func aFailureIsThrownAtTheEnd() {
        let ahead = FlushAhead("/dev/null") { false }
        #expect(throws: SystemError(number: EINVAL)) { try ahead.finish() }
    }

    @Test func nothingIsFlushedAfterACancellation() throws {
        try FlushAhead("/dev/null") { true }.finish()
    }

    /// The flush at the end does all the work then.
    @Test func aFileThatCannotBeOpenedIsNoFailure() throws {
        try FlushAhead("/dev/null/store") { false }.finish()
    }
}
