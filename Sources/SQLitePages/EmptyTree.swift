// Unsafe only where a page's bytes are lent to the file.

/// A b-tree without rows: one page (<https://sqlite.org/fileformat2.html#b_tree_pages>).
///
///     let roots = try EmptyTree.append([.table, .index], to: descriptor)
public enum EmptyTree: Sendable {
    /// The tree of a table with rowids.
    case table
    /// The tree of an index or of a table WITHOUT ROWID.
    case index

    /// Writes trees behind the pages that a database file has, makes them part of it, and answers their root pages.
    ///
    /// No connection may be in a transaction on the file meanwhile. Throws `PageFileError`.
    public static func append(
        _ trees: [EmptyTree], to descriptor: Int32, sums: PageSums? = nil
    ) throws(PageFileError) -> [UInt32] {
        let header = try DatabaseHeader.read(descriptor)
        let pages = PageAppender(
            descriptor: descriptor, pageSize: header.pageSize, firstPage: header.pageCount + 1, bufferSize: 1 << 16,
            sums: sums)
        var roots: [UInt32] = []
        for tree in trees {
            let page = tree.page(size: header.pageSize)
            let root = try page.withUnsafeBufferPointer { bytes throws(PageFileError) in
                try pages.append(UnsafeRawBufferPointer(bytes))
            }
            roots.append(root)
        }
        try pages.flush()
        try DatabaseHeader.setPageCount(descriptor, to: pages.lastPage, sums: sums)
        return roots
    }

    /// The page's header: its kind, no free block, no cells, cells from the end of the page on, no fragments.
    private func page(size: Int) -> [UInt8] {
        let kind: UInt8 = self == .table ? 0x0D : 0x0A
        // 65,536 is written as 0.
        return [kind, 0, 0, 0, 0, UInt8(truncatingIfNeeded: size >> 8), UInt8(truncatingIfNeeded: size), 0]
    }
}
