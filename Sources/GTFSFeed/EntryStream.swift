// Unsafe: fills the caller's buffer; a checksum over the same bytes goes through a pointer too.

import SystemFiles

/// The bytes of one entry, from front to back.
///
///     let stream = try feed.read(entry)
///     while case let count = try stream.read(into: buffer), count > 0 { consume(buffer[..<count]) }
///
/// Size and CRC-32 are checked at the end, so the content is known to be intact only once `read` has returned 0.
/// Memory: 256 KiB of compressed bytes and zlib's 40 KB. A stream belongs to one thread at a time.
public final class EntryStream {
    private enum Body {
        case plain(FileRange)
        case deflated(DeflatedBytes)
    }

    private let body: Body
    private let path: String
    private let place: String
    private let size: UInt64
    private let expected: UInt32?
    /// The checksum that the file of a folder had when it was read before.
    private let before: UInt32?
    private var checksum = Checksum()
    private var position: UInt64 = 0
    private var isAtEnd = false
    private var failure: FeedError?

    convenience init(_ entry: FeedEntry) throws(FeedError) {
        try self.init(entry.item, place: entry.place, before: entry.checksumBefore)
    }

    init(_ item: Container.Item, place: String, before: UInt32? = nil) throws(FeedError) {
        size = item.size
        expected = item.checksum
        self.before = before
        self.place = place
        switch item.source {
        case .file(let file):
            path = item.path
            body = .plain(FileRange(try ReadOnlyFile.open(file)))
        case .member(let archive, let member):
            path = member.path
            body = try Self.body(of: member, in: archive)
        }
    }

    /// Fills `buffer`. Returns fewer bytes than fit only at the end, then 0.
    ///
    /// - Throws: `damaged` when the content contradicts the archive's size or checksum, `readFailed` when reading fails
    ///   or a file changes meanwhile. A stream that has failed keeps failing.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
        if let failure { throw failure }
        if isAtEnd || buffer.isEmpty { return 0 }
        do throws(FeedError) {
            let count = try fill(buffer)
            checksum.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            position += UInt64(count)
            guard position <= size else { throw tooLong() }
            if count < buffer.count { try finish() }
            return count
        } catch {
            failure = error
            throw error
        }
    }

    /// Reads to the end and returns the CRC-32 of everything.
    func finalChecksum(isCancelled: () -> Bool = { false }) throws(FeedError) -> UInt32 {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: DeflatedBytes.pieceSize, alignment: 16)
        defer { buffer.deallocate() }
        while try read(into: buffer) > 0 {
            if isCancelled() { throw .cancelled(place) }
        }
        return checksum.value
    }

    private static func body(of member: ZipMember, in archive: ZipArchive) throws(FeedError) -> Body {
        if let refusal = member.refusal { throw FeedError(.unsupported, refusal, at: archive.place) }
        let data = try archive.data(of: member)
        // Some writers mark an empty file as deflated but write no deflate stream for it.
        if member.method == .deflate && (member.size > 0 || member.compressedSize > 0) {
            return .deflated(DeflatedBytes(data, path: member.path, place: archive.place))
        }
        guard member.size == member.compressedSize else {
            throw archive.damaged(
                "\(member.path) is stored without compression, but has \(member.compressedSize) bytes in the archive "
                    + "and \(member.size) unpacked")
        }
        return .plain(data)
    }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
        switch body {
        case .plain(let range): try range.read(into: buffer, at: position)
        case .deflated(let bytes): try bytes.read(into: buffer)
        }
    }

    private func tooLong() -> FeedError {
        if expected == nil { return changed() }
        return FeedError(.damaged, "\(path) is longer than the \(size) bytes the central directory says", at: place)
    }

    private func finish() throws(FeedError) {
        isAtEnd = true
        guard let expected else {
            guard position == size, before.map({ $0 == checksum.value }) ?? true, try isUnchanged() else {
                throw changed()
            }
            return
        }
        guard position == size else {
            throw FeedError(.damaged, "\(path) ends after \(position) of \(size) bytes", at: place)
        }
        guard expected == checksum.value else {
            let (found, wanted) = (checksum.value.hexadecimal(digits: 8), expected.hexadecimal(digits: 8))
            throw FeedError(.damaged, "\(path) has the checksum \(found), not \(wanted) as the archive says", at: place)
        }
    }

    /// Whether a file in a folder is unchanged since it was opened. Archives have checksums for that.
    private func isUnchanged() throws(FeedError) -> Bool {
        if case .plain(let range) = body { try range.file.isUnchanged() } else { true }
    }

    private func changed() -> FeedError {
        FeedError(
            .readFailed, "\(path) has changed since the folder was listed; import it once it is complete", at: place)
    }
}
