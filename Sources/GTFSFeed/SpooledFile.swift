import Glibc
import SystemFiles

// Unsafe: system calls take pointers. The copy buffer is allocated, used and freed within one function.

/// Copies input that can be read only once to an unnamed temporary file.
///
/// A zip's table of contents is at its end, so all data from a pipe has to be kept until the end arrives. The file
/// never has a name (O_TMPFILE), or loses it at once if the file system does not support that. So nothing is left
/// behind, whatever happens.
enum SpooledFile {
    private static let pieceSize = 256 << 10

    /// Copies a descriptor to its end, from the current position on.
    static func copy(
        descriptor: Int32, place: String, folder: String, maximumBytes: UInt64, isCancelled: () -> Bool = { false }
    ) throws(FeedError) -> ReadOnlyFile {
        try copy(place: place, folder: folder, maximumBytes: maximumBytes) { buffer throws(FeedError) in
            while true {
                try wait(for: descriptor, place: place, isCancelled)
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
                if errno != EINTR && errno != EAGAIN { throw .readFailed(place, errno) }
            }
        }
    }

    /// Waits until there is something to read; checks for cancellation five times a second.
    private static func wait(for descriptor: Int32, place: String, _ isCancelled: () -> Bool) throws(FeedError) {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var answer: Int32
        repeat {
            answer = Glibc.poll(&poll, 1, 200)
            if isCancelled() { throw .cancelled(place) }
        } while answer == 0
    }

    /// Copies a stream of bytes to its end; `next` fills a buffer and returns 0 at the end.
    static func copy(
        place: String, folder: String, maximumBytes: UInt64,
        next: (UnsafeMutableRawBufferPointer) throws(FeedError) -> Int
    ) throws(FeedError) -> ReadOnlyFile {
        let target = try unnamedFile(in: folder, place: place)
        var size: UInt64 = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
        defer { buffer.deallocate() }
        do throws(FeedError) {
            while case let count = try next(buffer), count > 0 {
                guard size + UInt64(count) <= maximumBytes else { throw .spoolTooLarge(maximumBytes, place) }
                try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: target, at: size, place: place)
                size += UInt64(count)
            }
        } catch {
            close(target)
            throw error
        }
        return ReadOnlyFile(adopting: target, size: size, place: place)
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer, to target: Int32, at offset: UInt64, place: String
    ) throws(FeedError) {
        do throws(SystemError) {
            try SystemFile.write(bytes, to: target, at: Int(clamping: offset))
        } catch {
            throw FeedError(.readFailed, "cannot be kept in a temporary file: \(error.words)", at: place)
        }
    }

    private static func unnamedFile(in folder: String, place: String) throws(FeedError) -> Int32 {
        do throws(SystemError) {
            return try UnnamedFile.make(in: folder)
        } catch {
            throw FeedError(
                .readFailed, "needs a temporary file in \(folder), which cannot be made: \(error.words)", at: place)
        }
    }
}

extension FeedError {
    static func cancelled(_ place: String) -> FeedError {
        FeedError(.readFailed, "reading was cancelled", at: place)
    }

    fileprivate static func spoolTooLarge(_ limit: UInt64, _ place: String) -> FeedError {
        FeedError(
            .overLimit,
            "takes \(limit + 1) bytes or more of temporary copies"
                + FeedLimits.Name.spooledBytes.exceeded(limit), at: place)
    }
}
