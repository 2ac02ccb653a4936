import Foundation
import Testing

@testable import TransitStore

@Suite struct InstantTests {
    @Test(arguments: [
        ("2026-10-25T02:30:00+01:00", 1_792_891_800), ("2026-10-25T01:30:00Z", 1_792_891_800),
        ("2026-10-25 01:30z", 1_792_891_800), ("2026-10-25t02:30+0100", 1_792_891_800),
        ("2026-10-24T20:00-05:30", 1_792_891_800), ("2026-10-25T02:30+01", 1_792_891_800),
        ("2026-10-25T01:29:59.001Z", 1_792_891_800), ("2026-10-25T01:30:00.000Z", 1_792_891_800),
        ("1969-12-31T23:59:59Z", -1), ("0001-01-01T00:00Z", -62_135_596_800),
        ("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
    func anInstantIsReadFromText(text: String, seconds: Int64) throws {
        let instant = try #require(Instant(text))
        #expect(instant.unixSeconds == seconds)
        #expect(Instant(instant.description) == instant)
    }

    @Test(arguments: [
        "", "now", "2026-10-25", "2026-10-25T02:30", "2026-10-25T02:30:00", "2026-10-25T02:30+", "2026-10-25T24:00Z",
        "2026-02-29T00:00Z", "2026-10-25T02:60Z", "2026-10-25T02:30:60Z", "2026-10-25T2:30Z", "26-10-25T02:30Z",
        "2026-10-25T02:30Z ", " 2026-10-25T02:30Z", "2026-10-25T02:30+24:00", "2026-10-25T02:30+01:60",
        "2026-10-25T02:30:00.Z", "2026-10-25T02:30+01:", "0000-01-01T00:00Z", "٢٠٢٦-10-25T02:30Z", "2026-10-25Z",
        "+2026-10-25T02:30Z", "2026-1e-25T02:30Z",
    ])
    func otherTextsAreNoInstant(text: String) { #expect(Instant(text) == nil) }

    @Test func aReadingOfAClockHasNoOffset() {
        #expect(ClockReading("2026-10-25")?.description == "2026-10-25T00:00:00")
        #expect(ClockReading("2026-10-25 02:30:15")?.description == "2026-10-25T02:30:15")
        #expect(ClockReading("2026-10-25T02:30Z") == nil)
        #expect(ClockReading(year: 2026, month: 2, day: 29) == nil)
        #expect(ClockReading("0987-01-01T00:00")?.description == "0987-01-01T00:00:00")
    }

    @Test func datesAreCounted() {
        let first = ServiceDate(19_991_230)
        #expect((0..<4).map { first.advanced(byDays: $0)?.number } == [19_991_230, 19_991_231, 20_000_101, 20_000_102])
        #expect(ServiceDate(20_261_122).weekday == 6)
        #expect(ServiceDate(20_240_229).advanced(byDays: 366)?.number == 20_250_301)
        #expect(ServiceDate(20_230_229).weekday == nil)
        #expect(ServiceDate(20_230_229).advanced(byDays: 1) == nil)
        #expect(ServiceDate("2026-10-25")?.number == 20_261_025)
        #expect(ServiceDate("20261025")?.number == 20_261_025)
        for text in ["", "2026-1-25", "20261325", "2026102", "2026-10-2x", "202610255", "2026--025"] {
            #expect(ServiceDate(text) == nil, "\(text)")
        }
        // A day forward and back, over four centuries.
        var date = ServiceDate(18_000_101)
        for _ in 0..<146_097 {
            guard let next = date.advanced(byDays: 1), next > date, next.advanced(byDays: -1) == date else {
                Issue.record("\(date)")
                return
            }
            date = next
        }
        #expect(date.number == 22_000_101)
    }

    @Test func arithmeticStaysInBounds() {
        let last = Instant(unixSeconds: .max)
        #expect(last.advanced(by: .seconds(1)) == last)
        #expect(Instant(unixSeconds: .min).advanced(by: .seconds(-1)).unixSeconds == .min)
        #expect(last.duration(to: Instant(unixSeconds: .min)) < .zero)
        #expect(last.description.isEmpty == false)
        let first = Instant(unixSeconds: 1_000)
        let later = first + .seconds(90)
        #expect(later == Instant(unixSeconds: 1_090) && later - first == .seconds(90) && first < later)
        #expect(Instant(Date(timeIntervalSince1970: 0.5)).unixSeconds == 1)
        #expect(Instant(Date(timeIntervalSince1970: .infinity)) == last)
        #expect(abs(Instant.now.date.timeIntervalSinceNow) < 60)
    }
}
