// Unsafe: texts are looked at as bytes where they are.

import GTFSSchema

/// One finding with its place in the feed.
struct Notice: Sendable, Equatable {
    var kind: NoticeKind
    /// Nil for a finding about the feed as a whole.
    let file: String?
    /// The header is row 1; nil for a finding about a whole file.
    let rowNumber: Int?
    let field: String?
    let value: String?
    /// Where it is and what is wrong.
    let fault: String
    /// What was done, if `fault` does not say it.
    var outcome: Outcome?
    /// What follows for the timetable, if more than the value is lost.
    var consequence: String?

    /// What was done with a faulty value.
    enum Outcome: Sendable, Equatable {
        /// The value can be stored and was.
        case storedAsItIs
        /// The column cannot store the value.
        case valueKept
        /// A table cannot store the row because of this value.
        case rowRefused(by: String)
        /// A table cannot store the row because of another value.
        case rowKept(notIn: String)

        var words: String {
            switch self {
            case .storedAsItIs: "stored as it is"
            case .valueKept: "the column is left empty and the text kept in kept_value"
            case .rowRefused(let table): "without it the row is not in \(table) but kept in kept_row"
            case .rowKept(let table): "the row is not in \(table) but kept in kept_row"
            }
        }
    }

    /// Where, what, and what was done.
    var message: String {
        var message = fault
        forEachFurtherPart { message += $0 }
        return message
    }

    /// Visits what `message` adds to `fault`.
    func forEachFurtherPart(_ body: (String) -> Void) {
        if let outcome {
            body("; ")
            body(outcome.words)
        }
        if let consequence {
            body(", so ")
            body(consequence)
        }
    }

    // Faults that headers and rows have in common.
    static let unclosedQuote = "a quote is opened and never closed; read to the end of the line or file"
    static let recordCut =
        "the record is longer than --max-field allows and was cut there; the rest is not stored"
    static let textAfterQuote = "text follows a closing quote; it was added to the value as it stands"

    /// What is wrong with a row that repeats the key of an earlier one.
    static func repeatsKey(of plan: TablePlan) -> String {
        let key = plan.definition?.keyFields.map(\.name).joined(separator: ", ") ?? ""
        return "has the same \(key) as an earlier row; not in \(plan.table) but kept in kept_row"
    }

    /// Cuts a long name or value of the feed to 200 characters, as notices are for people. A letter with its accents
    /// counts as several: it may have any number of them. U+0000 becomes ␀, because programs in C end a text there.
    static func shortened(_ text: String) -> String {
        var text = text
        if text.utf8.contains(0) { text = text.replacing("\0", with: "␀") }
        guard let end = text.withUTF8({ endOfShortened(UnsafeRawBufferPointer($0)) }) else { return text }
        return String(decoding: text.utf8.prefix(end), as: UTF8.self) + "…"
    }

    /// Where the text is cut; nil if it is not too long.
    static func endOfShortened(_ text: UnsafeRawBufferPointer) -> Int? {
        guard text.count > mostScalars else { return nil }
        var scalars = 0
        return text.firstIndex { byte in
            let isFirstOfScalar = byte & 0xC0 != 0x80
            if isFirstOfScalar { scalars += 1 }
            return scalars > mostScalars
        }
    }

    private static let mostScalars = 200

    /// Changes what was done with a cell whose whole row is kept instead of stored.
    mutating func moveToKeptRow(notIn table: String) {
        consequence = nil
        if outcome == .storedAsItIs || outcome == .valueKept { outcome = .rowKept(notIn: table) }
    }
}
