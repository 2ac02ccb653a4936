import CivilTime
import Console

/// The page about one import: one file that loads nothing, runs nothing and can be sent by mail.
///
///     let html = ReportPage(content).html
///
/// Texts of the feed are escaped. The page also forbids the browser all scripts and all loading (CSP), so that nothing
/// would run even if the escaping had a fault.
package struct ReportPage {
    /// How every page begins. Programs recognize pages by it.
    package static let beginning = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="generator" content="import-gtfs">
        """

    let content: PageContent

    package init(_ content: PageContent) { self.content = content }

    package var html: String {
        let name = HTMLText.shortened(content.feed, to: 100)
        return PageStyle.document(
            title: "\(content.verdict.rawValue): \(name)", head: PageSummary(of: content).metadata,
            body: header + "<main id=\"content\">\n" + sections + footer + "</main>")
    }

    private var header: String {
        let time = TimeText.utc(content.time)
        return """
            <header>
            <span class="verdict \(content.verdict.rawValue)">\(content.verdict.word)</span>
            <h1>\(HTMLText.leftToRight(content.reason))</h1>
            <p class="soft">\(HTMLText.leftToRight(content.feed)) → \(HTMLText.leftToRight(content.store)), \(time)</p>
            \(content.warnings.map { "<p class=\"warning\">\(HTMLText.leftToRight($0))</p>\n" }.joined())</header>

            """
    }

    /// After a refusal, the notices that explain it come first; otherwise the service comes first.
    private var sections: String {
        let notices = NoticeSection(content.notices, content.verdict).html
        let service = facts + timetable
        return content.verdict == .refused ? notices + service + files + phases : service + files + notices + phases
    }

    // MARK: Facts

    private var facts: String {
        var facts: [(String, String)] = []
        if let portrait = content.portrait {
            let publishers = portrait.publishers.prefix(3).map(HTMLText.foreign).joined(separator: ", ")
            let more = portrait.publishers.count - 3
            if !publishers.isEmpty { facts.append(("Agencies", publishers + (more > 0 ? " and \(more) more" : ""))) }
            if let first = portrait.trips.first?.day, let last = portrait.trips.last?.day {
                facts.append(("Dates covered", "\(DayChart.text(first)) to \(DayChart.text(last))"))
            }
            let routes = portrait.routeKinds.reduce(0) { $0 + $1.routes }
            facts.append(("Stops", NumberText.grouped(portrait.stops.count + portrait.stopsWithoutPlace)))
            facts.append(("Routes", NumberText.grouped(routes)))
        }
        let rows = content.files.reduce(0) { $0 + $1.rows }
        if rows > 0 {
            facts.append(("Rows", "\(NumberText.grouped(rows)) in \(NumberText.counted(content.files.count, "file"))"))
        }
        let notices = content.notices.reduce(0) { $0 + $1.count }
        facts.append(("Notices", NumberText.grouped(notices)))
        facts.append(("Time", NumberText.duration(content.seconds)))
        if content.storeBytes > 0 { facts.append(("Store", NumberText.bytes(content.storeBytes))) }
        let items = facts.map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>\n" }.joined()
        return "<dl>\n\(items)</dl>\n"
    }

    private var timetable: String {
        guard let portrait = content.portrait else { return "" }
        return "<h2>Where the stops are</h2>\n" + StopMap(portrait.stops).html
            + "<h2>Trips by date</h2>\n" + DayChart(portrait.trips, today: content.today).html
            + "<h2>Departures by hour</h2>\n" + HourChart(portrait.departures).html
            + routeKinds(portrait.routeKinds)
    }

    private func routeKinds(_ types: [PageContent.RouteKind]) -> String {
        guard !types.isEmpty else { return "" }
        let rows = types.map { type in
            "<tr><th scope=\"row\">\(VehicleName.text(type.number))</th>"
                + "<td class=\"n\">\(NumberText.grouped(type.routes))</td>"
                + "<td class=\"n\">\(NumberText.grouped(type.trips))</td></tr>\n"
        }
        return "<h2>Kinds of vehicles</h2>\n<div class=\"wide\"><table><thead><tr><th scope=\"col\">Kind</th>"
            + "<th scope=\"col\" class=\"n\">Routes</th><th scope=\"col\" class=\"n\">Trips</th></tr></thead>"
            + "<tbody>\n\(rows.joined())</tbody></table></div>\n"
    }

    // MARK: Files

    private var files: String {
        guard !content.files.isEmpty else { return "" }
        let hasBefore = content.files.contains { $0.before != nil }
        let head = hasBefore ? "<th scope=\"col\" class=\"n\">Before</th><th scope=\"col\" class=\"n\">Change</th>" : ""
        let rows = content.files.map { file in
            "<tr><th scope=\"row\">\(HTMLText.leftToRight(HTMLText.shortened(file.name, to: 200)))</th>"
                + "<td class=\"n\">\(NumberText.grouped(file.rows))</td>" + (hasBefore ? change(file) : "") + "</tr>\n"
        }
        // On a phone, this table may scroll. The keyboard can only scroll what it can reach.
        let focus = hasBefore ? " tabindex=\"0\" role=\"region\" aria-label=\"Rows of each file\"" : ""
        return "<h2>Rows of each file</h2>\n<div class=\"wide\"\(focus)><table><thead><tr><th scope=\"col\">File</th>"
            + "<th scope=\"col\" class=\"n\">Rows</th>\(head)</tr></thead><tbody>\n\(rows.joined())</tbody></table></div>\n"
    }

    private func change(_ file: PageContent.File) -> String {
        guard let before = file.before else { return "<td class=\"n\">–</td><td class=\"n\">new</td>" }
        let difference = file.rows - before
        let kind = difference == 0 ? "" : difference > 0 ? " up" : " down"
        let sign = difference > 0 ? "+" : ""
        let percent =
            before > 0 && difference != 0
            ? " (\(sign)\(drawn(Double(difference) / Double(before) * 100)) %)" : ""
        return "<td class=\"n\">\(NumberText.grouped(before))</td>"
            + "<td class=\"n\(kind)\">\(difference == 0 ? "0" : sign + NumberText.grouped(difference))\(percent)</td>"
    }

    // MARK: The work

    private var phases: String {
        guard !content.phases.isEmpty else { return "" }
        let rows = content.phases.map { phase in
            "<tr><th scope=\"row\">\(HTMLText.escaped(phase.name))</th><td class=\"n\">\(TimeText.seconds(phase.seconds))</td></tr>\n"
        }
        return "<h2>Where the time went</h2>\n<div class=\"wide\"><table><thead><tr><th scope=\"col\">Phase</th>"
            + "<th scope=\"col\" class=\"n\">Time</th></tr></thead><tbody>\n\(rows.joined())</tbody></table></div>\n"
    }

    private var footer: String {
        let hash = content.contentHash.isEmpty ? "" : ", content \(HTMLText.escaped(content.contentHash))"
        return "<footer>\(HTMLText.escaped(content.tool)), peak memory "
            + "\(NumberText.bytes(content.peakMemoryBytes))\(hash)</footer>\n"
    }
}

extension PageContent.Verdict {
    /// The verdict's name for readers.
    var word: String {
        switch self {
        case .published: "Published"
        case .unchanged: "Unchanged"
        case .refused: "Refused"
        case .failed: "Failed"
        }
    }
}

/// Formats times for readers.
enum TimeText {
    /// "2026-11-22 02:15 UTC"
    static func utc(_ seconds: Int) -> String {
        let time = ClockText.withMinutes(CivilDay.seconds(atUnixSeconds: Int64(seconds)))
        return "\(CivilDay(unixSeconds: Int64(seconds))) \(time) UTC"
    }

    /// Shows milliseconds below one second, because phases of a small feed take less than a tenth of a second.
    static func seconds(_ seconds: Double) -> String {
        seconds < 1 ? "\(Int((seconds * 1_000).rounded())) ms" : NumberText.duration(seconds)
    }
}

/// Names of vehicle kinds by their numbers in routes.txt; numbers of the extended list are grouped by the hundred.
enum VehicleName {
    private static let plain = [
        0: "Tram", 1: "Underground", 2: "Rail", 3: "Bus", 4: "Ferry", 5: "Cable tram", 6: "Aerial lift", 7: "Funicular",
        11: "Trolleybus", 12: "Monorail",
    ]
    private static let hundreds = [
        1: "Rail", 2: "Coach", 4: "Urban rail", 7: "Bus", 8: "Trolleybus", 9: "Tram", 10: "Water transport", 11: "Air",
        12: "Ferry", 13: "Aerial lift", 14: "Funicular", 15: "Taxi", 17: "Other",
    ]

    static func text(_ number: Int?) -> String {
        guard let number else { return "not given" }
        if let name = plain[number] { return name }
        return hundreds[number / 100].map { "\($0) (\(number))" } ?? "type \(number)"
    }
}
