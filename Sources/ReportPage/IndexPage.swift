import Console
import SystemFiles

/// The machine-readable metadata in the head of a report page. The index over many pages reads it.
package struct PageSummary: Sendable, Equatable {
    package var verdict: PageContent.Verdict
    package var feed = ""
    package var reason = ""
    /// When the import ended, in seconds since 1970.
    package var time = 0
    package var rows = 0
    package var errors = 0
    package var warnings = 0
    /// How long the import took, in milliseconds.
    package var duration = 0
    /// The last day with a trip, in days since 1970-01-01.
    package var lastDay: Int?

    private static let prefix = "<meta name=\"import-gtfs:"

    init(of content: PageContent) {
        func count(_ severity: String) -> Int {
            content.notices.reduce(0) { $1.severity == severity ? $0 + $1.count : $0 }
        }
        verdict = content.verdict
        (feed, reason, time) = (content.feed, content.reason, content.time)
        rows = content.files.reduce(0) { $0 + $1.rows }
        (errors, warnings) = (count("ERROR"), count("WARNING"))
        duration = Int((min(max(content.seconds, 0), 1e9) * 1_000).rounded())
        lastDay = content.portrait?.trips.last?.day
    }

    /// The lines for the page's head, one per value.
    var metadata: String {
        var values = [
            ("verdict", verdict.rawValue), ("time", String(time)), ("rows", String(rows)), ("errors", String(errors)),
            ("warnings", String(warnings)), ("milliseconds", String(duration)),
        ]
        if let lastDay { values.append(("last-day", String(lastDay))) }
        // Long texts come last, as only the page's first bytes are read.
        values += [("feed", feed), ("reason", reason)]
        return values.map { "\(Self.prefix)\($0)\" content=\"\(HTMLText.escaped($1))\">\n" }.joined()
    }

    /// Reads the head of a page; nil if it is not a report page.
    package init?(page head: String) {
        var values: [String: String] = [:]
        for line in head.parts(at: "\n") {
            guard let value = line.without(prefix: Self.prefix)?.without(suffix: "\">") else { continue }
            let parts = value.parts(at: "\"")
            guard parts.count == 3, parts[1] == " content=" else { continue }
            values[parts[0]] = HTMLText.unescaped(parts[2])
        }
        guard let verdict = values["verdict"].flatMap(PageContent.Verdict.init) else { return nil }
        func known(_ name: String) -> Int? {
            values[name].flatMap { Int($0) }.flatMap { Self.possible.contains($0) ? $0 : nil }
        }
        func number(_ name: String) -> Int { known(name) ?? 0 }
        self.verdict = verdict
        (feed, reason, time) = (values["feed"] ?? "", values["reason"] ?? "", number("time"))
        (rows, errors, warnings, duration) = (
            number("rows"), number("errors"), number("warnings"), number("milliseconds")
        )
        lastDay = known("last-day")
    }

    /// Numbers that an import can write. Someone else may have edited the page, and the index calculates with them.
    private static let possible = -1_000_000_000_000...1_000_000_000_000
}

/// The index of many imports' pages in one folder; failed imports come first.
package struct IndexPage {
    /// A page's file name and its summary.
    package typealias Entry = (file: String, summary: PageSummary)

    private let entries: [Entry]
    private let time: Int

    /// `time` is the current time in seconds since 1970; end dates of timetables are compared with it.
    package init(_ entries: [Entry], time: Int) {
        let order: [PageContent.Verdict] = [.failed, .refused, .published, .unchanged]
        func rank(_ entry: Entry) -> Int { order.firstIndex(of: entry.summary.verdict) ?? 0 }
        self.entries = entries.sorted { (rank($0), $0.file) < (rank($1), $1.file) }
        self.time = time
    }

    package var html: String {
        let counts = PageContent.Verdict.allCases.map { verdict in
            (verdict, entries.count { $0.summary.verdict == verdict })
        }
        let words = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0.rawValue)" }.joined(separator: ", ")
        let title = "\(NumberText.counted(entries.count, "feed"))\(words.isEmpty ? "" : ": " + words)"
        let body = """
            <header>
            <h1>\(title)</h1>
            <p class="soft">\(TimeText.utc(time))</p>
            </header>
            <main id="content">
            \(entries.isEmpty ? "<p>There are no pages yet.</p>" : table)
            </main>
            """
        return PageStyle.document(title: title, body: body)
    }

    private var table: String {
        """
        <div class="wide"><table><thead><tr><th scope="col">Feed</th><th scope="col">Result</th>\
        <th scope="col" class="n">Rows</th><th scope="col" class="n">Errors</th><th scope="col" class="n">Warnings</th>\
        <th scope="col" class="n">Time</th><th scope="col">Service ends</th><th scope="col">Written</th></tr></thead><tbody>
        \(entries.map(row).joined())</tbody></table></div>
        """
    }

    private func row(_ entry: Entry) -> String {
        let summary = entry.summary
        let name = entry.file.without(suffix: ".html") ?? entry.file
        return "<tr><th scope=\"row\"><a href=\"\(Self.link(entry.file))\">\(HTMLText.leftToRight(name))</a></th>"
            + result(summary)
            + "<td class=\"n\">\(NumberText.grouped(summary.rows))</td><td class=\"n\">\(NumberText.grouped(summary.errors))</td>"
            + "<td class=\"n\">\(NumberText.grouped(summary.warnings))</td>"
            + "<td class=\"n\">\(TimeText.seconds(Double(summary.duration) / 1_000))</td><td>\(end(summary.lastDay))</td><td>\(written(summary.time))</td></tr>\n"
    }

    private func result(_ summary: PageSummary) -> String {
        let word = "<span class=\"\(summary.verdict.rawValue)\">\(summary.verdict.word)</span>"
        guard [.failed, .refused].contains(summary.verdict) else { return "<td>\(word)</td>" }
        let reason = HTMLText.leftToRight(HTMLText.shortened(summary.reason, to: 300))
        return "<td class=\"reason\">\(word)<br>\(reason)</td>"
    }

    private func end(_ day: Int?) -> String {
        guard let day else { return "" }
        let left = day - time / 86_400
        return left < 14 ? "<strong class=\"down\">\(DayChart.text(day))</strong>" : DayChart.text(day)
    }

    /// Highlights a page older than 36 hours: its feed was not imported last night.
    private func written(_ seconds: Int) -> String {
        let text = TimeText.utc(seconds)
        return time - seconds > 36 * 3_600 ? "<strong class=\"down\">\(text)</strong>" : text
    }

    /// A file name as a relative reference within its folder (RFC 3986, 3.3). With `./` in front, no part of it can be
    /// read as a scheme.
    private static func link(_ name: String) -> String {
        var link = "./"
        for byte in name.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                link.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                link += "%" + (byte < 16 ? "0" : "") + digits
            }
        }
        return link
    }
}
