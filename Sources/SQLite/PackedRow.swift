// Unsafe code: a row is one allocation that holds numbers and the bytes of its texts. That saves an array, a dictionary
// and a String per cell: a row of 13 cells takes one malloc, and a text nobody reads is never decoded.

import Cells

/// A row taken out of a statement: cells by position, texts undecoded.
///
///     let statement = try connection.prepare("SELECT id, name FROM stop")
///     while try statement.step() { rows.append(statement.packedRow()) }
///     rows[0].integer(0)      // 17
///     rows[0].text(1)         // "U Görlitzer Bahnhof"
///
/// A cell past the end reads as NULL. Reading a text decodes it; every other read is one load.
package struct PackedRow: @unchecked Sendable {
    // @unchecked: the buffer is written before the value exists and never again.
    private let buffer: ManagedBuffer<Layout, UInt64>

    /// Cells come first, then a byte per cell that tells its kind, then the bytes of texts.
    private struct Layout {
        let count: UInt32
        /// The length of the buffer in words. A read beyond it ends the process.
        let words: UInt32
    }

    /// The number of cells.
    package var count: Int { Int(buffer.header.count) }

    /// A row without cells; every cell reads as NULL.
    package static let empty = PackedRow([])

    /// A row of given values.
    package init(_ values: [SQLiteValue]) {
        var texts: [UInt8] = []
        var starts: [Int] = []
        for case .text(let text) in values {
            starts.append(texts.count)
            texts += text.utf8
        }
        starts.append(texts.count)
        // One byte more, so that an empty text has an address as well.
        buffer = (texts + [0]).withUnsafeBufferPointer { bytes in
            var next = 0
            return Self.makeBuffer(count: values.count, textBytes: texts.count) { column in
                switch values[column] {
                case .null: return .null
                case .integer(let value): return .integer(value)
                case .double(let value): return .double(value)
                case .text:
                    defer { next += 1 }
                    let start = bytes.baseAddress.unsafelyUnwrapped + starts[next]
                    return .text(start, starts[next + 1] - starts[next])
                }
            }
        }
    }

    /// The first `columns` cells of the statement's row. A column whose bit is set in `empty` is NULL; SQLite is not
    /// asked for it.
    init(statement: Statement, columns: Int, empty: UInt64) {
        buffer = withUnsafeTemporaryAllocation(of: RawCell.self, capacity: max(columns, 1)) { cells in
            var textBytes = 0
            for column in 0..<columns {
                if Self.isEmpty(column, empty) { continue }
                let cell = statement.rawCell(Int32(truncatingIfNeeded: column))
                if case .text(_, let length) = cell { textBytes += length }
                cells.initializeElement(at: column, to: cell)
            }
            return Self.makeBuffer(count: columns, textBytes: textBytes, empty: empty) { cells[$0] }
        }
    }

    /// The cells of the statement's row at `columns`, in that order.
    init(statement: Statement, at columns: [Int32]) {
        buffer = withUnsafeTemporaryAllocation(of: RawCell.self, capacity: max(columns.count, 1)) { cells in
            var textBytes = 0
            for place in columns.indices {
                let cell = statement.rawCell(columns[place])
                if case .text(_, let length) = cell { textBytes += length }
                cells.initializeElement(at: place, to: cell)
            }
            return Self.makeBuffer(count: columns.count, textBytes: textBytes) { cells[$0] }
        }
    }

    @inline(__always)
    private static func isEmpty(_ column: Int, _ empty: UInt64) -> Bool {
        column < 64 && empty & (1 &<< UInt64(column)) != 0
    }

    private static func makeBuffer(
        count: Int, textBytes: Int, empty: UInt64 = 0, cell: (Int) -> RawCell
    ) -> ManagedBuffer<Layout, UInt64> {
        let words = count + (count + textBytes + 7) / 8
        let buffer = ManagedBuffer<Layout, UInt64>.create(minimumCapacity: words) { _ in
            Layout(count: UInt32(count), words: UInt32(words))
        }
        buffer.withUnsafeMutablePointerToElements { elements in
            let bytes = UnsafeMutableRawPointer(elements)
            let tags = bytes + count * 8
            // All cells begin as NULL.
            bytes.initializeMemory(as: UInt8.self, repeating: 0, count: count * 9)
            var end = count * 9
            for column in 0..<count where !isEmpty(column, empty) {
                let tag: UInt8
                switch cell(column) {
                case .null: continue
                case .integer(let value): (elements[column], tag) = (UInt64(bitPattern: value), CellTag.integer)
                case .double(let value): (elements[column], tag) = (value.bitPattern, CellTag.double)
                case .text(let start, let length):
                    (elements[column], tag) = (UInt64(end) << 32 | UInt64(length), CellTag.text)
                    (bytes + end).copyMemory(from: start, byteCount: length)
                    end += length
                }
                tags.storeBytes(of: tag, toByteOffset: column, as: UInt8.self)
            }
        }
        return buffer
    }

    @inline(__always)
    private func read<Value>(_ column: Int, _ body: (UInt8, UInt64, RowBytes) -> Value) -> Value {
        buffer.withUnsafeMutablePointers { layout, elements in
            let count = Int(layout.pointee.count)
            let bytes = RowBytes(start: elements, words: layout.pointee.words)
            guard column >= 0 && column < count else { return body(CellTag.null, 0, bytes) }
            let tag = UnsafeRawPointer(elements).load(fromByteOffset: count * 8 + column, as: UInt8.self)
            return body(tag, elements[column], bytes)
        }
    }

    /// A row's memory, while it is read.
    private struct RowBytes {
        let start: UnsafeMutablePointer<UInt64>
        let words: UInt32

        /// The text whose place and length a word holds. If they are not within the row, the process ends.
        func text(_ word: UInt64) -> String {
            let bytes = UnsafeRawBufferPointer(start: start, count: Int(words) * 8).bytes
            let first = Int(word >> 32)
            return bytes.extracting(first..<first + Int(word & 0xFFFF_FFFF)).withUnsafeBytes {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }

    package func isNull(_ column: Int) -> Bool { read(column) { tag, _, _ in tag == CellTag.null } }

    /// The cell as an integer; nil for NULL and text. A double is rounded toward zero; nil if it does not fit.
    package func integer(_ column: Int) -> Int64? {
        read(column) { tag, word, _ in
            switch tag {
            case CellTag.integer: Int64(bitPattern: word)
            case CellTag.double: Int64(exactly: Double(bitPattern: word).rounded(.towardZero))
            default: nil
            }
        }
    }

    /// The cell as a number, nil for NULL and text.
    package func double(_ column: Int) -> Double? {
        read(column) { tag, word, _ in
            switch tag {
            case CellTag.integer: Double(Int64(bitPattern: word))
            case CellTag.double: Double(bitPattern: word)
            default: nil
            }
        }
    }

    /// The cell as text, nil unless it is text; bytes that are not valid UTF-8 are replaced.
    package func text(_ column: Int) -> String? {
        read(column) { tag, word, bytes in
            tag == CellTag.text ? bytes.text(word) : nil
        }
    }

    /// What the cell holds.
    package func value(_ column: Int) -> SQLiteValue {
        read(column) { tag, word, bytes in
            switch tag {
            case CellTag.integer: .integer(Int64(bitPattern: word))
            case CellTag.double: .double(Double(bitPattern: word))
            case CellTag.text: .text(text(column) ?? "")
            default: .null
            }
        }
    }
}

extension Statement {
    /// Copies the row that the statement stands on, or its first `columns` cells.
    ///
    /// Bit n of `empty` says that column n, of the first 64, is known to be NULL; SQLite is not asked for it.
    package func packedRow(columns: Int? = nil, empty: UInt64 = 0) -> PackedRow {
        PackedRow(statement: self, columns: columns ?? columnCount, empty: empty)
    }

    /// Copies the row's cells at `columns`, in that order.
    package func packedRow(at columns: [Int32]) -> PackedRow { PackedRow(statement: self, at: columns) }
}
