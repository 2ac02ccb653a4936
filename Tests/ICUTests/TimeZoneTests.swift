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

    @Test(arguments: [
        ("Europe/Berlin", 1_711_846_799, 3_600), ("Europe/Berlin", 1_711_846_800, 7_200),
        ("Europe/Berlin", 1_729_990_799, 7_200), ("Europe/Berlin", 1_729_990_800, 3_600),
        ("Asia/Kathmandu", 1_700_000_000, 20_700),
        ("Australia/Lord_Howe", 1_688_176_800, 37_800), ("Australia/Lord_Howe", 1_672_534_800, 39_600),
        // Younger than the data of ICU: they keep the time of their neighbours.
        ("America/Ciudad_Juarez", 1_700_000_000, -25_200), ("America/Coyhaique", 1_750_000_000, -10_800),
    ])
    func `a zone has an offset at each second`(zone: String, second: Int64, offset: Int32) throws {
        #expect(try #require(ZoneClock(zone)).offsetSeconds(at: second) == offset)
    }

    @Test func `no offset is known beyond the years 1 to 9999`() throws {
        let utc = try #require(ZoneClock("UTC"))
        for second: Int64 in [-62_135_596_800, 0, 253_402_300_799] { #expect(utc.offsetSeconds(at: second) == 0) }
        for second: Int64 in [.min, -62_135_769_601, 253_402_473_600, .max] {
            #expect(utc.offsetSeconds(at: second) == nil)
        }
    }
}
