/// The kinds of b-tree that a database has, for those of tables and indexes without rows.
///
///     let trees = try EmptyTree.append([.table, .index], to: descriptor, pageSize: 4096, behind: header.pageCount)
///     // … an entry in sqlite_schema for each of trees.roots …
///     try DatabaseHeader.setPageCount(descriptor, to: trees.pageCount)
///
/// CREATE TABLE makes the same page, and beside it compiles two more statements and reads its own entry back.
public enum EmptyTree: Sendable {
    /// Of a table with rowids.
    case table
    /// Of an index or a WITHOUT ROWID table.
    case index

    /// Appends a page for each of them behind the last one of a file, and answers their numbers and the pages that the
    /// file has now. Throws `PageFileError` when writing fails.
    public static func append(
        _ trees: [EmptyTree], to descriptor: Int32, pageSize: Int, behind lastPage: UInt32, sums: PageSums? = nil
    ) throws(PageFileError) -> (roots: [UInt32], pageCount: UInt32) {
        let pages = PageAppender(descriptor: descriptor, pageSize: pageSize, firstPage: lastPage + 1, sums: sums)
        var roots: [UInt32] = []
        for tree in trees {
            let page = FilledPage(size: pageSize, isLeaf: true, isTable: tree == .table)
            defer { page.memory.deallocate() }
            page.seal(rightChild: 0)
            roots.append(try pages.append(page.bytes))
        }
        try pages.flush()
        return (roots, pages.lastPage)
    }
}
