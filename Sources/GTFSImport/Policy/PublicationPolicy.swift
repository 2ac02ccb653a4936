import GTFSSchema

/// The conditions that a feed must meet before its store replaces the live one.
///
///     options.policy.errorLimits = [ErrorLimit(.file("stops.txt"), maximum: 5), ErrorLimit(.all, maximum: 10)]
///     options.policy.maximumShrink = 20
///     options.policy.serviceWithinDays = 7
///
/// The default is an empty policy: it accepts every feed from which a store can be built.
public struct PublicationPolicy: Sendable, Equatable {
    /// How many notices are allowed.
    public var errorLimits: [ErrorLimit] = []
    /// Refuses a feed if it has more than this many percent fewer stops, trips or stop times than the live store.
    public var maximumShrink: Int?
    /// Refuses a feed if no trip runs on any of this many days, beginning with `date`.
    public var serviceWithinDays: Int?
    /// The day as of which a feed is judged, as YYYYMMDD; nil for today in UTC. If there is no such day,
    /// `serviceWithinDays` refuses every feed.
    public var date: Int?

    /// A policy that refuses nothing.
    public init() {}
}

/// How many notices of one kind a feed may have.
public struct ErrorLimit: Sendable, Equatable {
    /// Which notices count.
    public enum Scope: Sendable, Equatable {
        /// All notices of severity ERROR.
        case all
        /// Notices of severity ERROR in one file of the specification.
        case file(String)
        /// Notices with one code, of any severity.
        case code(String)
    }

    /// Which notices count.
    public let scope: Scope
    /// The most notices that a feed may have.
    public let maximum: Int

    /// A maximum below 0 counts as 0.
    public init(_ scope: Scope, maximum: Int) {
        self.scope = scope
        self.maximum = max(maximum, 0)
    }

    /// The message if the notices exceed the limit; else nil.
    func fault(in notices: NoticeLog) -> String? {
        let (count, place, kind) =
            switch scope {
            case .all: (notices.count(ofSeverity: .error), "", "of severity ERROR")
            case .file(let file): (notices.count(ofSeverity: .error, in: file), file + " ", "of severity ERROR")
            case .code(let code): (notices.count(ofCode: code), "", code)
            }
        guard count > maximum else { return nil }
        let option = scope == .all && maximum == 0 ? "--max-errors (or --strict)" : "--max-errors"
        return "\(place)has \(count) \(count == 1 ? "notice" : "notices") \(kind), and \(option) allows \(maximum)"
    }
}
