import KeySorting

/// Finds trips of one block that run at the same time on a common day.
///
/// The trips of a block are visited by their first arrivals. The overlaps of a trip with the trips underway are counted
/// by their sets of days. So a feed with all its trips in one block does not take time for each pair of trips. The
/// count stops after `mostSteps`, if very many sets are underway at once.
struct BlockOverlaps {
    /// Steps of comparing sets of days: at least one for two sets.
    private static let mostSteps = 1 << 27

    /// Two trips of a block. `earlier` is underway when `later` begins.
    struct Pair {
        let earlier: UInt32
        let later: UInt32
        /// Their first common day, such as 20261126.
        let date: Int64
    }

    private struct Trip {
        let id: UInt32
        /// The place of its set of days among those of the block.
        let set: Int
        let times: BlockWatch.Times

        var isUnderway: Bool { times.lastDeparture > times.firstArrival }
    }

    /// The last call of one trip and the first of the next. Many feeds list this shared call in both trips, with the
    /// same times; that does not count as an overlap.
    private struct Handover: Hashable {
        /// The set of days of the trip that ends.
        let set: Int
        let arrival: Int32
        let departure: Int32

        /// Nil if the trip leaves the stop when it arrives there: no trip that begins then overlaps it.
        init?(endOf trip: Trip) {
            guard trip.times.lastDeparture > trip.times.lastArrival else { return nil }
            (set, arrival, departure) = (trip.set, trip.times.lastArrival, trip.times.lastDeparture)
        }

        init(startOf trip: Trip, afterSet set: Int) {
            (self.set, arrival, departure) = (set, trip.times.firstArrival, trip.times.firstDeparture)
        }
    }

    private let watch: BlockWatch
    /// The set of days of each service by its id, 0 if it never runs.
    private let daySets: [UInt32]
    private let days: CommonDays
    private let check: () throws -> Void
    /// Pairs that are handed out; further ones are counted.
    private let most: Int
    private(set) var pairs: [Pair] = []
    private(set) var count = 0
    private var steps = 0

    init(_ watch: BlockWatch, daySets: [UInt32], days: CommonDays, most: Int, check: @escaping () throws -> Void) {
        (self.watch, self.daySets, self.days, self.most, self.check) = (watch, daySets, days, most, check)
    }

    /// Visits all blocks. Call it once.
    mutating func find(in space: SortingSpace) throws {
        let sorter = KeySorter(in: space)
        try watch.forEach { trip, block, service, times in
            guard daySets.indices.contains(Int(service)), daySets[Int(service)] != 0 else { return }
            try sorter.append(
                SortKey(
                    high: UInt64(block) << 32 | UInt64(Self.ordered(times.firstArrival)),
                    low: UInt64(trip)))
        }
        var (block, trips): (UInt64, [UInt32]) = (0, [])
        var latest = Int32.min
        var mayOverlap = false
        while let keys = try sorter.nextBatch() {
            for key in keys {
                let trip = UInt32(truncatingIfNeeded: key.low)
                let times = watch.times(of: trip)
                if key.high >> 32 != block {
                    if mayOverlap { try visit(trips) }
                    block = key.high >> 32
                    trips.removeAll(keepingCapacity: true)
                    (latest, mayOverlap) = (.min, false)
                }
                if times.firstArrival < latest { mayOverlap = true }
                latest = max(latest, times.lastDeparture)
                trips.append(trip)
            }
        }
        if mayOverlap { try visit(trips) }
    }

    private static func ordered(_ time: Int32) -> UInt32 { UInt32(bitPattern: time) ^ 1 << 31 }

    // MARK: One block

