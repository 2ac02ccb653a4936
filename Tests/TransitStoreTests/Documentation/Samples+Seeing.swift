import FoundationEssentials
import TransitStore

extension Samples {
    static var seeing: [Sample] { [("sqlDebug", { try $0.sqlDebug() }), ("explain", { try $0.explain() })] }

    private func sqlDebug() throws {
        let path = store.path
        nonisolated(unsafe) let samples = self
        let print: @Sendable (String) -> Void = { line in if !line.contains("time:") { samples.print(line) } }
        // snippet: sqlDebug
        var configuration = TransitStore.Configuration()
        configuration.sqlDebug = SQLDebug(level: 2) { line in print(line) }
        let context = try TransitStore(path: path, configuration: configuration).makeContext()
        _ = try context.fetchCount(FetchRequest<Stop>(where: #Predicate { $0.stopID == "markt" }))
        // end
    }

    private func explain() throws {
        // snippet: explain
        let atStop = FetchRequest<StopTime>(where: #Predicate { $0.stop.id == 5 })
        print(try context.explain(atStop).steps)
        let withHeadsign = FetchRequest<StopTime>(where: #Predicate { $0.stopHeadsign == "Zoo" })
        print(try context.explain(withHeadsign, bigTable: 50).warnings)
        // end
    }
}
