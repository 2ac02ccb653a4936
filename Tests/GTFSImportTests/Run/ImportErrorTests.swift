import GTFSFeed
import Glibc
import SQLite
import SQLitePages
import SystemFiles
import TestSupport
import Testing

@testable import GTFSImport

/// What a program can tell from an error without reading its message.
@Suite struct ImportErrorTests {
    private func run(_ feed: String, _ store: String) -> ImportError? {
        Importer(ImportOptions(feed: feed, store: store)).run().error
    }

    @Test func anImportSaysWhichFeedOrStore() throws {
        let folder = try TemporaryFolder()
        let missing = try #require(run(folder.path("no.zip"), folder.path("a.sqlite")))
        #expect(missing.code == .cannotOpenFeed)
        #expect(missing.place == folder.path("no.zip"))
        #expect(missing.cause?.source == .feed)
        #expect(missing.message == "\(folder.path("no.zip")): \(missing.cause?.message ?? "")")
        let page = try folder.write("page.zip", "<!DOCTYPE html>")
        #expect(run(page, folder.path("a.sqlite"))?.code == .feedRefused)
        let elsewhere = try #require(run(CommandLineProgram.sampleFeed, folder.path("none/a.sqlite")))
        #expect(elsewhere.code == .cannotCreateStore)
        #expect(elsewhere.place == folder.path("none/a.sqlite"))
        #expect(elsewhere.cause == nil || elsewhere.cause?.code == ENOENT)
        #expect(elsewhere.message.hasPrefix("\(folder.path("none/a.sqlite")) cannot be written as a store: "))
    }

    @Test func whatTheMachineLacksIsReadingAndWriting() {
        for (number, code) in [
            (ENOSPC, ImportError.Code.inputOutput), (EIO, .inputOutput), (EACCES, .cannotCreateStore),
        ] {
            let error = ImportError.system(at: "a.sqlite", "cannot be flushed", .cannotCreateStore, number)
            let words = String(cString: strerror(number))
            #expect(error.code == code)
            #expect(error.message == "a.sqlite cannot be flushed: \(words)")
            #expect(error.cause == ImportError.Cause(source: .system, code: number, message: words))
        }
    }

    @Test func causesAreKept() {
        let full = ImportError(SQLiteError(code: 13, message: "database or disk is full", context: ""), path: "a")
        #expect((full.code, full.place) == (.inputOutput, "a"))
        #expect(full.message == "a cannot be written: database or disk is full")
        #expect(full.cause == .init(source: .sqlite, code: 13, message: "database or disk is full"))
        let refused = ImportError(SQLiteError(code: 1, message: "no such table", context: "SELECT"), path: "a")
        #expect(refused.code == .bug && refused.cause?.code == 1)
        let pages = ImportError(PageFileError(.lost, "page 7 is not what was written"), path: "a")
        #expect(pages.message == "a: page 7 is not what was written")
        #expect(pages.cause?.source == .pages)
        let feed = ImportError(FeedError(.readFailed, "cannot be read", at: "f.zip#inner.zip"))
        #expect((feed.code, feed.place) == (.inputOutput, "f.zip#inner.zip"))
    }

    /// The reading stage uses SQLite for JSON and for filters. Its errors mean what they mean in the writing stage.
    @Test(arguments: [
        (
            13, "database or disk is full", ImportError.Code.inputOutput,
            "a.sqlite cannot be written: database or disk is full"
        ),
        (
            7, "out of memory", .inputOutput,
            "a.sqlite: there is not enough memory to make the store; give the import more of it"
        ),
        (10, "disk I/O error", .inputOutput, "a.sqlite cannot be written: disk I/O error"),
        (
            1, "no such function: json_each", .bug,
            "a.sqlite: SQLite rejected a statement of import-gtfs (1, no such function: json_each); please report this"
        ),
    ])
    func errorsOfTheReadingStageKeepTheirCause(
        number: Int32, words: String, code: ImportError.Code, message: String
    ) throws {
        let failure = SQLiteError(code: number, message: words, context: "SELECT")
        let sent = try #require(try Self.failure(ofReadingThatThrows: failure))
        let error = ImportError(building: "a.sqlite", in: ".", sent)
        #expect((error.code, error.message) == (code, message))
        #expect(error.cause == .init(source: .sqlite, code: number, message: words))
    }

    @Test func errorsOfTheFeedKeepTheirPlace() throws {
        let failure = FeedError(.readFailed, "reading failed: Input/output error", at: "f.zip")
        let sent = try #require(try Self.failure(ofReadingThatThrows: failure))
        let error = ImportError(building: "a.sqlite", in: ".", sent)
        #expect((error.code, error.place) == (.inputOutput, "f.zip"))
    }

    /// What the reading stage sends when the survey of its filter throws.
    private static func failure(ofReadingThatThrows failure: any Error) throws -> (any Error)? {
        let small = try LayeredFeed()
        let feed = try OpenedFeed.open(small.options.feed)
        var notices = NoticeLog(keptPerCode: 1)
        let inventory = FeedInventory(feed.entries, notices: &notices)
        let encodings = FeedEncodings(feed, inventory) { false }
        let events = BoundedQueue<ReadingEvent>(capacity: .max) { $0.weight }
        var filter = FeedFilter()
        filter.routes = ["r"]
        let scan = FileScan(feed: feed, inventory: inventory, encodings: encodings) { throw failure }
        FeedReader(
            feed: feed, inventory: inventory, state: ReadingState(notices: notices), events: events,
            used: BoundedQueue<ParsedBlock>(capacity: .max), progress: ProgressMeter(total: 0, report: nil),
            survey: FeedSurvey(filter, scan)
        ).run()
        while let event = events.pop() {
            if case .failure(let error) = event { return error }
        }
        return nil
    }

    @Test func rewordingKeepsTheRest() {
        let error = ImportError(.feedRefused, at: "f\u{1B}.zip", ": is empty")
        let plain = error.reworded { $0.filter { $0 != "\u{1B}" } }
        #expect(plain.message == "f.zip: is empty")
        #expect((plain.code, plain.place) == (error.code, error.place))
        #expect("\(plain)" == plain.message)
    }
}
