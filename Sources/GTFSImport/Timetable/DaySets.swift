/// Finds which services share a set of days: those with the same calendar and the same exceptions. Takes one service
/// after the other, in the order of their ids.
struct DaySets {
    /// The day set of each service by its id, 0 if it never runs; known after `finish`.
    private(set) var sets: [UInt32]
    /// How many days each service has, by its id; known after `finish`.
    private(set) var counts: [UInt32]
    private let sweep: DaySweep
    private var known: [DaySignature: UInt32] = [:]
    private let seed = DaySignature.Seed()
    private var long: [LongCalendar] = []
    /// The days of the calendars of all sets.
    private var dayCount = 0

    /// Adds the days of each set to `sweep`.
    init(upTo last: Int64, _ sweep: DaySweep) {
        sets = [UInt32](repeating: 0, count: Int(last) + 1)
        counts = sets
        self.sweep = sweep
    }

    /// Takes the next service: its calendar, the calendar to use instead if long ones end early, and the exceptions
    /// that change either.
    mutating func add(_ calendar: WeekCalendar, early: WeekCalendar, _ changes: [DayChange]) throws {
        guard calendar.weekdays != 0 || !changes.isEmpty else { return }
        let (service, signature) = (Int(calendar.service), DaySignature(calendar, changes, seed))
        sets[service] = known[signature] ?? UInt32(service)
        guard sets[service] == service else { return }
        known[signature] = sets[service]
        for change in changes { try sweep.add(change, to: calendar.service) }
        dayCount += calendar.dayCount
        counts[service] = calendar.dayCount(with: changes)
        if early.end == calendar.end {
            sweep.add(calendar)
        } else {
            long.append(LongCalendar(calendar: calendar, early: early, earlyCount: early.dayCount(with: changes)))
        }
    }

    /// Adds the days of the long calendars, and takes the set from services that never run. The long calendars end
    /// early if all calendars together have more than `most` days; returns whether they do.
    mutating func finish(most: Int) -> Bool {
        let endEarly = dayCount > most
        for set in long {
            sweep.add(endEarly ? set.early : set.calendar)
            if endEarly { counts[Int(set.calendar.service)] = set.earlyCount }
        }
        for service in sets.indices {
            // The first service of a set comes before the others. If it never runs, they find set 0, which has no days.
            counts[service] = counts[Int(sets[service])]
            if counts[service] == 0 { sets[service] = 0 }
        }
        return endEarly
    }
}

/// A calendar that ends early if all sets together have too many days.
private struct LongCalendar {
    let calendar: WeekCalendar
    let early: WeekCalendar
    /// How many days the set has with `early`.
    let earlyCount: UInt32
}

/// A 128-bit hash of a calendar and its changes, which identifies a set of days.
private struct DaySignature: Hashable {
    /// Random, so that nobody can make a feed in which two sets of days have one hash. The store does not depend on it.
    struct Seed {
        fileprivate let first = UInt64.random(in: .min ... .max)
        fileprivate let second = UInt64.random(in: .min ... .max)
    }

    private var first: UInt64
    private var second: UInt64

    init(_ calendar: WeekCalendar, _ changes: [DayChange], _ seed: Seed) {
        (first, second) = (seed.first, seed.second)
        // A calendar without weekdays is the same whatever its range.
        add(UInt64(calendar.weekdays))
        add(calendar.weekdays == 0 ? 0 : UInt64(bitPattern: calendar.start) << 32 | UInt64(bitPattern: calendar.end))
        for change in changes { add(UInt64(bitPattern: change.date) << 1 | (change.isAdded ? 1 : 0)) }
    }

    private mutating func add(_ value: UInt64) {
        first = Self.mixed(first ^ value)
        second = Self.mixed(second &+ value &* 0xFF51_AFD7_ED55_8CCD)
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
