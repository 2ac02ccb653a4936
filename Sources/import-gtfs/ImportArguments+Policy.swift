import CivilTime
import Console
import GTFSImport
import GTFSSchema
import SearchText
import SystemFiles

/// The options that say what a feed must be like to be published.
extension ImportArguments {
    static let policy: [OptionDefinition] = [
        OptionDefinition(
            "--max-errors", value: "LIST",
            "refuse a feed with more errors: 10, or stops.txt:5,invalid_url:100,*:10 for files, codes and all together"),
        OptionDefinition("--strict", "refuse a feed with any error, as --max-errors 0 does"),
        OptionDefinition(
            "--max-shrink", value: "PERCENT",
            "refuse a feed whose stop times, trips or stops shrink by more than this, such as 20%"),
        OptionDefinition(
            "--service-within", value: "DAYS", "refuse a feed without a trip on any of the next DAYS days"),
        OptionDefinition("--date", value: "YYYYMMDD", "the first of these days (today in UTC)"),
    ]
}

extension PublicationPolicy {
    init(_ parsed: OptionTable.Arguments) throws(UsageError) {
        self.init()
        if let list = parsed.values["--max-errors"] { errorLimits = try Self.limits(list) }
        if parsed.values["--strict"] != nil {
            guard errorLimits.isEmpty else {
                throw UsageError("--strict allows no error, so --max-errors has no effect; give one of them")
            }
            errorLimits = [ErrorLimit(.all, maximum: 0)]
        }
        maximumShrink = try parsed.values["--max-shrink"].map(Self.percent)
        serviceWithinDays = try parsed.number("--service-within", atLeast: 1, atMost: 36_500)
        date = try parsed.values["--date"].map(Self.date)
        if date != nil, serviceWithinDays == nil {
            throw UsageError("--date has no effect without --service-within; to store only some days, use --dates")
        }
    }

    // MARK: --max-errors

    private static func limits(_ list: String) throws(UsageError) -> [ErrorLimit] {
        var limits: [ErrorLimit] = []
        for part in list.parts(at: ",") {
            let limit = try limit(part)
            guard !limits.contains(where: { $0.scope == limit.scope }) else {
                throw UsageError("--max-errors has two limits for \(scopeName(limit.scope)): \"\(list)\"")
            }
            limits.append(limit)
        }
        return limits
    }

    private static func limit(_ part: String) throws(UsageError) -> ErrorLimit {
        let colon = part.utf8.lastIndex(of: UInt8(ascii: ":"))
        let digits = colon.map { part[part.utf8.index(after: $0)...] } ?? part[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit), let maximum = Int(digits) else {
            throw UsageError(
                "--max-errors takes a number, or a list such as stops.txt:5,invalid_url:100,*:10, not \"\(part)\"")
        }
        return ErrorLimit(try scope(colon.map { String(part[..<$0]) } ?? "*"), maximum: maximum)
    }

    /// Throws for a name that is neither a file nor a code: its limit would never apply, and the operator would not
    /// notice.
    private static func scope(_ name: String) throws(UsageError) -> ErrorLimit.Scope {
        if name == "*" { return .all }
        let files = Specification.gtfs.files.map(\.name)
        if files.contains(name) { return .file(name) }
        let codes = NoticeKind.allCases.map(\.code.name)
        if codes.contains(name) { return .code(name) }
        if NoticeCode.all.contains(where: { $0.name == name }) {
            throw UsageError(
                "--max-errors: no import gives \"\(name)\", which depends on the day; --service-within DAYS refuses "
                    + "feeds that have ended")
        }
        let hint = NearestName.find(name, among: files + codes).map { "; did you mean \($0)?" } ?? ""
        throw UsageError("--max-errors: \"\(name)\" is neither a GTFS file nor a notice code\(hint)")
    }

    private static func scopeName(_ scope: ErrorLimit.Scope) -> String {
        switch scope {
        case .all: "all files"
        case .file(let name), .code(let name): name
        }
    }

    // MARK: Numbers

    private static func percent(_ text: String) throws(UsageError) -> Int {
        let digits = text.without(suffix: "%") ?? text
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit), let number = Int(digits),
            number <= 100
        else { throw UsageError("--max-shrink takes a whole number of percent from 0% to 100%, not \"\(text)\"") }
        return number
    }

    private static func date(_ text: String) throws(UsageError) -> Int {
        guard let day = CivilDay(text) else {
            throw UsageError("--date takes a date such as 20261122 or 2026-11-22, not \"\(text)\"")
        }
        return day.number
    }
}
