import Console
import Glibc
import SQLite
import SQLitePages
import SystemFiles
import TransitStore

/// `check`: whether every byte of a store is as it was published, and if not, which tables are damaged.
///
/// Compares the checksums after the last page (`schema/README.md`, "Checking a store"), then runs SQLite's own
/// `integrity_check`. This also works for a damaged file that `TransitStore` does not open.
struct CheckCommand {
    let arguments: FetchArguments
    let configuration: TransitStore.Configuration
    private var path: String { arguments.store }

    func run(_ output: BufferedOutput) throws {
        let (descriptor, opened) = try StoreFile.open(path)
        defer { close(descriptor) }
        let end = MonotonicClock.seconds + (configuration.timeLimit ?? .infinity)
        let isOver = { MonotonicClock.seconds >= end }
        do {
            let damage = try PageTrailer.damage(in: descriptor, isCancelled: isOver)
            // Pages of two files would count as damage.
            guard !isChanged(descriptor, since: opened) else { throw StoreError.changedInPlace(path) }
            if let damage { return try report(damage, owners(of: damage, descriptor), output) }
        } catch let error as PageFileError where error.kind == .interrupted {
            throw tookTooLong
        } catch let error as PageFileError {
            throw StoreError(.readFailed, "\(path) cannot be read: \(error)")
        }
        if arguments.options.values["--quick"] == nil { try checkIntegrity(descriptor, isOver) }
        // Throws for stores of other versions.
        _ = try TransitStore(path: path, configuration: configuration)
        // If an import has published another store meanwhile, checks that one.
        if FileStatus(path: path)?.isSameFile(as: opened) == false { return try run(output) }
        if arguments.format == .table {
            try output.write("\(path.harmless) is sound: every byte is as import-gtfs published it.\n")
        } else {
            try write([], output)
        }
    }

    /// Whether someone has cut the file or written to it.
    private func isChanged(_ descriptor: Int32, since opened: FileStatus) -> Bool {
        guard let status = FileStatus(descriptor: descriptor) else { return true }
        return status.size != opened.size || status.lastChange != opened.lastChange
    }

    private static let cachedBytes = 64 << 20

    private func checkIntegrity(_ descriptor: Int32, _ isOver: @escaping () -> Bool) throws {
        do {
            let file = try file(descriptor)
            let connection = try Connection(file: file)
            try connection.distrustSchema()
            // Looks up an entry of each index for each row. With SQLite's 2 MB, it would read most pages many times.
            try connection.setCacheSize(bytes: Self.cachedBytes)
            connection.stopStatements(when: isOver)
            let statement = try connection.prepare("PRAGMA integrity_check(5)")
            var faults: [String] = []
            while try statement.step() { faults.append(statement.text(0) ?? "") }
            guard faults != ["ok"] else { return }
            // SQLite lists failed reads among the faults.
            if file.isChangedInPlace { throw StoreError.changedInPlace(path) }
            if file.readError != 0 {
                throw StoreError(.readFailed, "\(path) cannot be read: \(SystemError(number: file.readError).words)")
            }
            throw StoreError(
                .corrupt,
                "\(path) has the right checksums, but SQLite finds: \(faults.joined(separator: "; ")). This is a fault of import-gtfs: please report it."
            )
        } catch let error as SQLiteError {
            if error.isInterruption { throw tookTooLong }
            throw StoreError(
                error.isInputOutput ? .readFailed : .corrupt, "\(path) cannot be checked: \(error.message)")
        }
    }

    /// The file whose checksums were right, for SQLite. Uses the descriptor, because the path may lead to another file
    /// by now.
    private func file(_ descriptor: Int32) throws -> ImmutableFile {
        let second = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard second >= 0 else { throw StoreError(.unreadable, "\(path): \(SystemError.last.words)") }
        return try ImmutableFile(descriptor: second, path: path, isMemoryMapped: false)
    }

    // MARK: Damage

    /// Damaged pages of a table or, if `index` is not nil, of one of its indexes. `table` is empty for pages that
    /// belong to no known table or index.
    private struct DamagedTree {
        let table: String
        var index: String?
        let pages: [UInt32]
    }

    /// The tables and indexes that the damaged pages belong to, as far as the schema can be read.
    private func owners(of damage: PageDamage, _ descriptor: Int32) throws(PageFileError) -> [DamagedTree] {
        var owners = PageOwners(descriptor, of: damage)
        let trees = try owners.trees()
        for tree in trees { try owners.walk(root: tree.root, owner: tree.name) }
        let tables = Dictionary(trees.map { ($0.name, $0.table) }) { first, _ in first }
        var damaged = owners.found.sorted { $0.key < $1.key }.map { name, pages in
            let table = tables[name] ?? name
            return DamagedTree(table: table, index: table == name ? nil : name, pages: pages.sorted())
        }
        if !owners.others.isEmpty { damaged.append(DamagedTree(table: "", pages: owners.others)) }
        return damaged
    }

    private func report(_ damage: PageDamage, _ damaged: [DamagedTree], _ output: BufferedOutput) throws {
        try write(damaged, output)
        try output.flush()
        let tables = Set(damaged.map(\.table)).subtracting([""]).sorted()
        let place = tables.isEmpty ? "" : ", in " + tables.joined(separator: ", ")
        throw StoreError(.corrupt, "\(path) is damaged: \(damage)\(place). Import the feed again.")
    }

    private func write(_ damaged: [DamagedTree], _ output: BufferedOutput) throws {
        if arguments.format == .table, damaged.isEmpty { return }
        let columns = [
            OutputColumn(name: "table", kind: .text), OutputColumn(name: "index", kind: .text),
            OutputColumn(name: "pages", kind: .number), OutputColumn(name: "firstPage", kind: .number),
            OutputColumn(name: "lastPage", kind: .number),
        ]
        var rows = arguments.rows(columns, output)
        for one in damaged {
            try rows.write([
                one.table.isEmpty ? .null : .text(one.table), one.index.map(QueryValue.text) ?? .null,
                .integer(Int64(one.pages.count)), .integer(Int64(one.pages.first ?? 0)),
                .integer(Int64(one.pages.last ?? 0)),
            ])
        }
        try rows.end()
    }

    private var tookTooLong: StoreError { .tookTooLong("Checking \(path)", seconds: configuration.timeLimit ?? 0) }
}
