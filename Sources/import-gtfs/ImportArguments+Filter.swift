// Unsafe only where the bytes of an argument are passed to the number parser.

import CivilTime
import Console
import GTFSImport
import Glibc
import SystemFiles

/// The options that choose a part of the feed.
extension ImportArguments {
    static let filters: [OptionDefinition] = [
        OptionDefinition(
            "--routes", value: "IDS",
            "store only trips of these routes and what they need: 1,2,\"a,b\", or @FILE with one ID per line"),
        OptionDefinition("--agencies", value: "IDS", "store only trips of these agencies' routes; IDs as for --routes"),
        OptionDefinition(
            "--dates", value: "FROM..TO", "store only trips that run on one of these days, such as 20261122.."),
        OptionDefinition(
            "--box", value: "S,W,N,E", "store only trips that call within this box: degrees south, west, north, east"),
    ]
}

extension FeedFilter {
    init(_ parsed: OptionTable.Arguments) throws(UsageError) {
        self.init()
        routes = try Self.ids("--routes", parsed)
        agencies = try Self.ids("--agencies", parsed)
        dates = try parsed.values["--dates"].map(Self.dates)
        box = try parsed.values["--box"].map(Self.box)
    }

    // MARK: IDs

    /// All IDs given with the option, which may be repeated; nil when it was not given.
    private static func ids(_ option: String, _ parsed: OptionTable.Arguments) throws(UsageError) -> [String]? {
        guard let values = parsed.allValues[option] else { return nil }
        var ids: [String] = []
        for value in values {
            if let path = value.without(prefix: "@") {
                if path.isEmpty { throw UsageError("\(option): a file's name is missing behind @") }
                ids += try lines(option, of: path)
            } else {
                ids += try list(option, value)
            }
        }
        return ids
    }

    /// Reads a list like a CSV row: an ID that contains a comma, or begins with @ or a quote, is in quotes.
    private static func list(_ option: String, _ text: String) throws(UsageError) -> [String] {
        var (ids, id, isQuoted, wasQuoted) = ([String](), String.UnicodeScalarView(), false, false)
        func wrong(_ fault: String) -> UsageError { UsageError("\(option): \(fault) in \"\(text)\"") }
        func add() throws(UsageError) {
            let plain = wasQuoted ? String(id) : String(id).trimmingBlanks
            guard !plain.isEmpty else { throw wrong("an ID is empty") }
            ids.append(plain)
            id.removeAll()
            wasQuoted = false
        }
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"" where isQuoted && rest.first == "\"": id.append(rest.removeFirst())
            case "\"" where isQuoted: isQuoted = false
            case "\"" where !wasQuoted && String(id).trimmingBlanks.isEmpty:
                id.removeAll()
                (isQuoted, wasQuoted) = (true, true)
            case " " where wasQuoted && !isQuoted, "\t" where wasQuoted && !isQuoted: break
            case "," where !isQuoted: try add()
            default:
                guard isQuoted || !wasQuoted else { throw wrong("a comma is missing behind a quote") }
                id.append(scalar)
            }
        }
        guard !isQuoted else { throw wrong("a quote is not closed") }
        try add()
        return ids
    }

    private static let longestFile = 64 << 20

    /// The lines of a file that are not blank, without spaces and tabs around them.
    private static func lines(_ option: String, of path: String) throws(UsageError) -> [String] {
        let descriptor = SystemFile.open(path, O_RDONLY)
        guard descriptor >= 0 else {
            throw UsageError("\(option): \(path) cannot be opened: \(SystemError.last.words)")
        }
        defer { close(descriptor) }
        let contents: [UInt8]?
        do throws(SystemError) { contents = try SystemFile.contents(of: descriptor, atMost: longestFile) } catch {
            throw UsageError("\(option): \(path) cannot be read: \(error.words)")
        }
        guard let bytes = contents else {
            throw UsageError("\(option): \(path) is longer than \(ByteSize.text(UInt64(longestFile)))")
        }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        let ids = text.split(whereSeparator: \.isLineEnd).map { String(decoding: $0, as: UTF8.self).trimmingBlanks }
            .filter { !$0.isEmpty }
        guard !ids.isEmpty else { throw UsageError("\(option): \(path) names no ID") }
        return ids
    }

    // MARK: Days and places

    private static func dates(_ text: String) throws(UsageError) -> ClosedRange<Int64> {
        // The two dots of a range have nothing between them.
        let parts = text.parts(at: ".", mostSplits: 2)
        guard parts.count == 1 || parts.count == 3 && parts[1].isEmpty, parts.contains(where: { !$0.isEmpty }) else {
            throw wrongDates(text)
        }
        let from = try day(parts.first, of: text) ?? 1_01_01
        let to = parts.count == 1 ? from : try day(parts.last, of: text) ?? 9999_12_31
        guard from <= to else { throw UsageError("--dates: \(from) comes after \(to)") }
        return from...to
    }

    /// Nil for an end that is left open.
    private static func day(_ text: String?, of dates: String) throws(UsageError) -> Int64? {
        guard let text, !text.isEmpty else { return nil }
        guard let day = CivilDay(text) else { throw wrongDates(dates) }
        return Int64(day.number)
    }

    private static func wrongDates(_ text: String) -> UsageError {
        UsageError("--dates takes days such as 20261122..20261231, 20261122.. or 2026-11-22, not \"\(text)\"")
    }

    private static func box(_ text: String) throws(UsageError) -> FilterBox {
        let numbers = text.parts(at: ",").map { part -> Double? in
            var part = part.trimmingBlanks
            return part.withUTF8 { Numbers.parseFloat($0.span.bytes) }
        }
        guard numbers.count == 4, let south = numbers[0], let west = numbers[1], let north = numbers[2],
            let east = numbers[3]
        else {
            throw UsageError(
                "--box takes SOUTH,WEST,NORTH,EAST in degrees, such as 52.3,13.1,52.7,13.8, not \"\(text)\"")
        }
        guard abs(south) <= 90, abs(north) <= 90, abs(west) <= 180, abs(east) <= 180 else {
            throw UsageError("--box: \"\(text)\" is beyond latitude -90 to 90 and longitude -180 to 180")
        }
        guard south <= north else { throw UsageError("--box: south \(south) is north of \(north)") }
        return FilterBox(south: south, west: west, north: north, east: east)
    }
}
