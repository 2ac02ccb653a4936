import Foundation
import Testing

/// Public lists, keys, pages and metrics in runs of `pipelines/nightly`.
@Suite(.serialized) struct NightlyListTests {
    private let night: NightlyRun

    init() throws {
        night = try NightlyRun()
        for name in ["a.zip", "b.zip", "c.zip"] { try night.answer([:], for: name) }
    }

    private func run(_ text: String, as name: String) throws -> NightlyRun.Outcome {
        try text.write(toFile: night.path(name), atomically: true, encoding: .utf8)
        return night.finish(try night.start(list: name))
    }

    /// The text of all files that a run leaves, except the feeds and the server's files.
    private func written() throws -> String {
        let files = try #require(FileManager.default.enumerator(atPath: night.folder)).compactMap { $0 as? String }
        return files.filter { !$0.hasSuffix(".zip") && !$0.hasPrefix("requests") && !$0.hasPrefix("server") }
            .compactMap { try? String(contentsOfFile: night.path($0), encoding: .utf8) }.joined()
    }

    @Test("a list of the Mobility Database is read directly, with keys from the environment that no file holds")
    func mobilityDatabase() throws {
        (night.settings["GTFS_KEY_MDB_2"], night.settings["GTFS_KEY_MDB_3"]) = ("sëcret &?=\"1", "s3cret")
        let outcome = try run(
            """
            id,data_type,urls.direct_download,urls.authentication_type,urls.api_key_parameter_name,status
            mdb-1,gtfs,\(night.url("a.zip")),,,active
            mdb-2,gtfs,\(night.url("b.zip")),1,key,active
            mdb-3,gtfs,\(night.url("c.zip")),2,X-Key,active
            mdb-4,gtfs_rt,\(night.url("none")),,,active
            """, as: "feeds.csv")
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(outcome.error == "Left out: mdb-4: is gtfs_rt, not a timetable\n")
        #expect(night.stores() == ["mdb-1.sqlite", "mdb-2.sqlite", "mdb-3.sqlite"])
        #expect(night.requestedPaths().contains("/b.zip?key=s%C3%ABcret%20%26%3F%3D%221"))
        #expect(night.requests().contains { $0["X-Key"] == "s3cret" })
        let all = try written() + outcome.output + outcome.error
        #expect(!all.contains("cret"))
    }

    @Test("a registry in JSON is read directly; a key that is missing fails its feed and no other")
    func registry() throws {
        night.settings["GTFS_KEY_F_C"] = "user:päss"
        let outcome = try run(
            """
            {"feeds": [{"id": "f-a", "spec": "gtfs", "urls": {"static_current": "\(night.url("a.zip"))"}},
              {"id": "f-b", "spec": "gtfs", "urls": {"static_current": "\(night.url("b.zip"))"},
               "authorization": {"type": "header", "param_name": "X-Key"}},
              {"id": "f-c", "spec": "gtfs", "urls": {"static_current": "\(night.url("c.zip"))"},
               "authorization": {"type": "basic_auth"}}]}
            """, as: "feeds.json")
        #expect(outcome.exitCode == 1)
        #expect(outcome.output.contains("the server wants a key: set GTFS_KEY_F_B [no store yet]"))
        #expect(night.stores() == ["f-a.sqlite", "f-c.sqlite"])
        #expect(night.requests().contains { $0["Authorization"] == "Basic dXNlcjpww6Rzcw==" })
        #expect(!night.requestedPaths().contains("/b.zip"))
    }

