import Foundation
import ICU
import TestSupport
import Testing

@testable import TransitStore

@Suite struct ZoneTests {
    /// For each zone and each number three answers: the offset at that instant, the start of the service day on its
    /// date, and the instant at which clocks of the zone show that reading.
    private static let program = """
        import sys, zoneinfo, datetime as d
        utc = d.timezone.utc
        for line in sys.stdin:
            name, *numbers = line.split()
            zone = zoneinfo.ZoneInfo(name)
            answers = []
            for number in map(int, numbers):
                at = d.datetime.fromtimestamp(number, utc)
                day = at.date()
                noon = d.datetime(day.year, day.month, day.day, 12, tzinfo=zone)
                local = at.replace(tzinfo=zone)
                answers += [int(at.astimezone(zone).utcoffset().total_seconds()),
                            int(noon.timestamp()) - 43200, int(local.timestamp())]
            print(name, *answers)
        """

    private static func python(_ input: String) throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try input.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", program]
        process.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let answer = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: answer, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Names of the machine's zones that ICU knows as well.
    private static var names: [String] {
        let files = FileManager.default.enumerator(atPath: "/usr/share/zoneinfo")
        let names = (files?.allObjects as? [String] ?? []).filter { TimeZones.isKnown($0) }
        return names.filter { ZoneFile(named: $0) != nil }.sorted()
    }

    /// Instants at random, and around every change of the clocks between 1975 and 2045.
    private static func instants(_ zone: TimetableZone, _ random: inout SeededGenerator) -> [Int64] {
        var instants = (0..<40).map { _ in Int64.random(in: 160_000_000..<2_400_000_000, using: &random) }
        var at: Int64 = 160_000_000
        while at < 2_370_000_000 {
            let next = at + 20 * 86_400
            if zone.offset(at: at) != zone.offset(at: next) {
                instants += (0..<6).map { _ in Int64.random(in: at..<next, using: &random) }
                var (low, high) = (at, next)
                while high - low > 1 {
                    let middle = (low + high) / 2
                    if zone.offset(at: middle) == zone.offset(at: at) { low = middle } else { high = middle }
                }
                instants += [high - 1, high] + [-86_400, -43_200, -3_600, 3_600, 43_200].map { high + $0 }
                // Clock readings that occur twice or never.
                instants += (0..<4).map { _ in
                    high + Int64(zone.offset(at: low)) + Int64.random(in: -7_200...7_200, using: &random)
                }
            }
            at = next
        }
        return instants
    }

    @Test func everyZoneOfTheMachineAsPythonHasIt() throws {
        let names = Self.names
        try #require(names.count > 300, "are the system's zone files missing? apt-get install tzdata")
        var random = SeededGenerator(seed: 18)
        var asked: [(TimetableZone, [Int64])] = []
        for name in names {
            let zone = try #require(TimetableZone.named(name))
            asked.append((zone, Self.instants(zone, &random)))
        }
        let input = asked.map { "\($0.0.name) \($0.1.map(String.init).joined(separator: " "))" }
        let answers = try Self.python(input.joined(separator: "\n") + "\n")
        try #require(answers.count == asked.count)
        for ((zone, instants), answer) in zip(asked, answers) {
            let numbers = answer.split(separator: " ").dropFirst().compactMap { Int64($0) }
            let ours = instants.flatMap { instant in
                [
                    Int64(zone.offset(at: instant)), zone.startOfDay(number: instant.flooredDays),
                    ClockReading(localSeconds: instant).instant(in: zone).unixSeconds,
                ]
            }
            guard ours == numbers else {
                let place = zip(ours, numbers).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
                Issue.record("\(zone) at \(instants[place / 3]): \(ours[place]), Python \(numbers[place])")
                return
            }
        }
    }

    /// ICU's rules date from 2022. Mexico has had no summer time since then.
    @Test func rulesAreTheSystemsAndNotThoseOfAnOldLibrary() throws {
        let mexico = try #require(TimetableZone.named("America/Mexico_City"))
        #expect(mexico.offset(at: 1_751_328_000) == -21_600)
    }

