/// The one page of a table or an index without rows.
///
///     let trees = try EmptyTree.append([.table, .index], to: descriptor, pageSize: 4096, after: header.pageCount)
///     // … an entry in sqlite_schema for each of trees.roots …
///     try DatabaseHeader.setPageCount(descriptor, to: trees.pageCount)
///
/// It is the page that CREATE TABLE and CREATE INDEX make (<https://sqlite.org/fileformat2.html#b_tree_pages>).
package enum EmptyTree: Sendable {
    /// The page of a table with rowids.
    case table
    /// The page of an index or a WITHOUT ROWID table.
    case index

    /// Appends a page for each of them after the last page of a file. Returns their numbers, and how many pages the
    /// file has now. Throws `PageFileError` when writing fails.
    package static func append(
        _ trees: [EmptyTree], to descriptor: Int32, pageSize: Int, after lastPage: UInt32, sums: PageSums? = nil
    ) throws(PageFileError) -> (roots: [UInt32], pageCount: UInt32) {
        let pages = PageAppender(descriptor: descriptor, pageSize: pageSize, firstPage: lastPage + 1, sums: sums)
        var roots = [UInt32](repeating: 0, count: trees.count)
        // Equal pages in a row are summed once.
        for kind in [EmptyTree.table, .index] {
            let page = FilledPage(size: pageSize, isLeaf: true, isTable: kind == .table)
            defer { page.memory.deallocate() }
            page.seal(rightChild: 0)
            for place in trees.indices where trees[place] == kind { roots[place] = try pages.append(page.bytes) }
        }
        try pages.flush()
        return (roots, pages.lastPage)
    }
}
