import GTFSSchema
import SQLite
import SQLitePages
import SystemFiles

/// The rules about transfers between trips: each trip must call at the stop, or at a stop of the station, where riders
/// leave or board it.
///
/// SQL would write all calls of these trips into a table of its own: 230 of the 400 ms of a feed with 11,000 transfers.
struct TransferRules {
    private enum Word: String, CaseIterable {
        case leftElsewhere = "left_elsewhere"
        case boardedElsewhere = "boarded_elsewhere"
    }

    let connection: Connection
    let place: StorePlace
    let stored: StoredSequences
    /// That of stop_times.txt; nil if the feed lacks it.
    let calls: TablePlan?

    /// Whether any transfer may have what this word of a rule stands for.
    func mayFind(_ word: String) -> Bool { Word(rawValue: word) != nil }

    /// Notes what breaks rules of one table.
    func note(_ rules: [FeedRule], _ notices: inout NoticeLog) throws {
        var findings: [Word: RuleFindings] = [:]
        for rule in rules {
            guard let word = rule.comparison.flatMap(Word.init) else { continue }
            findings[word] = RuleFindings(rule, connection)
        }
        guard !findings.isEmpty else { return }
        let (odd, last) = try oddTransfers()
        guard !odd.isEmpty else { return }
        for number in 0...last where odd.contains(number) {
            let word = Word.allCases[number % 2]
            try findings[word]?.add(row: Int64(number / 2), 1, times: 1, &notices)
        }
    }

    /// Twice the id of each transfer whose first trip does not call there, and one more for its second trip.
    private func oddTransfers() throws -> (numbers: BitSet, last: Int) {
        let rows = try connection.prepare(
            """
            SELECT from_trip, from_stop, 2 * id FROM transfer WHERE from_trip IS NOT NULL AND from_stop IS NOT NULL \
            UNION ALL \
            SELECT to_trip, to_stop, 2 * id + 1 FROM transfer WHERE to_trip IS NOT NULL AND to_stop IS NOT NULL \
            ORDER BY 1
            """)
        let called = try CalledPlaces(calls, stored, connection, in: place)
        var (odd, last, trip) = (BitSet(), 0, Int64(-1))
        while try rows.step() {
            if rows.integer(0) != trip {
                trip = rows.integer(0)
                try called.move(to: trip)
            }
            guard !called.contains(rows.integer(1)) else { continue }
            odd.insert(Int(rows.integer(2)))
            last = max(last, Int(rows.integer(2)))
        }
        return (odd, last)
    }
}

/// The stops that a trip calls at, and their stations. Reads the pages of `stop_time` itself.
private final class CalledPlaces {
    private let reader: IndexTreeReader?
    private let stopCell: Int?
    private let check: () throws -> Void
    private var interval = CheckInterval()
    /// By the id: the places where riders board.
    private var isStop = BitSet()
    /// By the stop's id; 0 for none.
    private var stations: [UInt32] = []
    private var places: Set<Int> = []

    init(
        _ calls: TablePlan?, _ stored: StoredSequences, _ connection: Connection, in place: StorePlace
    ) throws {
        reader = try calls.map { try stored.reader(ofTable: $0.table) }
        stopCell = calls?.cell(of: "stop")
        check = place.check
        let stops = try connection.prepare(
            "SELECT place.id, ifnull(place.location_type, 0) = 0, ifnull(station.id, 0) FROM stop AS place "
                + "LEFT JOIN stop AS station ON station.id = place.parent_station AND station.location_type = 1 "
                + "ORDER BY place.id")
        while try stops.step() {
            let stop = Int(stops.integer(0))
            if stops.integer(1) == 1 { isStop.insert(stop) }
            stations.append(contentsOf: repeatElement(0, count: stop - stations.count))
            stations.append(UInt32(clamping: stops.integer(2)))
        }
    }

    /// Reads the calls of a trip.
    func move(to trip: Int64) throws {
        places.removeAll(keepingCapacity: true)
        guard let reader, let stopCell else { return }
        try reader.seek { (RecordIntegers.value(of: $0, at: 0) ?? 0) < trip }
        while let record = try reader.next(), RecordIntegers.value(of: record, at: 0) == trip {
            if interval.isOver() { try check() }
            guard let stop = RecordIntegers.value(of: record, at: stopCell).map(Int.init) else { continue }
            if isStop.contains(stop) { places.insert(stop) }
            if stations.indices.contains(stop), stations[stop] > 0 { places.insert(Int(stations[stop])) }
        }
    }

    func contains(_ place: Int64) -> Bool { places.contains(Int(place)) }
}
