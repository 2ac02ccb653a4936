import GTFSFeed
import GTFSSchema
import SQLite
import SystemFiles

/// Loads the rows of a feed into the builder's tables: the reading thread sends them, this thread stores them.
struct FeedLoading {
    let feed: OpenedFeed
    let place: StorePlace
    let filter: FeedFilter
    let progress: (@Sendable (ImportProgress) -> Void)?

    /// How many full blocks may wait in the queue between the threads; more would only use memory. Blocks of small
    /// files count less, so several such files can be read while the tables are created.
    private static let blocksUnderway = 6
    /// A feed may have any number of files without a block.
    private static let mostEvents = 1_000

    /// Returns the builder from `makeBuilder`, with all tables filled. `makeBuilder` runs while the first blocks are
    /// read, which saves a twentieth of the time for a small feed.
    func run(
        _ log: ImportLog, makeBuilder: () throws -> StoreBuilder
    ) throws -> StoreBuilder {
        let inventory = FeedInventory(feed.entries, notices: &log.notices)
        if let folder = feed.rootFolder {
            log.notices.add(
                .invalidInputFilesInSubfolder, file: nil,
                "\(folder): the feed's files lie in this folder; read from there")
        }
        for anomaly in feed.anomalies {
            log.notices.add(.containerAnomaly, file: nil, "\(feed.name): \(anomaly)")
        }
        try inventory.requireFiles(feed: feed.place, anomalies: feed.anomalies, notices: &log.notices)
        let encodings = FeedEncodings(feed, inventory) { [cancellation = place.cancellation] in cancellation.isSet }
        let state = ReadingState(notices: log.notices, encodings: encodings)
        let builder = try load(inventory, state, encodings, log, makeBuilder)
        try keepLateDuplicates(state, builder)
        log.notices = state.notices
        builder.translatedRecords = state.translatedRecords
        log.rows = builder.files
        try requireStopTimes(builder)
        place.size.settle()
        try builder.completeTables()
        return builder
    }

    private func load(
        _ inventory: FeedInventory, _ state: ReadingState, _ encodings: FeedEncodings, _ log: ImportLog,
        _ makeBuilder: () throws -> StoreBuilder
    ) throws -> StoreBuilder {
        let events = BoundedQueue<ReadingEvent>(
            capacity: Self.blocksUnderway * ReadingEvent.fullWeight, mostElements: Self.mostEvents
        ) { $0.weight }
        let used = BoundedQueue<ParsedBlock>(capacity: .max)
        let meter = ProgressMeter(total: feed.textBytes, report: progress)
        let unwanted = AbandonedWork()
        let reader = FeedReader(
            feed: feed, inventory: inventory, state: state, events: events, used: used, progress: meter,
            survey: survey(inventory, encodings, unwanted))
        guard let thread = WorkerThread({ reader.run() }) else {
            throw ImportError(
                .inputOutput, at: feed.place,
                ": the system refused a thread for reading; raise its limit of threads or memory (ulimit -u, -v)")
        }
        let result = Result {
            let builder = try makeBuilder()
            try store(events, used, in: builder)
            return builder
        }
        unwanted.set()
        events.close()
        thread.join()
        log.report.warnings += reader.warnings
        return try result.get()
    }

    /// Makes the survey of the filter. It sends no events, so neither the writing stage nor a closed queue stops it: it
    /// checks by itself.
    private func survey(
        _ inventory: FeedInventory, _ encodings: FeedEncodings, _ unwanted: AbandonedWork
    ) -> FeedSurvey? {
        guard !filter.isEmpty else { return nil }
        let scan = FileScan(feed: feed, inventory: inventory, encodings: encodings) { [place] in
            if unwanted.isSet { throw ReadingStopped() }
            try place.cancellation.check()
            try place.memory.check(importing: place.feed)
        }
        return FeedSurvey(filter, scan)
    }

    private func store(
        _ events: BoundedQueue<ReadingEvent>, _ used: BoundedQueue<ParsedBlock>, in builder: StoreBuilder
    ) throws {
        while let event = events.pop() {
            Failpoint.reach("block")
            if case .block(let block) = event { place.size.add(block) }
            try place.check()
            if case .failure(let error) = event { throw error }
            try builder.handle(event)
            try place.memory.check(importing: place.feed)
            if case .block(let block) = event { used.push(block) }
        }
    }

