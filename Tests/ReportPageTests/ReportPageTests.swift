import Foundation
import Testing

@testable import ReportPage

/// Checks pages with a program that is not ours: Python's parser of HTML.
@Suite struct ReportPageTests {
    /// Texts that a hostile feed may contain anywhere.
    private static let hostile = [
        "<script>document.title='owned'</script>", "\"><img src=x onerror=\"document.title='owned'\">", "' onload='x",
        "</title></style></bdi></td></table><h1>owned</h1>", "&lt;b&gt; &amp;amp; &#60;script&#62;", "]]>--><!-- x",
        "javascript:alert(1)", "a\u{202E}txt.exe\u{2066}", "\u{0}\u{1}\u{1B}[31m\u{7F}\u{85}\u{2028}",
        "Köln Çatalca Київ 東京 🚋",
    ]

    @Test func `a page from a clock that was wrong has a time of day`() {
        #expect(TimeText.utc(1_795_323_323) == "2026-11-22 04:55 UTC")
        #expect(TimeText.utc(-1) == "1969-12-31 23:59 UTC")
    }

    static func content(_ verdict: PageContent.Verdict = .published, _ text: String = "Mohnsee") -> PageContent {
        var content = PageContent(verdict: verdict, reason: text)
        (content.feed, content.store, content.tool, content.contentHash) = (text, text, text, text)
        content.time = 1_795_323_323
        content.today = 20_779
        content.warnings = [text, text]
        content.files = [
            .init(name: text, rows: 12, before: 10), .init(name: "a", rows: 0, before: 4),
            .init(name: "b", rows: 1, before: nil),
        ]
        content.notices = [
            .init(
                code: text, severity: "ERROR", count: 7, meaning: text,
                samples: [.init(file: text, row: 3, message: text), .init(file: nil, row: nil, message: text)]),
            .init(code: "x", severity: text, count: 1, meaning: "", samples: []),
        ]
        content.phases = [(text, 0.2), ("load", 70)]
        (content.seconds, content.peakMemoryBytes, content.storeBytes) = (70.2, 26_000_000, 623_228)
        var portrait = PageContent.Portrait()
        portrait.publishers = [text, text, text, text, text]
        portrait.stops = [(52.5, 13.4), (52.6, 13.5), (48.1, 11.5)]
        portrait.departures = [0, 3, 5]
        portrait.trips = [(20_770, 4), (20_771, 5), (20_775, 5)]
        portrait.routeKinds = [.init(number: 3, routes: 1, trips: 2), .init(number: nil, routes: 1, trips: 0)]
        content.portrait = portrait
        return content
    }

