/// The rows of a tab-separated declaration after its header line.
struct TabSeparatedTable {
    let rows: [[Substring]]

    init(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        rows = text.split(separator: "\n").dropFirst().map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
    }
}
