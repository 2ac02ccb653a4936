import Foundation
import Testing

/// How `pipelines/nightly` handles each kind of answer from a server on loopback.
@Suite(.serialized) struct DownloadTests {
    private static let monday = "Mon, 05 Jan 2026 03:00:00 GMT"
    private static let tuesday = "Tue, 06 Jan 2026 03:00:00 GMT"

    @Test("a feed is fetched, imported and logged; its ETag and URL are kept beside it")
    func fetched() throws {
        let night = try NightlyRun()
        try night.answer(["etag": "\"1\"", "date": Self.monday])
        let outcome = try night.run()
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(night.lastLine() == "fetched 0")
        #expect(night.cached() == [".nightly.lock", "a.zip", "a.zip.etag", "a.zip.url"])
        #expect(night.stores() == ["a.sqlite"])
    }

    @Test("a server with ETags is asked by ETag alone")
    func conditionByETag() throws {
        let night = try NightlyRun()
        try night.answer(["etag": "\"1\"", "date": Self.monday])
        try night.run()
        try night.run()
        #expect(night.lastLine() == "unchanged 0")
        let second = try #require(night.requests().last)
        #expect(second["If-None-Match"] == "\"1\"")
        #expect(second["If-Modified-Since"] == nil)
    }

    @Test("a feed that was rolled back has a new ETag and an older date, and is fetched")
    func rolledBack() throws {
        let night = try NightlyRun()
        try night.answer(["etag": "\"2\"", "date": Self.tuesday])
        try night.run()
        try night.makeOtherFeed()
        try night.answer(["etag": "\"1\"", "date": Self.monday, "body": "other.zip"])
        let outcome = try night.run()
        #expect(night.lastLine() == "fetched 0")
        #expect(outcome.output.contains("published"))
    }

    /// Most servers call a file unchanged that is not newer (RFC 9110, 13.1.3); some, that has another date.
    @Test(
        "without ETag the date is asked for, and an older one is fetched if the server says so",
        arguments: [true, false])
    func conditionByDate(comparesEqual: Bool) throws {
        let night = try NightlyRun()
        try night.answer(["date": Self.tuesday])
        try night.run()
        try night.run()
        #expect(night.lastLine() == "unchanged 0")
        #expect(night.requests().last?["If-Modified-Since"] == Self.tuesday)
        try night.makeOtherFeed()
        try night.answer(
            ["date": Self.monday, "body": "other.zip", "compares": comparesEqual ? "equal" : "order"])
        try night.run()
        #expect(night.lastLine() == (comparesEqual ? "fetched 0" : "unchanged 0"))
    }

    @Test(
        "an answer that brings no feed fails, says why, and leaves store and download as they were",
        arguments: [
            (["status": 404], "404"), (["status": 500], "500"), (["conduct": "half"], "bytes"),
            (["conduct": "half", "length": 900_000], "bytes"), (["conduct": "reset"], "reset"),
            (["conduct": "endless"], "MAX_DOWNLOAD_MB (1 MB)"),
            (["conduct": "bomb", "encoding": "gzip"], "MAX_DOWNLOAD_MB (1 MB)"),
            (["length": 5_000_000_000], "MAX_DOWNLOAD_MB (1 MB)"),
            (["conduct": "trickle"], "slow"), (["delay": 30], "slow"),
            (["status": 302, "location": "/a.zip"], "redirects"),
            (["status": 302, "location": "ftp://127.0.0.1/a"], "ftp"),
        ] as [([String: any Sendable], String)])
    func failed(answer: [String: any Sendable], words: String) throws {
        let night = try NightlyRun()
        try night.answer([:])
        try night.run()
        let before = try Data(contentsOf: URL(fileURLWithPath: night.path("stores/a.sqlite")))
        let download = try Data(contentsOf: URL(fileURLWithPath: night.path("cache/a.zip")))
        night.settings.merge([
            "MAX_DOWNLOAD_MB": "1", "MAX_DOWNLOAD_SECONDS": "5", "MIN_DOWNLOAD_SPEED": "2000", "SLOW_SECONDS": "2",
        ]) { $1 }
        try night.answer(answer)
        let outcome = try night.run()
        #expect(outcome.exitCode == 1)
        #expect(night.lastLine() == "failed null")
        #expect(night.lastWords().contains(words), "\(night.lastWords())")
        #expect(outcome.output.contains("no download"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: night.path("stores/a.sqlite"))) == before)
        #expect(try Data(contentsOf: URL(fileURLWithPath: night.path("cache/a.zip"))) == download)
        #expect(!night.cached().contains { $0.hasSuffix(".part") })
    }

