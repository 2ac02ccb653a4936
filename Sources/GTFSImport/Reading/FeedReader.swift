// Unsafe only for cells: they are bytes in the reader's block, so nothing is copied or allocated for a cell.

import GTFSFeed
import GTFSSchema
import SystemFiles

/// The reading stage: reads the feed's files in order and sends the contents of the store to the writing stage.
///
/// Runs on its own thread. Every block that it sends comes back through `used` and is filled again, so memory does not
/// grow with the feed, except by its IDs and by references to later rows of the same file.
final class FeedReader: @unchecked Sendable {
    // @unchecked: while the reading thread runs, only it uses `state` and `inventory`; others use them after it was
    // joined.

    let feed: OpenedFeed
    let inventory: FeedInventory
    let state: ReadingState
    private let events: BoundedQueue<ReadingEvent>
    private let used: BoundedQueue<ParsedBlock>
    private let progress: ProgressMeter
    /// Finds what a filter keeps; nil if there is no filter.
    private let survey: FeedSurvey?
    private var needed: NeededIDs?
    private var viewNames = TakenNames(Specification.gtfs.files.map(\.view))
    /// Table names of every store that the table of an unknown file must not take.
    private var tableNames = TakenNames(["extra_cell", "extra_file"])

    /// Rows of all files so far, blank ones included: they count in the numbers of rows, which are keys.
    private var rows = 0

    init(
        feed: OpenedFeed, inventory: FeedInventory, state: ReadingState, events: BoundedQueue<ReadingEvent>,
        used: BoundedQueue<ParsedBlock>, progress: ProgressMeter, survey: FeedSurvey?
    ) {
        self.feed = feed
        self.inventory = inventory
        self.state = state
        self.events = events
        self.used = used
        self.progress = progress
        self.survey = survey
    }

    /// Warnings for the operator about the filter.
    var warnings: [String] { needed?.warnings ?? [] }

    /// Sends everything; after a failure, sends the failure and stops. Closes the queue at the end.
    func run() {
        defer { events.close() }
        do {
            if let survey {
                progress.begin("choosing trips")
                needed = try survey.run()
            }
            for (definition, entry) in inventory.tables {
                if definition.name == "locations.geojson" {
                    try readLocations(entry)
                } else {
                    try readTable(entry, definition)
                }
            }
            try readUnknownTables()
            for entry in inventory.others { try keep(entry) }
        } catch is ReadingStopped {
            // The writing stage has closed the queue and knows why.
        } catch {
            events.push(.failure(error))
        }
    }

    private func readTable(_ entry: FeedEntry, _ definition: FileDefinition) throws {
        let reader = try open(entry)
        noteDelimiter(reader, entry)
        let header = HeaderReader(file: entry.name, definition: definition, header: reader.header)
            .plan(&state.notices)
        let plan = TablePlan(file: entry.name, definition: definition, header: header, namespaces: state.namespaces)
        let filter = needed.map { RowFilter(plan, $0, state) }
        let table = try read(entry, reader, plan, filter)
        if !table.forwardReferences.isEmpty { try resolveForwardReferences(table) }
        if definition.table == "service" {
            state.nextServiceKey = Int32(clamping: max(table.rowNumber, filter?.lastRow ?? 0) + 1)
        }
        if definition.table == "feed_info", table.rowsRead > 1 {
            state.notices.add(
                .moreThanOneEntity, file: entry.name,
                "\(entry.name): has \(table.rowsRead) rows where one is allowed; all are stored")
        }
        if definition.table == lastTableOfNames {
            // Without stops.txt there is no table in which to look for translated names.
            let isByValue = inventory.has("stops.txt") && state.translatedRecords.hasRowsWithoutRecord
            try send(.lastName(hasTranslationsByValue: isByValue))
        }
        try finish(reader, table, entry, leftOut: filter?.leftOut ?? 0)
    }

    private var lastTableOfNames: String { inventory.has("translations.txt") ? "translation" : "stop" }

    private func readUnknownTables() throws {
        state.notices.isInUnknownFile = true
        defer { state.notices.isInUnknownFile = false }
        for entry in inventory.unknownTables { try readUnknownTable(entry) }
    }

