/// How an import ended, for people and for programs.
public struct ImportReport: Sendable, Equatable {
    /// Whether there is a new store.
    public enum Status: String, Sendable {
        case published, unchanged, rejected, failed
    }

    /// How long one part of the work took.
    public struct Phase: Sendable, Equatable {
        public let name: String
        public let seconds: Double

        public init(name: String, seconds: Double) {
            self.name = name
            self.seconds = seconds
        }
    }

    /// How often a notice occurred.
    public struct NoticeCount: Sendable, Equatable {
        public let code: String
        /// ERROR, WARNING or INFO.
        public let severity: String
        public let count: Int

        public init(code: String, severity: String, count: Int) {
            self.code = code
            self.severity = severity
            self.count = count
        }
    }

    public var status: Status = .failed
    /// One sentence for people.
    public var message = ""
    public var feed = ""
    public var store = ""
    /// Records per file of the feed, stored or kept.
    public var rows: [(file: String, count: Int)] = []
    /// Records per file that a filter left out; empty without one.
    public var leftOut: [(file: String, count: Int)] = []
    /// Worst first, then by code.
    public var notices: [NoticeCount] = []
    public var phases: [Phase] = []
    public var seconds = 0.0
    public var peakMemoryBytes = 0
    public var storeBytes = 0
    public var contentHash = ""
    /// Warnings of an import that succeeded, for example that a folder cannot be flushed to the disk.
    public var warnings: [String] = []
    /// What was wrong with the existing store, if that damage is why the feed was imported again; else empty.
    public var healed = ""

    /// What a report page shows in addition to this report.
    package var details = ImportDetails()

    public init() {}

    public static func == (a: Self, b: Self) -> Bool {
        a.status == b.status && a.message == b.message && a.feed == b.feed && a.store == b.store
            && a.rows.elementsEqual(b.rows) { $0.file == $1.file && $0.count == $1.count } && a.notices == b.notices
            && a.contentHash == b.contentHash && a.storeBytes == b.storeBytes && a.warnings == b.warnings
    }
}
