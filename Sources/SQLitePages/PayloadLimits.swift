/// How much of a record stays in an index b-tree's cell
/// (<https://sqlite.org/fileformat2.html#cell_payload_overflow_pages>).
struct PayloadLimits {
    /// The default of SQLITE_MAX_LENGTH: readers refuse longer records (<https://sqlite.org/limits.html#max_length>).
    static let longestRecord = 1_000_000_000

    /// X: a record of up to this many bytes stays in its cell.
    let longestLocal: Int
    /// A record of up to this many bytes stays in its cell, behind one byte that tells its length.
    let longestShort: Int
    /// M: at least this many bytes of a longer record stay in its cell.
    private let shortestLocal: Int
    /// Bytes of a record in one overflow page.
    let overflowLength: Int

    init(pageSize: Int) {
        longestLocal = (pageSize - 12) * 64 / 255 - 23
        longestShort = min(longestLocal, 0x7F)
        shortestLocal = (pageSize - 12) * 32 / 255 - 23
        overflowLength = pageSize - 4
    }

    @inline(__always)
    func localLength(_ length: Int) -> Int { length <= longestLocal ? length : localLengthOfLong(length) }

    /// How many bytes of a table's row stay in its leaf, which takes longer records than an index does.
    func localLengthInTable(_ length: Int, pageSize: Int) -> Int {
        if length <= pageSize - 35 { return length }
        let filling = shortestLocal + (length - shortestLocal) % overflowLength
        return filling <= pageSize - 35 ? filling : shortestLocal
    }

    /// As much as makes the last overflow page full, if that fits; else the least.
    private func localLengthOfLong(_ length: Int) -> Int {
        let filling = shortestLocal + (length - shortestLocal) % overflowLength
        return filling <= longestLocal ? filling : shortestLocal
    }
}

extension PageFileError {
    static func recordTooLong(_ length: Int) -> PageFileError {
        PageFileError(
            .tooLarge, "a record has \(length) bytes, and SQLite reads no more than \(PayloadLimits.longestRecord)")
    }
}
