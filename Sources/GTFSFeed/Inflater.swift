// Unsafe: the only calls to zlib in this module, which work on raw pointers. `z_stream` keeps a pointer to itself in
// its inner state, so it lives at a fixed address on the heap; the buffers are borrowed for the length of one call and
// zlib is told their lengths.
import CZlib

/// Inflates one raw deflate stream (RFC 1951), piece by piece, in about 40 KB of memory.
final class Inflater {
    /// What one step did.
    struct Step {
        var consumed: Int
        var produced: Int
        var state: State
    }

    enum State: Equatable {
        /// It can continue with more input or more room.
        case running
        /// The deflate stream has ended; the remaining input does not belong to it.
        case ended
        /// The input is not a valid deflate stream; the text is zlib's message.
        case corrupt(String)
        case outOfMemory
    }

    private let stream: UnsafeMutablePointer<z_stream>
    private let isReady: Bool

    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        isReady = czlib_inflate_init_raw(stream) == Z_OK
    }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Inflates from `input` into `output` until one of them is used up or the stream ends.
    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Step {
        guard isReady else { return Step(consumed: 0, produced: 0, state: .outOfMemory) }
        let room = UInt32(clamping: output.count)
        let offered = UInt32(clamping: input.count)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: Bytef.self).baseAddress)
        stream.pointee.avail_in = offered
        stream.pointee.next_out = output.bindMemory(to: Bytef.self).baseAddress
        stream.pointee.avail_out = room
        let result = inflate(stream, Z_NO_FLUSH)
        return Step(
            consumed: Int(offered - stream.pointee.avail_in), produced: Int(room - stream.pointee.avail_out),
            state: state(result))
    }

    private func state(_ result: Int32) -> State {
        switch result {
        case Z_OK, Z_BUF_ERROR: .running
        case Z_STREAM_END: .ended
        case Z_MEM_ERROR: .outOfMemory
        default: .corrupt(stream.pointee.msg.map { String(cString: $0) } ?? "not a deflate stream")
        }
    }
}

/// A CRC-32 as used in zip archives (APPNOTE 4.4.7; zlib's `crc32_z`).
struct Checksum {
    private(set) var value: UInt32 = 0

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let start = bytes.bindMemory(to: Bytef.self).baseAddress
        guard let start else { return }
        value = UInt32(truncatingIfNeeded: crc32_z(UInt(value), start, bytes.count))
    }
}

/// The library that inflates.
public enum Zlib {
    /// The version in use, such as "1.2.13".
    public static var libraryVersion: String { String(cString: zlibVersion()) }
}