    @Test("only 200 and 203 bring a feed; 304 says that it is unchanged only if that was asked, by date too")
    func statuses() throws {
        for status in [202, 206, 304] {
            let night = try NightlyRun()
            try night.answer(["status": status])
            #expect(try night.run().exitCode == 1)
            #expect(night.lastLine() == "failed null")
            #expect(night.lastWords() == "the server answered with status \(status), which brings no feed")
            #expect(night.cached() == [".nightly.lock"])
        }
        let night = try NightlyRun()
        try night.answer(["status": 203])
        try night.run()
        #expect(night.lastLine() == "fetched 0")
        try night.answer(["status": 304])
        #expect(try night.run().exitCode == 0)
        #expect(night.lastLine() == "unchanged 0")
        #expect(night.requests().last?["If-None-Match"] == nil)
    }

    @Test("an error page with status 200 is refused, the store stays, and the next night asks without conditions")
    func errorPage() throws {
        let night = try NightlyRun()
        try night.answer(["etag": "\"1\""])
        try night.run()
        try "<!DOCTYPE html><p>Sorry".write(toFile: night.path("page.html"), atomically: true, encoding: .utf8)
        try night.answer(["etag": "\"2\"", "body": "page.html"])
        let outcome = try night.run()
        #expect(outcome.exitCode == 0)
        #expect(night.lastLine() == "fetched 65")
        #expect(outcome.output.contains("refused") && outcome.output.contains("stays"))
        try night.run()
        #expect(night.requests().last?["If-None-Match"] == nil)
        try night.answer(["etag": "\"3\""])
        try night.run()
        #expect(night.lastLine() == "fetched 0")
    }

    @Test("an empty answer after one that could not be unpacked is empty")
    func emptyAfterSpoiled() throws {
        let night = try NightlyRun()
        try Data().write(to: URL(fileURLWithPath: night.path("nothing")))
        try night.answer(["failures": 1, "broken": "spoiled", "body": "nothing"])
        #expect(try night.run().exitCode == 1)
        #expect(night.requests().count == 2 && night.lastLine() == "fetched 65")
        #expect(try Data(contentsOf: URL(fileURLWithPath: night.path("cache/a.zip"))).isEmpty)
    }

    @Test("a length that is too small cuts the feed, which is refused; so is an empty answer")
    func wrongLength() throws {
        for answer: [String: Any] in [["length": 700], ["length": 0]] {
            let night = try NightlyRun()
            try night.answer([:])
            try night.run()
            try night.answer(answer)
            #expect(try night.run().exitCode == 0)
            #expect(night.lastLine() == "fetched 65")
            #expect(night.stores() == ["a.sqlite"])
        }
    }

    @Test("redirects are followed; compressed answers are unpacked; unknown encodings are taken as they are")
    func otherWays() throws {
        let night = try NightlyRun()
        try night.answer(["status": 302, "location": "/b.zip"])
        try night.answer([:], for: "b.zip")
        #expect(try night.run().exitCode == 0)
        for encoding in ["gzip", "binary"] {
            let night = try NightlyRun()
            try night.answer(["encoding": encoding])
            #expect(try night.run().exitCode == 0)
            #expect(night.lastLine() == "fetched 0")
        }
    }

