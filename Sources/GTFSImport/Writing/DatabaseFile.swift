// Unsafe: pages are copied through memory of their size.

import Glibc
import KeySorting
import SQLitePages
import SystemFiles

/// The private database file of an import, opened to write pages behind those that SQLite wrote.
///
/// Closing it also drops SQLite's locks on the file (<https://sqlite.org/howtocorrupt.html>, 2.2). That is harmless for
/// a file that no one else knows. The connection must not hold the file exclusively: it learns of new pages from the
/// change counter, which it reads only when it takes a lock.
final class DatabaseFile {
    private let descriptor: Int32
    private let path: String
    private let sums: PageSums
    /// The thread that writes the trees' pages, and the file's page count with the trees that were finished meanwhile.
    private var ahead: (thread: PageWritingThread, pageCount: UInt32)?

    /// `sums` takes note of every page that is written.
    init(path: String, sums: PageSums) throws(ImportError) {
        (self.path, self.sums) = (path, sums)
        descriptor = SystemFile.open(path, O_RDWR)
        guard descriptor >= 0 else { throw .system(at: path, "cannot be opened", .inputOutput, errno) }
    }

    convenience init(of place: StorePlace) throws(ImportError) {
        try self.init(path: place.path, sums: place.sums)
    }

    deinit {
        // Ends the thread, if it runs.
        ahead = nil
        close(descriptor)
    }

    /// From now on, a separate thread writes the pages of trees. Call it when the reading stage has ended or
    /// waits, so that a processor is free. `settle` makes these trees part of the database.
    func writeAhead() throws(PageFileError) {
        let header = try DatabaseHeader.read(descriptor)
        ahead = (PageWritingThread(descriptor, pageSize: header.pageSize, sums: sums), header.pageCount)
    }

    /// Appends trees to the file of an import; a separate thread writes their pages.
    static func append(to place: StorePlace, _ trees: (DatabaseFile) throws -> Void) throws {
        let file = try DatabaseFile(of: place)
        try file.writeAhead()
        try trees(file)
        try file.settle()
    }

    /// Ends what `writeAhead` began.
    func settle() throws(PageFileError) {
        guard let ahead else { return }
        self.ahead = nil
        try ahead.thread.finish()
        try DatabaseHeader.setPageCount(descriptor, to: ahead.pageCount, sums: sums)
    }

    /// Begins a tree behind the last page, for the empty table or index with this root page, or with a new one.
    func tree(root: UInt32?) throws(PageFileError) -> IndexTreeWriter {
        let header = try DatabaseHeader.read(descriptor)
        let pageCount = ahead?.pageCount ?? header.pageCount
        return IndexTreeWriter(
            file: descriptor, pageSize: header.pageSize, firstPage: pageCount + 1, root: root, sums: sums,
            thread: ahead?.thread)
    }

    /// Writes an index behind the last page and returns its root page. `fill` appends the records in their order.
    func appendIndex(_ fill: (IndexTreeWriter) throws -> Void) throws -> UInt32 {
        let tree = try tree(root: nil)
        try fill(tree)
        let written = try tree.finish()
        try adopt(written)
        return written.rootPage
    }

    /// Appends empty trees, and returns their pages.
    func append(_ trees: [EmptyTree]) throws(PageFileError) -> [UInt32] {
        let header = try DatabaseHeader.read(descriptor)
        let (roots, pageCount) = try EmptyTree.append(
            trees, to: descriptor, pageSize: header.pageSize, after: header.pageCount, sums: sums)
        try DatabaseHeader.setPageCount(descriptor, to: pageCount, sums: sums)
        return roots
    }

    /// Begins the tree of the empty table with rowids that has this root page.
    func tableTree(root: UInt32) throws(PageFileError) -> TableTreeWriter {
        let header = try DatabaseHeader.read(descriptor)
        let pageCount = ahead?.pageCount ?? header.pageCount
        return TableTreeWriter(
            file: descriptor, pageSize: header.pageSize, firstPage: pageCount + 1, root: root, sums: sums,
            thread: ahead?.thread)
    }

