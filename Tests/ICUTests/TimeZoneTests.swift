import Foundation
import ICU
import Testing

struct TimeZoneTests {
    @Test(arguments: [
        ("Europe/Berlin", true), ("UTC", true), ("GMT", true), ("Etc/GMT+1", true), ("Europe/Kyiv", true),
        ("Europe/Kiev", true), ("US/Pacific", true), ("CET", true), ("America/Argentina/ComodRivadavia", true),
        ("America/Ciudad_Juarez", true), ("America/Coyhaique", true), ("europe/berlin", false),
        ("Europe/berlin", false), ("Etc/Unknown", false), ("GMT+1", false), ("BST", false), ("+01:00", false),
        ("Z", false), ("", false), (" UTC", false), ("UTC ", false), ("Europe/Berlin\u{0}", false),
        ("Europe/Bérlin", false), ("SystemV/PST8", false), ("Europe", false), ("Europe/", false), ("/UTC", false),
        ("Europe//Berlin", false), ("Europe/../UTC", false), ("../zoneinfo/UTC", false), ("posix/UTC", false),
        ("localtime", false),
    ])
    func `only IANA's names in their spelling are known`(name: String, isKnown: Bool) {
        #expect(TimeZones.isKnown(name) == isKnown)
        #expect(Array(name.utf8).withUnsafeBytes { TimeZones.isKnown($0) } == isKnown)
        #expect((ZoneClock(name) != nil) == isKnown)
    }

