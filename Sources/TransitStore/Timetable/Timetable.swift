import SQLite
import Synchronization

/// The overall properties of a store's timetable, read once for each store.
struct Timetable: Sendable {
    /// The dates on which any service runs; nil if none runs.
    var dates: ClosedRange<Int64>?
    /// The greatest time of a service day at which a vehicle is anywhere, in seconds; nil for a feed without times.
    var latestTime: Int64?
    /// The least time of a service day at which a vehicle is anywhere, in seconds; 0 unless it is before the day
    /// begins.
    private(set) var earliestTime: Int64
    /// The least and the greatest of departure_time - arrival_time.
    var dwell: ClosedRange<Int64>
    let hasFrequencies: Bool
    let serviceCount: Int64
    /// Whether any stop has a time zone (`stop_timezone`).
    let hasStopZones: Bool
    let columns: FilledColumns
    /// The zone of trips without a line.
    private(set) var firstZone: TimetableZone
    /// The zones that trips run in, each once.
    private(set) var zones: [TimetableZone]

    /// Extends the dates, times and zones by those of the unsaved changes.
    mutating func add(_ changes: ChangedTimetable) {
        if let latest = changes.latestTime { latestTime = max(latestTime ?? 0, latest.clampedToServiceSeconds) }
        earliestTime = min(earliestTime, changes.earliestTime.clampedToServiceSeconds)
        for days in changes.serviceDays {
            let first = min(dates?.lowerBound ?? days.lowerBound, days.lowerBound)
            dates = first...max(dates?.upperBound ?? days.upperBound, days.upperBound)
        }
        guard changes.changesRoutes else { return }
        firstZone = changes.firstZone
        zones = Array(Set(zones + changes.zones))
    }

    /// The days since 1970-01-01 between two dates from the store.
    static func dayNumbers(_ first: Int64?, _ last: Int64?) -> ClosedRange<Int64>? {
        guard let first = first.flatMap({ ServiceDate(Int($0)).dayNumber }),
            let last = last.flatMap({ ServiceDate(Int($0)).dayNumber }), first <= last
        else { return nil }
        return first...last
    }
}

extension TransitStore {
    /// The store's timetable, read over the given connection the first time.
    func timetable(_ session: StoreSession) throws -> Timetable {
        if let timetable = knownTimetable.withLock({ $0 }) { return timetable }
        let timetable = try session.readTimetable(traits.emptyColumns)
        knownTimetable.withLock { $0 = timetable }
        return timetable
    }
}

extension StoreSession {
    fileprivate func readTimetable(_ empty: EmptyColumnList) throws -> Timetable {
        let row = try rows(
            SQLFragment(
                "SELECT (SELECT min(date) FROM service_day), (SELECT max(date) FROM service_day), latest_time, "
                    + "shortest_dwell, longest_dwell, (SELECT max(stop) FROM frequency_call) IS NOT NULL, "
                    + "timezone, earliest_time, (SELECT max(id) FROM service) FROM feed WHERE id = 1")
        ).first
        let first = row?.text(6).map(TimetableZone.ofAgency) ?? .utc
        // Lines are few: thousands at most.
        let others = try rows(SQLFragment("SELECT DISTINCT timezone FROM route")).compactMap { row in
            row.text(0).map(TimetableZone.ofAgency)
        }
        let shortest = min(row?.integer(3) ?? 0, 0).clampedToServiceSeconds
        let longest = max(row?.integer(4) ?? 0, shortest).clampedToServiceSeconds
        return Timetable(
            dates: Timetable.dayNumbers(row?.integer(0), row?.integer(1)),
            latestTime: row?.integer(2).map { max($0, 0).clampedToServiceSeconds },
            earliestTime: min(row?.integer(7) ?? 0, 0).clampedToServiceSeconds, dwell: shortest...longest,
            hasFrequencies: row?.integer(5) == 1, serviceCount: row?.integer(8) ?? 0,
            hasStopZones: !empty.contains("timezone", of: "stop"), columns: FilledColumns(in: empty),
            firstZone: first, zones: Array(Set(others + [first])))
    }
}
