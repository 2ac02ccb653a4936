// Unsafe: passes the caller's buffer to `pread`, cut to the range; `bytes` copies out of a buffer it allocates and
// frees itself.

/// A range of bytes in a file: a whole archive, or one stored within another.
struct FileRange: Sendable {
    let file: ReadOnlyFile
    let start: UInt64
    let count: UInt64

    init(_ file: ReadOnlyFile) { self.init(file: file, start: 0, count: file.size) }

    private init(file: ReadOnlyFile, start: UInt64, count: UInt64) {
        self.file = file
        self.start = start
        self.count = count
    }

    /// A part of this range; `nil` when it does not lie within.
    func part(at offset: UInt64, count part: UInt64) -> FileRange? {
        guard offset <= count, part <= count - offset else { return nil }
        return FileRange(file: file, start: start + offset, count: part)
    }

    /// Fills `buffer` from `offset` on. Returns fewer bytes only at the end of the range.
    ///
    /// - Throws: `readFailed` when the file has become shorter than it was when it was opened.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FeedError) -> Int {
        guard offset < count else { return 0 }
        let wanted = Int(min(UInt64(buffer.count), count - offset))
        let read = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: start + offset)
        guard read == wanted else {
            let end = start + offset + UInt64(read)
            throw FeedError(
                .readFailed,
                "was \(file.size) bytes long when it was opened and now ends after \(end); it changed while it was read",
                at: file.place)
        }
        return read
    }

    /// A copy of some bytes; `nil` when they do not lie within.
    func bytes(at offset: UInt64, count wanted: Int) throws(FeedError) -> [UInt8]? {
        guard wanted >= 0, offset <= count, UInt64(wanted) <= count - offset else { return nil }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: wanted, alignment: 16)
        defer { buffer.deallocate() }
        let read = try read(into: buffer, at: offset)
        return Array(buffer[..<read])
    }

    /// The 32-bit number at an offset, such as a zip signature; `nil` when it does not lie within.
    func signature(at offset: UInt64) throws(FeedError) -> UInt32? {
        guard let bytes = try bytes(at: offset, count: 4) else { return nil }
        var cursor = ByteCursor(bytes)
        return cursor.integer()
    }
}
