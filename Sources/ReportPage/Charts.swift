import CivilTime
import Console

/// A bar chart of departures by hour of the day.
struct HourChart {
    private let hours: [Int]
    /// The hour that also counts later departures.
    private let openHour: Int
    private static let (width, height, foot) = (900.0, 160.0, 22.0)

    /// Counts by hours since midnight of the service day, which may have more than 24 hours.
    init(_ hours: [Int]) {
        let last = hours.lastIndex { $0 > 0 } ?? 0
        self.hours = (0...max(23, last)).map { $0 < hours.count ? hours[$0] : 0 }
        openHour = hours.count - 1
    }

    var html: String {
        guard let most = hours.max(), most > 0 else { return "<p>No departure has a time.</p>" }
        let drawing = hours.indices.map { bar($0, most: most) }.joined()
        let busiest = span(ofHour: hours.firstIndex(of: most) ?? 0)
        let words = "Departures by hour of the service day; the busiest hour is \(busiest)"
        return """
            <figure>
            <svg viewBox="0 0 \(drawn(Self.width)) \(drawn(Self.height + Self.foot))" role="img" aria-label="\(words)">
            <path class="axis" d="M0 \(drawn(Self.height))H\(drawn(Self.width))"/>\(drawing)
            </svg>
            <figcaption>\(words). Hours from 24 on belong to the night after. Each departure counts on every day that it runs on.</figcaption>
            </figure>
            <details><summary>Departures by hour as a table</summary>
            \(table)</details>

            """
    }

    private func span(ofHour hour: Int) -> String {
        hour == openHour ? "\(hour):00 or later" : "\(hour):00 to \(hour):59"
    }

    private func bar(_ hour: Int, most: Int) -> String {
        let (count, step) = (hours[hour], Self.width / Double(hours.count))
        let tall = count == 0 ? 0 : max(1, (Self.height - 16) * Double(count) / Double(most))
        let x = Double(hour) * step
        let bar =
            "<rect class=\"bars\" x=\"\(drawn(x + step * 0.1))\" y=\"\(drawn(Self.height - tall))\" "
            + "width=\"\(drawn(step * 0.8))\" height=\"\(drawn(tall))\"><title>\(span(ofHour: hour)): "
            + "\(NumberText.grouped(count))</title></rect>"
        guard hour % 3 == 0 else { return bar }
        return bar + "<text x=\"\(drawn(x + step / 2))\" y=\"\(drawn(Self.height + 18))\" "
            + "text-anchor=\"middle\">\(hour)</text>"
    }

    private var table: String {
        let rows = hours.enumerated().map {
            "<tr><th scope=\"row\">\($0):00\($0 == openHour ? " or later" : "")</th><td class=\"n\">\(NumberText.grouped($1))</td></tr>\n"
        }
        return
            "<table><thead><tr><th scope=\"col\">Hour</th><th scope=\"col\" class=\"n\">Departures, all days</th></tr>"
            + "</thead><tbody>\n\(rows.joined())</tbody></table>\n"
    }
}

/// A bar chart of trips by date. Days without a trip are marked below the axis and described in words.
struct DayChart {
    private static let (width, height, foot) = (900.0, 160.0, 40.0)
    /// Bars of more days would be thinner than a line, and calendars are seldom right so far ahead.
    private static let mostDays = 800
    /// Room for a date such as 2026-11-22 in the font of the drawing, and for a month such as 2026-11. Phones show the
    /// drawing at a third of its size, so there the font is 22 pixels of the drawing instead of 12.
    private static let (dateWidth, monthWidth) = (140.0, 96.0)

    private let first: Int
    private let counts: [Int]
    private let today: Int
    private let isCut: Bool
    /// Whether trips run after the last day that is shown.
    private let goesOn: Bool

    /// Days are numbers of days since 1970-01-01.
    ///
    /// Shows at most `mostDays` days: from 60 days before today on, or earlier if the trips end sooner. If no trip runs
    /// on these days, shows those from the first trip on.
    init(_ trips: [(day: Int, count: Int)], today: Int) {
        let (begin, end) = (trips.map(\.day).min() ?? 0, trips.map(\.day).max() ?? -1)
        var start = end - begin < Self.mostDays ? begin : min(max(begin, today - 60), end - Self.mostDays + 1)
        if !trips.contains(where: { (start..<start + Self.mostDays).contains($0.day) }) { start = begin }
        let count = min(end - start + 1, Self.mostDays)
        var counts = [Int](repeating: 0, count: max(0, count))
        for (day, trips) in trips where counts.indices.contains(day - start) { counts[day - start] = trips }
        (first, self.counts, self.today) = (start, counts, today)
        goesOn = start + count - 1 < end
        isCut = goesOn || start > begin
    }

