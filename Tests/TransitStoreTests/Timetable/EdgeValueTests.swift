import Foundation
import Testing

@testable import TransitStore

/// Dates, times and instants made of any number. Arithmetic in 128 bits says what is right.
struct EdgeValueTests {
    private let integers = EdgeNumbers.integers
    private let dates: ClosedRange<Int128> = -719_528...2_932_896  // 0000-01-01 to 9999-12-31, in days since 1970

    @Test func `a date of parts has these parts, or is not a date`() {
        for year in integers {
            for month in integers {
                for day in integers {
                    let date = ServiceDate(year: year, month: month, day: day)
                    guard date.weekday != nil else { continue }
                    #expect((date.year, date.month, date.day) == (year, month, day))
                }
            }
        }
        #expect(ServiceDate(year: 2026, month: 101, day: 1).weekday == nil, "not January 2027")
        #expect(ServiceDate(year: 2026, month: 1, day: 101).weekday == nil, "not 1 February")
        #expect(ServiceDate(year: 2026, month: 2, day: 28).number == 20_260_228)
    }

    @Test func `a date that is advanced stays within the years 0 to 9999`() throws {
        for number in [10_101, 20_260_504, 99_991_231] {
            let date = ServiceDate(number)
            let start = try #require(date.dayNumber)
            for days in integers + [-739_000, 2_912_000] {
                let sum = Int128(start) + Int128(days)
                #expect(date.advanced(byDays: days)?.dayNumber.map { Int128($0) } == (dates.contains(sum) ? sum : nil))
            }
        }
        for number in integers where ServiceDate(number).weekday == nil {
            #expect(ServiceDate(number).advanced(byDays: 0) == nil)
        }
    }

    @Test func `a date is a text of ISO 8601 in JSON`() throws {
        let dates = [20_261_126, 10_101, 101, 20_000_229].map { ServiceDate($0) }
        let text = String(decoding: try JSONEncoder().encode(dates), as: UTF8.self)
        #expect(text == #"["2026-11-26","0001-01-01","0000-01-01","2000-02-29"]"#)
        #expect(try JSONDecoder().decode([ServiceDate].self, from: Data(text.utf8)) == dates)
        for number in integers {
            let data = try JSONEncoder().encode(ServiceDate(number))
            #expect(try JSONDecoder().decode(ServiceDate.self, from: data).number == number)
        }
        let ways = Data(#"["2026-11-26", "20261126", 20261126]"#.utf8)
        #expect(try JSONDecoder().decode([ServiceDate].self, from: ways) == Array(repeating: dates[0], count: 3))
        for wrong in [#""2026-02-30""#, #""26.11.2026""#, #""""#, "true", "null", "1.5", #"{"number":20261126}"#] {
            #expect(throws: DecodingError.self, "\(wrong)") {
                try JSONDecoder().decode(ServiceDate.self, from: Data(wrong.utf8))
            }
        }
        let message = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ServiceDate.self, from: Data(#""2026-02-30""#.utf8))
        }
        if case .dataCorrupted(let context)? = message {
            #expect(context.debugDescription == "'2026-02-30' is not a date such as 2026-11-26")
        }
    }

    @Test func `times and enumerations come back from JSON`() throws {
        let time = ServiceTime(hours: 25, minutes: 10)
        #expect(String(decoding: try JSONEncoder().encode(time), as: UTF8.self) == #"{"seconds":90600}"#)
        #expect(try JSONDecoder().decode(ServiceTime.self, from: JSONEncoder().encode(time)) == time)
        let types: [RouteType] = [3, 715, -1]
        #expect(String(decoding: try JSONEncoder().encode(types), as: UTF8.self) == "[3,715,-1]")
        #expect(try JSONDecoder().decode([RouteType].self, from: JSONEncoder().encode(types)) == types)
    }

