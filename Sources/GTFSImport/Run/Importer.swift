import GTFSFeed
import GTFSSchema
import KeySorting
import SQLite
import SQLitePages
import SystemFiles

/// One import: either publishes a store made from the feed, or leaves the existing store exactly as it was.
///
///     let (report, error) = Importer(ImportOptions(feed: "berlin.zip", store: "berlin.sqlite")).run()
///
/// Two threads do most of the work. The reading thread reads, splits, parses and resolves references; the calling
/// thread stores, indexes, checks and publishes. Other threads inflate long files, split names into words, merge sorted
/// runs and compare rows once they are stored. Rows pass in blocks; memory grows with the feed's identifiers, trips and
/// stops, and with the different words of their names.
public struct Importer {
    let options: ImportOptions
    let cancellation: CancellationFlag
    let progress: (@Sendable (ImportProgress) -> Void)?

    /// An import with these options. `progress` is called after each block of rows, on the thread that has read it.
    public init(
        _ options: ImportOptions, cancellation: CancellationFlag = CancellationFlag(),
        progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) {
        self.options = options
        self.cancellation = cancellation
        self.progress = progress
    }

    /// Runs the import. If there is an error, the report still contains what is known.
    public func run() -> (report: ImportReport, error: ImportError?) {
        let log = ImportLog(options)
        // A feed of 40 kB takes 15 ms. Reading the declarations is a tenth of that, so another thread does it
        // meanwhile.
        guard
            let declarations = WorkerThread({
                SchemaEntries.makePlain()
                NoticeKind.readCodes()
                _ = FeedRules.all
            })
        else { return outcome(log) }
        let outcome = outcome(log)
        declarations.join()
        return outcome
    }

    private func outcome(_ log: ImportLog) -> (report: ImportReport, error: ImportError?) {
        let limit = TimeLimit(seconds: max(options.maximumSeconds, 0), of: options.feed, cancellation)
        if limit == nil {
            log.report.warnings.append(
                "--max-time does not apply: the system refused a pipe or a thread (see ulimit -n, -u and -v)")
        }
        let outcome = publishing(log)
        limit?.end()
        return outcome
    }

    private func publishing(_ log: ImportLog) -> (report: ImportReport, error: ImportError?) {
        do throws(ImportError) {
            log.report.status = try publish(log)
            return (log.finishedReport(), nil)
        } catch {
            if error.code == .feedRefused { warnOfDamage(log) }
            return (log.finishedReport(), cancellation.error ?? error)
        }
    }

    /// All steps from the options to the published store.
    private func publish(_ log: ImportLog) throws(ImportError) -> ImportReport.Status {
        let target = try StoreTarget(options.store)
        try target.refuseLongName()
        let existing = try ExistingFiles(of: target, keeping: options.previousStoresKept)
        try existing.refuseInput(argument: options.feed)
        if !options.force { try existing.refuseForeign() }
        // Takes the lock before opening the feed, because reading standard input may take long.
        let publication = try StorePublication(target, cancellation: cancellation)
        defer { publication.discard() }
        let reports = options.earlierReports.compactMap { try? StoreTarget($0).path }
        let feed = try openFeed(log, target, ignoring: existing.ownFiles() + reports)
        try existing.refuseInput(feed)
        Failpoint.reach("opened")
        switch try existingStore(at: target, log) {
        case .current:
            try reportUnchanged(target, log)
            // As after an exchange: what the program does now for a store that is current runs to its end.
            try cancellation.commit()
            return .unchanged
        case .damaged: log.isRebuild = true
        case .other: break
        }
        try replaceStore(by: publication, of: feed, log)
        return .published
    }

    private func reportUnchanged(_ target: StoreTarget, _ log: ImportLog) throws(ImportError) {
        if options.gathersDetails { try gatherDetails(of: target, log) }
        log.report.storeBytes = Self.size(of: target.path)
    }

    private static func size(of path: String) -> Int { FileStatus(path: path).map { Int($0.size) } ?? 0 }

    private func replaceStore(
        by publication: StorePublication, of feed: OpenedFeed, _ log: ImportLog
    ) throws(ImportError) {
        let target = publication.target
        if !options.force, !log.isRebuild, try target.status() != nil {
            try RolledBackFeeds(of: target).refuse(contentHash: log.report.contentHash, feed: options.feed)
        }
        try feed.refuseHopeless(in: target.folder, options: options)
        let sums = try build(feed, at: publication.temporaryPath, for: target, log)
        try exchange(publication, sums, log)
    }

    /// Seals the store that was built and puts it in the place of the old one.
    private func exchange(_ publication: StorePublication, _ sums: PageSums, _ log: ImportLog) throws(ImportError) {
        try begin("publish", log)
        try publication.temporary.seal(sums)
        log.report.storeBytes = Self.size(of: publication.temporaryPath)
        // Checks again, because reading the feed may have taken long.
        let count = options.previousStoresKept
        let existing = try ExistingFiles(of: publication.target, keeping: count)
        if !options.force { try existing.refuseForeign() }
        var foreignNumbers = try existing.foreignNumbers(force: options.force)
        // As an earlier store, a damaged one would stand in the way of a rollback.
        if !foreignNumbers.contains(0), try isLiveDamaged(log, publication.target) { foreignNumbers.insert(0) }
        if let warning = try publication.publish(keeping: count, foreignNumbers: foreignNumbers) {
            log.report.warnings.append(warning)
        }
    }

