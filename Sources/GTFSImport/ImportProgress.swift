/// Where an import stands; sent now and then while it runs.
public struct ImportProgress: Sendable {
    /// The phase in words, such as "reading stop_times.txt" or "building indexes".
    public var phase: String
    /// Rows read from the current file; 0 outside of reading.
    public var rows: Int
    /// Bytes of the feed's files read so far, uncompressed, and in all.
    public var bytesRead: UInt64
    public var bytesTotal: UInt64
}
