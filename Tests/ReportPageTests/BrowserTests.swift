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
