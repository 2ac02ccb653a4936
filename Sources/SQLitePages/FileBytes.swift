import Glibc

// Unsafe: pread and pwrite take pointers; each is told the length of the caller's buffer.

/// Whole reads and writes at a place in a file.
enum FileBytes {
    /// Writes all of `bytes`; `what` names them in the error.
    static func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int, what: @autoclosure () -> String
    ) throws(PageFileError) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + written))
            if count > 0 {
                written += count
            } else if count == 0 || errno != EINTR {
                throw .system("\(what()) cannot be written", count == 0 ? ENOSPC : errno)
            }
        }
    }

    /// Throws `lost` unless the file has these bytes, which were written just now.
    ///
    /// Costs a copy of them within the processor's cache. A disk, or a layer above it, may lose a write and say that it
    /// was done.
    static func compare(
        _ bytes: UnsafeRawBufferPointer, with descriptor: Int32, at offset: Int, what: @autoclosure () -> String
    ) throws(PageFileError) {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: min(bytes.count, 1 << 16), alignment: 4096)
        defer { piece.deallocate() }
        var compared = 0
        while compared < bytes.count {
            let wanted = UnsafeRawBufferPointer(rebasing: bytes[compared..<min(compared + piece.count, bytes.count)])
            let found = UnsafeMutableRawBufferPointer(rebasing: piece[..<wanted.count])
            let count = try read(found, from: descriptor, at: offset + compared, what: what())
            guard let one = wanted.baseAddress, let other = found.baseAddress, count == wanted.count,
                memcmp(one, other, count) == 0
            else {
                throw PageFileError(
                    .lost, "\(what()) cannot be read back as written: a write was lost although the system took it")
            }
            compared += count
        }
    }

    /// Fills `bytes` from the file and answers how many there were; fewer only at its end.
    static func read(
        _ bytes: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int, what: @autoclosure () -> String
    ) throws(PageFileError) -> Int {
        var filled = 0
        while filled < bytes.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
            let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
            if count == 0 { break }
            if count > 0 { filled += count } else if errno != EINTR { throw .system("\(what()) cannot be read", errno) }
        }
        return filled
    }
}

extension PageFileError {
    /// A system call that failed, with the system's own words.
    static func system(_ what: String, _ number: Int32) -> PageFileError {
        PageFileError(.inputOutput, "\(what): \(String(cString: strerror(number)))")
    }
}
