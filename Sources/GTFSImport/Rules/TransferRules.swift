import Cells
import GTFSSchema
import SQLite
import SQLitePages
import SystemFiles

/// Tells, while transfers pass, whether any may lead far away. Only then are distances computed: a query over half a
/// million transfers would take a third of the time of importing them.
struct TransferWatch {
    /// The shortest distance that is noted, in meters.
    private static let far = 2_000.0

    private var cells: (from: Int, to: Int)?
    /// Whether any transfer may be longer than 2 km, or is from or to a stop without a place.
    private(set) var mayBeFar = false

    /// Notes which cells of transfers.txt to read.
    mutating func begin(_ plan: TablePlan) {
        cells = nil
        guard plan.table == "transfer", let from = plan.cell(of: "from_stop"),
            let to = plan.cell(of: "to_stop")
        else { return }
        cells = (from, to)
    }

    /// Looks at the rows of a block of the table that was begun, once all stops are known.
    mutating func look(at batch: CellBatch, _ stops: StopPlaces) {
        guard let cells, !mayBeFar else { return }
        for row in batch.rows {
            guard let from = row.integer(cells.from), let to = row.integer(cells.to) else { continue }
            if !stops.areWithin(Self.far, Int(from), Int(to)) { return mayBeFar = true }
        }
    }
}

/// The rules about transfers between trips: each trip must call at the stop, or at a stop of the station, where riders
/// leave or board it. If they stay seated, that is the last stop of the one trip and the first of the other.
///
/// SQL would write all calls of these trips into a table of its own: 230 of the 400 ms of a feed with 11,000 transfers.
/// Or it would go through a trip once for each of its transfers: 25 s for 20,000 transfers of a trip of 20,000 calls.
struct TransferRules: ComparedRule {
    private enum Word: String, CaseIterable {
        case leftElsewhere = "left_elsewhere"
        case boardedElsewhere = "boarded_elsewhere"
        case leftOnTheWay = "left_on_the_way"
        case boardedOnTheWay = "boarded_on_the_way"
    }

    /// Faults by number: twice the transfer's id for its first trip, and one more for its second trip.
    private struct Faults {
        var elsewhere = BitSet()
        var onTheWay = BitSet()
        var last = -1
    }

    let connection: Connection
    let place: StorePlace
    let stored: StoredSequences
    /// The plan of stop_times.txt; nil if the feed lacks it.
    let calls: TablePlan?

    var words: Set<String> { Set(Word.allCases.map(\.rawValue)) }

    /// Whether any transfer may have the fault that this word of a rule names.
    func mayFind(_ word: String) -> Bool { Word(rawValue: word) != nil }

    /// Notes what breaks rules of one table.
    func note(_ rules: [FeedRule], _ notices: inout NoticeLog) throws {
        var findings: [Word: RuleFindings] = [:]
        for rule in rules {
            guard let word = rule.comparison.flatMap(Word.init) else { continue }
            findings[word] = RuleFindings(rule, connection)
        }
        guard !findings.isEmpty else { return }
        let faults = try faults()
        for (found, words) in [
            (faults.elsewhere, [Word.leftElsewhere, .boardedElsewhere]),
            (faults.onTheWay, [.leftOnTheWay, .boardedOnTheWay]),
        ] {
            for number in 0..<faults.last + 1 where found.contains(number) {
                try findings[words[number % 2]]?.add(row: Int64(number / 2), 1, times: 1, &notices)
            }
        }
    }

    private func faults() throws -> Faults {
        let rows = try connection.prepare(
            """
            SELECT from_trip, from_stop, 2 * id, transfer_type IN (4, 5) FROM transfer \
            WHERE from_trip IS NOT NULL AND from_stop IS NOT NULL UNION ALL \
            SELECT to_trip, to_stop, 2 * id + 1, transfer_type IN (4, 5) FROM transfer \
            WHERE to_trip IS NOT NULL AND to_stop IS NOT NULL ORDER BY 1
            """)
        let called = try CalledPlaces(calls, stored, connection, in: place)
        var (faults, trip) = (Faults(), Int64(-1))
        while try rows.step() {
            if rows.integer(0) != trip {
                trip = rows.integer(0)
                try called.move(to: trip)
            }
            let (stop, number) = (rows.integer(1), Int(rows.integer(2)))
            if !called.contains(stop) { faults.elsewhere.insert(number) }
            if rows.integer(3) == 1, called.isOnTheWay(stop, boarding: number % 2 == 1) {
                faults.onTheWay.insert(number)
            }
            faults.last = max(faults.last, number)
        }
        return faults
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
    private var stops: Set<Int> = []
    /// The first stop and the last one; nil if the feed lacks it.
    private var ends: (first: Int?, last: Int?) = (nil, nil)

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
            stations.extend(to: stop, with: 0)
            stations.append(UInt32(clamping: stops.integer(2)))
        }
    }

    /// Reads the calls of a trip.
    func move(to trip: Int64) throws {
        places.removeAll(keepingCapacity: true)
        stops.removeAll(keepingCapacity: true)
        ends = (nil, nil)
        var isFirst = true
        guard let reader, let stopCell else { return }
        try reader.seek { (RecordIntegers.value(of: $0, at: 0) ?? 0) < trip }
        while let record = try reader.next(), RecordIntegers.value(of: record, at: 0) == trip {
            if interval.isOver() { try check() }
            let known = RecordIntegers.value(of: record, at: stopCell).map(Int.init)
            ends = (isFirst ? known : ends.first, known)
            isFirst = false
            guard let stop = known else { continue }
            stops.insert(stop)
            if isStop.contains(stop) { places.insert(stop) }
            if stations.indices.contains(stop), stations[stop] > 0 { places.insert(Int(stations[stop])) }
        }
    }

    func contains(_ place: Int64) -> Bool { places.contains(Int(place)) }

    /// Whether the trip calls at a stop on the way: it does not begin there (for riders who board), or does not end
    /// there (for riders who leave).
    func isOnTheWay(_ stop: Int64, boarding: Bool) -> Bool {
        stops.contains(Int(stop)) && (boarding ? ends.first : ends.last) != Int(stop)
    }
}
