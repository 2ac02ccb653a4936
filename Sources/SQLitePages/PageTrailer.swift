// Unsafe: pages are read into one block of memory, 64 at a time.

import Glibc
import SystemFiles

/// The sums behind the last page of a store, where SQLite does not look.
///
///     try PageTrailer.seal(descriptor, sums)                     // when all is written
///     let damage = try PageTrailer.damage(in: descriptor)       // nil: every byte is as it was sealed
///
/// Numbers are big-endian, as in SQLite's own header:
///
/// | bytes | what |
/// |---|---|
/// | 4 a page | CRC-32 of each page, from the first on |
/// | 16 | `import-gtfs sums` |
/// | 4 | page size |
/// | 4 | number of pages |
/// | 4 | CRC-32 of the trailer up to here: the sum of the whole |
///
/// SQLite takes the number of pages from its header and never reads behind the last one
/// (<https://sqlite.org/fileformat2.html#in_header_database_size>).
package enum PageTrailer {
    private static let mark = Array("import-gtfs sums".utf8)
    private static let footerLength = 28
    private static let pagesAtOnce = 64
    /// At most this many missing pages are listed: those of 4 GiB, as pages have 4 KiB.
    private static let mostMissingPages = 1 << 20

    /// Puts the sums behind the last page.
    ///
    /// Throws `PageFileError`: `lost` when the sums are not in the file afterwards, `inputOutput` when a system call
    /// fails.
    package static func seal(_ descriptor: Int32, _ sums: PageSums) throws(PageFileError) {
        let count = sums.pageCount
        guard !sums.isIncomplete else {
            throw PageFileError(.unsuitable, "a write was neither of whole pages nor within the first page")
        }
        guard count > 0 else { throw PageFileError(.unsuitable, "the database's header counts no pages") }
        let trailer = bytes(of: sums, count: count)
        let end = count * sums.pageSize
        guard SystemFile.uninterrupted({ ftruncate(descriptor, off_t(end + trailer.count)) }) == 0 else {
            throw .system("the file's end cannot be set", errno)
        }
        try trailer.withUnsafeBufferPointer { bytes throws(PageFileError) in
            try FileBytes.write(UnsafeRawBufferPointer(bytes), to: descriptor, at: end, what: "the sums of the pages")
        }
        try trailer.withUnsafeBufferPointer { bytes throws(PageFileError) in
            try FileBytes.compare(
                UnsafeRawBufferPointer(bytes), with: descriptor, at: end, what: "the list of the pages' sums")
        }
    }

    /// What differs from the sealed file; nil when no byte does. Reads the whole file: 0.1 s for 160 MB in memory.
    ///
    /// Throws `PageFileError.inputOutput` when the file cannot be read.
    package static func damage(
        in descriptor: Int32, isCancelled: () -> Bool = { false }
    ) throws(PageFileError) -> PageDamage? {
        guard let size = fileSize(descriptor) else { throw .system("the file's size cannot be read", .last) }
        guard let form = try Form(descriptor, size: size) else { return try withoutSums(descriptor, size) }
        let trailer = try read(descriptor, at: form.end, count: size - form.end)
        guard trailer.count == size - form.end, FileBytes.number(trailer, trailer.count - 4) == sum(trailer.dropLast(4))
        else {
            return PageDamage(.sums, pageSize: form.pageSize)
        }
        let damaged = try damagedPages(descriptor, pageSize: form.pageSize, count: form.pageCount, isCancelled) {
            FileBytes.number(trailer, 4 * $0)
        }
        return damaged.isEmpty ? nil : PageDamage(.pages, damaged.map { UInt32($0 + 1) }, pageSize: form.pageSize)
    }

    /// Whether a file ends as a sealed one of its size does, whatever its pages hold.
    package static func isSealed(_ descriptor: Int32) -> Bool {
        guard let size = fileSize(descriptor) else { return false }
        return (try? Form(descriptor, size: size)) != nil
    }

    /// The damage of a file without sums: it is truncated, or SQLite has written to it since, or it never had sums.
    private static func withoutSums(_ descriptor: Int32, _ size: Int) throws(PageFileError) -> PageDamage {
        let header = try read(descriptor, at: 0, count: DatabaseHeader.length)
        guard let pageSize = DatabaseHeader.pageSize(in: header), DatabaseHeader.isPossible(pageSize: pageSize) else {
            return PageDamage(.noDatabase, pageSize: 0)
        }
        let count = Int(FileBytes.number(header, 28))
        guard size >= count * pageSize else {
            // Bounded, as a damaged header may claim any number of pages.
            let missing = ((size / pageSize + 1)...count).prefix(mostMissingPages)
            return PageDamage(
                .cut(size: size, of: count * (pageSize + 4) + footerLength), missing.map(UInt32.init),
                pageSize: pageSize)
        }
        return PageDamage(.noSums, pageSize: pageSize)
    }

    /// Where the trailer is, according to the file's last bytes.
    private struct Form {
        let pageSize: Int
        let pageCount: Int
        var end: Int { pageSize * pageCount }

        /// Nil when the file does not end as a sealed file of its size does.
        init?(_ descriptor: Int32, size: Int) throws(PageFileError) {
            guard size > footerLength else { return nil }
            let footer = try PageTrailer.read(descriptor, at: size - footerLength, count: footerLength)
            guard footer.count == footerLength, footer.starts(with: mark) else { return nil }
            pageSize = Int(FileBytes.number(footer, 16))
            pageCount = Int(FileBytes.number(footer, 20))
            guard pageSize >= 512, pageSize <= 65_536, pageCount > 0, size == (pageSize + 4) * pageCount + footerLength
            else { return nil }
        }
    }

    /// Indexes of the pages whose sum is wrong.
    private static func damagedPages(
        _ descriptor: Int32, pageSize: Int, count: Int, _ isCancelled: () -> Bool = { false }, wanted: (Int) -> UInt32
    ) throws(PageFileError) -> [Int] {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: pagesAtOnce * pageSize, alignment: 4096)
        defer { block.deallocate() }
        var damaged: [Int] = []
        for first in stride(from: 0, to: count, by: pagesAtOnce) {
            if isCancelled() { throw PageFileError(.interrupted, "reading the pages was stopped") }
            let pages = min(pagesAtOnce, count - first)
            let part = UnsafeMutableRawBufferPointer(rebasing: block[..<(pages * pageSize)])
            let filled = try FileBytes.read(part, from: descriptor, at: first * pageSize, what: "page \(first + 1)")
            for page in 0..<pages {
                let end = (page + 1) * pageSize
                let bytes = UnsafeRawBufferPointer(rebasing: part[(page * pageSize)..<end])
                if filled < end || PageSum.of(bytes) != wanted(first + page) { damaged.append(first + page) }
            }
        }
        return damaged
    }

    private static func bytes(of sums: PageSums, count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 * count + footerLength)
        for index in 0..<count { append(sums[index], to: &bytes) }
        bytes += mark
        append(UInt32(sums.pageSize), to: &bytes)
        append(UInt32(count), to: &bytes)
        append(sum(bytes[...]), to: &bytes)
        return bytes
    }

    private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    private static func sum(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.withUnsafeBytes(PageSum.of) }

    /// Up to `count` bytes; fewer only at the file's end.
    private static func read(_ descriptor: Int32, at offset: Int, count: Int) throws(PageFileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try bytes.withUnsafeMutableBufferPointer { buffer throws(PageFileError) in
            try FileBytes.read(
                UnsafeMutableRawBufferPointer(buffer), from: descriptor, at: offset, what: "byte \(offset)")
        }
        return Array(bytes[..<filled])
    }

    private static func fileSize(_ descriptor: Int32) -> Int? {
        FileStatus(descriptor: descriptor).map { Int($0.size) }
    }
}