    /// Reads the tree with this root page, whose pages are part of the database and are not changed meanwhile. Does not
    /// look at the header, which another thread may be writing.
    func reader(root: UInt32) throws -> IndexTreeReader {
        let pageSize = sums.pageSize
        return try IndexTreeReader(pageSize: pageSize, root: root) { page, memory in
            try self.read(memory, at: (Int(page) - 1) * pageSize)
        }
    }

    /// Fills the memory; a file that ends before is a failure of the disk.
    private func read(_ memory: UnsafeMutableRawBufferPointer, at offset: Int) throws(ImportError) {
        do throws(SystemError) {
            let count = try SystemFile.read(memory, from: descriptor, at: offset)
            if count < memory.count { throw SystemError(number: EIO) }
        } catch {
            throw .system(at: path, "cannot be read back", .inputOutput, error)
        }
    }

    /// Sets SQLite's count of changes to 1. It grows with each transaction, but the same rows should give the same
    /// bytes, however many transactions wrote them. Call it last.
    func forgetChanges() throws(PageFileError) { try DatabaseHeader.setChangeCounter(descriptor, to: 1, sums: sums) }

    /// Copies a finished tree, whose pages are not yet part of the database, to a temporary file, and returns a reader
    /// of the copy. The tree's place in the file is free then.
    func setAside(_ tree: IndexTreeWriter.Tree, in place: StorePlace) throws -> IndexTreeReader {
        let header = try DatabaseHeader.read(descriptor)
        let (pageSize, before) = (header.pageSize, Int(header.pageCount))
        let copy = try SpillFile(in: place.space)
        try append(tree.rootPage, 1, pageSize, to: copy, place)
        try append(header.pageCount + 1, Int(tree.pageCount) - before, pageSize, to: copy, place)
        return try IndexTreeReader(pageSize: pageSize, root: tree.rootPage) { page, memory in
            try copy.read(memory, at: page == tree.rootPage ? 0 : (Int(page) - before) * pageSize)
        }
    }

    private func append(
        _ first: UInt32, _ count: Int, _ pageSize: Int, to copy: SpillFile, _ place: StorePlace
    ) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * pageSize, alignment: 4096)
        defer { buffer.deallocate() }
        var (offset, left) = ((Int(first) - 1) * pageSize, count * pageSize)
        while left > 0 {
            Failpoint.reach("set-aside")
            try place.check()
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(left, buffer.count)])
            try read(piece, at: offset)
            try copy.append(UnsafeRawBufferPointer(piece))
            (offset, left) = (offset + piece.count, left - piece.count)
        }
    }

    /// Cuts off the part of the file behind the tree.
    func cut(after tree: IndexTreeWriter.Tree) throws {
        let pageSize = try DatabaseHeader.read(descriptor).pageSize
        guard SystemFile.uninterrupted({ ftruncate(descriptor, off_t(tree.pageCount) * off_t(pageSize)) }) == 0 else {
            throw ImportError.system(at: path, "cannot be cut to its length", .inputOutput, errno)
        }
        sums.forget(after: tree.pageCount)
    }

    /// Makes the tree's pages part of the database, and already asks the disk to write them. Waiting for the disk at
    /// the end took a seventh of an import of half a million fare rules.
    func adopt(_ tree: IndexTreeWriter.Tree) throws(PageFileError) {
        if ahead != nil {
            ahead?.pageCount = tree.pageCount
            return
        }
        let header = try DatabaseHeader.read(descriptor)
        try DatabaseHeader.setPageCount(descriptor, to: tree.pageCount, sums: sums)
        let (first, end) = (Int(header.pageCount) * header.pageSize, Int(tree.pageCount) * header.pageSize)
        if first < end { FileFlush.begin(descriptor, first..<end) }
    }
}
