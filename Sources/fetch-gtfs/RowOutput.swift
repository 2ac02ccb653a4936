import Console
import TransitStore

/// Writes rows in one of the formats, as they come.
protocol RowOutput {
    mutating func write(_ values: [QueryValue]) throws
    /// After the last row.
    mutating func end() throws
}

enum RowOutputs {
    /// The output of a format.
    static func make(
        _ format: FetchArguments.Format, _ columns: [OutputColumn], _ output: BufferedOutput,
        leavesOutEmptyColumns: Bool
    ) -> any RowOutput {
        switch format {
        case .table: TableOutput(columns, output, leavesOutEmptyColumns: leavesOutEmptyColumns)
        case .csv: CSVOutput(columns, output)
        case .json: JSONOutput(columns, output, isArray: true)
        case .jsonl: JSONOutput(columns, output, isArray: false)
        }
    }
}

/// Comma-separated values (RFC 4180, but for the line's end, which is a line feed), with a row of names.
struct CSVOutput: RowOutput {
    private let columns: [OutputColumn]
    private let output: BufferedOutput
    private var hasHeader = false

    init(_ columns: [OutputColumn], _ output: BufferedOutput) {
        self.columns = columns
        self.output = output
    }

    mutating func write(_ values: [QueryValue]) throws {
        try writeHeader()
        try writeRecord(zip(columns, values).map { $0.text($1) })
    }

    mutating func end() throws { try writeHeader() }

    private mutating func writeHeader() throws {
        if !hasHeader { try writeRecord(columns.map(\.name)) }
        hasHeader = true
    }

    private func writeRecord(_ fields: [String]) throws {
        // A lone empty field would be an empty line.
        let line = fields.count == 1 && fields[0].isEmpty ? "\"\"" : fields.map(Self.quoted).joined(separator: ",")
        try output.write(line + "\n")
    }

    private static func quoted(_ field: String) -> String {
        guard field.utf8.contains(where: { [44, 34, 10, 13].contains($0) }) else { return field }
        return "\"" + field.unicodeScalars.reduce(into: "") { $0 += $1 == "\"" ? "\"\"" : String($1) } + "\""
    }
}

/// JSON (RFC 8259): an array of objects, or an object a line.
struct JSONOutput: RowOutput {
    private let columns: [OutputColumn]
    private let names: [String]
    private let output: BufferedOutput
    private let isArray: Bool
    private var isFirst = true

    init(_ columns: [OutputColumn], _ output: BufferedOutput, isArray: Bool) {
        self.columns = columns
        self.output = output
        self.isArray = isArray
        names = columns.map { OutputColumn(name: "", kind: .text).json(.text($0.name)) + ":" }
    }

    mutating func write(_ values: [QueryValue]) throws {
        let members = columns.indices.map { names[$0] + columns[$0].json(values[$0]) }
        try write(object: "{" + members.joined(separator: ",") + "}")
    }

    /// An object that is JSON already.
    mutating func write(object: String) throws {
        if isArray { try output.write(isFirst ? "[\n" : ",\n") }
        try output.write(object)
        if !isArray { try output.write("\n") }
        isFirst = false
    }

    mutating func end() throws {
        if isArray { try output.write(isFirst ? "[]\n" : "\n]\n") }
    }
}
