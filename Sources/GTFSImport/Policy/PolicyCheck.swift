import CivilTime
import Console
import GTFSSchema
import Glibc
import SQLite
import SystemFiles

/// Checks whether a finished store may replace the live one.
///
///     try PolicyCheck(options, live: target.path).run(builder.connection, log)
///
/// Runs after the indexes are built, so it reads few rows, and before anything is published.
struct PolicyCheck {
    /// More days than from the year 1 to 9999.
    private static let mostDays = 4_000_000

    private let feed: String
    private let policy: PublicationPolicy
    private let livePath: String

    init(_ options: ImportOptions, live path: String) {
        feed = options.feed
        policy = options.policy
        livePath = path
    }

    /// Throws `feedRefused` with all violations of the policy.
    func run(_ connection: Connection, _ log: ImportLog) throws {
        var faults = policy.errorLimits.compactMap { $0.fault(in: log.notices) }
        if let allowed = policy.maximumShrink { faults += try shrinking(connection, allowed, log) }
        if let days = policy.serviceWithinDays { faults += try missingService(connection, days) }
        guard !faults.isEmpty else { return }
        throw ImportError(.feedRefused, at: feed, ": " + faults.joined(separator: "; "))
    }

    // MARK: Shrinking

    private func shrinking(_ connection: Connection, _ allowed: Int, _ log: ImportLog) throws -> [String] {
        guard try StoreTarget.status(of: livePath) != nil else { return [] }
        guard let live = try LiveStore.find(livePath) else {
            log.report.warnings.append("\(livePath) cannot be read, so --max-shrink had nothing to compare with")
            return []
        }
        let new = try StoreCounts(of: connection, files: log.rows)
        return zip(live.counts.named, new.named).compactMap { old, new in
            // Compared as doubles: no overflow, and exactly 20 % is still allowed.
            guard old.count > new.count, Double(old.count - new.count) * 100 > Double(allowed) * Double(old.count)
            else {
                return nil
            }
            let percent = (Double(old.count - new.count) / Double(old.count) * 1_000).rounded() / 10
            return "has \(NumberText.grouped(new.count)) \(new.name), the live store "
                + "\(NumberText.grouped(old.count)): \(percent) % fewer, and --max-shrink allows \(allowed) %"
        }
    }

    // MARK: Coverage

    private func missingService(_ connection: Connection, _ days: Int) throws -> [String] {
        if let date = policy.date, CivilDay(number: date) == nil {
            return ["--date \(date) is not a date, so --service-within cannot be checked"]
        }
        let first = policy.date.flatMap(CivilDay.init(number:)) ?? .today
        let last = first.adding(days: min(max(days, 0), Self.mostDays) - 1)
        let runs = try connection.prepare(
            "SELECT 1 FROM trip JOIN service ON service.id = trip.service WHERE service.day_set IN "
                + "(SELECT day_set FROM service_day WHERE date BETWEEN ?1 AND ?2) AND \(DaysWithTrips.tripHasCalls) LIMIT 1"
        )
        runs.bind(1, Int64(first.number))
        runs.bind(2, Int64(last.number))
        if try runs.step() { return [] }
        let covered =
            try DaysWithTrips(connection).map { "its trips run from \($0.first) to \($0.last)" }
            ?? "none of its trips runs on any day"
        let period = days == 1 ? "on \(first)" : "from \(first) to \(last)"
        return ["no trip runs \(period), which --service-within asks for; \(covered)"]
    }
}
