import CivilTime

/// Tells on which day two sets of days both run first. Filled while `service_day` is written, if trips have blocks:
/// reading the table again took 700 instructions a row.
///
/// Memory: a bit for each day from a set's first one to its last.
struct CommonDays {
    private struct Days {
        /// The day from 1970 that the first bit stands for, divided by 64.
        var first = 0
        var words: [UInt64] = []

        mutating func add(_ bit: UInt64, ofWord word: Int) {
            if words.isEmpty { first = word }
            while words.count <= word - first { words.append(0) }
            words[word - first] |= bit
        }
    }

    /// By the set's id.
    private var days: [Days] = []

    /// Adds a date with the sets that run on it. Dates come in ascending order, sets as well.
    mutating func add(_ date: Int64, _ sets: [UInt32]) {
        guard let day = CivilDay(number: Int(date))?.daysSince1970, let last = sets.last else { return }
        if days.count <= Int(last) {
            days.append(contentsOf: repeatElement(Days(), count: Int(last) + 1 - days.count))
        }
        for set in sets { days[Int(set)].add(1 << UInt64(day & 63), ofWord: Int(day >> 6)) }
    }

    /// A date such as 20261126; nil if the sets have no day in common.
    func first(of first: UInt32, _ second: UInt32) -> Int64? {
        guard max(first, second) < days.count else { return nil }
        let (one, other) = (days[Int(first)], days[Int(second)])
        let end = min(one.first + one.words.count, other.first + other.words.count)
        var word = max(one.first, other.first)
        while word < end {
            let both = one.words[word - one.first] & other.words[word - other.first]
            if both != 0 {
                return Int64(CivilDay(daysSince1970: Int64(word << 6 + both.trailingZeroBitCount)).number)
            }
            word += 1
        }
        return nil
    }
}
