import Synchronization
import SystemFiles

/// Which services run on a date: a bit for each row of the table service.
///
/// Departures check this for every call at their stops, and half of these calls are on other days. One bit replaces
/// lookups in two tables, which makes a request an eighth faster.
struct RunningServices: Sendable {
    let date: Int64
    private let services: BitSet

    /// At this limit, a date takes 2 MB.
    private static let mostServices: Int64 = 1 << 24

    /// Nil for keys that are negative or too large; stores written by the importer have none.
    init?(date: Int64, services: [Int64]) {
        let (first, last) = (services.min() ?? 0, services.max() ?? 0)
        guard first >= 0, last < Self.mostServices else { return nil }
        var running = BitSet(upTo: Int(last))
        for service in services { running.insert(Int(service)) }
        (self.date, self.services) = (date, running)
    }

    func contains(_ service: Int) -> Bool { services.contains(service) }
}

/// Caches the running services of some dates, for all connections of a store.
///
/// Reading the services of a date takes about as long as the lookups for the same number of calls. So they are read
/// once more departures of that date have been found than the feed has services. The first request for a date pays
/// nothing.
final class RunningServicesCache: Sendable {
    private struct State {
        var known: [RunningServices] = []
        /// How many departures have been found for each date that is not known.
        var found: [Int64: Int] = [:]
    }

    private let state = Mutex(State())
    private static let mostKnown = 16
    private static let mostCounted = 256

    func services(on date: Int64) -> RunningServices? {
        state.withLock { state in state.known.first { $0.date == date } }
    }

    /// Counts departures of a date. Returns whether reading its services is worth it now.
    func isWorthReading(_ date: Int64, found count: Int, services: Int64) -> Bool {
        state.withLock { state in
            if state.found.count >= Self.mostCounted { state.found = [:] }
            let found = (state.found[date] ?? 0) + count
            let isWorth = Int64(found) > services
            state.found[date] = isWorth ? 0 : found
            return isWorth
        }
    }

    /// Keeps the services of a date; drops the date that was kept first if there are too many.
    func keep(_ services: RunningServices) {
        state.withLock { state in
            state.found[services.date] = nil
            guard !state.known.contains(where: { $0.date == services.date }) else { return }
            if state.known.count >= Self.mostKnown { state.known.removeFirst() }
            state.known.append(services)
        }
    }
}

/// The dates for which a connection's statements may call `service_runs(service, date)`.
final class KnownServiceDates: @unchecked Sendable {
    // @unchecked: only one borrower at a time uses a session, and SQLite calls the function on the thread that steps.

    @exclusivity(unchecked) private var dates: [RunningServices] = []
    // Unchecked: no access lasts beyond a call of these functions.

    /// The most dates for one statement. Most statements need one or two.
    static let most = 4

    /// Whether the services of a date are known to this connection or to another one of the store.
    func knows(_ date: Int64, _ store: RunningServicesCache) -> Bool {
        if dates.last?.date == date { return true }
        let place = dates.firstIndex { $0.date == date }
        guard let services = place.map({ dates[$0] }) ?? store.services(on: date) else { return false }
        // The last dates stay, because a statement may need several and checks each of them before it runs.
        if let place { dates.remove(at: place) } else if dates.count >= 2 * Self.most { dates.removeFirst() }
        dates.append(services)
        return true
    }

    /// Nil for a date that is not known; statements ask only for known dates.
    func runs(_ service: Int, on date: Int64) -> Bool? {
        for known in dates where known.date == date { return known.contains(service) }
        return nil
    }
}