    /// ICU is asked only on machines without zone files.
    @Test func icusRulesEndNeitherAtTheFirstNorAtTheLastInstant() throws {
        let berlin = try #require(ICUZone("Europe/Berlin"))
        #expect(berlin.period(at: 1_711_846_799) == ZonePeriod(offset: 3_600, end: 1_711_846_800))
        #expect(berlin.period(at: .max) == ZonePeriod(offset: 0, end: nil))
        #expect(berlin.period(at: .min) == ZonePeriod(offset: 0, end: nil))
    }

    /// Years after the last entry of a zone file follow the rule at its end.
    @Test func theRuleOfAZoneHoldsAfterItsLastChange() throws {
        let berlin = try #require(ZoneRule("CET-1CEST,M3.5.0,M10.5.0/3"))
        // 2100-03-28 and 2100-10-31, 01:00 UTC.
        #expect(berlin.period(at: 4_109_878_799) == ZonePeriod(offset: 3_600, end: 4_109_878_800))
        #expect(berlin.period(at: 4_109_878_800) == ZonePeriod(offset: 7_200, end: 4_128_627_600))
        let dublin = try #require(ZoneRule("IST-1GMT0,M10.5.0,M3.5.0/1"))
        #expect(dublin.period(at: 4_109_878_799).offset == 0)
        #expect(dublin.period(at: 4_109_878_800).offset == 3_600)
        #expect(ZoneRule("<-03>3")?.period(at: 0) == ZonePeriod(offset: -10_800, end: nil))
        #expect(ZoneRule("EST5EDT,J60/2,J300/2")?.period(at: 1_709_276_400).offset == -14_400)
        for text in ["", "CE-1", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "<CET-1"] {
            #expect(ZoneRule(text) == nil, "\(text)")
        }
    }

    /// Reading a damaged zone file never traps, and names that are not zone files are refused.
    @Test func damagedFilesDoNoHarm() throws {
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin")))
        #expect(ZoneFile(bytes) != nil)
        for length in 0..<bytes.count - 1 { _ = ZoneFile(Array(bytes[..<length])) }
        #expect(ZoneFile([]) == nil)
        #expect(ZoneFile(Array(bytes[..<100])) == nil)
        var random = SeededGenerator(seed: 18)
        for _ in 0..<5_000 {
            var damaged = bytes
            damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            _ = ZoneFile(damaged)?.period(at: 1_700_000_000)
        }
        for name in ["../../../etc/passwd", "/etc/passwd", "", "Europe", "Europe/../Europe/Berlin", "tzdata.zi"] {
            #expect(ZoneFile(named: name) == nil, "\(name)")
            #expect(TimetableZone.named(name) == nil, "\(name)")
        }
        #expect(TimetableZone.named("Europe/Zag") == nil)
    }

    @Test func theReadingOfAClockThatIsTwiceOrNever() throws {
        let berlin = try #require(TimetableZone.named("Europe/Berlin"))
        func instant(_ text: String) -> String? { ClockReading(text)?.instant(in: berlin).description }
        #expect(instant("2026-10-25T02:30") == "2026-10-25T00:30:00Z", "the first of two")
        #expect(instant("2026-10-25T03:00") == "2026-10-25T02:00:00Z")
        #expect(instant("2026-03-29T02:30") == "2026-03-29T01:30:00Z", "never: by the offset before, 03:30")
        #expect(Instant("2026-03-29T01:30:00Z")?.text(in: berlin) == "2026-03-29T03:30:00+02:00")
        #expect(berlin.start(of: ServiceDate(20_260_329))?.description == "2026-03-28T22:00:00Z")
        #expect(berlin.start(of: ServiceDate(20_261_025))?.description == "2026-10-24T23:00:00Z")
        #expect(berlin.start(of: ServiceDate(20_261_340)) == nil)
        let howe = try #require(TimetableZone.named("Australia/Lord_Howe"))
        #expect(howe.start(of: ServiceDate(20_260_405))?.description == "2026-04-04T13:30:00Z")
    }
}
