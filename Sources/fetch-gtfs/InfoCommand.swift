import Console
import TransitStore

/// `info`: what a store holds and where it is from.
struct InfoCommand {
    let store: TransitStore
    let arguments: FetchArguments

    func run(_ output: BufferedOutput) throws {
        let context = store.makeContext()
        let facts = try self.facts(context)
        switch arguments.format {
        case .table:
            let width = facts.map(\.name.displayWidth).max() ?? 0
            for fact in facts {
                let value = Terminal.harmless(fact.column.text(fact.value))
                try output.write("\(fact.name.leftAligned(columns: width))  \(value)\n")
            }
            try output.write("\n")
            try write(RequestText.files, context, output)
            try output.write("\n")
            try write(RequestText.notices, context, output)
        case .csv:
            var rows = CSVOutput(
                [OutputColumn(name: "name", kind: .text), OutputColumn(name: "value", kind: .text)], output)
            for fact in facts { try rows.write([.text(fact.name), .text(fact.column.text(fact.value))]) }
            try rows.end()
        case .json, .jsonl:
            var rows = JSONOutput(facts.map(\.column), output, isArray: false)
            try rows.write(facts.map(\.value))
        }
    }

    private struct Fact {
        let column: OutputColumn
        let value: QueryValue
        var name: String { column.name }
    }

    /// The store's path and the columns of `feed`.
    private func facts(_ context: StoreContext) throws -> [Fact] {
        let read: ReadRequest<StoreObject> = try RequestText(entity: "feed").read(in: store)
        var facts = [Fact(column: OutputColumn(name: "store", kind: .text), value: .text(store.path))]
        try context.forEachRow(of: read.request) { row in
            for (index, column) in read.columns.enumerated() where column.name != "id" {
                facts.append(Fact(column: OutputColumn(name: column.name, kind: column.kind), value: row[index]))
            }
        }
        return facts
    }

    private func write(_ text: RequestText, _ context: StoreContext, _ output: BufferedOutput) throws {
        let read: ReadRequest<StoreObject> = try text.read(in: store)
        let columns = read.columns.map { OutputColumn(name: $0.name, kind: $0.kind) }
        var table = TableOutput(columns, output, leavesOutEmptyColumns: false)
        try context.forEachRow(of: read.request) { row in try table.write(columns.indices.map { row[$0] }) }
        try table.end()
    }
}

extension RequestText {
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