    /// Gathers the details of the unchanged live store. A store that cannot be read makes the page show less. Throws
    /// only if the import was asked to stop.
    private func gatherDetails(of target: StoreTarget, _ log: ImportLog) throws(ImportError) {
        log.begin("report", progress)
        guard let live = LiveStore(path: target.path), let connection = try? PublishedStore.open(target.path) else {
            return
        }
        (log.liveRows, log.liveNotices) = (live.rows, live.notices)
        connection.stopStatements { [cancellation] in cancellation.isSet }
        try? log.report.details.read(connection)
        try? log.report.details.readSamples(of: connection)
        try cancellation.check()
    }

    private func openFeed(
        _ log: ImportLog, _ target: StoreTarget, ignoring ownFiles: [String]
    ) throws(ImportError) -> OpenedFeed {
        log.begin("open", progress)
        do throws(FeedError) {
            let cancellation = cancellation
            let feed = try OpenedFeed.open(
                options.feed, limits: options.limits, spoolFolder: target.folder, ignoring: ownFiles,
                isCancelled: { cancellation.isSet }
            ).withChecksums(isCancelled: { cancellation.isSet })
            log.report.contentHash = try feed.contentHash()
            return feed
        } catch {
            throw ImportError(error)
        }
    }

    /// Begins a phase, after a check for cancellation: statements on a small feed may end before they check.
    private func begin(_ phase: String, _ log: ImportLog) throws(ImportError) {
        try cancellation.check()
        log.begin(phase, progress)
    }

    // MARK: Building

    /// Builds the store and returns the checksums of its pages; the file is closed on return.
    private func build(
        _ feed: OpenedFeed, at path: String, for target: StoreTarget, _ log: ImportLog
    ) throws(ImportError) -> PageSums {
        do {
            defer { cancellation.onCancel(nil) }
            try begin("load", log)
            let space = SortingSpace(folder: target.folder, memoryBytes: options.maximumMemoryBytes)
            let place = try StorePlace(
                at: path, for: feed, space: space, options: options, cancellation: cancellation)
            let builder = try load(feed, in: place, log)
            Failpoint.reach("loaded")
            let flush = FlushAhead(path) { [cancellation] in cancellation.isSet }
            let comparisons = try builder.beginComparisons(noticesKeptPerCode: options.noticesKeptPerCode)
            try index(builder, in: place, log)
            try check(builder, live: target, log)
            try finish(builder, comparisons, of: feed, live: target, log)
            try Self.finish(flush, of: path)
            return place.sums
        } catch {
            throw ImportError(building: path, in: target.folder, error)
        }
    }

    /// Returns a builder with all tables filled. From the time when it is made, a cancellation interrupts its
    /// statements.
    private func load(_ feed: OpenedFeed, in place: StorePlace, _ log: ImportLog) throws -> StoreBuilder {
        let loading = FeedLoading(feed: feed, place: place, filter: options.filter, progress: progress)
        return try loading.run(log) {
            let builder = try StoreBuilder(at: place, options: options)
            let (interrupter, file) = (builder.connection.interrupter, place.file)
            cancellation.onCancel {
                interrupter.interrupt()
                file.stop()
            }
            return builder
        }
    }

    private func index(_ builder: StoreBuilder, in place: StorePlace, _ log: ImportLog) throws {
        try begin("search terms", log)
        try builder.searchTerms.fill(builder.connection)
        Failpoint.reach("search-terms")
        try place.size.check()
        try begin("indexes", log)
        try builder.buildIndexes()
        try place.size.check()
    }

    /// Looks for findings that need all rows and indexes, and gathers statistics.
    private func check(_ builder: StoreBuilder, live: StoreTarget, _ log: ImportLog) throws {
        try begin("checks", log)
        Failpoint.reach("check")
        try builder.check(&log.notices)
        if options.gathersDetails {
            try begin("report", log)
            log.report.details.rowsBefore = LiveStore(path: live.path)?.rows
            try log.report.details.read(builder.connection)
        }
        try begin("statistics", log)
        try builder.analyze()
    }

    /// Takes over what the comparisons have found, asks the policy, which compares with the live store, and completes
    /// the store.
    private func finish(
        _ builder: StoreBuilder, _ comparisons: ComparisonThread, of feed: OpenedFeed, live: StoreTarget,
        _ log: ImportLog
    ) throws {
        try begin("notices", log)
        Failpoint.reach("finish")
        try comparisons.finish(&log.notices)
        if !log.isRebuild { try PolicyCheck(options, live: live.path).run(builder.connection, log) }
        try builder.finish(log, source: feed.name.readablePath)
        Failpoint.reach("finished")
    }

    private static func finish(_ flush: FlushAhead, of path: String) throws(ImportError) {
        do throws(SystemError) {
            try flush.finish()
        } catch {
            throw .system(at: path, "cannot be flushed to the disk", .inputOutput, error)
        }
    }
}
