import Foundation
import TestSupport
import Testing

@testable import ReportPage

/// Programs that the tests run: Python, and Debian's browser.
enum Browser {
    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium")

    /// The output and errors of a script in `Support`, without newlines at the ends.
    static func python(_ script: String, _ arguments: [String]) throws -> String {
        let path = CommandLineProgram.packageRoot + "/Tests/ReportPageTests/Support/" + script
        let result = try CommandLineProgram.run(["python3", path] + arguments, executable: "/usr/bin/env")
        return (result.output + result.error).trimmingCharacters(in: .newlines)
    }

    /// Opens a page. Returns what the browser printed, such as the final document, and the browser's messages.
    static func open(_ page: String, _ arguments: [String]) throws -> (output: String, error: String) {
        let profile = try TemporaryFolder()
        let result = try CommandLineProgram.run(
            [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--enable-logging=stderr",
                "--user-data-dir=\(profile.path)", "--no-first-run", "--disable-extensions", "--hide-scrollbars",
            ] + arguments + ["file://" + page], executable: "/usr/bin/chromium")
        return (result.output, result.error)
    }
}

/// Pages in a real browser.
@Suite(.enabled(if: Browser.isThere, "chromium is not installed: make setup-tests"), .serialized) struct BrowserTests {
    private func written(_ html: String, _ body: (String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try body(folder.write("page.html", html))
    }

    /// An injected script would rename the page, and the console would report what the page forbids.
    @Test func aHostileFeedRunsNothingAndTheConsoleIsSilent() throws {
        let text = "</title><script>document.title='owned'</script><img src=x onerror=document.title='owned'>"
        try written(ReportPage(ReportPageTests.content(.refused, text)).html) { page in
            let (document, words) = try Browser.open(page, ["--dump-dom"])
            #expect(document.contains("<title>refused: &lt;/title&gt;&lt;script&gt;"))
            #expect(!document.contains("<script") && !document.contains("<img"))
            #expect(!words.contains("CONSOLE"), "\(words)")
        }
    }

    /// If the escaping failed, the page would still forbid the script, and the test above would see the message.
    @Test func scriptsAreForbidden() throws {
        let html = ReportPage(ReportPageTests.content()).html
            .replacing(
                "</main>", with: "<script>document.title='owned'</script><img src='http://127.0.0.1:1/x'></main>")
        try written(html) { page in
            let (document, words) = try Browser.open(page, ["--dump-dom"])
            #expect(document.contains("<title>published: Mohnsee</title>"))
            #expect(words.contains("CONSOLE") && words.contains("Content Security Policy"))
        }
    }

    /// Beside a long text, a table squeezed the other columns to a letter's width: "trips.t" and "xt" on two lines.
    @Test func `columns of words keep room for words on a phone`() throws {
        var content = ReportPageTests.content(.refused, "stop_times.txt: " + String(repeating: "words and ", count: 30))
        content.files = [.init(name: "fare_transfer_rules.txt", rows: 123_456, before: 654_321)]
        let index = IndexPage([("a-city-with-a-long-name.html", PageSummary(of: content))], time: content.time)
        for html in [ReportPage(content).html, index.html] {
            let widths = try measured(html, "'th[scope=row], td:not(.n)'", "cell.offsetWidth")
            #expect(widths.count > 2 && widths.allSatisfy { $0 >= 136 }, "\(widths)")
            #expect(try measured(html, "'.reason'", "cell.offsetWidth").allSatisfy { $0 >= 256 })
            #expect(try measured(html, "'main'", "cell.scrollWidth") == [320])
        }
    }

    /// The keyboard cannot scroll what it cannot reach (WCAG 2.2, 2.1.1).
    @Test func `a table that scrolls on a phone can be reached by keyboard`() throws {
        var content = ReportPageTests.content()
        content.files = [.init(name: "stop_times.txt", rows: 123_456_789, before: 987_654_321)]
        let index = IndexPage([("city.html", PageSummary(of: content))], time: content.time)
        for html in [ReportPage(content).html, index.html] {
            let scrolls = "cell.scrollWidth > cell.clientWidth"
            let isReached = "(cell.tabIndex == 0 || cell.querySelector('a') != null)"
            #expect(try measured(html, "'.wide'", "+(\(scrolls))").contains(1))
            #expect(try !measured(html, "'.wide'", "+(\(scrolls) && !\(isReached))").contains(1))
        }
    }

    /// A map of a tall city took a sheet of its own, and left most of the first one empty: three sheets for this page.
    @Test func `facts and map are printed on one sheet, what follows on the next`() throws {
        var content = ReportPageTests.content()
        content.portrait?.stops = [(52, 13), (52.5, 13)]
        (content.files, content.notices, content.phases) = ([], [], [])
        content.portrait?.trips = []
        content.portrait?.departures = []
        content.portrait?.routeKinds = []
        try written(ReportPage(content).html) { page in
            let paper = page + ".pdf"
            defer { try? FileManager.default.removeItem(atPath: paper) }
            _ = try Browser.open(page, ["--print-to-pdf=\(paper)"])
            let bytes = String(decoding: try Data(contentsOf: URL(filePath: paper)), as: UTF8.self)
            #expect(bytes.matches(of: /\/Type \/Page\s/).count == 2)
        }
    }

    /// What a script in the page finds about each element, on a page of 320 pixels. The page's own ban on scripts is
    /// lifted for it.
    private func measured(_ html: String, _ selector: String, _ value: String) throws -> [Int] {
        let script =
            "<script>document.title = Array.from(document.querySelectorAll(\(selector)), cell => \(value))</script>"
        var document = ""
        try written(
            html.replacing("Content-Security-Policy", with: "none")
                .replacing("<html", with: "<html style=\"width: 320px\"")
                .replacing("</main>", with: "</main>\(script)")
        ) { document = try Browser.open($0, ["--dump-dom"]).output }
        let title = try #require(document.firstMatch(of: /<title>(.*)<\/title>/)?.1)
        return title.split(separator: ",").compactMap { Int($0) }
    }

    /// Light and dark give different pictures, and the console stays silent.
    @Test func isDrawnLightAndDarkAndOnPhones() throws {
        var pictures: [Data] = []
        for scheme in [1, 0] {
            try written(ReportPage(ReportPageTests.content()).html) { page in
                let picture = page + ".png"
                defer { try? FileManager.default.removeItem(atPath: picture) }
                let (_, words) = try Browser.open(
                    page,
                    [
                        "--screenshot=\(picture)", "--window-size=1000,2600",
                        "--blink-settings=preferredColorScheme=\(scheme)",
                    ])
                #expect(!words.contains("CONSOLE"), "\(words)")
                pictures.append(try Data(contentsOf: URL(filePath: picture)))
            }
        }
        #expect(pictures.count == 2 && pictures[0] != pictures[1] && pictures.allSatisfy { $0.count > 30_000 })
    }
}
