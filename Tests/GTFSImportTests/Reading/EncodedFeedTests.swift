import Foundation
import GTFSFeed
import TestSupport
import Testing

@testable import GTFSImport

/// Whole feeds in legacy encodings: all files are read in one, so that references hold, with a filter as well.
@Suite struct EncodedFeedTests {
    private static let words: [(String.Encoding, [String])] = [
        (.windowsCP1250, ["Łódź", "Kraków", "Gdańsk", "Wrocław", "Świnoujście", "Żywiec", "Częstochowa"]),
        (.windowsCP1251, ["Москва", "Київ", "Львів", "Одеса", "Харків", "Дніпро", "Полтава", "Суми"]),
        (.windowsCP1252, ["Köln", "Düsseldorf", "Münster", "Straße", "Lübeck", "Süd", "Nürnberg"]),
        (.windowsCP1253, ["Αθήνα", "Πειραιάς", "Ομόνοια", "Σύνταγμα", "Κηφισιά", "Πάτρα", "Λάρισα"]),
        (.shiftJIS, ["東京", "新宿", "渋谷", "横浜", "大阪", "京都", "名古屋", "札幌", "仙台", "神戸"]),
    ]

    /// A feed of random size whose IDs and names are such words.
    private static func files(_ words: [String], _ random: inout SeededGenerator) -> [String: String] {
        func word() -> String { words.randomElement(using: &random) ?? "" }
        let (stops, trips) = (
            [3, 20, 100].randomElement(using: &random) ?? 3, [2, 10, 60].randomElement(using: &random) ?? 2
        )
        let stopIDs = (0..<stops).map { Bool.random(using: &random) ? "s\($0)" : "\(word())\($0)" }
        let routes = (0..<4).map { "\(word())\($0)" }
        let service = word()
        let calls = (0..<trips).flatMap { trip in (0..<3).map { (trip, $0) } }
        return [
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n"
                + stopIDs.map { "\($0),\(word()) \(word()),38,23\n" }.joined(),
            "routes.txt": "route_id,agency_id,route_short_name,route_long_name,route_type\n"
                + routes.map { "\($0),a,1,\(word()),3\n" }.joined(),
            "calendar.txt":
                "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                + "\(service),1,1,1,1,1,1,1,20260101,20261231\n",
            "trips.txt": "route_id,service_id,trip_id,trip_headsign\n"
                + (0..<trips).map { "\(routes[$0 % 4]),\(service),\(words[0])\($0),\(word())\n" }.joined(),
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + calls.map { "\(words[0])\($0),08:00:00,08:00:00,\(stopIDs[($0 + $1) % stops]),\($1)\n" }.joined(),
        ]
    }

    private static let tables = ["stops", "routes", "trips", "stop_times"]

    @Test(arguments: 0..<40) func aFeedHasOneEncoding(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (encoding, words) = Self.words[Int(seed) % Self.words.count]
        let feed = try LayeredFeed()
        for (name, text) in Self.files(words, &random) {
            try feed.write(name, Array(try #require(text.data(using: encoding))))
        }
        let whole = try feed.imported()
        #expect(try whole.rows("SELECT count(*) FROM notice WHERE code = 'foreign_key_violation'") == ["0"])
        #expect(try whole.rows("SELECT count(DISTINCT encoding) FROM feed_file WHERE encoding <> 'UTF-8'") == ["1"])
        let rows = try Self.tables.map { try whole.rows("SELECT * FROM gtfs_\($0)") }
        feed.options.filter.dates = 2026_01_05...2026_01_05
        let filtered = try feed.imported()
        for (table, all) in zip(Self.tables, rows) {
            #expect(try Set(filtered.rows("SELECT * FROM gtfs_\(table)")).isSubset(of: all))
        }
        #expect(try filtered.rows("SELECT * FROM gtfs_trips") == rows[2])
    }

    /// Feeds of agencies, in the first encoding that has all their letters: references hold as in UTF-8.
    @Test(.enabled(if: RealFeeds.folder != nil, Comment(rawValue: RealFeeds.absent)), arguments: try suitableFeeds())
    func realFeedsHaveTheSameReferencesInUTF8AndTheirLegacyEncoding(zip: String) throws {
        let files = try #require(try Self.texts(of: zip))
        let legacy = try #require(Self.encoding(of: files))
        let folder = try TemporaryFolder()
        let found = try [.utf8, legacy].map { encoding in
            let feed = folder.path("\(encoding.rawValue)")
            try FileManager.default.createDirectory(atPath: feed, withIntermediateDirectories: true)
            for (name, text) in files {
                try #require(text.data(using: encoding)).write(to: URL(filePath: feed + "/" + name))
            }
            let options = ImportOptions(feed: feed, store: feed + ".sqlite")
            try #require(Importer(options).run().error == nil)
            return try References(of: AskedStore(options.store))
        }
        #expect(found[0] == found[1])
        #expect(found[0].stopTimes > 0)
    }

    @Test(.enabled(if: RealFeeds.folder != nil, Comment(rawValue: RealFeeds.absent)))
    func someFeedsAreSuitable() throws { #expect(try !Self.suitableFeeds().isEmpty) }

    /// The references that were not found, and the number of stop times whose stop was found.
    private struct References: Equatable {
        let violations: [String]
        let stopTimes: Int

        init(of store: AskedStore) throws {
            violations = try store.rows(
                """
                SELECT file, row_number, field FROM notice WHERE code = 'foreign_key_violation' ORDER BY 1, 2, 3
                """)
            stopTimes = Int(try store.rows("SELECT count(stop) FROM stop_time")[0]) ?? 0
        }
    }

    /// Small feeds in UTF-8 that are not in ASCII alone and whose letters are all in one of the encodings. Feeds with
    /// zones are not among them: many of their stop times have no stop, and locations.geojson is always in UTF-8.
    private static func suitableFeeds() throws -> [String] {
        try RealFeeds.zips(in: "real", upTo: 300_000).filter { zip in
            try texts(of: zip).map { encoding(of: $0) != nil } ?? false
        }
    }

    /// Each text file of a feed by its name; nil if one is not in UTF-8, or if the feed has zones.
    private static func texts(of zip: String) throws -> [String: String]? {
        let feed = try OpenedFeed.open(zip)
        guard feed.entry(named: "locations.geojson") == nil else { return nil }
        var texts: [String: String] = [:]
        for entry in feed.entries where entry.name.hasSuffix(".txt") {
            guard let text = String(bytes: try bytes(of: entry, in: feed), encoding: .utf8) else { return nil }
            texts[entry.name] = text
        }
        return texts
    }

    private static func encoding(of files: [String: String]) -> String.Encoding? {
        let all = files.values.joined()
        guard !all.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        return words.map(\.0).first { all.canBeConverted(to: $0) }
    }

    private static func bytes(of entry: FeedEntry, in feed: OpenedFeed) throws -> [UInt8] {
        var source = try feed.source(of: entry)
        var (bytes, buffer): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 16))
        while case let count = try buffer.withUnsafeMutableBytes({ try source.read(into: $0) }), count > 0 {
            bytes += buffer[..<count]
        }
        return bytes
    }
}
