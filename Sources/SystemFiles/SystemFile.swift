// Unsafe: system calls take pointers; each is told the length of the caller's memory.

import CSystem
import Glibc

/// A system call's failure, by its number.
///
///     SystemError(number: ENOSPC).words     // "No space left on device"
package struct SystemError: Error, Sendable, Equatable {
    package let number: Int32

    package init(number: Int32) { self.number = number }

    /// The failure of the last call.
    package static var last: SystemError { SystemError(number: errno) }

    /// What the system calls it: "No such file or directory" (strerror(3)).
    package var words: String { String(cString: strerror(number)) }
}

/// System calls on files. They pass paths as their exact bytes, repeat calls that a signal interrupts, and complete
/// partial reads and writes.
package enum SystemFile {
    /// Repeats a call that a signal interrupted (signal(7)), and returns its last result.
    @discardableResult
    package static func uninterrupted<Answer: SignedInteger>(_ call: () -> Answer) -> Answer {
        while true {
            let answer = call()
            if answer >= 0 || errno != EINTR { return answer }
        }
    }

    /// As open(2); O_CLOEXEC is always set.
    package static func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
        path.withPath { name in uninterrupted { Glibc.open(name, flags | O_CLOEXEC, mode) } }
    }

    /// The ends of a pipe; nil when the system refuses it. Programs that are started later do not get them (O_CLOEXEC):
    /// who waits for the end of writing would wait for them.
    package static func pipe() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [-1, -1]
        return pipe2(&ends, O_CLOEXEC) == 0 ? (ends[0], ends[1]) : nil
    }

    /// Occupies the descriptors of standard input, output and error if the program was started with them closed.
    /// Otherwise one of our files would get such a number: a feed on standard input would be read from that file, and
    /// messages would be written to it. Reading and writing the streams still fails. Call it first.
    package static func occupyStandardStreams() {
        // open(2) returns the lowest free number.
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            _ = Glibc.open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    @discardableResult
    package static func remove(_ path: String) -> Bool {
        path.withPath { name in uninterrupted { unlink(name) } } == 0
    }

    @discardableResult
    package static func rename(_ from: String, to: String) -> Bool {
        from.withPath { from in to.withPath { to in uninterrupted { Glibc.rename(from, to) } } } == 0
    }

    package static func link(_ from: String, to: String) -> Bool {
        from.withPath { from in to.withPath { to in uninterrupted { Glibc.link(from, to) } } } == 0
    }

    /// Waits until the disk has all of a file, or all names of a folder.
    package static func flush(_ descriptor: Int32) throws(SystemError) {
        if uninterrupted({ fsync(descriptor) }) != 0 { throw .last }
    }

    /// Leaves the last close of files of 32 MiB and more to a child process, which ends soon after this process:
    /// freeing 1 GB takes up to 3 s, and no signal interrupts it.
    package static func leaveLargeFilesToChild() { csystem_leave_large_files(32 << 20) }

    /// The absolute path without symbolic links.
    package static func resolve(_ path: String) throws(SystemError) -> String {
        guard let resolved = path.withPath({ realpath($0, nil) }) else { throw .last }
        defer { free(resolved) }
        return String(path: resolved)
    }

    /// Where a symbolic link leads; nil when the path is not a link.
    package static func linkTarget(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = path.withPath { name in uninterrupted { readlink(name, &buffer, buffer.count) } }
        return count < 0 ? nil : String(pathBytes: buffer.prefix(count).map(UInt8.init(bitPattern:)))
    }

    /// The names in a folder, except `.` and `..`.
    package static func names(in folder: String) throws(SystemError) -> [String] {
        guard let stream = opened(folder) else { throw .last }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0  // tells the end from a failure (readdir(3))
            guard let entry = readdir(stream) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(pathBytes: $0.prefix { $0 != 0 }) }
            if name != "." && name != ".." { names.append(name) }
        }
        if errno != 0 { throw .last }
        return names
    }

    private static func opened(_ folder: String) -> OpaquePointer? {
        folder.withPath { name in
            while true {
                if let stream = opendir(name) { return stream }
                if errno != EINTR { return nil }
            }
        }
    }

    /// Fills `bytes` from a place in a file and returns how many were read; fewer only at the file's end.
    package static func read(
        _ bytes: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int
    ) throws(SystemError) -> Int {
        var filled = 0
        while filled < bytes.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
            let count = uninterrupted { pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled)) }
            if count < 0 { throw .last }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Writes all of `bytes` at a place in a file.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int
    ) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = uninterrupted { pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + written)) }
            if count < 0 { throw .last }
            if count == 0 { throw SystemError(number: ENOSPC) }
            written += count
        }
    }

    /// Writes all of one file to another, empty one.
    package static func copy(_ source: Int32, to copy: Int32, piece: Int) throws(SystemError) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 4096)
        defer { bytes.deallocate() }
        var offset = 0
        while true {
            let count = try read(bytes, from: source, at: offset)
            if count == 0 { return }
            try write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), to: copy, at: offset)
            offset += count
        }
    }

    /// Whether two files have the same bytes. Reads both.
    package static func areEqual(_ one: Int32, _ other: Int32, piece: Int) throws(SystemError) -> Bool {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 4096)
        defer { bytes.deallocate() }
        guard FileStatus(descriptor: one)?.size == FileStatus(descriptor: other)?.size else { return false }
        var offset = 0
        while true {
            let count = try read(bytes, from: one, at: offset)
            if count == 0 { return true }
            guard try holds(UnsafeRawBufferPointer(rebasing: bytes[..<count]), other, at: offset) else { return false }
            offset += count
        }
    }

    /// Whether a file has these bytes at the place where they were just written.
    ///
    /// Costs a copy of them within the processor's cache. A disk, or a layer above it, may lose a write and still
    /// report success.
    package static func holds(
        _ bytes: UnsafeRawBufferPointer, _ descriptor: Int32, at offset: Int
    ) throws(SystemError) -> Bool {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: min(bytes.count, 1 << 16), alignment: 4096)
        defer { piece.deallocate() }
        var compared = 0
        while compared < bytes.count {
            let wanted = UnsafeRawBufferPointer(rebasing: bytes[compared..<min(compared + piece.count, bytes.count)])
            let found = UnsafeMutableRawBufferPointer(rebasing: piece[..<wanted.count])
            guard let one = wanted.baseAddress, let other = found.baseAddress,
                try read(found, from: descriptor, at: offset + compared) == wanted.count,
                memcmp(one, other, wanted.count) == 0
            else { return false }
            compared += wanted.count
        }
        return true
    }

    /// All bytes that a file or a pipe still has; nil if these are more than `most`.
    package static func contents(of descriptor: Int32, atMost most: Int) throws(SystemError) -> [UInt8]? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = uninterrupted { Glibc.read(descriptor, &part, part.count) }
            guard count >= 0 else { throw .last }
            if count == 0 { return bytes }
            bytes += part[..<count]
            if bytes.count > most { return nil }
        }
    }

    /// The first bytes of a file, at most `count`.
    package static func head(_ count: Int, of descriptor: Int32) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let found = try bytes.withUnsafeMutableBufferPointer { buffer throws(SystemError) in
            try read(UnsafeMutableRawBufferPointer(buffer), from: descriptor, at: 0)
        }
        return Array(bytes.prefix(found))
    }
}
