import Foundation
import TestSupport

@testable import GTFSFeed

extension OpenedFeed {
    /// All bytes of an entry, read in pieces of a given size.
    func bytes(of entry: FeedEntry, pieces: Int = 4096) throws -> [UInt8] {
        let stream = try read(entry)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: pieces)
        while true {
            let result = piece.withUnsafeMutableBytes { buffer in
                Result { () throws(FeedError) in try stream.read(into: buffer) }
            }
            let count = try result.get()
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
    }

    /// Name and text of every entry.
    func texts() throws -> [String: String] {
        var texts: [String: String] = [:]
        for entry in entries { texts[entry.name] = String(decoding: try bytes(of: entry), as: UTF8.self) }
        return texts
    }
}

/// Writes an archive to a file `feed.zip` and opens it for as long as `body` runs.
func withFeed<T>(_ archive: [UInt8], limits: FeedLimits = FeedLimits(), _ body: (OpenedFeed) throws -> T) throws -> T {
    let folder = try TemporaryFolder()
    return try body(OpenedFeed.open(folder.write("feed.zip", archive), limits: limits, spoolFolder: folder.path))
}

/// Opens an archive, reads all of it and returns the error, whose place is given as `feed.zip`; `nil` on success.
func failure(_ archive: [UInt8], limits: FeedLimits = FeedLimits(), part: String = "") throws -> FeedError? {
    let folder = try TemporaryFolder()
    let path = try folder.write("feed.zip", archive)
    do throws(FeedError) {
        let feed = try OpenedFeed.open(path + part, limits: limits, spoolFolder: folder.path)
        for entry in feed.entries { _ = try feed.read(entry).finalChecksum() }
        return nil
    } catch {
        return error.relative(to: folder)
    }
}

extension FeedError {
    /// The error without the path of the temporary folder, so that its text can be compared.
    func relative(to folder: TemporaryFolder) -> FeedError {
        let prefix = folder.path + "/"
        return FeedError(
            code, message.replacingOccurrences(of: prefix, with: ""),
            at: place?.replacingOccurrences(of: prefix, with: ""))
    }
}
