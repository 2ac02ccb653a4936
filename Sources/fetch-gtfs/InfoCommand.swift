import Console
import SystemFiles
import TransitStore

/// `info`: what a store holds and where it comes from.
struct InfoCommand {
    let store: TransitStore
    let arguments: FetchArguments

    func run(_ output: BufferedOutput) throws {
        let context = store.makeContext()
        let facts = try self.facts(context)
        switch arguments.format {
        case .table:
            let names = facts.map { $0.name.harmless }
            let width = names.map(\.displayWidth).max() ?? 0
            for (name, fact) in zip(names, facts) {
                let value = fact.column.text(fact.value).harmless
                try output.write("\(name.leftAligned(columns: width))  \(value)\n")
            }
            try output.write("\n")
            try write(RequestText.files, context, output)
            try output.write("\n")
            try write(RequestText.notices, context, output)
        case .csv: try writePairs(facts, context, output)
        case .json, .jsonl: try writeObject(facts, context, output)
        }
    }

    /// One object: the facts, and `files` and `notices` as arrays of objects.
    private func writeObject(_ facts: [Fact], _ context: StoreContext, _ output: BufferedOutput) throws {
        for (index, fact) in facts.enumerated() {
            output.append((index == 0 ? "{" : ",") + JSONText.quoted(fact.name) + ":")
            fact.column.appendJSON(fact.value, to: output)
        }
        for (name, text) in RequestText.lists {
            output.append("," + JSONText.quoted(name) + ":[")
            var isFirst = true
            try forEachRow(of: text, context) { columns, row in
                for (index, column) in columns.enumerated() {
                    output.append((index > 0 ? "," : isFirst ? "{" : ",{") + JSONText.quoted(column.memberName) + ":")
                    column.appendJSON(row[index], to: output)
                }
                output.append(UInt8(ascii: "}"))
                isFirst = false
                try output.flushFullBlock()
            }
            output.append(UInt8(ascii: "]"))
        }
        try output.write("}\n")
    }

    /// All as names and values: `stopCount`, `files.stops.txt.rows`, `notices.unknown_file.count`.
    private func writePairs(_ facts: [Fact], _ context: StoreContext, _ output: BufferedOutput) throws {
        var rows = CSVOutput(
            [OutputColumn(name: "name", kind: .text), OutputColumn(name: "value", kind: .text)], output,
            guardsFormulas: arguments.guardsFormulas)
        for fact in facts { try rows.write([.text(fact.name), .text(fact.column.text(fact.value))]) }
        for (name, text) in RequestText.lists {
            try forEachRow(of: text, context) { columns, row in
                for index in columns.indices.dropFirst() {
                    let path = "\(name).\(columns[0].text(row[0])).\(columns[index].memberName)"
                    try rows.write([.text(path), .text(columns[index].text(row[index]))])
                }
            }
        }
        try rows.end()
    }

    private struct Fact {
        let column: OutputColumn
        let value: QueryValue
        var name: String { column.name }
    }

    /// The store's path and the columns of `feed`.
    private func facts(_ context: StoreContext) throws -> [Fact] {
        let read: ReadRequest<StoreObject> = try RequestText(entity: "feed").read(in: store)
        var facts = [Fact(column: OutputColumn(name: "store", kind: .text), value: .text(store.path.readablePath))]
        try context.forEachRow(of: read.request) { row in
            for (index, column) in read.columns.enumerated() where column.name != "id" {
                facts.append(Fact(column: OutputColumn(column), value: row[index]))
            }
        }
        return facts
    }

    private func write(_ text: RequestText, _ context: StoreContext, _ output: BufferedOutput) throws {
        let (columns, request) = try read(text)
        var table = TableOutput(columns, output, leavesOutEmptyColumns: false)
        try context.forEachRow(of: request) { row in try table.write(columns.indices.map { row[$0] }) }
        try table.end()
    }

    private func forEachRow(
        of text: RequestText, _ context: StoreContext, _ body: ([OutputColumn], [QueryValue]) throws -> Void
    ) throws {
        let (columns, request) = try read(text)
        try context.forEachRow(of: request) { row in try body(columns, columns.indices.map { row[$0] }) }
    }

    private func read(_ text: RequestText) throws -> (columns: [OutputColumn], request: FetchRequest<StoreObject>) {
        let read: ReadRequest<StoreObject> = try text.read(in: store)
        return (read.columns.map(OutputColumn.init), read.request)
    }
}

extension RequestText {
    fileprivate static let lists = [("files", files), ("notices", notices)]

    /// The files of the feed and how many rows each had.
    fileprivate static let files: RequestText = {
        var text = RequestText(entity: "feed_file")
        text.properties = "name AS file, rowCount AS rows, keptRowCount AS 'not stored', view"
        text.sort = "name"
        return text
    }()

    /// What was wrong with the feed.
    fileprivate static let notices: RequestText = {
        var text = RequestText(entity: "notice_total")
        text.properties = "code AS notice, severity, #count"
        text.sort = "code"
        return text
    }()
}

extension OutputColumn {
    /// The column's name as a member of a JSON object: `not stored` becomes `notStored`, `notice` becomes `code`.
    fileprivate var memberName: String {
        switch name {
        case "not stored": "notStored"
        case "notice": "code"
        default: name
        }
    }
}