    /// Moves rows that sorting has shown to be duplicates to `kept_row`, with their text as it stands in the feed.
    private func keepLateDuplicates(_ state: ReadingState, _ builder: StoreBuilder) throws {
        for duplicates in builder.lateDuplicates.sorted(by: { $0.plan.file < $1.plan.file }) {
            let plan = duplicates.plan
            let counted = NoticeLog.FilePlace(plan.file)
            state.notices.moveToKeptRow(duplicates)
            try builder.kept.keepRows(of: plan.file, .duplicateKey) { keep in
                try duplicates.forEach { number, sequence, text in
                    try place.cancellation.check()
                    state.notices.add(.duplicateKey, in: counted) {
                        Notice(
                            kind: .duplicateKey, file: plan.file, rowNumber: number,
                            field: plan.definition?.keyFields.last?.name, value: String(sequence),
                            fault: "\(plan.file), row \(number): \(Notice.repeatsKey(of: plan))")
                    }
                    try keep(number, text)
                }
            }
            builder.countKept(duplicates.count, in: plan.file)
        }
    }

    private func requireStopTimes(_ builder: StoreBuilder) throws(ImportError) {
        guard let stopTimes = builder.files.first(where: { $0.table == "stop_time" }),
            stopTimes.rows == stopTimes.keptRows
        else { return }
        if stopTimes.rows == 0, stopTimes.leftOut > 0 {
            throw ImportError(
                .feedRefused, at: feed.place, ": with \(filter.options), no trip with stop times remains")
        }
        let fault =
            stopTimes.rows == 0
            ? "stop_times.txt has no rows, so there is no timetable to store"
            : "none of the \(stopTimes.rows) rows of stop_times.txt can be stored (see the notices)"
        throw ImportError(.feedRefused, at: feed.place, ": \(fault)\(cause(of: stopTimes, builder))")
    }

    /// Why none of the stop times can be stored, as the end of a message; empty if their rows have several faults.
    private func cause(of stopTimes: FileSummary, _ builder: StoreBuilder) -> String {
        if builder.files.first(where: { $0.table == "trip" })?.rows == 0 { return ": trips.txt has no rows" }
        if let fault = headerFault(of: stopTimes.file, ("it", "its header", "its first row"), builder) {
            return "; \(fault)"
        }
        guard stopTimes.rows > 0, stopTimes.rowsWithoutParent == stopTimes.rows else { return "" }
        let trips = "trips.txt"
        let fault = headerFault(of: trips, (trips, "the header of \(trips)", "the first row of \(trips)"), builder)
        return "; \(fault ?? "\(trips) has none of their trip_ids")"
    }

    /// Says which key columns the header lacks; nil if it has all of them or there is none.
    private func headerFault(
        of file: String, _ name: (file: String, header: String, row: String), _ builder: StoreBuilder
    ) -> String? {
        guard let definition = Specification.gtfs.file(named: file), let plan = builder.plans[definition.table] else {
            return nil
        }
        let columns = definition.keyFields.map(\.name).filter { !plan.present.contains($0) }
        guard !columns.isEmpty, plan.headerCount > 0 else { return nil }
        guard !plan.present.isEmpty else {
            return plan.extra.first?.column.hasPrefix(FeedError.startOfLFSPointer) == true
                ? "\(name.file) is \(FeedError.lfsPointer)"
                : "\(name.row) names no column of GTFS and so is not a header"
        }
        return "\(name.header) lacks the column\(columns.count == 1 ? "" : "s") \(columns.joined(separator: " and "))"
    }
}

extension OpenedFeed {
    /// The feed's place without parent folders, so that the same feed gives the same store wherever it lies.
    var name: String {
        let path = place.utf8.prefix { $0 != UInt8(ascii: "#") }
        let name = path.split(separator: UInt8(ascii: "/")).last ?? path
        return String(place[name.startIndex..<name.endIndex] + place[path.endIndex...])
    }
}
