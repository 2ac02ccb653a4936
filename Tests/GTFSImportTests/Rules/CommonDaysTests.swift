import CivilTime
import TestSupport
import Testing

@testable import GTFSImport

@Suite struct CommonDaysTests {
    /// Dates of some years, so that sets begin and end in different words of 64 days.
    @Test(arguments: 0..<20) func `the first common day is that of the sets' intersection`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var dates: [Int64] = []
        for month in 0..<36 {
            for day in 1...28 { dates.append(Int64((2025 + month / 12) * 10_000 + (month % 12 + 1) * 100 + day)) }
        }
        let sets = (0..<12).map { _ in
            let first = Int.random(in: 0..<900, using: &random)
            let end = min(dates.count, first + Int.random(in: 0..<300, using: &random))
            return Set(dates[first..<end].filter { _ in Int.random(in: 0..<40, using: &random) == 0 })
        }
        var days = CommonDays()
        for date in dates {
            let running = sets.indices.filter { sets[$0].contains(date) }.map { UInt32($0) }
            days.add(try #require(CivilDay(number: Int(date))), running)
        }
        days.finish()
        var steps = 0
        for (one, dates) in sets.enumerated() {
            for (other, others) in sets.enumerated() {
                #expect(days.first(of: UInt32(one), UInt32(other), steps: &steps) == dates.intersection(others).min())
            }
        }
        #expect(days.first(of: 0, 12, steps: &steps) == nil)
        #expect(steps >= sets.count * sets.count)
    }

    /// Each of the sets runs on a day of its own in antiquity and on the last day that a date can name. A bit for each
    /// day between would take 456 kB a set.
    @Test func `years in which a set pauses take neither memory nor time`() throws {
        var days = CommonDays()
        let before = ProcessMemory.residentBytes
        let sets: UInt32 = 2_000
        for set in 0..<sets { days.add(CivilDay(daysSince1970: -719_000 + Int64(set)), [set]) }
        days.add(try #require(CivilDay(number: 9999_12_31)), Array(0..<sets))
        days.finish()
        // Other tests run at the same time.
        #expect(ProcessMemory.residentBytes - before < 400_000_000)
        var steps = 0
        #expect(days.first(of: 0, sets - 1, steps: &steps) == 9999_12_31)
        #expect(steps < 5)
    }
}
