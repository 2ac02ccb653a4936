import Console
import SystemFiles
import TransitStore

/// Shows departures to people: minutes, clock time, line in its colour, headsign, stop and platform.
///
///     Saturday 2026-10-24 (Europe/Berlin)
///     min   time  line  to                                 from
///       5  22:45  F1    Lichterfahrt um Möwenhöft          Fährhafen, Steg
///     Sunday 2026-10-25
///      81  00:01  N1    Fährhafen                          Fährhafen, Gleis
///
/// Minutes are whole minutes after the requested time, by default now. A time with ~ is approximate: the trip runs by
/// headway, or the time is interpolated.
struct DepartureTable {
    private let event: DepartureRequest.Event
    private let from: Instant?
    private let output: BufferedOutput

    init(isFor event: DepartureRequest.Event, from: Instant?, _ output: BufferedOutput) {
        self.event = event
        self.from = from
        self.output = output
    }

    private struct Line {
        let day: String
        let zone: String
        let cells: [String]
        let colours: LineColours?
    }

    private var headings: [String] {
        let isDeparture = event == .departures
        return ["min", "time", "line", "to", isDeparture ? "from" : "at"]
    }

    private static let rightAligned: Set = [0, 1]
    private static let lineColumn = 2

    func write(_ departures: [Departure]) throws {
        let lines = departures.map(line)
        let shown = headings.indices.filter { from != nil || $0 > 0 }
        let widths = headings.indices.map { column in
            String.columnWidth(of: [headings[column]] + lines.map { $0.cells[column] })
        }
        try writeRow(headings, nil, shown, widths)
        var (day, zone) = ("", "")
        for line in lines {
            if line.day != day || line.zone != zone {
                (day, zone) = (line.day, line.zone)
                try output.write("\(day) (\(zone.harmless))\n")
            }
            try writeRow(line.cells, line.colours, shown, widths)
        }
    }

    private func line(_ departure: Departure) -> Line {
        let local = departure.localTime
        let isRough = departure.repetition == .headway || departure.isInterpolated
        let clock = (isRough ? "~" : "") + local.dropFirst(11).prefix(5)
        let minutes = from.map { String($0.duration(to: departure.instant).components.seconds / 60) } ?? ""
        let place = [departure.stopName ?? departure.stopID, departure.platformCode ?? ""].filter { !$0.isEmpty }
        let name = departure.routeShortName ?? departure.routeLongName ?? departure.routeID ?? ""
        let date = ServiceDate(departure.instant, in: departure.timeZone)
        return Line(
            day: Self.weekdays[date.weekday ?? 0] + " " + local.prefix(10), zone: departure.timeZone.name,
            cells: [minutes, clock, name, departure.headsign ?? "", place.joined(separator: ", ")]
                .map(\.harmless),
            colours: output.hasColours ? LineColours(departure) : nil)
    }

    private static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    private func writeRow(_ cells: [String], _ colours: LineColours?, _ shown: [Int], _ widths: [Int]) throws {
        var text = ""
        for (position, column) in shown.enumerated() {
            let isLast = position == shown.count - 1
            let cell = cells[column]
            if position > 0 { text += "  " }
            let padding = String(repeating: " ", count: max(0, widths[column] - cell.displayWidth))
            if Self.rightAligned.contains(column) { text += padding }
            text += column == Self.lineColumn ? colours?.around(cell) ?? cell : cell
            if !Self.rightAligned.contains(column), !isLast { text += padding }
        }
        try output.write(text.withoutTrailingSpaces + "\n")
    }
}

/// A line's colours from the feed, for a terminal with 24-bit colours (ISO 8613-6).
struct LineColours {
    private let background: [Int]
    private let foreground: [Int]

    /// Nil for a line that has no colour.
    init?(_ departure: Departure) {
        guard let background = Self.parts(departure.routeColor) else { return nil }
        self.background = background
        // Without a text colour in the feed: black or white, whichever is easier to read (Rec. 709 luma).
        let luma = background[0] * 2_126 + background[1] * 7_152 + background[2] * 722
        foreground =
            Self.parts(departure.routeTextColor) ?? (luma > 1_400_000 ? [0, 0, 0] : [255, 255, 255])
    }

    private static func parts(_ text: String?) -> [Int]? {
        guard let text, text.utf8.count == 6, let number = Int(text, radix: 16), number >= 0 else { return nil }
        return [number >> 16, number >> 8 & 0xFF, number & 0xFF]
    }

    func around(_ text: String) -> String {
        func code(_ kind: Int, _ parts: [Int]) -> String {
            "\u{1B}[\(kind);2;\(parts.map(String.init).joined(separator: ";"))m"
        }
        return code(48, background) + code(38, foreground) + text + "\u{1B}[0m"
    }
}
