@testable import GTFSFeed

/// The slow, obvious CSV parser that the real one must agree with: one byte at a time over the whole file in memory.
struct CSVTwin {
    struct Row: Equatable, CustomStringConvertible {
        var number: Int
        var fields: [[UInt8]]
        var flags: RowFlags
        var raw: [UInt8]

        var description: String {
            let texts = fields.map { String(decoding: $0, as: UTF8.self) }
            let rawText = String(decoding: raw, as: UTF8.self).debugDescription
            return "row \(number) \(texts) flags \(flags.rawValue) raw \(rawText)"
        }
    }

    var rows: [Row] = []
    var blankRows: [Int] = []
    var skippedBytes = 0

    private let bytes: [UInt8]
    private let delimiter: UInt8
    private let maximum: Int
    private var position = 0

    init(_ bytes: [UInt8], delimiter: UInt8 = UInt8(ascii: ","), maximumRecordBytes: Int = .max) {
        self.bytes = bytes
        self.delimiter = delimiter
        maximum = maximumRecordBytes
        var number = 1
        while position < bytes.count {
            readRecord(number)
            number += 1
        }
    }

    private static let quote = UInt8(ascii: "\"")

    private func isLineEnd(_ position: Int) -> Bool {
        position == bytes.count || bytes[position] == 0x0A || bytes[position] == 0x0D
    }

    private mutating func skipLineEnd() {
        guard position < bytes.count else { return }
        let isCRLF = bytes[position] == 0x0D && position + 1 < bytes.count && bytes[position + 1] == 0x0A
        position += isCRLF ? 2 : 1
    }

    private mutating func readRecord(_ number: Int) {
        let start = position
        if isLineEnd(start) {
            blankRows.append(number)
            return skipLineEnd()
        }
        let limit = start.addingReportingOverflow(maximum).overflow ? Int.max : start + maximum
        var row = Row(number: number, fields: [], flags: [], raw: [])
        var quoting = true
        while true {
            let isWithin = position <= limit
            let field = readField(limit, &row.flags, &quoting)
            if isWithin { row.fields.append(field) }
            if isLineEnd(position) { break }
            position += 1
        }
        if position > limit {
            row.flags.insert(.tooLong)
            skippedBytes += position - limit
        }
        row.raw = Array(bytes[start..<min(position, limit)])
        rows.append(row)
        skipLineEnd()
    }

    /// Reads up to the delimiter or line end. The field leaves out text beyond the limit.
    private mutating func readField(_ limit: Int, _ flags: inout RowFlags, _ quoting: inout Bool) -> [UInt8] {
        var field: [UInt8] = []
        let opening = afterBlanks(position, limit)
        if quoting, opening < limit, opening < bytes.count, bytes[opening] == Self.quote {
            field = Array(bytes[position..<opening])
            let end = closingQuote(from: opening, limit, &field)
            let isPadded = opening > position
            if let end, !isPadded || (end < bytes.count && isFieldEnd(afterBlanks(end + 1, limit), limit)) {
                let inside = bytes[opening..<end]
                flags.insert(.quoted)
                if inside.contains(0x0A) || inside.contains(0x0D) { flags.insert(.newlineInside) }
                if end == bytes.count { flags.insert(.unterminatedQuote) }
                position = min(end + 1, bytes.count)
                if !isFieldEnd(afterBlanks(position, limit), limit) { flags.insert(.textAfterClosingQuote) }
            } else {
                if !isPadded {
                    flags.insert(.unterminatedQuote)
                    quoting = false
                }
                field = []
            }
        }
        while !isLineEnd(position), bytes[position] != delimiter {
            if position < limit { field.append(bytes[position]) }
            position += 1
        }
        return field
    }

    /// The first position from `start` on without a blank, within the limit.
    private func afterBlanks(_ start: Int, _ limit: Int) -> Int {
        var at = start
        while at < min(limit, bytes.count), bytes[at] == 0x20 || bytes[at] == 0x09, bytes[at] != delimiter { at += 1 }
        return at
    }

    private func isFieldEnd(_ position: Int, _ limit: Int) -> Bool {
        position >= limit || isLineEnd(position) || bytes[position] == delimiter
    }

    /// The position of the closing quote, or the end of the file if there is none. Nil if that is not within the limit.
    private func closingQuote(from opening: Int, _ limit: Int, _ field: inout [UInt8]) -> Int? {
        var at = opening + 1
        while at < bytes.count {
            if bytes[at] == Self.quote {
                if at >= limit { return nil }
                guard at + 1 < bytes.count, bytes[at + 1] == Self.quote else { return at }
                at += 1
            }
            field.append(bytes[at])
            at += 1
        }
        return bytes.count >= limit ? nil : bytes.count
    }
}
