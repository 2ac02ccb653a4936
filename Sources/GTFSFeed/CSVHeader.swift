import SystemFiles

/// The first record of a CSV file, which names its columns.
///
/// A file of no bytes, or of blank lines only, has a header with no columns.
public struct CSVHeader: Sendable, Equatable {
    /// One column of the file.
    public struct Column: Sendable, Equatable {
        /// The name without white space around it; may be empty.
        public let name: String
        /// The name as the file spells it (without quotes).
        public let spelling: String
        /// Its place in each record, from 0.
        public let index: Int
    }

    /// What is wrong with a header; the columns are usable even so.
    public enum Problem: Sendable, Equatable {
        /// The column at this index has no name.
        case emptyName(index: Int)
        /// The column has the same name, byte for byte, as an earlier one.
        case duplicateName(index: Int, first: Int)
        /// White space, a further byte-order mark or a zero-width space stands around the name.
        case paddedName(index: Int)
        /// The name is not UTF-8 in the file.
        case legacyName(index: Int)
        /// The file begins with a byte-order mark.
        case byteOrderMark
        /// The name has a line break in quotes, so further lines of the file belong to it.
        case lineBreak(index: Int)
        /// A quote was opened at this column and never closed: the name ran to the end of the file, or the quote was
        /// taken as text.
        case unclosedQuote(index: Int)
        /// The header was longer than a record may be and was cut at this column, its last one.
        case cut(index: Int)
        /// Text follows the closing quote of a name and was appended to it.
        case textAfterQuote
    }

    public let columns: [Column]
    public let problems: [Problem]
    /// The header's row number: 1 unless blank lines come before it.
    public let rowNumber: Int
    /// The flags of the header's record.
    public let flags: RowFlags

    static let empty = CSVHeader(columns: [], problems: [], rowNumber: 1, flags: [])

    private init(columns: [Column], problems: [Problem], rowNumber: Int, flags: RowFlags) {
        self.columns = columns
        self.problems = problems
        self.rowNumber = rowNumber
        self.flags = flags
    }

    /// Takes the block's first row as the header. `decode` is called with all names if one of them is not UTF-8.
    init(_ block: RecordBlock, hasByteOrderMark: Bool, decode: CSVReader.NameDecoding) {
        let fields = block.fields(of: 0).map(block.field)
        let texts = fields.map { String(validating: $0, as: UTF8.self) }
        let legacy = texts.contains(nil) ? decode(fields) : []
        let columns = texts.enumerated().map { index, text in
            let spelling = text ?? legacy[index]
            return Column(name: Self.trimmed(spelling), spelling: spelling, index: index)
        }
        let problems = (hasByteOrderMark ? [Problem.byteOrderMark] : []) + Self.problems(of: columns)
        let legacyNames = texts.indices.filter { texts[$0] == nil }.map(Problem.legacyName)
        self.init(
            columns: columns, problems: problems + legacyNames + Self.problems(of: block, columns),
            rowNumber: block.rowNumber(0), flags: block.flags(of: 0))
    }

    /// What the flags of the block's first row say, with the columns that they are about.
    private static func problems(of block: RecordBlock, _ columns: [Column]) -> [Problem] {
        let flags = block.flags(of: 0)
        var problems: [Problem] = []
        if flags.contains(.newlineInside) {
            let broken = columns.filter { $0.spelling.utf8.contains(where: \.isLineEnd) }
            problems += broken.map { .lineBreak(index: $0.index) }
        }
        if flags.contains(.unterminatedQuote) {
            // A quote that was taken as text begins its name. Otherwise the last name runs to the end of the file.
            let stray = block.fields(of: 0).firstIndex { block.isRaw($0) && block.field($0).first == quote }
            problems.append(.unclosedQuote(index: stray ?? columns.count - 1))
        }
        if flags.contains(.tooLong) { problems.append(.cut(index: columns.count - 1)) }
        if flags.contains(.textAfterClosingQuote) { problems.append(.textAfterQuote) }
        return problems
    }

    private static let quote = UInt8(ascii: "\"")

    private static func problems(of columns: [Column]) -> [Problem] {
        var problems: [Problem] = []
        var first: [[UInt8]: Int] = [:]
        for column in columns {
            let isPadded = column.name.utf8.count != column.spelling.utf8.count
            if isPadded { problems.append(.paddedName(index: column.index)) }
            if column.name.isEmpty {
                problems.append(.emptyName(index: column.index))
            } else if let earlier = first[Array(column.name.utf8)] {
                problems.append(.duplicateName(index: column.index, first: earlier))
            } else {
                first[Array(column.name.utf8)] = column.index
            }
        }
        return problems
    }

    private static func trimmed(_ name: String) -> String {
        let scalars = name.unicodeScalars
        guard let start = scalars.firstIndex(where: { !isPadding($0) }),
            let last = scalars.lastIndex(where: { !isPadding($0) })
        else { return "" }
        return String(scalars[start...last])
    }

    /// White space, and the zero-width marks that spreadsheets leave.
    private static func isPadding(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar == "\u{FEFF}" || scalar == "\u{200B}"
    }
}