    @Test("brackets and braces in a URL are letters like others, and the key behind them is not logged")
    func brackets() throws {
        let night = try NightlyRun()
        night.settings["GTFS_KEY_A"] = "SECRET"
        let list = "a\t\(night.url())?filter[kind]={x,y}\t\tquery:key\n"
        try list.write(toFile: night.path("feeds.tsv"), atomically: true, encoding: .utf8)
        for (answer, line) in [([:], "fetched 0"), (["status": 404], "failed null")] as [([String: Any], String)] {
            try night.answer(answer)
            _ = night.finish(try night.start(list: "feeds.tsv"))
            #expect(night.lastLine() == line)
        }
        let path = "/a.zip?filter[kind]={x,y}&key=SECRET"
        #expect(night.requestedPaths() == [path, path])
        #expect(try !String(contentsOfFile: night.path("nightly.jsonl"), encoding: .utf8).contains("SECRET"))
    }

    /// `dXNlcjpTRUNSRVQ=` is `user:SECRET` in Base64.
    @Test(
        "a server that refuses a key and repeats it does not bring it into the log",
        arguments: [
            ("query:key", "", "key: SECRET"), ("basic", "", "ask user:SECRET"), ("query:key", "", "key=user%3ASECRET"),
            ("basic", "", "Basic dXNlcjpTRUNSRVQ="), ("", "?format=zip&key=URLSECRET", "key=URLSECRET"),
            ("", "?URLSECRET", "URLSECRET"),
        ])
    func repeatedKey(kind: String, query: String, words: String) throws {
        let night = try NightlyRun()
        if !kind.isEmpty { night.settings["GTFS_KEY_A"] = "user:SECRET" }
        try "Invalid API key: \(words)\n".write(toFile: night.path("words"), atomically: true, encoding: .utf8)
        try night.answer(["body": "words"])
        try "a\t\(night.url() + query)\t\t\(kind)\n".write(
            toFile: night.path("feeds.tsv"), atomically: true, encoding: .utf8)
        let outcome = night.finish(try night.start(list: "feeds.tsv"))
        #expect(outcome.exitCode == 1 && night.lastLine() == "failed null")
        #expect(outcome.output.contains("repeat the key") && !outcome.output.contains("SECRET"))
        let log = try String(contentsOfFile: night.path("nightly.jsonl"), encoding: .utf8)
        #expect(!log.contains("SECRET") && !log.contains("dXNlcjpTRUNSRVQ="))
        #expect(!FileManager.default.fileExists(atPath: night.path("cache/a.zip")))
    }

    @Test(
        "the name of the file within a URL is no key: a page that mentions it says what it is",
        arguments: ["gtfs.zip", "City.ZIP"])
    func fileNameInURL(name: String) throws {
        let night = try NightlyRun()
        try "<p>\(name) is being updated".write(toFile: night.path("page"), atomically: true, encoding: .utf8)
        try night.answer(["body": "page"])
        #expect(try night.run(source: night.url() + "?file=\(name)").exitCode == 1)
        #expect(night.lastLine() == "fetched 65")
    }

    @Test("after a redirect the ETag is that of the feed")
    func redirectedETag() throws {
        let night = try NightlyRun()
        try night.answer(["status": 302, "location": "/b.zip", "etag": "\"r\""])
        try night.answer(["etag": "\"1\""], for: "b.zip")
        try night.run()
        try night.run()
        #expect(night.lastLine() == "unchanged 0")
        #expect(night.requests().last?["If-None-Match"] == "\"1\"")
    }

    @Test("a line break in OPTIONS does not hide the options of the list")
    func lineBreak() throws {
        let night = try NightlyRun()
        night.settings["OPTIONS"] = "--keep 2\n"
        try night.answer([:])
        try night.run(options: "--no-such-option")
        #expect(night.lastLine() == "fetched 64")
    }

