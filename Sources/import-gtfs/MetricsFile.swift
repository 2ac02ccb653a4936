import CivilTime
import GTFSImport
import GTFSSchema
import Glibc
import SystemFiles

/// Metrics of one store and its last import in Prometheus' text format, for node_exporter's textfile collector.
///
///     let metrics = MetricsFile(path: "/var/lib/node_exporter/berlin.prom")
///     try metrics.write(report, exitCode: 0, afterFailed: false, store: "/srv/berlin.sqlite")
///
/// The file is replaced in one instant. The time of the last success survives failures, because it is copied from the
/// previous file. Metrics about the store are read from the store, so they are also right after a failure.
struct MetricsFile {
    let path: String

    /// How each file of metrics begins.
    static let beginning = "# HELP import_gtfs_"
    private static let lastSuccess = "import_gtfs_last_success_timestamp_seconds"

    /// Throws when a foreign file has the name, when the previous file cannot be read, and when writing fails.
    func write(_ report: ImportReport, exitCode: Int32, afterFailed: Bool, store: String) throws(ImportError) {
        let now = Int(time(nil))
        try WholeFile.metrics(path).replace { () throws(ImportError) in
            // Not in the future: if the clock was ahead at the last success, no alarm would come until that time.
            let success = exitCode == 0 ? now : try earlierSuccess().map { min($0, now) }
            let run = RunMetrics(now: now, success: success, exitCode: exitCode, afterFailed: afterFailed)
            return Self.text(report, run, store: store)
        }
    }

    /// Facts about the run that are not in the report.
    struct RunMetrics {
        let now: Int
        let success: Int?
        let exitCode: Int32
        let afterFailed: Bool
    }

    static func text(_ report: ImportReport, _ run: RunMetrics, store: String) -> String {
        var text = MetricsText(store: store)
        text.add("import_gtfs_last_run_timestamp_seconds", "When the last import ended.", run.now)
        if let success = run.success {
            text.add(lastSuccess, "When an import last published the store or found it current.", success)
        }
        text.add("import_gtfs_last_exit_code", "How the last import ended; 0 is success.", Int(run.exitCode))
        text.add("import_gtfs_last_duration_seconds", "How long the last import took.", report.seconds)
        text.add(
            "import_gtfs_last_peak_memory_bytes", "The most memory that the last import used.", report.peakMemoryBytes)
        text.add(
            "import_gtfs_after_command_failed", "1 when the command after publishing failed, else 0.",
            run.afterFailed ? 1 : 0)
        if let live = LiveStore(path: store) { addStore(live, path: store, to: &text) }
        return text.text
    }

    private static func addStore(_ live: LiveStore, path: String, to text: inout MetricsText) {
        if let status = FileStatus(path: path) {
            text.add(
                "import_gtfs_store_published_timestamp_seconds", "When the store was made.",
                Int(status.lastChange / 1_000_000_000))
            text.add("import_gtfs_store_bytes", "The size of the store.", Int(status.size))
        }
        let days = DaysWithTrips(storeAt: path)
        for (name, day) in [("first", days?.first), ("last", days?.last)] {
            guard let day else { continue }
            text.add(
                "import_gtfs_store_\(name)_day_timestamp_seconds", "The \(name) day on which a trip of the store runs.",
                Int(day.secondsSince1970))
        }
        text.add(
            "import_gtfs_store_rows", "Rows of each file of the feed.",
            Self.counted(live.rows).map { ([("file", $0.file)], $0.count) })
        text.add(
            "import_gtfs_store_notices", "Notices of each code.",
            live.notices.map { ([("code", $0.code), ("severity", $0.severity)], $0.count) })
    }

    /// The files of GTFS, and up to a hundred others: a feed may have 100,000, and each would be a series of its own.
    private static func counted(_ rows: [(file: String, count: Int)]) -> [(file: String, count: Int)] {
        var left = 100
        return rows.filter { row in
            if Specification.gtfs.file(named: row.file) != nil { return true }
            guard left > 0, row.file.utf8.count <= 200 else { return false }
            left -= 1
            return true
        }
    }

    /// The time of the last success in the existing file; nil if there is none. Throws if the file cannot be read: the
    /// alarm for stores that have grown old needs that time.
    private func earlierSuccess() throws(ImportError) -> Int? {
        let descriptor = SystemFile.open(path, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 || errno != ENOENT else { return nil }
        defer { close(descriptor) }
        let bytes: [UInt8]
        do throws(SystemError) {
            guard descriptor >= 0 else { throw .last }
            bytes = try SystemFile.head(1 << 20, of: descriptor)
        } catch {
            throw .system(
                at: path, "cannot be read, and it has the time of the last success", .cannotCreateStore, error)
        }
        let lines = bytes.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
        guard let line = lines.first(where: { $0.hasPrefix(Self.lastSuccess + "{") }) else { return nil }
        return line.split(separator: " ").last.flatMap { Int($0) }
    }
}

/// Builds a page of metrics (<https://prometheus.io/docs/instrumenting/exposition_formats/>).
struct MetricsText {
    private(set) var text = ""
    private let store: String

    init(store: String) { self.store = store }

    mutating func add(_ name: String, _ meaning: String, _ value: Int) { add(name, meaning, [([], value)]) }

    mutating func add(_ name: String, _ meaning: String, _ value: Double) {
        head(name, meaning)
        line(name, [], value.isFinite ? "\((value * 1_000).rounded() / 1_000)" : "NaN")
    }

    mutating func add(_ name: String, _ meaning: String, _ values: [(labels: [(String, String)], value: Int)]) {
        guard !values.isEmpty else { return }
        head(name, meaning)
        for (labels, value) in values { line(name, labels, String(value)) }
    }

    private mutating func head(_ name: String, _ meaning: String) {
        text += "# HELP \(name) \(meaning)\n# TYPE \(name) gauge\n"
    }

    private mutating func line(_ name: String, _ labels: [(String, String)], _ value: String) {
        let all = [("store", store.readablePath)] + labels
        text += name + "{" + all.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",") + "} \(value)\n"
    }

    /// Escapes the value of a label, because a feed's file may have any name.
    private static func escaped(_ value: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
