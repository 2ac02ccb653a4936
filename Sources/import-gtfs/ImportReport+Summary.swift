import GTFSImport
import Console
import SystemFiles

extension ImportReport {
    /// The report for people: how it ended, what was found, and what became of the store.
    ///
    /// - Parameters:
    ///   - error: what ended the import, if anything did.
    ///   - storeExists: whether there is a store now, old or new.
    func summary(error: ImportError?, storeExists: Bool, colour: Bool = false) -> String {
        var lines = [headline(error: error, colour: colour)]
        lines += warnings.map { Self.painted("Warning:", .yellow, colour) + " " + $0 }
        if let error {
            lines.append("  " + fate(of: error, storeExists: storeExists))
        }
        if error == nil { lines += rowLines }
        // After a failure that is not the feed's fault, its notices do not matter.
        if error == nil || error?.code == .feedRefused { lines += noticeLines(colour: colour) }
        if error == nil { lines += endLines }
        return lines.map { $0 + "\n" }.joined()
    }

    /// How the import ended, in one line. With `--quiet`, a failure prints only this line and the warnings.
    func headline(error: ImportError?, colour: Bool = false) -> String {
        if let error { return Self.headline(of: error, colour) }
        let verdict = status == .unchanged ? "Unchanged:" : "Published:"
        return Self.painted(verdict, .green, colour) + " " + outcome
    }

    /// What an import without an error did: "berlin.sqlite, 12 rows in 6 files from berlin.zip, in 0.1 s".
    var outcome: String {
        if status == .unchanged { return "\(store) already holds \(feedInWords)" }
        let total = rows.reduce(0) { $0 + $1.count }
        let what = "\(NumberText.counted(total, "row")) in \(NumberText.counted(rows.count, "file"))"
        return "\(store), \(what) from \(feedInWords), in \(NumberText.duration(seconds))"
            + leftOutWords + (replacedDamage.isEmpty ? "" : "; \(replacedDamage)")
    }

    /// The feed as messages name it: `-` is standard input.
    private var feedInWords: String {
        let isFromInput = feed == "-" || feed.begins(with: "-#")
        return isFromInput ? "standard input\(feed.dropFirst())" : feed
    }

    /// The headline of an error. Avoids saying "stopped" twice, once for the code and once in the message: "Stopped by
    /// SIGINT".
    private static func headline(of error: ImportError, _ colour: Bool) -> String {
        let repeated = "stopped "
        guard error.message.hasPrefix(repeated) else {
            return painted(error.code.headline + ":", .red, colour) + " " + error.message
        }
        return painted("Stopped", .red, colour) + " " + error.message.dropFirst(repeated.count)
    }

    private var leftOutWords: String {
        let count = leftOut.reduce(0) { $0 + $1.count }
        return count == 0 ? "" : "; the filter left \(NumberText.counted(count, "row")) out"
    }

    private func fate(of error: ImportError, storeExists: Bool) -> String {
        if error.code == .locked { return "This import changed nothing; start it again when the other one is done." }
        // Not "the store": the file may not be a store.
        return storeExists ? "\(store) is what it was before." : "There is no store \(store)."
    }

    private var rowLines: [String] {
        let names = String.columnWidth(of: rows.map(\.file))
        let counts = rows.map { NumberText.grouped($0.count) }
        let width = counts.map(\.displayWidth).max() ?? 0
        return zip(rows, counts).map { row, count in
            let others =
                leftOut.first { $0.file == row.file }.map { ", \(NumberText.grouped($0.count)) left out" } ?? ""
            return "  \(row.file.leftAligned(columns: names))  \(count.rightAligned(columns: width))\(others)"
        }
    }

    private func noticeLines(colour: Bool) -> [String] {
        guard !notices.isEmpty else { return [] }
        let total = notices.reduce(0) { $0 + $1.count }
        let names = notices.map(\.code.displayWidth).max() ?? 0
        let width = notices.map { NumberText.grouped($0.count).displayWidth }.max() ?? 0
        let lines = notices.map { notice in
            let severity = Self.painted(
                notice.severity.leftAligned(columns: 7), Colour(severity: notice.severity), colour)
            return "  \(severity)  \(notice.code.leftAligned(columns: names))  "
                + NumberText.grouped(notice.count).rightAligned(columns: width)
        }
        return [NumberText.counted(total, "notice") + ":"] + lines
    }

    private var endLines: [String] {
        var lines: [String] = []
        let times = phases.map { "\($0.name) \(NumberText.duration($0.seconds))" }.joined(separator: ", ")
        if !times.isEmpty { lines.append("Time: \(times)") }
        let sizes = "Store: \(NumberText.bytes(storeBytes)), peak memory \(NumberText.bytes(peakMemoryBytes))"
        lines.append(contentHash.isEmpty ? sizes : sizes + ", content \(contentHash)")
        if !notices.isEmpty { lines.append("Each notice: SELECT * FROM notice") }
        return lines
    }

    /// ANSI colours (ECMA-48, 8.3.117).
    private enum Colour: Int {
        case none = 0
        case red = 31
        case green = 32
        case yellow = 33

        init(severity: String) {
            switch severity {
            case "ERROR": self = .red
            case "WARNING": self = .yellow
            default: self = .none
            }
        }
    }

    private static func painted(_ text: String, _ colour: Colour, _ isOn: Bool) -> String {
        isOn && colour != .none ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}

extension ImportError.Code {
    /// The first word of the line that reports the error.
    fileprivate var headline: String {
        switch self {
        case .feedRefused: "Refused"
        case .cannotOpenFeed, .cannotCreateStore, .inputOutput: "Failed"
        case .locked: "Locked"
        case .interrupted, .terminated: "Stopped"
        default: "Bug"
        }
    }
}
