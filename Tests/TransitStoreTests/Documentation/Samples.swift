import Foundation
import Testing

@testable import TransitStore

/// Where the samples of the documentation run: a store of the sample feed, and a `print` that records its output.
///
/// A sample is the code between `// snippet: name` and `// end` in a method here. The page shows it under
/// `<!-- sample: name -->`, followed by the SQL that it ran and what it printed. `DocumentationTests` compares them.
final class Samples {
    let imported: ImportedStore
    let store: TransitStore
    let context: StoreContext
    private(set) var printed: [String] = []
    private let lines: Lines

    init(_ imported: ImportedStore) throws {
        self.imported = imported
        let lines = Lines()
        self.lines = lines
        store = try imported.open { lines.append($0) }
        context = store.makeContext()
    }

    /// Replaces Swift's `print`.
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

    /// The statements that have run, except those that read the schema or the list of empty columns.
    var statements: [String] {
        let prefix = "TransitStore: sql: "
        return lines.all.filter {
            $0.hasPrefix(prefix) && !$0.contains("sqlite_schema") && !$0.contains("empty_column")
        }
        .map { String($0.dropFirst(prefix.count)) }
    }

    /// The statements as the pages show them: all columns of an entity as `…`.
    var shownStatements: [String] {
        statements.map { sql in
            StoreModel.typedEntities.reduce(sql) { sql, entity in
                let columns = "SELECT " + context.stores[0].traits.emptyColumns.columns(of: entity).list + " FROM"
                guard let range = sql.firstRange(of: columns) else { return sql }
                return sql.replacingCharacters(in: range, with: "SELECT … FROM")
            }
        }
    }

    typealias Sample = (name: String, run: (Samples) async throws -> Void)

    /// All samples, page by page.
    static var all: [Sample] {
        departures + requests + predicates + values + texts + bigResults + objects + seeing + places
    }
}
