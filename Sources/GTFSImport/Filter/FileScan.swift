// Unsafe for speed: the keys found for a block are behind a pointer, as in TableReader. A scan goes through 3 M stop
// times before they are read.

import GTFSFeed
import GTFSSchema

/// Reads single fields of a file's rows before the file is read for the store.
///
///     try scan.rows(of: "trips.txt", ["trip_id", "route_id"]) { row in print(row.text(0).count) }
///
/// Reports no faults: they are noted when the kept rows are read again for the store.
struct FileScan {
    let feed: OpenedFeed
    let inventory: FeedInventory
    let state: ReadingState
    /// Throws if the import must stop.
    let check: () throws -> Void

    init(feed: OpenedFeed, inventory: FeedInventory, encodings: FeedEncodings, check: @escaping () throws -> Void) {
        (self.feed, self.inventory, self.check) = (feed, inventory, check)
        state = ReadingState(notices: NoticeLog(keptPerCode: 0), encodings: encodings)
    }

    /// Visits the rows whose first field is among `owners`, or all rows without `owners`. A missing file has no rows.
    func rows(
        of file: String, _ fields: [String], owners: IdentifierMap? = nil, _ body: (ScannedRow) throws -> Void
    ) throws {
        guard let (definition, entry) = inventory.tables.first(where: { $0.definition.name == file }) else { return }
        let reader = try CSVReader(
            source: feed.source(of: entry), maximumRecordBytes: feed.limits.maximumRecordBytes,
            decodingNames: state.texts(ofNames:))
        state.beginFile(entry.name, hasByteOrderMark: reader.encoding.hasByteOrderMark)
        let header = HeaderReader(file: file, definition: definition, header: reader.header)
            .plan(&state.notices)
        let row = ScannedRow(
            state, columns: fields.map { name in header.known.first { $0.field.name == name }?.source })
        var used: RecordBlock?
        while let block = try reader.nextBlock(reusing: used) {
            try check()
            row.begin(block, lookingUp: owners)
            for number in 0..<block.rowCount {
                row.number = number
                if let owners, !row.isIn(owners, field: 0) { continue }
                try body(row)
            }
            used = block
        }
    }
}

/// The row at hand of a block, for reading single fields; one object serves all rows in turn.
final class ScannedRow {
    var number = 0
    private let state: ReadingState
    private let columns: [Int?]
    private var block = RecordBlock(bytes: 0)
    private var isPlain = true
    private let converted = TextArena()
    /// Keys of the first field, by row; nil until the first lookup.
    private var keys: UnsafeMutablePointer<Int32>?
    private var keyCapacity = 0

    /// `columns` are positions in the file's header; nil for a column that the header lacks.
    init(_ state: ReadingState, columns: [Int?]) {
        self.state = state
        self.columns = columns
    }

    deinit { keys?.deallocate() }

    /// Begins another block and looks up the first field of all its rows at once.
    func begin(_ block: RecordBlock, lookingUp map: IdentifierMap?) {
        self.block = block
        isPlain = !block.containsNonASCII && !block.containsControl
        guard let map, let first = columns.first, let column = first else { return }
        if block.rowCount > keyCapacity {
            keys?.deallocate()
            keys = .allocate(capacity: block.rowCount)
            keyCapacity = block.rowCount
        }
        if let keys { map.findKeys(ofColumn: column, in: block, into: keys) }
    }

    /// A field without white space around it, as UTF-8; empty if the row lacks it. Valid until the next call.
    func text(_ field: Int) -> UnsafeRawBufferPointer {
        let raw = raw(field)
        let range = isEdgeUnusual(raw) ? state.trimmed(raw) : 0..<raw.count
        let text = UnsafeRawBufferPointer(rebasing: raw[range])
        guard !isPlain, !TextRules.isUTF8(text) else { return text }
        converted.removeAll()
        let bytes = state.convert(text)
        _ = bytes.withUnsafeBytes { converted.append($0) }
        return UnsafeRawBufferPointer(start: converted.bytes, count: bytes.count)
    }

    /// A field as a whole number, as the store would have it: "1.0" is 1.
    func integer(_ field: Int) -> Int64? {
        let text = text(field)
        return Numbers.parseInteger(text.bytes) ?? Numbers.parseIntegerLeniently(text.bytes)
    }

    /// Whether a field is in the map. The first field must use the map that its block was begun with.
    func isIn(_ map: IdentifierMap, field: Int) -> Bool {
        if field == 0, let keys {
            if keys[number] >= 0 { return true }
            let raw = raw(0)
            if raw.isEmpty || (isPlain && !isEdgeUnusual(raw)) { return false }
        }
        let text = text(field)
        return !text.isEmpty && map.key(of: text) != nil
    }

    /// The key of the first field, in the map that the block was begun with.
    func key(in map: IdentifierMap) -> Int32? {
        if let keys, keys[number] >= 0 { return keys[number] }
        return map.key(of: text(0))
    }

    /// Whether the file has the field and this row has a value in it.
    func has(_ field: Int) -> Bool { columns[field] != nil && !text(field).isEmpty }

    /// Whether the row has no value in any column of the file.
    var isBlank: Bool {
        (Int(block.firstFields[number])..<Int(block.firstFields[number + 1])).allSatisfy {
            TextRules.isBlank(block.field($0))
        }
    }

    private func raw(_ field: Int) -> UnsafeRawBufferPointer {
        guard let column = columns[field] else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let place = Int(block.firstFields[number]) + column
        guard place < Int(block.firstFields[number + 1]) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let (start, end) = (Int(block.fieldStarts[place]), Int(block.fieldEnds[place]))
        return UnsafeRawBufferPointer(start: block.bytes + start, count: end - start)
    }

    /// Whether there may be white space at either end.
    private func isEdgeUnusual(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let first = text.first, let last = text.last else { return false }
        return first <= 0x20 || last <= 0x20 || TextRules.mayBeWideSpace(first, text[max(0, text.count - 2)], last)
    }
}
