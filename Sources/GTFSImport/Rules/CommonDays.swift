import CivilTime

/// Finds the first day on which two sets of days both run. Filled while `service_day` is written, if trips have blocks:
/// reading the table again took 700 instructions a row.
///
/// Memory: 16 bytes for each 64 days in which a set runs, and nothing for the years between: a mistyped date may be
/// eight thousand years away.
struct CommonDays {
    /// 64 days; the set runs on at least one of them.
    private struct Piece {
        /// The first day from 1970, divided by 64.
        let word: Int
        let bits: UInt64
    }

    /// By the set's id, in ascending order of their words.
    private var pieces: [[Piece]] = []
    /// The word at hand, its bits by the set's id, and the sets that have any.
    private var word = 0
    private var bits: [UInt64] = []
    private var running: [UInt32] = []

    /// Adds a day with the sets that run on it. Days come in ascending order, sets as well.
    mutating func add(_ day: CivilDay, _ sets: [UInt32]) {
        guard let last = sets.last else { return }
        if word != Int(day.daysSince1970 >> 6) { finish() }
        word = Int(day.daysSince1970 >> 6)
        pieces.extend(to: Int(last) + 1, with: [])
        bits.extend(to: Int(last) + 1, with: 0)
        let bit = UInt64(1) << UInt64(day.daysSince1970 & 63)
        for set in sets {
            if bits[Int(set)] == 0 { running.append(set) }
            bits[Int(set)] |= bit
        }
    }

    /// Takes the word at hand. Call it after the last day.
    mutating func finish() {
        for set in running {
            pieces[Int(set)].append(Piece(word: word, bits: bits[Int(set)]))
            bits[Int(set)] = 0
        }
        running.removeAll(keepingCapacity: true)
    }

    /// A date such as 20261126; nil if the sets have no day in common. Adds to `steps` how long the search took.
    func first(of first: UInt32, _ second: UInt32, steps: inout Int) -> Int64? {
        guard max(first, second) < pieces.count else { return nil }
        let (ones, others) = (pieces[Int(first)], pieces[Int(second)])
        var (one, other) = (0, 0)
        defer { steps += one + other + 1 }
        while one < ones.count, other < others.count {
            let word = ones[one].word
            if word == others[other].word {
                let both = ones[one].bits & others[other].bits
                if both != 0 { return Self.date(word << 6 + both.trailingZeroBitCount) }
                (one, other) = (one + 1, other + 1)
            } else if word < others[other].word {
                one += 1
            } else {
                other += 1
            }
        }
        return nil
    }

    private static func date(_ day: Int) -> Int64 { Int64(CivilDay(daysSince1970: Int64(day)).number) }
}
