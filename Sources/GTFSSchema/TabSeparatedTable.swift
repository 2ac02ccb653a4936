/// The rows of a tab-separated declaration after its header line.
///
/// Read byte by byte, once: split by characters it took a third of the time that importing a small feed takes.
struct TabSeparatedTable {
    private(set) var rows: [[String]] = []

    init(_ bytes: [UInt8]) {
        let text = bytes.span
        var row: [String] = []
        var start = 0
        for place in text.indices {
            let byte = text[place]
            guard byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n") else { continue }
            row.append(String(decoding: bytes[start..<place], as: UTF8.self))
            start = place + 1
            if byte == UInt8(ascii: "\n") {
                rows.append(row)
                row.removeAll()
            }
        }
        rows = Array(rows.dropFirst())
    }
}
