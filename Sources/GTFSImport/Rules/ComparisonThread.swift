import GTFSSchema
import SQLite
import SystemFiles

/// Applies `ComparedRules` on a thread of its own, with a connection of its own, once all rows are stored. Meanwhile
/// the import builds indexes, applies the other rules and gathers statistics.
///
/// The thread reads only pages that nobody writes any more: the import adds tables, indexes and views behind them, and
/// the thread's transaction holds the schema as it was.
final class ComparisonThread {
    private final class Work: @unchecked Sendable {
        // @unchecked: only the thread uses `compared`, `notices` and `failure`, until it was joined. Of what they share
        // with the rest of the import, nothing changes once all rows are stored.
        private let compared: ComparedRules
        private let rules: [FeedRule]
        private(set) var notices: NoticeLog
        private(set) var failure: (any Error)?

        init(_ compared: ComparedRules, _ rules: [FeedRule], _ notices: NoticeLog) {
            (self.compared, self.rules, self.notices) = (compared, rules, notices)
        }

        func run() {
            do {
                try compared.note(rules, &notices)
            } catch {
                failure = error
            }
        }
    }

    private let work: Work
    private let isAbandoned: AbandonedWork
    private var thread: WorkerThread?

    /// `notices` has no findings yet. If the system refuses a thread, `finish` does the work.
    init(_ compared: ComparedRules, _ rules: [FeedRule], _ notices: NoticeLog, isAbandoned: AbandonedWork) {
        let work = Work(compared, rules, notices)
        (self.work, self.isAbandoned) = (work, isAbandoned)
        if !rules.isEmpty { thread = WorkerThread { work.run() } }
    }

    deinit {
        isAbandoned.set()
        if let thread = thread.take() { thread.join() }
    }

    /// Waits for the thread and adds what it has found. Call it once.
    func finish(_ notices: inout NoticeLog) throws {
        if let thread = thread.take() { thread.join() } else { work.run() }
        if let failure = work.failure { throw failure }
        notices.add(work.notices)
    }
}
