import Glibc
import Testing

@testable import SystemFiles

/// Compares what was written with the contents of the file.
@Suite struct WrittenBytesTests {
    /// More bytes than are compared at a time.
    private static let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    /// Whether a file still holds the bytes written at offset 5 after `damage`.
    private func isHeld(after damage: (Int32) throws -> Void) throws -> Bool {
        let descriptor = try UnnamedFile.make(in: "/tmp")
        defer { close(descriptor) }
        return try Self.bytes.withUnsafeBytes { bytes in
            try SystemFile.write(bytes, to: descriptor, at: 5)
            try damage(descriptor)
            return try SystemFile.holds(bytes, descriptor, at: 5)
        }
    }

    @Test func whatIsThereIsHeld() throws {
        #expect(try isHeld { _ in })
        #expect(try isHeld { _ = ftruncate($0, off_t(Self.bytes.count + 500)) })
    }

    @Test(arguments: [5, 65_540, 65_541, 131_077, 200_004])
    func anotherByteIsNoticed(at place: Int) throws {
        #expect(
            try !isHeld { descriptor in
                let other = [Self.bytes[place - 5] ^ 1]
                try other.withUnsafeBytes { try SystemFile.write($0, to: descriptor, at: place) }
            })
    }

    @Test(arguments: [0, 5, 70_000, 200_004])
    func aShorterFileIsNoticed(size: Int) throws {
        #expect(try !isHeld { _ = ftruncate($0, off_t(size)) })
    }
}
