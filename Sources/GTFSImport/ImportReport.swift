/// How an import ended, for people and for programs.
public struct ImportReport: Sendable {
    /// Whether there is a new store.
    public enum Status: String, Sendable {
        /// A new store is in place.
        case published
        /// The store already holds this feed.
        case unchanged
        /// The feed was refused; the store is as it was.
        case rejected
        /// Anything else went wrong; the store is as it was.
        case failed
    }

    /// How long one part of the work took.
    public struct Phase: Sendable, Equatable {
        /// Such as "load"; see `ImportProgress.phase`.
        public let name: String
        /// How long it took.
        public let seconds: Double

        /// A phase and how long it took.
        public init(name: String, seconds: Double) {
            self.name = name
            self.seconds = seconds
        }
    }

    /// How often a notice occurred.
    public struct NoticeCount: Sendable, Equatable {
        /// The notice's code, such as `duplicate_key`.
        public let code: String
        /// ERROR, WARNING or INFO.
        public let severity: String
        /// How many there are, also those that the store has no row for.
        public let count: Int

        /// A code with its severity and number.
        public init(code: String, severity: String, count: Int) {
            self.code = code
            self.severity = severity
            self.count = count
        }
    }

    /// How the import ended.
    public var status: Status = .failed
    /// One sentence for people.
    public var message = ""
    /// The path or address of the feed, as it was given.
    public var feed = ""
    /// The path of the store, as it was given.
    public var store = ""
    /// Records per file of the feed, stored or kept.
    public var rows: [(file: String, count: Int)] = []
    /// Records per file that a filter left out; empty without one.
    public var leftOut: [(file: String, count: Int)] = []
    /// Worst first, then by code.
    public var notices: [NoticeCount] = []
    /// In the order in which they began.
    public var phases: [Phase] = []
    /// How long the whole import took.
    public var seconds = 0.0
    /// The most memory that the process had, in bytes.
    public var peakMemoryBytes = 0
    /// The size of the store, in bytes; 0 if there is none.
    public var storeBytes = 0
    /// Equal for feeds with the same files, in hexadecimal digits; empty if the feed could not be read.
    public var contentHash = ""
    /// Warnings for the operator, for example that a folder cannot be flushed to the disk. A failed import, too, may
    /// have some.
    public var warnings: [String] = []
    /// What was wrong with the existing store, if the import replaces it for that reason; otherwise empty.
    public var replacedDamage = ""

    /// What a report page shows in addition to this report.
    package var details = ImportDetails()

    /// The report of an import that has not begun.
    public init() {}
}