    @Test("what is no list is a fault of the list")
    func noList() throws {
        let outcome = try run("{}", as: "feeds.json")
        #expect(outcome.exitCode == 64)
        #expect(outcome.error.contains("is neither a CSV file of the Mobility Database"))
        #expect(
            try run("a\t\(night.url())\t\tcookie:x\n", as: "feeds.tsv").error.contains(
                "the fourth column is query:NAME"))
    }

    @Test("pages, an index over them, and metrics are written for each feed")
    func pagesAndMetrics() throws {
        (night.settings["REPORTS"], night.settings["METRICS"]) = (night.path("pages"), night.path("metrics"))
        night.settings["OPTIONS"] = "--keep 1 --strict"
        let outcome = try run("a\t\(night.url())\t--max-shrink 10%\nb\t\(night.url("b.zip"))\n", as: "feeds.tsv")
        #expect(outcome.exitCode == 0, "\(outcome)")
        let pages = try FileManager.default.contentsOfDirectory(atPath: night.path("pages")).sorted()
        #expect(pages == ["a.html", "b.html", "index.html"])
        let index = try String(contentsOfFile: night.path("pages/index.html"), encoding: .utf8)
        #expect(index.contains("<h1>2 feeds: 2 published</h1>"))
        let metrics = try FileManager.default.contentsOfDirectory(atPath: night.path("metrics")).sorted()
        #expect(metrics == ["import_gtfs_a.prom", "import_gtfs_b.prom"])
    }

    @Test("if the index cannot be written, the run says why")
    func indexOfAnother() throws {
        night.settings["REPORTS"] = night.path("pages")
        try FileManager.default.createDirectory(atPath: night.path("pages"), withIntermediateDirectories: true)
        try "foreign".write(toFile: night.path("pages/index.html"), atomically: true, encoding: .utf8)
        let outcome = try run("a\t\(night.url())\n", as: "feeds.tsv")
        #expect(outcome.exitCode == 0)
        let reason = "\(night.path("pages/index.html")) exists and is not a page of import-gtfs; it was left alone"
        #expect(outcome.error == "nightly: the index in \(night.path("pages")) cannot be written: Failed: \(reason)\n")
    }

    @Test("a failed download, wrong options and a killed import have a page and metrics of a failure")
    func pagesOfFailures() throws {
        (night.settings["REPORTS"], night.settings["METRICS"]) = (night.path("pages"), night.path("metrics"))
        let list = "a\t\(night.url())\nb\t\(night.url("none#.zip"))\nc\t\(night.url("c.zip"))\t--none\n"
        #expect(try run("a\t\(night.url())\n", as: "feeds.tsv").exitCode == 0)
        let store = try Data(contentsOf: URL(fileURLWithPath: night.path("stores/a.sqlite")))
        try night.answer(["status": 404])
        #expect(try run(list, as: "feeds.tsv").exitCode == 1)
        let index = try String(contentsOfFile: night.path("pages/index.html"), encoding: .utf8)
        #expect(index.contains("<h1>3 feeds: 3 failed</h1>"))
        for reason in [
            "a (no download: curl: (22) The requested URL returned error: 404)",
            "b (no download: curl: (22) The requested URL returned error: 404)",
            "c (wrong options: unknown option --none)",
        ] { #expect(index.contains("<br><bdi dir=\"ltr\">\(reason): cannot be opened"), "\(index)") }
        for name in ["a", "b", "c"] {
            let metrics = try String(contentsOfFile: night.path("metrics/import_gtfs_\(name).prom"), encoding: .utf8)
            #expect(metrics.contains(#/\nimport_gtfs_last_exit_code{[^}]*} 66\n/#), "\(metrics)")
            #expect(metrics.contains("\nimport_gtfs_last_success_timestamp_seconds{") == (name == "a"))
        }
        #expect(night.stores() == ["a.sqlite"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: night.path("stores/a.sqlite"))) == store)
    }

    @Test("an import that is killed has a page of a failure")
    func pageOfAKilledImport() throws {
        night.settings["REPORTS"] = night.path("pages")
        let program = NightlyRun.builtPrograms + "/import-gtfs"
        try night.replaceProgram(with: "case \"$*\" in *--json*) kill -KILL $$ ;; esac; exec '\(program)' \"$@\"")
        #expect(try run("a\t\(night.url())\n", as: "feeds.tsv").exitCode == 1)
        let index = try String(contentsOfFile: night.path("pages/index.html"), encoding: .utf8)
        #expect(
            index.contains("<h1>1 feed: 1 failed</h1>")
                && index.contains("<br><bdi dir=\"ltr\">a (import failed: import-gtfs was ended by signal 9; "),
            "\(index)")
    }

    @Test("a list may begin with a byte-order mark, and its URLs may be written in capitals")
    func marksAndCapitals() throws {
        let url = night.url().replacing("http://", with: "HTTP://")
        let outcome = try run("\u{FEFF}a\t\(url)\n", as: "feeds.tsv")
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(night.lastLine() == "fetched 0")
        #expect(night.stores() == ["a.sqlite"])
    }

    @Test("blanks behind a source are no part of it")
    func blanks() throws {
        let outcome = try run("a\t\(night.url())  \nb\tfeed.zip \t\n", as: "feeds.tsv")
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(night.requestedPaths() == ["/a.zip"])
    }

    @Test("a URL of another kind than http and https fails its feed and no other, and is not taken for a path")
    func otherSchemes() throws {
        let outcome = try run(
            "a\t\(night.url())\nb\tftp://127.0.0.1/b.zip\nc\tFILE:///feed.zip#inner.zip\n", as: "feeds.tsv")
        #expect(outcome.exitCode == 1)
        for (name, scheme) in [("b", "ftp"), ("c", "FILE")] {
            let words = "only http and https are supported, not '\(scheme)'; a file has a path [no store yet]\n"
            #expect(outcome.output.contains("\n\(name)                        no download  \(words)"), "\(outcome)")
        }
        #expect(night.stores() == ["a.sqlite"])
    }

    @Test("two feeds whose names are the same in capitals do not send each other's keys")
    func oneVariableForTwoKeys() throws {
        let list = "a-1\t\(night.url("a.zip"))\t\t%\nA_1\t\(night.url("b.zip"))\t\tbasic\n"
        let refused = try run(list.replacing("%", with: "query:key"), as: "feeds.tsv")
        #expect(refused.exitCode == 64)
        #expect(
            refused.error == "nightly: \(night.path("feeds.tsv")):2: 'a-1' and 'A_1' would both send the key "
                + "GTFS_KEY_A_1; rename one\n")
        night.settings["GTFS_KEY_A_1"] = "user:password"
        #expect(try run(list.replacing("%", with: ""), as: "feeds.tsv").exitCode == 0)
    }

    @Test("a public list that nobody can correct loses only the entries that cannot be used")
    func unusableEntries() throws {
        (night.settings["GTFS_KEY_F_A"], night.settings["GTFS_KEY_F_A_B"]) = ("of-a", "of-somebody")
        night.settings["REPORTS"] = night.path("pages")
        func entry(_ id: String, _ file: String, key: Bool) -> String {
            let authorization = key ? #", "authorization": {"type": "header", "param_name": "X-Key"}"# : ""
            return
                #"{"id": "\#(id)", "spec": "gtfs", "urls": {"static_current": "\#(night.url(file))"}\#(authorization)}"#
        }
        let entries = [
            entry("f-a~b", "b.zip", key: true), entry("f-a-b", "b.zip", key: true), entry("index", "b.zip", key: false),
            entry("f-a", "a.zip", key: true), entry("f-a.b", "c.zip", key: false),
        ]
        let outcome = try run(#"{"feeds": [\#(entries.joined(separator: ", "))]}"#, as: "feeds.json")
        #expect(outcome.exitCode == 0, "\(outcome)")
        let same =
            "another feed would send the same key, GTFS_KEY_F_A_B; import-gtfs --list makes a list to rename it in\n"
        #expect(
            outcome.error == "Left out: index: with REPORTS no feed is called 'index', as the page over all feeds is\n"
                + "Left out: f-a_b: \(same)Left out: f-a-b: \(same)")
        #expect(night.stores() == ["f-a.b.sqlite", "f-a.sqlite"])
        #expect(night.requestedPaths().sorted() == ["/a.zip", "/c.zip"])
        #expect(!night.requests().contains { $0["X-Key"] == "of-somebody" })
    }

    @Test("a command after an import does not get the keys of the feeds")
    func keysAreForTheDownloadAlone() throws {
        (night.settings["GTFS_KEY_A"], night.settings["GTFS_KEY_B"]) = ("of-a", "of-b")
        let command = try night.makeProgram("after", "env >'\(night.path("environment"))'\n")
        let outcome = try run("a\t\(night.url())\t--after \(command)\tquery:key\n", as: "feeds.tsv")
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(night.requestedPaths() == ["/a.zip?key=of-a"])
        let environment = try String(contentsOfFile: night.path("environment"), encoding: .utf8)
        #expect(environment.contains("PATH=") && !environment.contains("GTFS_KEY"))
    }

    @Test("a folder is no list")
    func folder() throws {
        try FileManager.default.createDirectory(atPath: night.path("lists"), withIntermediateDirectories: true)
        let outcome = night.finish(try night.start(list: "lists"))
        #expect(outcome.exitCode == 64)
        #expect(outcome.error == "nightly: cannot read the feed list \(night.path("lists"))\n")
    }

    @Test("a feed may be called index, but not if pages get an index")
    func index() throws {
        let list = "index\t\(night.url())\n"
        #expect(try run(list, as: "feeds.tsv").exitCode == 0)
        #expect(night.stores() == ["index.sqlite"])
        night.settings["REPORTS"] = night.path("pages")
        let outcome = try run(list, as: "feeds.tsv")
        #expect(outcome.exitCode == 64)
        #expect(
            outcome.error == "nightly: \(night.path("feeds.tsv")):1: with REPORTS no feed is called 'index', "
                + "as the page over all feeds is\n")
    }
}