    private func readUnknownTable(_ entry: FeedEntry) throws {
        let reader = try open(entry)
        let header = HeaderReader(file: entry.name, definition: nil, header: reader.header)
            .plan(&state.notices)
        guard header.count > 0 else { return try keep(entry) }
        let stem = String(Substring(entry.name.utf8.dropLast(".txt".utf8.count)))
        let plan = TablePlan(
            file: entry.name, definition: nil, table: tableNames.distinct("extra_" + stem),
            view: viewNames.distinct("gtfs_" + stem), header: header, namespaces: state.namespaces)
        try finish(reader, read(entry, reader, plan), entry)
    }

    private func read(
        _ entry: FeedEntry, _ reader: CSVReader, _ plan: TablePlan, _ filter: RowFilter? = nil
    ) throws -> TableReader {
        let table = TableReader(plan: plan, shared: state)
        try send(.begin(plan))
        try keepNames(beyond: plan)
        try readBlocks(reader, table, entry, filter)
        return table
    }

    private func open(_ entry: FeedEntry) throws -> CSVReader {
        progress.beginReading(entry.name)
        let reader = try CSVReader(
            source: CountedSource(source: try feed.source(of: entry), progress: progress),
            blockBytes: Self.blockBytes(for: entry), maximumRecordBytes: feed.limits.maximumRecordBytes,
            decodingNames: state.texts(ofNames:))
        state.beginFile(entry.name, hasByteOrderMark: reader.encoding.hasByteOrderMark)
        if reader.encoding.name != "UTF-8" {
            state.notices.add(
                .invalidCharacter, file: entry.name,
                "\(entry.name): is \(reader.encoding.name) where GTFS has UTF-8; converted")
        }
        return reader
    }

    /// The GTFS reference knows commas only, so other programs find no column in such a file.
    private func noteDelimiter(_ reader: CSVReader, _ entry: FeedEntry) {
        guard reader.delimiter != UInt8(ascii: ",") else { return }
        let name = reader.delimiter == UInt8(ascii: ";") ? "semicolons" : "tabs"
        let row = reader.header.rowNumber
        state.notices.add(
            .csvParsingFailed, file: entry.name, row: row,
            "\(entry.name), row \(row): the columns are divided by \(name) where GTFS has commas; read as such")
    }

    /// With blocks of 256 KB, the cost of handing them over is negligible. A smaller file gets a smaller block, as
    /// touching fresh memory takes longer than reading such a file.
    private static func blockBytes(for entry: FeedEntry) -> Int {
        Int(max(min(entry.size, (256 << 10) - 1) + 1, 4096))
    }

    /// Limits a block's cells to about 40 MB; tables of up to 32 columns never come near this limit.
    private static let cellsPerBlock = 8 << 20

    private func readBlocks(
        _ reader: CSVReader, _ table: TableReader, _ entry: FeedEntry, _ filter: RowFilter?
    ) throws {
        // A row of two bytes may still have a cell for each of 1,900 columns.
        let rows = Self.cellsPerBlock / max(table.plan.stride, 1)
        reader.limitBlocks(to: max(rows, 1 << 12), rows: max(rows, 1 << 10))
        var block = used.popLatestIfAny() ?? ParsedBlock()
        var lastRow = 1
        while let records = try reader.nextBlock(reusing: block.records) {
            let row = records.rowNumber(records.rowCount - 1)
            try countRows(row - lastRow, entry)
            lastRow = row
            try refuseLongFields(records, entry)
            filter?.leaveOut(of: records)
            guard records.rowCount > 0 else {
                block.records = records
                continue
            }
            table.read(records, into: block)
            progress.add(rows: records.rowCount)
            try send(.block(block))
            block = used.popLatestIfAny() ?? ParsedBlock()
        }
        note(reader.blankRows, table)
    }

    /// For blank rows beyond the first, only their count is known.
    private func note(_ rows: BlankRows, _ table: TableReader) {
        for number in rows.firstNumbers { table.noteBlankRow(number) }
        state.notices.count(.emptyRow, in: table.place, times: rows.count - rows.firstNumbers.count)
    }