    @Test func `a number is a date or none`() {
        for number in integers + [20_261_399, 20_260_230, 20_250_229, 20_240_229, 10_101, 10_100, 100_000_101] {
            let date = ServiceDate(number)
            #expect(ServiceDate(exactly: number) == (date.weekday == nil ? nil : date))
        }
        #expect(ServiceDate(exactly: 20_240_229)?.day == 29)
        for number in [20_261_399, 20_260_230, 20_250_229, 0, -20_260_101] {
            #expect(ServiceDate(exactly: number) == nil)
        }
    }

    @Test func `a time is the sum of its parts, or the nearest that there is`() {
        for hours in integers {
            for minutes in integers {
                for seconds in integers {
                    let sum = Int128(hours) * 3_600 + Int128(minutes) * 60 + Int128(seconds)
                    let time = ServiceTime(hours: hours, minutes: minutes, seconds: seconds)
                    #expect(time.seconds == Int(clamping: sum))
                }
                let later = ServiceTime(seconds: hours).advanced(by: minutes)
                #expect(later.seconds == Int(clamping: Int128(hours) + Int128(minutes)))
                #expect(!later.description.isEmpty)
            }
        }
    }

    @Test(arguments: ["UTC", "Europe/Berlin", "America/New_York", "Africa/Casablanca", "Asia/Kathmandu"])
    func `every instant can be written and has a date`(name: String) throws {
        let zone = try #require(TimetableZone.named(name))
        for seconds in integers {
            let instant = Instant(unixSeconds: Int64(seconds))
            let text = instant.text(in: zone)
            #expect(text.contains("T") && text.contains(":"))
            let date = ServiceDate(instant, in: zone)
            let local = (Int128(seconds) + Int128(zone.offset(at: instant)))
            let day = (local - (local % 86_400 + 86_400) % 86_400) / 86_400
            if dates.contains(day) {
                #expect(date.dayNumber.map { Int128($0) } == day)
                #expect(text.hasPrefix(date.description.prefix(4)))
            } else {
                #expect(date.weekday == nil)
            }
            for other in integers {
                let advanced = instant.advanced(by: .seconds(other))
                #expect(advanced.unixSeconds == Int64(clamping: Int128(seconds) + Int128(other)))
                #expect(!advanced.description.isEmpty)
                let between = instant.duration(to: Instant(unixSeconds: Int64(other)))
                #expect(between.components.seconds == Int64(clamping: Int128(other) - Int128(seconds)))
            }
            #expect(zone.start(of: ServiceDate(seconds)) == nil || ServiceDate(seconds).weekday != nil)
        }
    }

    @Test func `the first and the last instant are described`() {
        #expect(Instant(unixSeconds: -1).description == "1969-12-31T23:59:59Z")
        #expect(Instant(unixSeconds: -86_400).description == "1969-12-31T00:00:00Z")
        #expect(Instant(unixSeconds: .min).description.hasSuffix("T08:29:52Z"))
        #expect(Instant(unixSeconds: .max).description.hasSuffix("T15:30:07Z"))
    }

    @Test func `a date of Foundation becomes the nearest instant`() {
        for seconds in EdgeNumbers.doubles {
            let instant = Instant(Date(timeIntervalSince1970: seconds))
            if seconds >= 1e19 { #expect(instant.unixSeconds == .max) }
            if seconds <= -1e19 { #expect(instant.unixSeconds == .min) }
            if seconds == 0 || 1..<1_000 ~= abs(seconds) { #expect(instant.unixSeconds == Int64(seconds.rounded(.up))) }
            #expect(!instant.description.isEmpty)
        }
    }

    @Test func `a box of any numbers contains its place`() {
        for latitude in EdgeNumbers.doubles {
            for longitude in EdgeNumbers.doubles {
                let place = Coordinate(latitude: latitude, longitude: longitude)
                let isPlace = abs(latitude) <= 90 && abs(longitude) <= 180
                let distance = place.distance(to: Coordinate(latitude: 52.5, longitude: 13.4))
                if isPlace { #expect((0...20_100_000).contains(distance)) }
                for meters in EdgeNumbers.doubles {
                    let box = BoundingBox(around: place, meters: meters)
                    if isPlace, meters >= 0 { #expect(box.contains(latitude: latitude, longitude: longitude)) }
                }
            }
        }
    }
}
