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
        for (one, dates) in sets.enumerated() {
            for (other, others) in sets.enumerated() {
                #expect(days.first(of: UInt32(one), UInt32(other)) == dates.intersection(others).min())
            }
        }
        #expect(days.first(of: 0, 12) == nil)
    }
}
