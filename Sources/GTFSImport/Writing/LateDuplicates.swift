// Unsafe: the text of rows goes to and comes from a file as the bytes that it is.

import KeySorting

/// Rows of a clustered table whose key turned out to be taken when all rows were sorted.
///
/// The reading stage can tell for nearly every row that its key is new. The text of the others waits in a temporary
/// file, so that a feed need not be read once more for a few duplicates.
final class LateDuplicates {
    /// Texts of so many bytes go to the file at once.
    private static let bufferSize = 128 << 10
    private static let headerLength = 8

    let plan: TablePlan
    private let space: SortingSpace
    private var file: SpillFile?
    private var buffer: [UInt8] = []
    private var numbers = RowNumbers()

    init(_ plan: TablePlan, in space: SortingSpace) {
        self.plan = plan
        self.space = space
    }

    var count: Int { numbers.count }

    func contains(_ number: Int) -> Bool { numbers.contains(number) }

    /// Notes that the row is a duplicate.
    func add(_ number: Int) { numbers.insert(number) }

    /// Keeps the text of a row that may turn out to be a duplicate; rows come in the order of their numbers.
    func keep(_ text: UnsafeRawBufferPointer, ofRow number: Int) throws(KeySortingError) {
        append(UInt32(clamping: number))
        append(UInt32(clamping: text.count))
        buffer.append(contentsOf: text)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    private func append(_ number: UInt32) { withUnsafeBytes(of: number) { buffer.append(contentsOf: $0) } }

    private func flush() throws(KeySortingError) {
        let file = try openFile()
        try buffer.withUnsafeBufferPointer { bytes throws(KeySortingError) in
            try file.append(UnsafeRawBufferPointer(bytes))
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private func openFile() throws(KeySortingError) -> SpillFile {
        if let file { return file }
        let file = try SpillFile(in: space)
        self.file = file
        return file
    }

    /// Visits the duplicates in the order of their numbers, with their text.
    func forEach(_ body: (Int, UnsafeRawBufferPointer) throws -> Void) throws {
        guard numbers.count > 0 else { return }
        try flush()
        guard let file else { return }
        var place = 0
        while place < file.size {
            var header: (number: UInt32, length: UInt32) = (0, 0)
            try withUnsafeMutableBytes(of: &header) { try file.read($0, at: place) }
            place += Self.headerLength
            defer { place += Int(header.length) }
            guard numbers.contains(Int(header.number)) else { continue }
            let text = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(header.length), alignment: 1)
            defer { text.deallocate() }
            try file.read(text, at: place)
            try body(Int(header.number), UnsafeRawBufferPointer(text))
        }
    }
}

/// A set of row numbers: a bit for each row up to the last one in it.
struct RowNumbers {
    private var words: [UInt64] = []
    private(set) var count = 0

    func contains(_ number: Int) -> Bool {
        number >> 6 < words.count && words[number >> 6] & 1 << UInt64(number & 63) != 0
    }

    mutating func insert(_ number: Int) {
        guard number >= 0, !contains(number) else { return }
        while number >> 6 >= words.count {
            words.append(contentsOf: repeatElement(0, count: max(words.count, number >> 6 + 1 - words.count)))
        }
        words[number >> 6] |= 1 << UInt64(number & 63)
        count += 1
    }
}