/// What in a file differs from the file as it was sealed.
package struct PageDamage: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// Pages whose sums are wrong.
        case pages
        /// The file is shorter than its header says.
        case cut(size: Int, of: Int)
        /// Nothing lies behind the last page: the file was never sealed, or SQLite has written to it since.
        case noSums
        /// The sums themselves are damaged.
        case sums
        /// The file does not begin as a database does.
        case noDatabase
    }

    package let kind: Kind
    /// The pages that are damaged or missing, counted from 1, as far as that is known.
    package let pages: [UInt32]
    let pageSize: Int

    init(_ kind: Kind, _ pages: [UInt32] = [], pageSize: Int) {
        self.kind = kind
        self.pages = pages
        self.pageSize = pageSize
    }
}

extension PageDamage: CustomStringConvertible {
    /// What is wrong, without the file's name: `page 31 is not as published`.
    package var description: String {
        switch kind {
        case .pages:
            let others = pages.count > 1 ? " and \(pages.count - 1) more are" : " is"
            return "page \(pages.first ?? 0)\(others) not as published"
        case .cut(let size, let whole): return "it has \(size) of \(whole) bytes"
        case .noSums: return "it has no checksums: another program has written to it, or an early version made it"
        case .sums: return "its checksums are damaged"
        case .noDatabase: return "it does not begin as an SQLite file does"
        }
    }
}
