import KeySorting

/// Finds trips of one block that run at the same time on a common day.
///
/// The trips of a block are visited by their first arrivals. How many trips underway each one overlaps is counted by
/// sets of days, so that a feed with all its trips in one block takes no time for each pair of trips.
struct BlockOverlaps {
    /// Two trips of a block. `earlier` is underway when `later` begins.
    struct Pair {
        let earlier: UInt32
        let later: UInt32
        /// The sets of their days.
        let sets: (UInt32, UInt32)
    }

    private struct Trip {
        let id: UInt32
        /// The place of its set of days among those of the block.
        let set: Int
        let times: BlockWatch.Times

        var isUnderway: Bool { times.lastDeparture > times.firstArrival }
    }

    /// The call at which one trip ends and the next one begins: many feeds have it in both. That is no overlap.
    private struct Handover: Hashable {
        /// That of the trip that ends.
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
        let sharing = try sharing(distinct)
        // A trip that ends when it begins, or before, is never underway.
        let underway = trips.indices.filter { trips[$0].isUnderway }
            .sorted { trips[$0].times.lastDeparture < trips[$1].times.lastDeparture }
        var (begun, ended) = (0, 0)
        var counts = [Int](repeating: 0, count: distinct.count)
        var handovers: [Handover: Int] = [:]
        for place in trips.indices {
            if place & 0xFFF == 0 { try check() }
            let (trip, sharing) = (trips[place], sharing[trips[place].set])
            while begun < place {
                let earlier = trips[begun]
                if earlier.isUnderway { counts[earlier.set] += 1 }
                if let handover = Handover(endOf: earlier) { handovers[handover, default: 0] += 1 }
                begun += 1
            }
            while ended < underway.count, trips[underway[ended]].times.lastDeparture <= trip.times.firstArrival {
                counts[trips[underway[ended]].set] -= 1
                ended += 1
            }
            var found = sharing.reduce(0) { $0 + counts[$1] }
            guard found > 0 else { continue }
            if trip.times.firstDeparture > trip.times.firstArrival {
                for set in sharing { found -= handovers[Handover(startOf: trip, afterSet: set)] ?? 0 }
            }
            count += found
            guard found > 0, pairs.count < most else { continue }
            for earlier in underway[ended...] where earlier < place && sharing.contains(trips[earlier].set) {
                guard pairs.count < most else { break }
                guard Handover(endOf: trips[earlier]) != Handover(startOf: trip, afterSet: trips[earlier].set) else {
                    continue
                }
                pairs.append(
                    Pair(
                        earlier: trips[earlier].id, later: trip.id,
                        sets: (distinct[trips[earlier].set], distinct[trip.set])))
            }
        }
    }

    /// For each set, the places of those that have a day in common with it, itself included.
    private func sharing(_ sets: [UInt32]) throws -> [[Int]] {
        var sharing = sets.indices.map { [$0] }
        for first in sets.indices {
            try check()
            for second in sets.indices.dropFirst(first + 1) where try days.first(of: sets[first], sets[second]) != nil {
                sharing[first].append(second)
                sharing[second].append(first)
            }
        }
        return sharing
    }
}
