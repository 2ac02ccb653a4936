import SystemFiles

/// Tells by its first bytes what a file is, if it is not a zip archive.
extension FeedError {
    private static let mostBytesShown = 40
    /// How a file begins that Git LFS has put in place of the real one
    /// (<https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md>).
    package static let startOfLFSPointer = "version https://git-lfs.github.com/spec/"
    package static let lfsPointer = "a pointer of Git LFS; fetch the file itself with \"git lfs pull\""

    /// The error for a range without an end of central directory record.
    static func notAnArchive(_ range: FileRange, place: String) throws(FeedError) -> FeedError {
        guard range.count > 0 else { return FeedError(.notAFeed, "is empty (0 bytes)", at: place) }
        let start = try range.bytes(at: 0, count: Int(min(range.count, 512))) ?? []
        if start.starts(with: [0x50, 0x4b, 3, 4]) {
            return FeedError(.damaged, "\(missingEnd(range.count)) (\(range.count) bytes)", at: place)
        }
        if start.starts(with: startOfLFSPointer.utf8) {
            return FeedError(.notAFeed, "is not a zip archive: it is \(lfsPointer)", at: place)
        }
        if let kind = kind(of: start) {
            return FeedError(
                .notAFeed, "is not a zip archive: it is \(kind); supply the feed as a zip or a folder", at: place)
        }
        return FeedError(.notAFeed, "is not a zip archive: it starts with \(beginning(start))", at: place)
    }

    /// A long file may have its end further ahead than anyone looks for it.
    private static func missingEnd(_ count: UInt64) -> String {
        count > ZipEndSearch.farthest
            ? "begins like a zip, but the end of one is not in its last \(ZipEndSearch.farthest) bytes: it was cut off, "
                + "or more than a comment follows it"
            : "looks like a cut-off zip: it begins like one, but its end is missing"
    }

    private static func kind(of bytes: [UInt8]) -> String? {
        if bytes.dropFirst(257).starts(with: Array("ustar".utf8)) { return "a tar archive" }
        return signatures.first { bytes.starts(with: $0.bytes) }?.kind
    }

    private static let signatures: [(bytes: [UInt8], kind: String)] = [
        ([0x1f, 0x8b], "a gzip file"),
        (Array("Rar!".utf8), "a RAR archive"),
        ([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], "a 7z archive"),
        (Array("BZh".utf8), "a bzip2 file"),
        ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], "an XZ file"),
        ([0x28, 0xb5, 0x2f, 0xfd], "a Zstandard file"),
        (Array("%PDF".utf8), "a PDF document"),
        (Array("SQLite format 3\0".utf8), "an SQLite database"),
    ]

    /// The beginning of a text's first line that is not blank, in quotation marks; for other content, its first bytes.
    private static func beginning(_ bytes: [UInt8]) -> String {
        var line = bytes.drop { $0.isBlank || $0.isLineEnd }.prefix { !$0.isLineEnd }
        if line.count > mostBytesShown {
            line = line.prefix(mostBytesShown)
            // Drops the last character if it is not ASCII, because the cut may have split it.
            if let last = line.lastIndex(where: { $0 & 0xc0 != 0x80 }), line[last] >= 0xc0 { line = line[..<last] }
        }
        if let text = String(validating: line, as: UTF8.self), !text.isEmpty { return text.quoted() }
        return "the bytes \(bytes.prefix(16).map { $0.hexadecimal(digits: 2) }.joined(separator: " "))"
    }
}