    @Test(
        "a server that redirects to itself until its cookie comes back delivers; the next night begins without the cookie"
    )
    func cookies() throws {
        let night = try NightlyRun()
        try night.answer(["cookie": "visitor=1"])
        for _ in 1...2 { #expect(try night.run().exitCode == 0) }
        #expect(night.requests().map { $0["Cookie"] } == [nil, "visitor=1", nil, "visitor=1"])
        #expect(night.cached() == [".nightly.lock", "a.zip", "a.zip.url"])
    }

    @Test("a connection that breaks is tried again, as often as RETRIES says", arguments: ["reset", "half"])
    func brokenConnections(conduct: String) throws {
        let night = try NightlyRun()
        night.settings["RETRIES"] = "2"
        try night.answer(["failures": 2, "broken": conduct])
        #expect(try night.run().exitCode == 0)
        #expect(night.requests().count == 3)
        #expect(night.lastLine() == "fetched 0")
        let other = try NightlyRun()
        other.settings["RETRIES"] = "1"
        try other.answer(["failures": 9, "broken": conduct])
        #expect(try other.run().exitCode == 1)
        #expect(other.requests().count == 2)
        #expect(other.lastLine().hasPrefix("failed"))
    }

    /// A stand-in for curl counts how often it is asked, and hands the last time on to the real one.
    @Test(
        "a connection that cannot be made, or breaks while HTTP/2 or TLS begin, is tried again",
        arguments: [7, 16, 35])
    func connectionsNotMade(code: Int) throws {
        let night = try NightlyRun()
        night.settings["RETRIES"] = "2"
        try night.answer([:])
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        _ = try night.makeProgram(
            "curl",
            """
            echo asked >>'\(night.path("asked"))'
            [ $(wc -l <'\(night.path("asked"))') -gt 2 ] || exit \(code)
            PATH='\(path)' exec curl "$@"
            """)
        night.settings["PATH"] = night.folder + ":" + path
        #expect(try night.run().exitCode == 0)
        #expect(night.lastLine() == "fetched 0" && night.requests().count == 1)
    }

    @Test(
        "a server that nobody runs, and one without TLS, are asked as often as RETRIES says",
        arguments: ["http", "https"])
    func noServer(scheme: String) throws {
        let night = try NightlyRun()
        night.settings["RETRIES"] = "1"
        let url = scheme == "http" ? "http://127.0.0.1:1/a.zip" : "https" + night.url().dropFirst("http".count)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        _ = try night.makeProgram("curl", "echo asked >>'\(night.path("asked"))'; PATH='\(path)' exec curl \"$@\"")
        night.settings["PATH"] = night.folder + ":" + path
        #expect(try night.run(source: url).exitCode == 1)
        #expect(night.lastWords().contains(scheme == "http" ? "(7)" : "(35)"), "\(night.lastWords())")
        #expect(try String(contentsOfFile: night.path("asked"), encoding: .utf8) == "asked\nasked\n")
    }

    @Test("tries after broken connections and after answers such as 503 count together")
    func mixedFailures() throws {
        let night = try NightlyRun()
        night.settings["RETRIES"] = "3"
        try night.answer(["failures": 99, "broken": ["503", "half"]])
        #expect(try night.run().exitCode == 1)
        #expect(night.requests().count == 4, "\(night.requests().count)")
    }

    @Test("a clock that was ahead does not keep a download for ever")
    func clockAhead() throws {
        let night = try NightlyRun()
        try night.answer(["etag": "\"1\""])
        try night.run()
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 4_000_000_000)], ofItemAtPath: night.path("cache/a.zip.url")
        )
        try night.run()
        #expect(night.requests().last?["If-None-Match"] == nil && night.lastLine() == "fetched 0")
        try night.run()
        #expect(night.requests().last?["If-None-Match"] == "\"1\"")
    }

    @Test("an ETag longer than servers take in a request is not sent back")
    func longTag() throws {
        let night = try NightlyRun()
        try night.answer(["etag": "\"\(String(repeating: "x", count: 3_000))\""])
        try night.run()
        #expect(try night.run().exitCode == 0 && night.requests().last?["If-None-Match"] == nil)
    }

    @Test("an option of the list that lacks its value does not take --json for it")
    func optionWithoutValue() throws {
        let night = try NightlyRun()
        try night.answer([:])
        #expect(try night.run(options: "--routes").exitCode == 1)
        #expect(night.lastLine() == "fetched 64")
    }

    @Test("a server that is overloaded for a moment is asked again")
    func retried() throws {
        let night = try NightlyRun()
        night.settings["RETRIES"] = "2"
        try night.answer(["failures": 1])
        #expect(try night.run().exitCode == 0)
        #expect(night.requests().count == 2)
    }
}
