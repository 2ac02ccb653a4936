import Console

/// How much memory an import may use.
///
///     try MemoryLimit(bytes: 300_000_000).check(importing: "/srv/berlin.zip")
///
/// Swift ends a process that gets no memory, so an import checks beforehand: after each stored block of rows it reads
/// how much memory the process uses, which costs 3 µs. Without a limit it does not check.
struct MemoryLimit: Sendable {
    let bytes: Int?

    func check(importing feed: String) throws(ImportError) {
        guard let bytes else { return }
        let used = ProcessMemory.residentBytes
        guard used > bytes else { return }
        throw ImportError(
            .inputOutput, at: feed,
            ": the import needs more memory than --memory \(ByteSize.text(UInt64(clamping: bytes))) allows, "
                + "\(NumberText.bytes(used)) so far; allow more")
    }

    /// Size of SQLite's cache: 32 MiB, or an eighth of the limit if that is less, but at least 2,000 KiB.
    var cacheKibibytes: Int { min(32 << 10, max(2_000, (bytes ?? .max) / (8 << 10))) }
}