    /// The faults that Python's parser finds in a page, and the texts that it misses there.
    static func faults(_ html: String, texts: [String] = []) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString).html")
        defer { try? FileManager.default.removeItem(at: file) }
        try html.write(to: file, atomically: true, encoding: .utf8)
        return try Browser.python("check_page.py", [file.path] + texts)
    }

    @Test(arguments: PageContent.Verdict.allCases) func isSound(verdict: PageContent.Verdict) throws {
        #expect(try Self.faults(ReportPage(Self.content(verdict)).html, texts: ["Mohnsee", verdict.word]) == "")
    }

    /// The last hour that the import counts has all later departures as well.
    @Test func theLastHourIsOpen() {
        let page = ReportPage(Self.content(.published)).html
        #expect(page.contains("the busiest hour is 2:00 or later"))
        #expect(page.contains("<title>1:00 to 1:59: 3</title>"))
        #expect(page.contains("<th scope=\"row\">2:00 or later</th>"))
    }

    @Test func isSoundWithHardlyAnythingInIt() throws {
        for verdict in PageContent.Verdict.allCases {
            #expect(try Self.faults(ReportPage(PageContent(verdict: verdict, reason: "")).html) == "")
            let isWhole = verdict == .published || verdict == .unchanged
            let words = isWhole ? "None: nothing is wrong with the feed." : "None until the import ended."
            #expect(ReportPage(PageContent(verdict: verdict, reason: "")).html.contains("<p>\(words)</p>"))
            var content = PageContent(verdict: verdict, reason: "")
            content.portrait = .init()
            #expect(try Self.faults(ReportPage(content).html, texts: ["No stop has a place", "No trip runs"]) == "")
        }
        let empty = IndexPage([], time: 0).html
        #expect(try Self.faults(empty, texts: ["0 feeds", "There are no pages yet."]) == "")
        #expect(!empty.contains("<table>"))
    }

    @Test(arguments: hostile) func noTextOfAFeedGetsOut(text: String) throws {
        let visible = HTMLText.unescaped(HTMLText.escaped(text))
        let page = ReportPage(Self.content(.refused, text)).html
        #expect(try Self.faults(page, texts: [visible]) == "")
        #expect(page.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 32 && !(0x7F...0x9F).contains($0.value)) })
        let summary = try #require(PageSummary(page: page))
        let index = IndexPage([(text + ".html", summary), (".html", summary)], time: 1_795_323_323).html
        #expect(try Self.faults(index, texts: [visible]) == "")
    }

    /// A browser writes a text without a direction from right to left if its first letter is Arabic. The file's name
    /// would then end the sentence that it begins.
    @Test func `sentences and paths run from left to right, names as they are written`() {
        let page = ReportPage(Self.content(.refused, "ملف.txt: not a file of GTFS")).html
        #expect(page.contains("<h1><bdi dir=\"ltr\">ملف.txt: not a file of GTFS</bdi></h1>"))
        #expect(page.contains("<td><bdi dir=\"ltr\">ملف.txt: not a file of GTFS</bdi></td>"))
        #expect(page.contains("<dt>Agencies</dt><dd><bdi>ملف.txt"))
    }

    /// Pins how escaping makes a text harmless, for those who read the source of a page.
    @Test func escapes() {
        #expect(HTMLText.escaped("<a href=\"x\">&'</a>") == "&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;")
        #expect(HTMLText.escaped("a\u{202E}b\u{0}") == "a\\u{202E}b\\u{0}")
        #expect(HTMLText.shortened("🚋🚋🚋", to: 2) == "🚋🚋…")
        #expect(HTMLText.unescaped("&lt;&amp;lt;&x; &") == "<&lt;&x; &")
    }

    @Test func whatIsWrongWithARefusedFeedComesFirst() throws {
        let refused = ReportPage(Self.content(.refused)).html
        let published = ReportPage(Self.content(.published)).html
        func places(_ page: String) throws -> [String.Index] {
            try ["<h1>", "8 notices", "Where the stops are"].map { try #require(page.range(of: $0)?.lowerBound) }
        }
        #expect(try places(refused) == places(refused).sorted())
        #expect(try places(published)[1] > places(published)[2])
    }

    @Test func comparesRowsWithLastTime() {
        let html = ReportPage(Self.content()).html
        #expect(html.contains("<td class=\"n\">10</td><td class=\"n up\">+2 (+20 %)</td>"))
        #expect(html.contains("<td class=\"n\">4</td><td class=\"n down\">-4 (-100 %)</td>"))
        #expect(html.contains("<td class=\"n\">–</td><td class=\"n\">new</td>"))
    }

    @Test func showsByHowMuchAFileGrewHoweverMuchThatIs() {
        var content = Self.content()
        content.files = [.init(name: "trips.txt", rows: 20_001, before: 1)]
        #expect(ReportPage(content).html.contains("+20,000 (+2000000 %)"))
    }

    /// The import may keep none: --notices-per-code 0.
    @Test func `what is left out of a list of findings is counted, if there is a list`() {
        let html = ReportPage(Self.content()).html
        #expect(html.contains("and 5 more</p>"))
        #expect(html.contains("</span> x: 1</h3>") && !html.contains("and 1 more"))
    }

    // MARK: The index

    @Test func theIndexReadsWhatPagesSayOfThemselves() throws {
        let content = Self.content(.refused, "\"><b>&amp;")
        let summary = try #require(PageSummary(page: ReportPage(content).html))
        #expect(summary == PageSummary(of: content))
        #expect(summary.errors == 7 && summary.rows == 13 && summary.lastDay == 20_775 && summary.duration == 70_200)
        // Swift takes a quote or a semicolon with a combining mark for one character.
        let text = "\u{301}a&\u{301}\"\u{301}"
        let marked = Self.content(.refused, text)
        #expect(PageSummary(page: ReportPage(marked).html) == PageSummary(of: marked))
        #expect(PageSummary(of: marked).feed == text)
        #expect(PageSummary(page: "<!DOCTYPE html><p>another page") == nil)
        let forged =
            "<meta name=\"import-gtfs:verdict\" content=\"owned\">\n<meta name=\"import-gtfs:rows\" content=\"x\">"
        #expect(PageSummary(page: forged) == nil)
    }

    /// Pages lie in a folder that others may write to.
    @Test(arguments: ["last-day", "time", "rows", "milliseconds", "errors"])
    func aNumberOutOfRangeEndsNoIndex(name: String) throws {
        let page = ReportPage(Self.content()).html
        let line = try #require(page.split(separator: "\n").first { $0.contains("import-gtfs:\(name)\"") })
        for number in [Int.min, Int.max] {
            let forged = page.replacing(line, with: "<meta name=\"import-gtfs:\(name)\" content=\"\(number)\">")
            let summary = try #require(PageSummary(page: forged))
            #expect(IndexPage([("a.html", summary), ("b.html", summary)], time: 1_790_000_000).html.contains("a.html"))
        }
    }

    @Test func theIndexShowsFailuresFirst() throws {
        let entries = [("b", PageContent.Verdict.published), ("a", .unchanged), ("d", .failed), ("c", .refused)].map {
            (file: $0 + ".html", summary: PageSummary(of: Self.content($1)))
        }
        let html = IndexPage(entries, time: 1_795_323_323).html
        #expect(html.contains("<h1>4 feeds: 1 published, 1 unchanged, 1 refused, 1 failed</h1>"))
        let links = html.matches(of: /href="\.\/(.)\.html"/).map { String($0.1) }
        #expect(links == ["d", "c", "b", "a"])
        #expect(html.contains("<strong class=\"down\">2026-11-18</strong>"))  // over, as of 2026-11-22
        #expect(html.contains("<td>2026-11-22 04:55 UTC</td>"))
        let late = IndexPage(entries, time: 1_795_323_323 + 37 * 3_600).html
        #expect(late.contains("<td><strong class=\"down\">2026-11-22 04:55 UTC</strong></td>"))
    }

    @Test(arguments: [(13, true), (14, false)])
    func `the index highlights timetables that end within two weeks`(days: Int, isHighlighted: Bool) {
        var content = Self.content()
        content.portrait?.trips = [(20_779 + days, 1)]
        let html = IndexPage([("a.html", PageSummary(of: content))], time: 20_779 * 86_400 + 3_600).html
        let date = "2026-12-\(days - 8 < 10 ? "0" : "")\(days - 8)"
        #expect(html.contains("<td>\(isHighlighted ? "<strong class=\"down\">\(date)</strong>" : date)</td>"))
    }
}
