import Console

/// How much memory an import may use.
///
///     try MemoryLimit(bytes: 300_000_000).check(writing: "/srv/berlin.sqlite")
///
/// Swift ends a process that gets no memory, so an import asks beforehand: it looks how much it has each time that a
/// block of rows has been stored, which costs 3 µs. Without a limit it does not look.
struct MemoryLimit: Sendable {
    let bytes: Int?

    func check(writing store: String) throws(ImportError) {
        guard let bytes, ProcessMemory.residentBytes > bytes else { return }
        throw ImportError(
            .inputOutput,
            "\(store): the import needs more memory than the \(NumberText.bytes(bytes)) that --memory allows; allow more"
        )
    }

    /// SQLite's cache: 32 MiB, or an eighth of what is allowed.
    var cacheKibibytes: Int { min(32 << 10, max(2_000, (bytes ?? .max) / (8 << 10))) }

    /// Reads "300M", "2G", "64k" or a number of bytes; nil for anything else and for 0.
    static func size(_ text: String) -> Int? {
        let units: [Character: Int] = ["k": 1_000, "K": 1_000, "M": 1_000_000, "G": 1_000_000_000]
        let unit = text.last.flatMap { units[$0] }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(digits), number > 0 else {
            return nil
        }
        let (size, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
        return overflow ? nil : size
    }
}
