import Cells
import KeySorting

/// How often rows of frequencies.txt repeat each trip, gathered while the rows are loaded. Asking SQLite for the same
/// would sort the rows by trip, 0.6 µs for each.
///
/// `HeadwayPeriod` says which rows are usable. A feed may repeat all its trips, so only recent trips are in a
/// dictionary; the others are keys of 16 bytes in a sorter.
final class TripRepetitions {
    /// The repetitions of one trip.
    struct Repetition {
        /// How many vehicles start by the usable rows.
        fileprivate(set) var starts: Int64 = 0
        /// The first start of a usable row, in seconds; nil if no row is usable.
        fileprivate(set) var firstStart: Int64?
        /// The latest end of any row, usable or not.
        fileprivate(set) var latestEnd: Int64 = .min
    }

    private var cells: (trip: Int?, start: Int?, end: Int?, headway: Int?)?
    private var recent: [UInt32: Repetition] = [:]
    private static let mostRecent = 1 << 14
    private let space: SortingSpace
    /// Nil for a feed without frequencies.
    private var sorter: KeySorter?
    /// The repetitions by rows whose trip is unknown.
    private(set) var ofNoTrip: Repetition?
    /// Whether two rows about one trip may overlap. Also true if a row fills a gap between earlier ones.
    private(set) var mayOverlap = false

    init(in space: SortingSpace) { self.space = space }

    /// Notes which cells of frequencies.txt to read.
    func begin(_ plan: TablePlan) {
        guard plan.table == "frequency" else { return cells = nil }
        cells = (
            plan.cell(of: "trip"), plan.cell(of: "start_time"), plan.cell(of: "end_time"), plan.cell(of: "headway_secs")
        )
    }

    /// Adds the rows of a block of the table that was begun.
    func add(_ batch: CellBatch) throws(KeySortingError) {
        guard let cells else { return }
        for row in batch.rows {
            guard let end = cells.end.flatMap(row.integer) else { continue }
            let repetition = Repetition(
                cells.start.flatMap(row.integer), end, cells.headway.flatMap(row.integer))
            if let trip = cells.trip.flatMap(row.integer) {
                try add(repetition, ofTrip: UInt32(clamping: trip))
            } else {
                if ofNoTrip != nil { mayOverlap = true }
                ofNoTrip = ofNoTrip ?? Repetition()
                ofNoTrip?.add(repetition)
            }
        }
    }

    private func add(_ repetition: Repetition, ofTrip trip: UInt32) throws(KeySortingError) {
        var starts: Int64 = 0
        func add(to known: inout Repetition) {
            if !known.isBefore(repetition), !known.isApart(from: repetition) { mayOverlap = true }
            known.add(repetition)
            starts = known.starts
        }
        add(to: &recent[trip, default: Repetition()])
        // One row has fewer than four million starts, so the sum for a trip stays within 32 bits.
        if recent.count > Self.mostRecent || starts > Int64(Int32.max) { try settle() }
    }

    private func settle() throws(KeySortingError) {
        let sorter = sorter ?? KeySorter(in: space)
        self.sorter = sorter
        for (trip, repetition) in recent { try sorter.append(repetition.key(ofTrip: trip)) }
        recent.removeAll(keepingCapacity: true)
    }

    /// Visits the trips in ascending order. Call it once, after all additions.
    func forEachTrip(_ body: (Int64, Repetition) throws -> Void) throws {
        try settle()
        var last: (trip: Int64, repetition: Repetition)?
        while let keys = try sorter?.nextBatch() {
            for key in keys {
                let (trip, repetition) = (Int64(key.high >> 32), Repetition(key))
                if last?.trip == trip {
                    if last?.repetition.isApart(from: repetition) == false { mayOverlap = true }
                    last?.repetition.add(repetition)
                } else {
                    if let last { try body(last.trip, last.repetition) }
                    last = (trip, repetition)
                }
            }
        }
        if let last { try body(last.trip, last.repetition) }
    }
}

extension TripRepetitions.Repetition {
    /// The repetitions by one row.
    fileprivate init(_ start: Int64?, _ end: Int64, _ headway: Int64?) {
        latestEnd = end
        guard let start, let headway, let period = HeadwayPeriod(start: start, end: end, headway: headway) else {
            return
        }
        (starts, firstStart) = (period.starts, start)
    }

    /// Packs the numbers into 32 bits each; they fit, as times are below a thousand hours.
    fileprivate func key(ofTrip trip: UInt32) -> SortKey {
        let start = firstStart.map { UInt64(UInt32(clamping: $0 + 1)) } ?? 0
        return SortKey(
            high: UInt64(trip) << 32 | UInt64(UInt32(clamping: starts)),
            low: start << 32 | UInt64(UInt32(clamping: latestEnd)))
    }

    fileprivate init(_ key: SortKey) {
        starts = Int64(key.high & 0xFFFF_FFFF)
        firstStart = key.low >> 32 == 0 ? nil : Int64(key.low >> 32) - 1
        latestEnd = Int64(key.low & 0xFFFF_FFFF)
    }

    /// Whether all rows end before `other` begins, which must be usable. False if none of the rows is usable: a row
    /// that ends before it begins may still begin within `other`.
    @inline(__always)
    fileprivate func isBefore(_ other: Self) -> Bool {
        (firstStart != nil || latestEnd == .min) && other.firstStart.map { latestEnd <= $0 } ?? false
    }

    /// Whether all usable rows end before those of the other begin, or begin after them.
    fileprivate func isApart(from other: Self) -> Bool {
        if latestEnd == .min { return true }
        guard let firstStart, let start = other.firstStart else { return false }
        return latestEnd <= start || other.latestEnd <= firstStart
    }

    fileprivate mutating func add(_ other: Self) {
        starts += other.starts
        if let start = other.firstStart { firstStart = min(firstStart ?? start, start) }
        latestEnd = max(latestEnd, other.latestEnd)
    }
}
