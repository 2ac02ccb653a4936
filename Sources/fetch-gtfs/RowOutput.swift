import Console
import TransitStore

/// Writes rows in one of the formats, as they come.
protocol RowOutput {
    mutating func write(_ values: [QueryValue]) throws
    /// Called after the last row.
    mutating func end() throws
}

extension FetchArguments {
    /// The writer for the requested format.
    func rows(
        _ columns: [OutputColumn], _ output: BufferedOutput, leavesOutEmptyColumns: Bool = false
    ) -> any RowOutput {
        switch format {
        case .table: TableOutput(columns, output, leavesOutEmptyColumns: leavesOutEmptyColumns)
        case .csv: CSVOutput(columns, output, guardsFormulas: guardsFormulas)
        case .json: JSONOutput(columns, output, isArray: true)
        case .jsonl: JSONOutput(columns, output, isArray: false)
        }
    }
}

/// Comma-separated values (RFC 4180, except that lines end in a line feed), with a header row.
struct CSVOutput: RowOutput {
    private let columns: [OutputColumn]
    private let output: BufferedOutput
    private let guardsFormulas: Bool
    private var hasHeader = false

    init(_ columns: [OutputColumn], _ output: BufferedOutput, guardsFormulas: Bool) {
        self.columns = columns
        self.output = output
        self.guardsFormulas = guardsFormulas
    }

    mutating func write(_ values: [QueryValue]) throws {
        writeHeader()
        // Without quotes, a single empty field would be an empty line, which readers skip.
        if columns.count == 1, values[0] == .null || values[0] == .text("") { output.append("\"\"") }
        for index in columns.indices {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            columns[index].appendField(values[index], to: output, guardsFormulas: guardsFormulas)
        }
        output.append(UInt8(ascii: "\n"))
        try output.flushFullBlock()
    }

    mutating func end() throws { writeHeader() }

    private mutating func writeHeader() {
        if hasHeader { return }
        hasHeader = true
        for (index, column) in columns.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            let name = guardsFormulas ? OutputColumn.withoutFormula(column.name) : column.name
            OutputColumn.appendField(name, to: output)
        }
        output.append(UInt8(ascii: "\n"))
    }
}

/// JSON (RFC 8259): an array of objects, or one object per line.
struct JSONOutput: RowOutput {
    private let columns: [OutputColumn]
    /// The text before each value: `{"name":` and `,"name":`.
    private let names: [String]
    private let output: BufferedOutput
    private let isArray: Bool
    private var isFirst = true

    init(_ columns: [OutputColumn], _ output: BufferedOutput, isArray: Bool) {
        self.columns = columns
        self.output = output
        self.isArray = isArray
        names = columns.enumerated().map { ($0 == 0 ? "{" : ",") + JSONText.quoted($1.name) + ":" }
    }

    mutating func write(_ values: [QueryValue]) throws {
        try write { [columns, names] output in
            for index in columns.indices {
                output.append(names[index])
                columns[index].appendJSON(values[index], to: output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    /// Writes an object that `body` appends.
    mutating func write(_ body: (BufferedOutput) -> Void) throws {
        if isArray { output.append(isFirst ? "[\n" : ",\n") }
        isFirst = false
        body(output)
        if !isArray { output.append(UInt8(ascii: "\n")) }
        try output.flushFullBlock()
    }

    mutating func end() throws {
        if isArray { try output.write(isFirst ? "[]\n" : "\n]\n") }
    }
}