    private func countRows(_ count: Int, _ entry: FeedEntry) throws {
        rows += count
        guard rows > feed.limits.maximumRows else { return }
        throw FeedError(
            .overLimit,
            "\(entry.name) and the files before it have \(rows) rows or more"
                + FeedLimits.Name.rows.exceeded(feed.limits.maximumRows), at: feed.place)
    }

    private func refuseLongFields(_ records: RecordBlock, _ entry: FeedEntry) throws {
        let most = feed.limits.maximumFieldBytes
        guard records.rawCount > most else { return }
        for row in 0..<records.rowCount {
            guard let bytes = records.fields(of: row).lazy.map({ records.field($0).count }).max(), bytes > most else {
                continue
            }
            throw FeedError(
                .overLimit,
                "\(entry.name), row \(records.rowNumber(row)): a field has \(bytes) bytes"
                    + FeedLimits.Name.fieldBytes.exceeded(most), at: feed.place)
        }
    }

    private func finish(_ reader: CSVReader, _ table: TableReader, _ entry: FeedEntry, leftOut: Int = 0) throws {
        let encoding = state.charset ?? reader.encoding.name
        try send(
            .end(
                FileSummary(
                    file: entry.name, table: table.plan.table, view: table.plan.view, encoding: encoding,
                    rows: table.rowsRead, keptRows: table.rowsKept,
                    rowsWithoutParent: table.rowsWithoutParent, leftOut: leftOut, bytes: entry.size,
                    greatestTime: table.greatestTime)))
    }

    /// A block for what a file brings besides its rows.
    func blockWithoutRows(_ plan: TablePlan) -> ParsedBlock {
        let block = used.popLatestIfAny() ?? ParsedBlock()
        block.prepare(rows: 0, plan: plan)
        return block
    }

    /// Keeps the names of columns for which the table has no room.
    private func keepNames(beyond plan: TablePlan) throws {
        guard !plan.beyond.isEmpty else { return }
        let block = blockWithoutRows(plan)
        for column in plan.beyond where !column.name.isEmpty {
            var name = column.name
            name.withUTF8 { name in
                block.addExtraCell(
                    UnsafeRawBufferPointer(name), row: plan.headerRow, at: column.index + 1, block.convert)
            }
        }
        try send(.block(block))
    }

    /// Keeps a file that is not a table, byte for byte and in pieces.
    private func keep(_ entry: FeedEntry) throws {
        progress.begin("keeping \(entry.name)")
        let stream = try feed.read(entry)
        var part = 0
        while true {
            let bytes = try [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, count in
                count = try stream.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            if bytes.isEmpty { break }
            progress.add(bytes: bytes.count)
            try send(.bytes(file: entry.name, part: part, bytes: bytes))
            part += 1
        }
        try send(
            .end(
                FileSummary(
                    file: entry.name, table: nil, view: nil, encoding: nil, rows: 0, keptRows: 0, bytes: entry.size)))
    }

    private func readLocations(_ entry: FeedEntry) throws {
        progress.beginReading(entry.name)
        state.beginFile(entry.name)
        let reader = try LocationsReader(file: entry.name, state: state) { [self] event in
            switch event {
            case .location, .keptRow:
                progress.add(rows: 1)
                try countRows(1, entry)
            default: break
            }
            try send(event)
        }
        reader.needed = needed.map {
            $0.maps[ColumnReference(table: "location", column: "location_id")] ?? IdentifierMap()
        }
        try reader.read(CountedSource(source: try feed.read(entry), progress: progress))
        try send(
            .end(
                FileSummary(
                    file: entry.name, table: "location", view: "gtfs_locations",
                    encoding: state.charset ?? reader.encoding.name, rows: reader.features - reader.featuresLeftOut,
                    keptRows: reader.featuresKept, leftOut: reader.featuresLeftOut, bytes: entry.size)))
    }

    func send(_ event: ReadingEvent) throws {
        guard events.push(event) else { throw ReadingStopped() }
    }
}

/// Thrown when the writing stage has closed the queue.
struct ReadingStopped: Error {}
