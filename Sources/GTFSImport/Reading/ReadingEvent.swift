/// What the reading stage tells the writing stage, in the order in which the store is to be filled.
enum ReadingEvent: Sendable {
    /// The blocks that follow belong to this table.
    case begin(TablePlan)
    case block(ParsedBlock)
    /// A file has been read to its end.
    case end(FileSummary)
    /// A piece of a file that is no table.
    case bytes(file: String, part: Int, bytes: [UInt8])
    /// The geographic zones of locations.geojson, ready to be stored.
    case location(LocationRecord)
    /// A feature of locations.geojson that cannot be stored.
    case keptRow(file: String, number: Int, reason: String, text: String)
    /// Members of a feature that no column takes; row 0 is the collection itself.
    case extraCell(file: String, row: Int, position: Int, value: String)
    /// Reading stopped here.
    case failure(ImportError)
}

/// What was in one file of the feed.
struct FileSummary: Sendable {
    let file: String
    let table: String?
    let view: String?
    /// Such as "UTF-8" or "windows-1252".
    let encoding: String?
    /// Records after the header, stored or kept.
    let rows: Int
    /// Records that could not be stored.
    var keptRows: Int
    /// Records that a filter left out; they count to no other number.
    var leftOut = 0
    let bytes: UInt64
    /// The greatest time of the file, in seconds of the service day.
    var latestTime: Int64?
}