    /// Trips in the order of their first arrivals.
    private mutating func visit(_ trips: [UInt32]) throws {
        try check()
        let ids = trips.sorted { a, b in
            let (first, second) = (watch.times(of: a), watch.times(of: b))
            return (first.firstArrival, first.lastDeparture, a) < (second.firstArrival, second.lastDeparture, b)
        }
        let sets = ids.map { daySets[watch.service(of: $0)] }
        let distinct = Array(Set(sets)).sorted()
        let places = Dictionary(uniqueKeysWithValues: zip(distinct, distinct.indices))
        let trips = zip(ids, sets).map { Trip(id: $0, set: places[$1] ?? 0, times: watch.times(of: $0)) }
        // A trip that ends when it begins, or before, is never underway.
        let byEnd = trips.indices.filter { trips[$0].isUnderway }
            .sorted { trips[$0].times.lastDeparture < trips[$1].times.lastDeparture }
        var underway = SetsUnderway(distinct)
        var (begun, ended) = (0, 0)
        for place in trips.indices {
            if place & 0xFF == 0 { try check() }
            while begun < place {
                underway.begin(trips[begun])
                begun += 1
            }
            while ended < byEnd.count, trips[byEnd[ended]].times.lastDeparture <= trips[place].times.firstArrival {
                underway.end(trips[byEnd[ended]])
                ended += 1
            }
            guard let found = underway.overlaps(of: trips[place], days, &steps) else { return }
            count += found
            if found > 0, pairs.count < most {
                name(trips, byEnd[ended...].filter { $0 < place }, place, distinct)
            }
        }
    }

    /// Appends a pair for each trip that is underway when this one begins and runs on a common day, until there are
    /// `most` pairs.
    private mutating func name(_ trips: [Trip], _ underway: [Int], _ place: Int, _ sets: [UInt32]) {
        let trip = trips[place]
        // The first common day by the other trip's set, as many trips have the same set; 0 if there is none.
        var dates: [Int: Int64] = [:]
        for earlier in underway.map({ trips[$0] }) {
            guard pairs.count < most else { return }
            let date = dates[earlier.set] ?? days.first(of: sets[earlier.set], sets[trip.set], steps: &steps) ?? 0
            dates[earlier.set] = date
            guard date != 0, Handover(endOf: earlier) != Handover(startOf: trip, afterSet: earlier.set)
            else { continue }
            pairs.append(Pair(earlier: earlier.id, later: trip.id, date: date))
        }
    }

    /// The sets of days of the trips that are underway, and how many trips each has.
    private struct SetsUnderway {
        /// The sets of the block, by their places.
        private let ids: [UInt32]
        /// The places of those with a trip underway, in no order.
        private(set) var sets: [Int] = []
        private var counts: [Int]
        /// Where each one stands in `sets`.
        private var indexes: [Int]
        private var handovers: [Handover: Int] = [:]

        init(_ ids: [UInt32]) {
            self.ids = ids
            counts = [Int](repeating: 0, count: ids.count)
            indexes = counts
        }

        mutating func begin(_ trip: Trip) {
            if let handover = Handover(endOf: trip) { handovers[handover, default: 0] += 1 }
            guard trip.isUnderway else { return }
            if counts[trip.set] == 0 {
                indexes[trip.set] = sets.count
                sets.append(trip.set)
            }
            counts[trip.set] += 1
        }

        mutating func end(_ trip: Trip) {
            counts[trip.set] -= 1
            guard counts[trip.set] == 0, let last = sets.popLast(), last != trip.set else { return }
            sets[indexes[trip.set]] = last
            indexes[last] = indexes[trip.set]
        }

        /// How many trips underway the trip overlaps when it begins; nil when that takes too many steps.
        func overlaps(of trip: Trip, _ days: CommonDays, _ steps: inout Int) -> Int? {
            let mayTakeOver = trip.times.firstDeparture > trip.times.firstArrival
            var found = 0
            for set in sets {
                let date = days.first(of: ids[set], ids[trip.set], steps: &steps)
                guard steps <= BlockOverlaps.mostSteps else { return nil }
                guard date != nil else { continue }
                found += counts[set]
                if mayTakeOver { found -= handovers[Handover(startOf: trip, afterSet: set)] ?? 0 }
            }
            return found
        }
    }
}
