import Console
import TransitStore

/// Writes rows in the order of the search's results, which is not stored in any column. With `--distinct` they are not
/// ranked, because a row may then stand for several stops.
struct RankedRows {
    let ids: [Int]
    /// The text to print instead of a table without rows.
    let nothing: String

    func write(
        _ read: ReadRequest<Stop>, _ context: StoreContext, _ arguments: FetchArguments, _ output: BufferedOutput
    ) throws {
        var request = read.request
        let (limit, offset) = (request.fetchLimit, request.fetchOffset)
        (request.fetchLimit, request.fetchOffset, request.resultType) = (0, 0, .dictionaries)
        let isDistinct = request.returnsDistinctResults
        let idColumn = read.columns.count
        if !isDistinct { request.propertiesToFetch.append(.expression(.property(.root, ["id"]), as: "id of a stop")) }
        var rows = try context.fetchRows(request)
        if !isDistinct {
            let order = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
            let ranks = rows.map { row in row[idColumn].integer.flatMap { order[Int($0)] } ?? ids.count }
            rows = rows.indices.sorted { ranks[$0] < ranks[$1] }.map { rows[$0] }
        }
        let rest = rows.dropFirst(offset)
        if rows.isEmpty, arguments.format == .table { return try output.write(nothing) }
        var table = arguments.rows(read.columns.map(OutputColumn.init), output, leavesOutEmptyColumns: false)
        for row in limit > 0 ? rest.prefix(limit) : rest { try table.write(read.columns.indices.map { row[$0] }) }
        try table.end()
    }
}
