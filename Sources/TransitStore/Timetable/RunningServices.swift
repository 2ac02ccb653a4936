import Synchronization

/// Which services run on a date: a bit for each row of the table service.
///
/// Departures ask this of every call at their stops, and half of these calls are of other days. Two lookups in tables
/// become one bit, which takes an eighth off a request.
struct RunningServices: Sendable {
    let date: Int64
    private let words: [UInt64]

    /// 2 MB a date.
    private static let mostServices: Int64 = 1 << 24

    /// Nil for keys that no store of ours has.
    init?(date: Int64, services: [Int64]) {
        let (first, last) = (services.min() ?? 0, services.max() ?? 0)
        guard first >= 0, last < Self.mostServices else { return nil }
        var words = [UInt64](repeating: 0, count: Int(last >> 6) + 1)
        for service in services { words[Int(service >> 6)] |= 1 << UInt64(service & 63) }
        (self.date, self.words) = (date, words)
    }

    func contains(_ service: Int) -> Bool {
        let word = service >> 6
        return words.indices.contains(word) && words[word] & (1 << UInt64(service & 63)) != 0
    }
}

/// The dates of a store whose services are known, for all its connections.
///
/// Reading the services of a date takes about as long as the lookups for as many calls. So they are read when as many
/// departures of that date have been found as the feed has services: the first visit of a date pays nothing.
final class RunningServicesCache: Sendable {
    private struct State {
        var known: [RunningServices] = []
        /// How many departures of other dates have been found.
        var found: [Int64: Int] = [:]
    }

    private let state = Mutex(State())
    private static let mostKnown = 16
    private static let mostCounted = 256

    func services(on date: Int64) -> RunningServices? {
        state.withLock { state in state.known.first { $0.date == date } }
    }

    /// Counts departures of a date. Returns whether reading its services is worth it by now.
    func isWorthReading(_ date: Int64, found count: Int, services: Int64) -> Bool {
        state.withLock { state in
            if state.found.count >= Self.mostCounted { state.found = [:] }
            let found = (state.found[date] ?? 0) + count
            let isWorth = Int64(found) > services
            state.found[date] = isWorth ? 0 : found
            return isWorth
        }
    }

    /// Keeps the services of a date; of too many dates, those that were read last.
    func keep(_ services: RunningServices) {
        state.withLock { state in
            state.found[services.date] = nil
            guard !state.known.contains(where: { $0.date == services.date }) else { return }
            if state.known.count >= Self.mostKnown { state.known.removeFirst() }
            state.known.append(services)
        }
    }
}

/// The dates whose services a connection's statements may ask for by `service_runs(service, date)`.
final class KnownServiceDates: @unchecked Sendable {
    // @unchecked: a session is used by one borrower at a time, and SQLite calls a function on the thread that steps.

    @exclusivity(unchecked) private var dates: [RunningServices] = []
    // Unchecked: no access lasts beyond a call of these functions.

    /// Statements are about one or two dates; a few more are kept.
    static let most = 4

    /// Whether the services of a date are known, also by another connection of the store.
    func knows(_ date: Int64, _ store: RunningServicesCache) -> Bool {
        if dates.last?.date == date { return true }
        let place = dates.firstIndex { $0.date == date }
        guard let services = place.map({ dates[$0] }) ?? store.services(on: date) else { return false }
        // The last ones stay: a statement is about several dates, and asks for each of them before it runs.
        if let place { dates.remove(at: place) } else if dates.count >= 2 * Self.most { dates.removeFirst() }
        dates.append(services)
        return true
    }

    /// Nil for a date that is not known: statements ask for those alone that are.
    func runs(_ service: Int, on date: Int64) -> Bool? {
        for known in dates where known.date == date { return known.contains(service) }
        return nil
    }
}