    var html: String {
        guard let most = counts.max(), most > 0 else { return "<p>No trip runs on any day.</p>" }
        let last = first + counts.count - 1
        let words =
            "Trips by date, from \(Self.text(first)) to \(Self.text(last)), \(NumberText.grouped(most)) on the busiest day"
        return """
            <figure>
            <svg viewBox="0 0 \(drawn(Self.width)) \(drawn(Self.height + Self.foot))" role="img" aria-label="\(words)">
            \(months)<path class="axis" d="M0 \(drawn(Self.height))H\(drawn(Self.width))"/>
            \(bars(most))\(todayLine)</svg>
            <figcaption>\(words).\(isCut ? " The timetable goes on beyond these days." : "") \(gapWords) \(todayWords)</figcaption>
            </figure>

            """
    }

    private var step: Double { Self.width / Double(counts.count) }

    private func bars(_ most: Int) -> String {
        var (bars, gaps, bands) = ("", "", "")
        for (index, count) in counts.enumerated() {
            let x = Double(index) * step
            if count == 0 {
                gaps += "M\(drawn(x)) \(drawn(Self.height + 2))h\(drawn(step))v9h-\(drawn(step))z"
                bands += "M\(drawn(x)) \(drawn(Self.height))V16h\(drawn(step))V\(drawn(Self.height))z"
            } else {
                let tall = max(1, (Self.height - 16) * Double(count) / Double(most))
                bars += "M\(drawn(x)) \(drawn(Self.height))v-\(drawn(tall))h\(drawn(step * 0.85))v\(drawn(tall))z"
            }
        }
        let red = "<path class=\"gap\" fill-opacity=\"0.15\" d=\"\(bands)\"/><path class=\"gap\" d=\"\(gaps)\"/>"
        return "<path class=\"bars\" d=\"\(bars)\"/>\(gaps.isEmpty ? "" : red)\n"
    }

    private var months: String {
        var text = ""
        var labelled = -100.0
        for index in counts.indices {
            guard CivilDay(daysSince1970: Int64(first + index)).parts.day == 1 else { continue }
            let x = Double(index) * step
            text += "<path class=\"axis\" d=\"M\(drawn(x)) 0V\(drawn(Self.height))\"/>"
            guard x - labelled > Self.monthWidth, x < Self.width - Self.monthWidth else { continue }
            labelled = x
            text +=
                "<text x=\"\(drawn(x + 3))\" y=\"\(drawn(Self.height + 26))\">\(Self.text(first + index).prefix(7))</text>"
        }
        return text
    }

    private var todayLine: String {
        guard counts.indices.contains(today - first) else { return "" }
        let x = (Double(today - first) + 0.5) * step
        // Where a date would reach beyond the right edge, it stands on the left of its line.
        let side = x < Self.width - Self.dateWidth ? "dx=\"4\"" : "dx=\"-4\" text-anchor=\"end\""
        return "<path class=\"today\" d=\"M\(drawn(x)) 0V\(drawn(Self.height))\"/>"
            + "<text x=\"\(drawn(x))\" y=\"12\" \(side)>\(Self.text(today))</text>\n"
    }

    // MARK: Words

    private var todayWords: String {
        guard let last = counts.lastIndex(where: { $0 > 0 }).map({ first + $0 }) else { return "" }
        if today > last {
            return goesOn ? "" : "<strong class=\"down\">The timetable ended on \(Self.text(last)).</strong>"
        }
        if today < first { return "<strong class=\"down\">The timetable begins on \(Self.text(first)).</strong>" }
        if goesOn { return "" }
        let days = last - today
        let text = "It covers \(NumberText.counted(days, "day")) after \(Self.text(today))."
        return days < 14 ? "<strong class=\"down\">\(text)</strong>" : text
    }

    private var gapWords: String {
        let gaps = counts.indices.split { counts[$0] > 0 }.map { (first: $0.first ?? 0, count: $0.count) }
        let total = gaps.reduce(0) { $0 + $1.count }
        guard total > 0, let longest = gaps.max(by: { $0.count < $1.count }) else { return "Trips run on every day." }
        let named = gaps.count <= 5 ? gaps.map { period($0.first, $0.count) }.joined(separator: ", ") : nil
        return "Red: no trip runs on \(NumberText.counted(total, "day")): "
            + (named ?? "\(NumberText.grouped(gaps.count)) gaps, the longest \(period(longest.first, longest.count))")
            + "."
    }

    private func period(_ index: Int, _ count: Int) -> String {
        let begin = Self.text(first + index)
        return count == 1 ? begin : "\(begin) to \(Self.text(first + index + count - 1))"
    }

    /// "2026-11-22"
    static func text(_ day: Int) -> String { CivilDay(daysSince1970: Int64(day)).description }
}
