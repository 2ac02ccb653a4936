/// The rows of a tab-separated declaration after its header line.
///
/// Split by bytes: by characters it took a third of the time that importing a small feed takes.
struct TabSeparatedTable {
    let rows: [[Substring]]

    init(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.utf8.split(separator: UInt8(ascii: "\n")).dropFirst()
        rows = lines.map { line in
            line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { Substring($0) }
        }
    }
}
