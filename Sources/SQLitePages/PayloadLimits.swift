/// How much of a record stays in an index b-tree's cell
/// (<https://sqlite.org/fileformat2.html#cell_payload_overflow_pages>).
struct PayloadLimits {
    /// SQLITE_MAX_LENGTH as it is by default: longer records are refused by readers
    /// (<https://sqlite.org/limits.html#max_length>).
    static let longestRecord = 1_000_000_000

    /// X: a record of up to this many bytes stays in its cell.
    let longestLocal: Int
    /// A record of up to this many bytes stays in its cell, behind one byte that tells its length.
    let longestShort: Int
    /// M: of a longer one, so many bytes or more do.
    private let shortestLocal: Int
    /// Bytes of a record in one page of the chain that takes the rest.
    let overflowLength: Int

    init(pageSize: Int) {
        longestLocal = (pageSize - 12) * 64 / 255 - 23
        longestShort = min(longestLocal, 0x7F)
        shortestLocal = (pageSize - 12) * 32 / 255 - 23
        overflowLength = pageSize - 4
    }

    @inline(__always)
    func localLength(_ length: Int) -> Int { length <= longestLocal ? length : localLengthOfLong(length) }

    /// How much of a table's row stays in its leaf, which takes longer ones than an index does.
    func localLengthInTable(_ length: Int, pageSize: Int) -> Int {
        if length <= pageSize - 35 { return length }
        let filling = shortestLocal + (length - shortestLocal) % overflowLength
        return filling <= pageSize - 35 ? filling : shortestLocal
    }

    /// As much as leaves the last page of the chain full, if that is not too much.
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
