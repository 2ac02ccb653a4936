// Unsafe: the header is read into and written from memory of its own length.

/// What the first 100 bytes of a database file say (<https://sqlite.org/fileformat2.html#the_database_header>).
///
///     let header = try DatabaseHeader.read(descriptor)
///     let writer = IndexTreeWriter(file: descriptor, pageSize: header.pageSize, firstPage: header.pageCount + 1)
///
/// Used to append pages to any database. `StoreHeader` of `GTFSSchema` tells whether a file is a store, and of which
/// layout.
package struct DatabaseHeader: Sendable, Equatable {
    static let length = 100
    private static let place = "the database's header"
    private static let magic = Array("SQLite format 3\0".utf8)

    /// A power of two from 512 to 65,536.
    package let pageSize: Int
    /// How many pages the file has. The next page has this number plus 1.
    package let pageCount: UInt32
    /// Grows with every transaction.
    package let changeCounter: UInt32

    /// Reads the header of an open file.
    ///
    /// Throws `PageFileError` when it is not a database, or when pages cannot be appended to it here: in WAL mode, with
    /// auto-vacuum, with reserved bytes in each page, in UTF-16 or with a schema format other than 4.
    package static func read(_ descriptor: Int32) throws(PageFileError) -> DatabaseHeader {
        let bytes = try bytes(of: descriptor)
        guard let pageSize = pageSize(in: bytes) else {
            throw PageFileError(.unsuitable, "the file does not begin as an SQLite database does")
        }
        guard isPossible(pageSize: pageSize) else {
            throw PageFileError(.unsuitable, "the database has pages of \(pageSize) bytes, which is not possible")
        }
        if let fault = fault(of: bytes) { throw PageFileError(.unsuitable, "the database \(fault)") }
        let counter = FileBytes.number(bytes, 24)
        guard counter == FileBytes.number(bytes, 92), FileBytes.number(bytes, 28) > 0 else {
            throw PageFileError(
                .unsuitable, "the database was last written by an SQLite before 3.7, without a page count")
        }
        return DatabaseHeader(pageSize: pageSize, pageCount: FileBytes.number(bytes, 28), changeCounter: counter)
    }

    /// Makes appended pages part of the database, and counts this as one more change of the file.
    package static func setPageCount(
        _ descriptor: Int32, to count: UInt32, sums: PageSums? = nil
    ) throws(PageFileError) {
        let counter = try read(descriptor).changeCounter &+ 1
        try write(counter, count, to: descriptor, at: 24, sums)
        // SQLite uses the page count only when the version-valid-for number equals the change counter.
        try write(counter, to: descriptor, at: 92, sums)
    }

    /// Sets the count of changes. Readers compare it with the count that they remember of the same file.
    package static func setChangeCounter(
        _ descriptor: Int32, to counter: UInt32, sums: PageSums? = nil
    ) throws(PageFileError) {
        try write(counter, to: descriptor, at: 24, sums)
        try write(counter, to: descriptor, at: 92, sums)
    }

    /// The page size that a header states, possible or not; nil if the bytes are not the header of a database.
    static func pageSize(in bytes: [UInt8]) -> Int? {
        guard bytes.count == length, bytes.starts(with: magic) else { return nil }
        let short = FileBytes.number(bytes, 16, 2)
        return short == 1 ? 65_536 : Int(short)
    }

    static func isPossible(pageSize: Int) -> Bool { pageSize >= 512 && pageSize.nonzeroBitCount == 1 }

    private static func fault(of bytes: [UInt8]) -> String? {
        if bytes[18] != 1 || bytes[19] != 1 { return "is in WAL mode or of a later format" }
        if bytes[20] != 0 { return "reserves \(bytes[20]) bytes in each page" }
        if FileBytes.number(bytes, 44) != 4 { return "has schema format \(FileBytes.number(bytes, 44)) instead of 4" }
        if FileBytes.number(bytes, 52) != 0 { return "is in auto-vacuum mode" }
        if FileBytes.number(bytes, 56) != 1 { return "is not in UTF-8" }
        return nil
    }

    private static func bytes(of descriptor: Int32) throws(PageFileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: length)
        let count = try bytes.withUnsafeMutableBufferPointer { buffer throws(PageFileError) in
            try FileBytes.read(UnsafeMutableRawBufferPointer(buffer), from: descriptor, at: 0, what: place)
        }
        return Array(bytes[..<count])
    }

    private static func write(
        _ numbers: UInt32..., to descriptor: Int32, at offset: Int, _ sums: PageSums?
    ) throws(PageFileError) {
        try numbers.map(\.bigEndian).withUnsafeBufferPointer { words throws(PageFileError) in
            let bytes = UnsafeRawBufferPointer(words)
            try FileBytes.write(bytes, to: descriptor, at: offset, what: place)
            guard let sums else { return }
            try FileBytes.compare(bytes, with: descriptor, at: offset, what: place)
            sums.record(bytes, at: offset)
        }
    }
}
