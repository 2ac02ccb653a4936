/// What the reading stage sends to the writing stage, in the order in which the store is to be filled.
enum ReadingEvent: Sendable {
    /// The blocks that follow belong to this table.
    case begin(TablePlan)
    case block(ParsedBlock)
    /// No later block has names of stops. Translations by value, if there are any, are read from the finished table.
    case lastName(hasTranslationsByValue: Bool)
    /// A file has been read to its end.
    case end(FileSummary)
    /// A piece of a file that is not a table.
    case bytes(file: String, part: Int, bytes: [UInt8])
    /// A geographic zone of locations.geojson, ready to be stored.
    case location(LocationRecord)
    /// A feature of locations.geojson that cannot be stored.
    case keptRow(file: String, number: Int, reason: String, text: String)
    /// Members of a feature that no column can store; row 0 is the collection itself.
    case extraCell(file: String, row: Int, position: Int, value: String)
    /// Reading stopped here. The importer converts the error, as it does with those of the writing stage.
    case failure(any Error)

    /// How much of the queue between the stages the event takes: a full block takes eight times as much as a small one.
    var weight: Int {
        switch self {
        case .block(let block): block.isSmall ? 1 : Self.fullWeight
        case .bytes, .location, .keptRow, .extraCell: Self.fullWeight
        case .begin, .lastName, .end, .failure: 0
        }
    }

    static let fullWeight = 8
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
    /// Those of them whose parent, such as the trip of a stop time, the feed lacks.
    var rowsWithoutParent = 0
    /// Records that a filter left out; the other counts exclude them.
    var leftOut = 0
    let bytes: UInt64
    /// In seconds of the service day.
    var greatestTime = GreatestTime()
}

/// The greatest time of a file's rows. Some rows turn out not to be stored, so a row's time can be taken back.
struct GreatestTime {
    /// The greatest time of rows that are certainly stored and of the row at hand; -1 for none.
    private(set) var ofStored: Int64 = -1
    /// The greatest time of rows that may be duplicates; -1 for none.
    private(set) var ofDoubtful: Int64 = -1
    /// The last row that raised the greatest time, and the greatest time before that row.
    private var row = 0
    private var before: Int64 = -1

    mutating func raise(to time: Int64, byRow number: Int) {
        if row != number { (row, before) = (number, ofStored) }
        ofStored = time
    }

    /// Takes the time of the row at hand back, as the row is not stored.
    mutating func forget(row number: Int) {
        if row == number { ofStored = before }
    }

    /// Moves the time of the row at hand to `ofDoubtful`, as the row may turn out to be a duplicate.
    mutating func doubt(row number: Int) {
        guard row == number else { return }
        ofDoubtful = max(ofDoubtful, ofStored)
        ofStored = before
    }
}
