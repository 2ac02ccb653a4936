import CivilTime

/// Finds the first day on which two sets of days both run. Filled while `service_day` is written, if trips have blocks:
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
    /// The number of the word at hand, which is its first day from 1970, divided by 64; and its bits by the set's id.
    private var word = 0
    private var bits: [UInt64] = []

    /// Adds a day with the sets that run on it. Days come in ascending order, sets as well.
    mutating func add(_ day: CivilDay, _ sets: [UInt32]) {
        guard let last = sets.last else { return }
        if word != Int(day.daysSince1970 >> 6) { finish() }
        word = Int(day.daysSince1970 >> 6)
        if days.count <= Int(last) {
            days.append(contentsOf: repeatElement(Days(), count: Int(last) + 1 - days.count))
            bits.append(contentsOf: repeatElement(0, count: days.count - bits.count))
        }
        let bit = UInt64(1) << UInt64(day.daysSince1970 & 63)
        for set in sets { bits[Int(set)] |= bit }
    }

    /// Takes the word at hand. Call it after the last day.
    mutating func finish() {
        for set in bits.indices where bits[set] != 0 {
            days[set].add(bits[set], ofWord: word)
            bits[set] = 0
        }
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
