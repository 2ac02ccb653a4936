import Glibc
import SystemFiles

/// What is logged about every statement, in the style of Core Data's `-com.apple.CoreData.SQLDebug`.
///
/// ```text
/// TransitStore: sql: SELECT t0.id, t0.name FROM stop AS t0 WHERE t0.name = ?
/// TransitStore: details: bind[1] = 'Hauptbahnhof'
/// TransitStore: annotation: sql connection fetch time: 0.0001s
/// TransitStore: annotation: total fetch execution time: 0.0002s for 1 rows.
/// ```
///
/// A configuration turns it on:
///
///     var configuration = TransitStore.Configuration()
///     configuration.sqlDebug = SQLDebug(level: 2) { line in print(line) }
public struct SQLDebug: Sendable {
    /// 0 logs nothing, 1 statements and times, 2 and more also the bound values.
    public var level: Int
    /// Writes a line; to standard error unless given.
    public var write: @Sendable (String) -> Void

    /// Logs at a level, to standard error unless `write` is given.
    public init(level: Int, write: @escaping @Sendable (String) -> Void = SQLDebug.writeToStandardError) {
        self.level = level
        self.write = write
    }

    /// Logs nothing.
    public static let off = SQLDebug(level: 0)

    /// The level in the environment variable TRANSIT_STORE_SQL_DEBUG; `off` if it is missing or not a whole number.
    public static var fromEnvironment: SQLDebug {
        guard let value = getenv("TRANSIT_STORE_SQL_DEBUG"), let level = Int(String(cString: value)) else { return off }
        return SQLDebug(level: level)
    }

    /// Writes a line to standard error, in one piece. Control characters are spelled out as `\u{1B}`: values come from
    /// feeds and users, and could control the terminal.
    public static let writeToStandardError: @Sendable (String) -> Void = { line in
        let bytes = Array(written(line).utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
    }

    static func written(_ line: String) -> String { line.harmless + "\n" }

    func report(_ sql: SQLFragment, rows: Int, since start: Double) {
        reportStatement(sql)
        let seconds = Self.formatted(MonotonicClock.seconds - start)
        write("TransitStore: annotation: sql connection fetch time: \(seconds)s")
        write("TransitStore: annotation: total fetch execution time: \(seconds)s for \(rows) rows.")
    }

    /// Logs the statement without a time, because its rows are read piece by piece.
    func reportStatement(_ sql: SQLFragment) {
        write("TransitStore: sql: \(sql.text)")
        if level > 1 {
            for (position, value) in sql.bindings.enumerated() {
                write("TransitStore: details: bind[\(position + 1)] = \(value)")
            }
        }
    }

    /// Four digits after the point.
    private static func formatted(_ seconds: Double) -> String {
        let units = Int((seconds * 10_000).rounded())
        let digits = String(units % 10_000)
        return "\(units / 10_000)." + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
