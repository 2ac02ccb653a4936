import GTFSFeed
import Glibc
import SQLite
import SQLitePages
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

    @Test func rewordingKeepsTheRest() {
        let error = ImportError(.feedRefused, at: "f\u{1B}.zip", ": is empty")
        let plain = error.reworded { $0.filter { $0 != "\u{1B}" } }
        #expect(plain.message == "f.zip: is empty")
        #expect((plain.code, plain.place) == (error.code, error.place))
        #expect("\(plain)" == plain.message)
    }
}
