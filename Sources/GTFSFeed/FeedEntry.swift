/// One file of a feed.
public struct FeedEntry: Sendable {
    /// The name below the feed's root folder: `stops.txt`, `extra/notes.txt`; as written, `STOPS.TXT` included.
    public let name: String
    /// The path in the container: `gtfs/stops.txt`, or `stop_times.zip#stop_times.txt` where a single file was packed
    /// once more.
    public let path: String
    /// Bytes of its content.
    public let size: UInt64
    /// The CRC-32 an archive has for it; `nil` in a folder.
    public let checksum: UInt32?

    /// Bytes that it takes in its archive; nil in a folder.
    public var packedSize: UInt64? {
        if case .member(_, let member) = source { member.compressedSize } else { nil }
    }

    let source: EntrySource
    /// The container for messages.
    let place: String

    init(_ item: Container.Item, name: String, path: String, place: String) {
        self.name = name
        self.path = path
        size = item.size
        checksum = item.checksum
        source = item.source
        self.place = place
    }
}
