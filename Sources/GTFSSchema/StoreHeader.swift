/// What the first bytes of a file say about it: whether it is a store of import-gtfs, and of which layout
/// (<https://sqlite.org/fileformat2.html#the_database_header>).
///
///     guard let header = StoreHeader(bytes), header.isStore else { … }
///
/// Tells what a file is: an import asks before it replaces one, and the fetch layer before it opens one.
/// `DatabaseHeader` of `SQLitePages` reads the same bytes before pages are appended. The fetch layer does not link that
/// module, and `DatabaseHeader` knows nothing of stores.
package struct StoreHeader {
    /// How many bytes a file's header has.
    package static let byteCount = 100

    /// Whether the file is a store, of any layout.
    package let isStore: Bool
    /// The version of its layout.
    package let version: Int64
    /// How many bytes the pages of the database have together. A store is at least as long.
    package let databaseBytes: Int64

    /// Nil if the bytes do not begin as an SQLite database does, or are fewer than `byteCount`.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.byteCount, bytes.starts(with: "SQLite format 3\0".utf8) else { return nil }
        func number(_ offset: Int, _ length: Int) -> Int64 {
            bytes[offset..<offset + length].reduce(0) { $0 << 8 | Int64($1) }
        }
        isStore = number(68, 4) == Int64(StoreSchema.applicationID)
        version = number(60, 4)
        let pageSize = number(16, 2) == 1 ? 65_536 : number(16, 2)
        databaseBytes = pageSize * number(28, 4)
    }
}
