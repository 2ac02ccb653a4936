import Console
import SystemFiles
import TransitStore

/// A table for people: columns as wide as the first rows need.
///
///     stopID  name       departures
///     ------  ---------  ----------
///     s7      Zoo                 3
///
/// Holds back the first `mostWaiting` rows to find the widths. Later rows are written as they come.
struct TableOutput: RowOutput {
    private static let mostWaiting = 1_000

    private let columns: [OutputColumn]
    private let output: BufferedOutput
    private let leavesOutEmptyColumns: Bool
    private var waiting: [[String]] = []
    /// The columns shown and their widths; nil while rows wait.
    private var layout: [(column: Int, width: Int)]?

    init(_ columns: [OutputColumn], _ output: BufferedOutput, leavesOutEmptyColumns: Bool) {
        self.columns = columns
        self.output = output
        self.leavesOutEmptyColumns = leavesOutEmptyColumns
    }

    mutating func write(_ values: [QueryValue]) throws {
        let cells = zip(columns, values).map { $0.text($1).harmless }
        if let layout { return try writeRow(cells, layout) }
        waiting.append(cells)
        // Whether a column is empty throughout is known only at the end.
        if waiting.count == Self.mostWaiting { try writeWaiting(isComplete: false) }
    }

    mutating func end() throws {
        if layout == nil { try writeWaiting(isComplete: true) }
    }

    private mutating func writeWaiting(isComplete: Bool) throws {
        let leavesOut = leavesOutEmptyColumns && isComplete && !waiting.isEmpty
        let shown = columns.indices.filter { index in !leavesOut || waiting.contains { !$0[index].isEmpty } }
        let names = columns.map { $0.name.harmless }
        let layout = shown.map { index in
            (column: index, width: String.columnWidth(of: [names[index]] + waiting.map { $0[index] }))
        }
        self.layout = layout
        try writeRow(names, layout)
        try output.write(layout.map { String(repeating: "-", count: $0.width) }.joined(separator: "  ") + "\n")
        for cells in waiting { try writeRow(cells, layout) }
        waiting = []
    }

    private func writeRow(_ cells: [String], _ layout: [(column: Int, width: Int)]) throws {
        let line = layout.map { index, width in
            columns[index].isNumeric
                ? cells[index].rightAligned(columns: width) : cells[index].leftAligned(columns: width)
        }.joined(separator: "  ")
        try output.write(line.withoutTrailingSpaces + "\n")
    }
}

extension String {
    var withoutTrailingSpaces: Substring {
        let count = utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count
        return self[..<utf8.index(utf8.endIndex, offsetBy: -count)]
    }
}
