import Console

/// Findings by code, worst first as in the report, with the first occurrences of each.
struct NoticeSection {
    private let groups: [PageContent.NoticeGroup]
    private let verdict: PageContent.Verdict
    private static let longestMessage = 400

    init(_ groups: [PageContent.NoticeGroup], _ verdict: PageContent.Verdict) {
        (self.groups, self.verdict) = (groups, verdict)
    }

    var html: String {
        guard !groups.isEmpty else {
            // An import that ended early may not have read the feed at all.
            let isWhole = verdict == .published || verdict == .unchanged
            let words = isWhole ? "None: nothing is wrong with the feed." : "None until the import ended."
            return "<h2>Notices</h2>\n<p>\(words)</p>\n"
        }
        let total = groups.reduce(0) { $0 + $1.count }
        return "<h2>\(NumberText.counted(total, "notice"))</h2>\n" + groups.map(group).joined()
    }

    private func group(_ group: PageContent.NoticeGroup) -> String {
        let severity = ["ERROR", "WARNING"].contains(group.severity) ? group.severity : "INFO"
        let samples = group.samples.map { "<tr><td>\(place($0))</td><td>\(message($0))</td></tr>\n" }
        let more = group.count - group.samples.count
        let table =
            samples.isEmpty
            ? ""
            : "<div class=\"wide\"><table><thead><tr><th scope=\"col\">File and row</th><th scope=\"col\">Finding</th></tr>"
                + "</thead><tbody>\n\(samples.joined())</tbody></table></div>\n"
        return "<h3><span class=\"\(severity)\">\(severity)</span> \(HTMLText.escaped(group.code)): "
            + "\(NumberText.grouped(group.count))</h3>\n<p class=\"soft\">\(HTMLText.escaped(group.meaning))</p>\n\(table)"
            + (more > 0 && !samples.isEmpty ? "<p class=\"soft\">and \(NumberText.grouped(more)) more</p>\n" : "")
    }

    private func place(_ sample: PageContent.NoticeGroup.Sample) -> String {
        guard let file = sample.file else { return "the feed" }
        return HTMLText.leftToRight(HTMLText.shortened(file, to: 200))
            + (sample.row.map { ", row \(NumberText.grouped($0))" } ?? "")
    }

    private func message(_ sample: PageContent.NoticeGroup.Sample) -> String {
        HTMLText.leftToRight(HTMLText.shortened(sample.message, to: Self.longestMessage))
    }
}
