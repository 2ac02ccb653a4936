import Foundation
import GTFSSchema
import Glibc
import SQLite
import SearchText
import Synchronization
import Testing
import TransitStore

/// A store in its own folder, made from the schema's SQL and rows given by hand. The folder is removed with the object.
final class TestStore {
    let folder: String
    var path: String { folder + "/store.sqlite" }

    /// A store of the rows that `fill` inserts.
    init(indexes extraIndexes: [String] = [], fill: (Connection) throws -> Void) throws {
        var template = Array((FileManager.default.temporaryDirectory.path + "/transit-store-XXXXXX").utf8CString)
        folder = String(cString: try #require(mkdtemp(&template)))
        let connection = try Connection(path: path, mode: .create)
        try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN")
        for file in Specification.gtfs.files {
            let fields = Set(file.fields.map(\.name))
            try connection.execute(StoreSchema.createTable(of: file, present: fields, extra: []))
        }
        for sql in StoreSchema.supportingStatements { try connection.execute(sql) }
        try fill(connection)
        for index in StoreSchema.indexes { try connection.execute(index.sql) }
        for sql in extraIndexes { try connection.execute(sql) }
        try connection.execute("COMMIT; ANALYZE")
        try connection.execute("PRAGMA application_id = \(StoreSchema.applicationID)")
        try connection.execute("PRAGMA user_version = \(StoreSchema.version)")
    }

    deinit {
        for name in ["store.sqlite", "other.sqlite", "store.sqlite-journal"] { unlink(folder + "/" + name) }
        rmdir(folder)
    }

    /// Opens the store. Its statements are not logged.
    func open(_ configure: (inout TransitStore.Configuration) -> Void = { _ in }) throws -> TransitStore {
        var configuration = TransitStore.Configuration()
        configuration.sqlDebug = .off
        configure(&configuration)
        return try TransitStore(path: path, configuration: configuration)
    }

    func context() throws -> StoreContext { try open().makeContext() }

    /// Lets SQLite plan as if these tables were long. In a table of eight rows it may rather look at all of them, as
    /// SQLite 3.46 does.
    func pretendRows(_ count: Int, in tables: [String]) throws {
        let connection = try Connection(path: path, mode: .create)
        for table in tables {
            try connection.execute(
                "UPDATE sqlite_stat1 SET stat = '\(count)' || substr(stat, instr(stat, ' ')) WHERE tbl = '\(table)'")
        }
    }
}

extension Connection {
    /// Inserts rows given as SQL values: `("0, 'BVG'")`.
    func insert(_ table: String, _ columns: String, _ rows: [String]) throws {
        for row in rows { try execute("INSERT INTO \(table)(\(columns)) VALUES (\(row))") }
    }

    /// Inserts a stop, and the normalized name and search terms that the importer derives from its name.
    func insertStop(
        _ id: Int, _ name: String?, _ latitude: Double?, _ longitude: Double?, type: Int? = nil, parent: Int? = nil,
        platform: String? = nil
    ) throws {
        let statement = try prepare(
            "INSERT INTO stop(id, stop_id, name, normalized_name, latitude, longitude, location_type, parent_station, "
                + "platform_code) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        statement.bind(1, Int64(id))
        statement.bind(2, "s\(id)")
        statement.bind(3, name)
        statement.bind(4, name.map(SearchText.normalize))
        if let latitude { statement.bind(5, latitude) } else { statement.bindNull(5) }
        if let longitude { statement.bind(6, longitude) } else { statement.bindNull(6) }
        statement.bind(7, type.map(Int64.init))
        statement.bind(8, parent.map(Int64.init))
        statement.bind(9, platform)
        try statement.run()
        for word in Set(SearchText.words(name ?? "")) {
            let term = try prepare("INSERT INTO search_term(normalized_word, stop) VALUES (?, ?)")
            term.bind(1, word)
            term.bind(2, Int64(id))
            try term.run()
        }
    }
}

extension StoreContext {
    /// Whether the last error, if there was one, is only that a reference names a row that the store does not have.
    var hasMetMissingRowsOnly: Bool { lastError.map { $0.code == .unknownRow } ?? true }
}

/// Expects a predicate's SQL after WHERE, with values in place, and the ids of the rows that it finds. Evaluating the
/// predicate in memory on every row must find the same rows.
func expect<Entity: StoreEntity>(
    _ predicate: Predicate<Entity>, becomes sql: String, finds ids: [String], in context: StoreContext,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let request = FetchRequest<Entity>(where: predicate)
    let text = request.description
    let condition = text.components(separatedBy: " WHERE ", limit: 2)
    #expect(condition == sql, sourceLocation: sourceLocation)
    let found = try context.fetch(request).map(\.objectID.description)
    #expect(found.sorted() == ids.sorted(), sourceLocation: sourceLocation)
    let inMemory = try context.fetch(FetchRequest<Entity>()).filter { try predicate.evaluate($0) }
    #expect(inMemory.map(\.objectID.description).sorted() == ids.sorted(), sourceLocation: sourceLocation)
    #expect(context.lastError == nil, sourceLocation: sourceLocation)
}

extension String {
    /// The text after the first separator; the whole text if there is none.
    fileprivate func components(separatedBy separator: String, limit: Int) -> String {
        guard let range = firstRange(of: separator) else { return self }
        return String(self[range.upperBound...])
    }
}

/// The number of rows that each statement of a store returned, read from the SQL debug output.
final class StatementLog: Sendable {
    private let counts = Mutex<[Int]>([])

    var debug: SQLDebug {
        SQLDebug(level: 1) { [self] line in
            guard line.hasSuffix(" rows."), let count = line.split(separator: " ").dropLast().last.flatMap({ Int($0) })
            else {
                return
            }
            counts.withLock { $0.append(count) }
        }
    }

    var rows: [Int] { counts.withLock { $0 } }
    func clear() { counts.withLock { $0 = [] } }
}