    @Test func `the zones that the system has rules for`() throws {
        let folder = "/usr/share/zoneinfo"
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
            name.first?.isUppercase == true
                && FileManager.default.contents(atPath: "\(folder)/\(name)")?.prefix(4) == Data("TZif".utf8)
        }
        #expect(names.count > 500)
        #expect(names.filter { !TimeZones.isKnown($0) } == [])
        // A zone of a later year than ICU's data may come: its name is right all the same.
        #expect(names.filter { ZoneClock($0) == nil }.count < 10)
    }

    @Test func `a name of any length is looked up`() {
        for count in [63, 64, 65, 1000, 100_000] { #expect(!TimeZones.isKnown(String(repeating: "A", count: count))) }
    }

    @Test func `Berlin puts the clock forward`() throws {
        let berlin = try #require(ZoneClock("Europe/Berlin"))
        let change: Int64 = 1_711_846_800  // 2024-03-31 01:00 UTC
        #expect(berlin.offsetSeconds(at: change - 1) == 3600)
        #expect(berlin.offsetSeconds(at: change) == 7200)
        #expect(berlin.unixSeconds(year: 2024, month: 3, day: 31, hour: 1, minute: 59, second: 59) == change - 1)
        #expect(berlin.unixSeconds(year: 2024, month: 3, day: 31, hour: 3) == change)
        #expect(
            berlin.unixSeconds(year: 2024, month: 3, day: 31, hour: 2, minute: 30) == change + 1800,
            "02:30 never was: by the offset before it means 03:30")
        let noon = try #require(berlin.unixSeconds(year: 2024, month: 3, day: 31, hour: 12))
        let midnight = try #require(berlin.unixSeconds(year: 2024, month: 3, day: 31, hour: 0))
        #expect(noon - 43_200 == midnight - 3600, "the service day begins an hour before midnight")
    }

    @Test func `Berlin puts the clock back`() throws {
        let berlin = try #require(ZoneClock("Europe/Berlin"))
        let change: Int64 = 1_729_990_800  // 2024-10-27 01:00 UTC
        #expect(berlin.offsetSeconds(at: change - 1) == 7200)
        #expect(berlin.offsetSeconds(at: change) == 3600)
        #expect(
            berlin.unixSeconds(year: 2024, month: 10, day: 27, hour: 2, minute: 30) == change - 1800,
            "02:30 was twice: the first time is meant")
        #expect(berlin.unixSeconds(year: 2024, month: 10, day: 27, hour: 3) == change + 3600)
        let noon = try #require(berlin.unixSeconds(year: 2024, month: 10, day: 27, hour: 12))
        let midnight = try #require(berlin.unixSeconds(year: 2024, month: 10, day: 27, hour: 0))
        #expect(noon - 43_200 == midnight + 3600, "the service day begins an hour after midnight")
    }

    @Test func `Kathmandu is 5 h 45 min ahead, Lord Howe shifts by half an hour`() throws {
        #expect(TimeZones.offsetSeconds(zone: "Asia/Kathmandu", at: 1_700_000_000) == 20_700)
        let instant = TimeZones.unixSeconds(
            zone: "Asia/Kathmandu", year: 2023, month: 11, day: 15, hour: 3, minute: 58, second: 20)
        #expect(instant == 1_700_000_000)
        let howe = try #require(ZoneClock("Australia/Lord_Howe"))
        let july = try #require(howe.unixSeconds(year: 2023, month: 7, day: 1, hour: 12))
        let january = try #require(howe.unixSeconds(year: 2023, month: 1, day: 1, hour: 12))
        #expect(howe.offsetSeconds(at: july) == 37_800)
        #expect(howe.offsetSeconds(at: january) == 39_600)
    }

    @Test func `zones younger than the data of ICU keep the time of their neighbours`() {
        #expect(TimeZones.offsetSeconds(zone: "America/Ciudad_Juarez", at: 1_700_000_000) == -25_200)
        #expect(TimeZones.offsetSeconds(zone: "America/Coyhaique", at: 1_750_000_000) == -10_800)
    }

    @Test(arguments: [
        (2023, 2, 29, 0, 0, 0), (1900, 2, 29, 0, 0, 0), (2023, 13, 1, 0, 0, 0), (2023, 4, 31, 0, 0, 0),
        (2023, 0, 1, 0, 0, 0), (2023, 1, 0, 0, 0, 0), (2023, 1, 1, 24, 0, 0), (2023, 1, 1, 0, 60, 0),
        (2023, 1, 1, 0, 0, -1), (0, 1, 1, 0, 0, 0), (10_000, 1, 1, 0, 0, 0), (.max, .min, .max, .max, .min, .max),
    ])
    func `dates and times that no calendar or clock has are nil`(
        year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
    ) throws {
        let utc = try #require(ZoneClock("UTC"))
        #expect(
            utc.unixSeconds(year: year, month: month, day: day, hour: hour, minute: minute, second: second) == nil)
    }

    @Test func `the first and the last day are known, and none beyond`() throws {
        let utc = try #require(ZoneClock("UTC"))
        #expect(utc.unixSeconds(year: 2000, month: 2, day: 29, hour: 0) == 951_782_400)
        #expect(utc.unixSeconds(year: 1, month: 1, day: 1, hour: 0) == -62_135_596_800)
        #expect(utc.unixSeconds(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59) == 253_402_300_799)
        #expect(utc.offsetSeconds(at: .max) == nil)
        #expect(utc.offsetSeconds(at: .min) == nil)
        #expect(TimeZones.offsetSeconds(zone: "Nowhere", at: 0) == nil)
    }

    @Test func `each day of four hundred years is one more than the day before`() throws {
        let utc = try #require(ZoneClock("UTC"))
        var expected = try #require(utc.unixSeconds(year: 1800, month: 1, day: 1, hour: 0))
        for year in 1800..<2200 {
            for month in 1...12 {
                for day in 1...31 {
                    guard let found = utc.unixSeconds(year: year, month: month, day: day, hour: 0) else { continue }
                    if found != expected { Issue.record("\(year)-\(month)-\(day): \(found)") }
                    expected += 86_400
                }
            }
        }
        #expect(expected == 7_258_118_400, "2200-01-01")
    }

    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kathmandu",
    ])
    func `each reading of the clock in a year leads back to an instant at which it shows that`(name: String) throws {
        let zone = try #require(ZoneClock(name))
        let utc = try #require(ZoneClock("UTC"))
        for month in 1...12 {
            for day in 1...28 {
                for hour in 0...23 {
                    let instant = try #require(zone.unixSeconds(year: 2023, month: month, day: day, hour: hour))
                    let local = try #require(utc.unixSeconds(year: 2023, month: month, day: day, hour: hour))
                    let offset = try #require(zone.offsetSeconds(at: instant))
                    // For a time in the gap, the clock shows one hour (or half an hour) later than requested.
                    let error = instant + Int64(offset) - local
                    if error != 0 && error != 3600 && error != 1800 {
                        Issue.record("\(name) \(month)-\(day) \(hour) h")
                    }
                }
            }
        }
    }
}
