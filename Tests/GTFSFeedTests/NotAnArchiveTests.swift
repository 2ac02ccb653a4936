import Testing

@testable import GTFSFeed

/// Checks the error for files that are not zip archives.
struct NotAnArchiveTests {
    @Test(
        "the message says what a file is that is not a zip",
        arguments: [
            ([], "is empty (0 bytes)"),
            (Array("\n\n<!DOCTYPE html>\n<html>".utf8), #"is not a zip archive: it starts with "<!DOCTYPE html>""#),
            (Array("<html lang=\"en\">".utf8), #"is not a zip archive: it starts with "<html lang=\"en\">""#),
            (Array("x".utf8), #"is not a zip archive: it starts with "x""#),
            (Array("stop_id,stop_name\r\n1,a".utf8), #"is not a zip archive: it starts with "stop_id,stop_name""#),
            (
                Array((String(repeating: "a", count: 39) + "äb").utf8),
                "is not a zip archive: it starts with \"\(String(repeating: "a", count: 39))\""
            ),
            ([0, 1, 0xff], "is not a zip archive: it starts with the bytes 00 01 ff"),
            ([0x1f, 0x8b, 8], "is not a zip archive: it is a gzip file; supply the feed as a zip or a folder"),
            (
                Array("Rar!\u{1a}".utf8),
                "is not a zip archive: it is a RAR archive; supply the feed as a zip or a folder"
            ),
            (
                [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c],
                "is not a zip archive: it is a 7z archive; supply the feed as a zip or a folder"
            ),
            (
                [UInt8](repeating: 0x61, count: 257) + Array("ustar".utf8),
                "is not a zip archive: it is a tar archive; supply the feed as a zip or a folder"
            ),
            (
                Array("%PDF-1.7".utf8),
                "is not a zip archive: it is a PDF document; supply the feed as a zip or a folder"
            ),
            (
                Array("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n".utf8),
                #"is not a zip archive: it is a pointer of Git LFS; fetch the file itself with "git lfs pull""#
            ),
        ] as [([UInt8], String)])
    func noZip(bytes: [UInt8], message: String) throws {
        #expect(try failure(bytes) == FeedError(.notAFeed, message, at: "feed.zip"))
    }
}
