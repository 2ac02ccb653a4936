import Foundation
import GTFSFeed
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// Files that are not UTF-8.
@Suite struct EncodingTests {
    private static let stops =
        "stop_id,stop_name,stop_lat,stop_lon,größe\nsü1,Köln Süd,50.1,8.1,groß\ns2,Größenstraße,50.2,8.2,\n"
    private static let times =
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        + "t,06:00:00,06:00:00,sü1,1\nt,06:10:00,06:10:00,s2,2\n"

    private func store(_ encoding: String.Encoding, mark: [UInt8] = []) throws -> AskedStore {
        let feed = try LayeredFeed()
        try feed.write("stops.txt", mark + Array(#require(Self.stops.data(using: encoding))))
        try feed.write("stop_times.txt", mark + Array(#require(Self.times.data(using: encoding))))
        return try feed.imported()
    }

    @Test(arguments: [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian, .isoLatin1, .windowsCP1252])
    func theSameFeedIsTheSameStoreInAnyEncoding(encoding: String.Encoding) throws {
        let marks: [String.Encoding: [UInt8]] = [
            .utf8: [0xEF, 0xBB, 0xBF], .utf16LittleEndian: [0xFF, 0xFE], .utf16BigEndian: [0xFE, 0xFF],
        ]
        let store = try store(encoding, mark: marks[encoding] ?? [])
        #expect(try store.rows("SELECT stop_id, stop_name FROM gtfs_stops") == ["sü1|Köln Süd", "s2|Größenstraße"])
        #expect(try store.rows("SELECT normalized_name FROM stop ORDER BY id") == ["koln sud", "großenstraße"])
        #expect(try store.rows("SELECT stop_id FROM gtfs_stop_times") == ["sü1", "s2"])
        #expect(try store.rows("SELECT * FROM kept_value").isEmpty)
        try store.expectSound()
    }

    /// The same bytes are the same ID in each file, even if a file has only one word to guess its encoding from.
    @Test(arguments: [
        (String.Encoding.isoLatin1, ["Hauptstraße"]),
        (
            .windowsCP1250,
            [
                "STRIZIĆ", "Trg bana Jelačića", "Črnomerec", "Savišće", "Žitnjak", "Šestine", "Prečko", "Zaprešić",
                "Trešnjevka", "Čakovec", "Đakovo", "Kožarska cesta", "Čulinec", "Velika Mlaka škola", "Gračani",
            ]
        ),
    ])
    func anIDOutsideASCIIIsFoundInEveryFile(encoding: String.Encoding, ids: [String]) throws {
        let feed = try LayeredFeed()
        let stops = ids.map { "\($0),\($0),50.1,8.1\n" }.joined() + "s2,Market,50.2,8.2\n"
        let calls = "t,06:00:00,06:00:00,\(ids[0]),1\nt,06:10:00,06:10:00,s2,2\n"
        for (name, text) in [
            ("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\n" + stops),
            ("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + calls),
        ] {
            try feed.write(name, Array(try #require(text.data(using: encoding))))
        }
        let store = try feed.imported()
        #expect(try store.rows("SELECT stop_id FROM gtfs_stops") == ids + ["s2"])
        #expect(try store.rows("SELECT stop_id FROM gtfs_stop_times") == [ids[0], "s2"])
        #expect(try store.rows("SELECT count(*) FROM notice WHERE code = 'foreign_key_violation'") == ["0"])
    }

    private static let polish = [
        "Łódź", "Kraków Główny", "Wrocław", "Gdańsk Wrzeszcz", "Świnoujście", "Żywiec", "Częstochowa",
    ]

    /// A feed in windows-1250 whose encoding only stops.txt shows: the other files have one such word each.
    private static func polishFeed(_ layer: [String: String]) throws -> LayeredFeed {
        let stops = polish.enumerated().map { "p\($0),\($1),50.1,8.1\n" }.joined()
        let files = layer.merging([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n" + stops
                + "s1,One,50.1,8.1\ns2,Two,50.2,8.2\n"
        ]) { $1 }
        let feed = try LayeredFeed()
        for (name, text) in files {
            try feed.write(name, Array(try #require(text.data(using: .windowsCP1250))))
        }
        return feed
    }

    /// Files that are read before stops.txt have the same encoding as files after it.
    @Test func theOrderOfFilesDoesNotMatter() throws {
        let store = try Self.polishFeed([
            "agency.txt":
                "agency_id,agency_name,agency_url,agency_timezone\nŁódź,Łódź,http://a.example,Europe/Warsaw\n",
            "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,Łódź,1,3\n",
        ]).imported()
        #expect(try store.rows("SELECT agency_id FROM gtfs_agency") == ["Łódź"])
        #expect(try store.rows("SELECT agency_name FROM gtfs_routes JOIN gtfs_agency USING (agency_id)") == ["Łódź"])
        #expect(try store.rows("SELECT count(*) FROM kept_value") == ["0"])
    }

    /// Trips with more text than the stops are read as the stops are, although that text alone suggests another
    /// encoding.
    @Test(arguments: [(4, 20), (8, 20), (40, 20), (40, 100), (400, 30)])
    func allFilesHaveOneEncoding(trips: Int, stops: Int) throws {
        let names = "Αθήνα Πειραιάς Ομόνοια Σύνταγμα Κηφισιά Θεσσαλονίκη Πάτρα Λάρισα".split(separator: " ")
        func name(_ number: Int) -> String { String(names[number % names.count]) }
        let files = [
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n"
                + (0..<stops).map { "s\($0),\(name($0)) \($0),38,23\n" }.joined(),
            "routes.txt": "route_id,agency_id,route_short_name,route_type\n"
                + (0..<8).map { "\(name($0)),a,\($0),3\n" }.joined(),
            "trips.txt": "route_id,service_id,trip_id,trip_headsign\n"
                + (0..<trips).map { "\(name($0)),w,\(name($0))\($0),\(name($0 + 4))\n" }.joined(),
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + (0..<trips * 2).map { "\(name($0 / 2))\($0 / 2),08:00:00,08:00:00,s\($0 % 2),\($0 % 2)\n" }.joined(),
        ]
        let feed = try LayeredFeed()
        for (file, text) in files { try feed.write(file, Array(try #require(text.data(using: .windowsCP1253)))) }
        let store = try feed.imported()
        #expect(try store.rows("SELECT count(*) FROM stop_time") == ["\(trips * 2)"])
        #expect(try store.rows("SELECT count(*) FROM notice WHERE code = 'foreign_key_violation'") == ["0"])
        #expect(try store.rows("SELECT count(DISTINCT encoding) FROM feed_file WHERE encoding <> 'UTF-8'") == ["1"])
    }

    /// Few words in each file: together they show that the feed is in windows-1250, though some of them alone do not.
    @Test func fewWordsInEachFileDecideTogether() throws {
        let feed = try LayeredFeed()
        for (file, text) in [
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns1,Gdańsk,50.1,8.1\ns2,Częstochowa,50.2,8.2\n",
            "routes.txt": "route_id,agency_id,route_short_name,route_type\nŁódź,a,Świnoujście,3\n",
            "trips.txt": "route_id,service_id,trip_id,trip_headsign\nŁódź,w,Kraków1,Żywiec\n",
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "Kraków1,06:00:00,06:00:00,s1,1\nKraków1,06:10:00,06:10:00,s2,2\n",
        ] {
            try feed.write(file, Array(try #require(text.data(using: .windowsCP1250))))
        }
        let store = try feed.imported()
        #expect(try store.rows("SELECT route_id, trip_id FROM gtfs_trips") == ["Łódź|Kraków1"])
        #expect(try store.rows("SELECT count(*) FROM stop_time") == ["2"])
    }

    /// The search ends where the import is stopped: a long file may have its only such word at the end.
    @Test func aStoppedSearchEnds() throws {
        let feed = try LayeredFeed()
        let rows = String(repeating: "s,Market Street,50.1,8.1\n", count: 100_000)
        try feed.write("stops.txt", Array(("stop_id,stop_name,stop_lat,stop_lon\n" + rows).utf8) + [0xE9])
        let opened = try OpenedFeed.open(feed.options.feed)
        var notices = NoticeLog(keptPerCode: 10)
        let inventory = FeedInventory(opened.entries, notices: &notices)
        for stop in [3, Int.max] {
            var blocks = 0
            let encodings = FeedEncodings(opened, inventory) {
                blocks += 1
                return blocks > stop
            }
            _ = encodings.encoding(of: "stops.txt", with: UnsafeRawBufferPointer(start: nil, count: 0))
            #expect(stop == 3 ? blocks < 15 : blocks > 15)
        }
    }

    /// A filter finds what the store would have, and changes no text, although it leaves the Polish stops out.
    @Test func aFilterChangesNoText() throws {
        let layer = [
            "routes.txt": "route_id,agency_id,route_short_name,route_long_name,route_type\nŁódź,a,1,Łódź,3\n",
            "trips.txt": "route_id,service_id,trip_id\nŁódź,w,t\n",
        ]
        for change in [
            { $0.routes = ["Łódź"] }, { $0.dates = 2020_01_01...2030_12_31 }, { _ in },
        ] as [(inout FeedFilter) -> Void] {
            let feed = try Self.polishFeed(layer)
            change(&feed.options.filter)
            let store = try feed.imported()
            #expect(try store.rows("SELECT route_id, route_long_name FROM gtfs_routes") == ["Łódź|Łódź"])
            #expect(try store.rows("SELECT route_id FROM gtfs_trips") == ["Łódź"])
            #expect(try store.rows("SELECT count(*) FROM kept_value") == ["0"])
        }
    }

    /// One street before 30,000 names in ASCII: the encoding is guessed from the street alone.
    @Test func oneWordDecidesForALongFile() throws {
        let names = ["Hauptstraße"] + Array(repeating: "Halt", count: 30_000) + ["Weißensee", "Köln Süd"]
        let rows = names.enumerated().map { "s\($0 + 1),\($1),50.1,8.1\n" }.joined()
        let feed = try LayeredFeed()
        let text = "stop_id,stop_name,stop_lat,stop_lon\n" + rows
        try feed.write("stops.txt", Array(try #require(text.data(using: .isoLatin1))))
        let store = try feed.imported()
        let found = try store.rows("SELECT name FROM stop WHERE name <> 'Halt' ORDER BY id")
        #expect(found == ["Hauptstraße", "Weißensee", "Köln Süd"])
    }

    @Test func columnNamesInALegacyEncodingAreConverted() throws {
        let feed = try LayeredFeed()
        let stops = "stop_id,stop_name,stop_lat,stop_lon,Höhe,Größe\ns1,Köln,50.1,8.1,x,y\ns2,Market,50.2,8.2,,z\n"
        try feed.write("stops.txt", Array(try #require(stops.data(using: .isoLatin1))))
        // A header that is UTF-8 but for one byte.
        try feed.write("more.txt", Array("größe,höhe,straße,na".utf8) + [0xE9] + Array("me\n1,2,3,4\n".utf8))
        let store = try feed.imported()
        #expect(try store.rows("SELECT \"Höhe\", \"Größe\" FROM gtfs_stops") == ["x|y", "-|z"])
        #expect(try store.rows("SELECT \"größe\", \"na\u{FFFD}me\" FROM gtfs_more") == ["1|4"])
        let notices = "SELECT message FROM notice WHERE row_number = 1 AND message LIKE '%not UTF-8%' ORDER BY message"
        #expect(
            try store.rows(notices) == [
                "more.txt, row 1, na\u{FFFD}me: the column's name is not UTF-8 in the feed; "
                    + "wrong bytes were replaced by U+FFFD",
                "stops.txt, row 1, Größe: the column's name is not UTF-8 in the feed; converted",
                "stops.txt, row 1, Höhe: the column's name is not UTF-8 in the feed; converted",
            ])
        #expect(try store.rows("SELECT count(*) FROM notice WHERE code = 'duplicated_column'") == ["0"])
    }

    @Test func theEncodingIsRecordedAndNoted() throws {
        let latin = try store(.isoLatin1)
        let encodings = try latin.rows("SELECT encoding FROM feed_file WHERE name LIKE 'stop%'")
        #expect(encodings.allSatisfy { $0 == "windows-1252" || $0 == "ISO-8859-1" }, "\(encodings)")
        let name = try #require(encodings.last)
        #expect(
            try latin.messages.contains(
                "stops.txt, row 2, stop_name: \"Köln Süd\" is not UTF-8 in the feed; converted from \(name)"))
        #expect(try store(.utf8).rows("SELECT encoding FROM feed_file WHERE name LIKE 'stop%'") == ["UTF-8", "UTF-8"])
        #expect(
            try store(.utf16LittleEndian, mark: [0xFF, 0xFE]).rows(
                "SELECT encoding FROM feed_file WHERE name = 'stops.txt'")
                == ["UTF-16LE"])
    }

    /// If the other text is valid UTF-8, one invalid byte does not suggest another encoding.
    @Test func oneByteThatIsNoUTF8() throws {
        let feed = try LayeredFeed()
        let stops = "stop_id,stop_name,stop_lat,stop_lon\ns1,Zoë's Café,50.1,8.1\ns2,Caf"
        try feed.write("stops.txt", Array(stops.utf8) + [0xE9] + Array(",50.2,8.2\n".utf8))
        let store = try feed.imported()
        #expect(try store.rows("SELECT name FROM stop") == ["Zoë's Café", "Caf\u{FFFD}"])
        #expect(
            try store.messages == [
                "stops.txt, row 3, stop_name: \"Caf\u{FFFD}\" is not UTF-8 in the feed; "
                    + "bytes that are not valid characters were replaced by U+FFFD"
            ])
    }

    @Test func aNULIsACharacter() throws {
        let store = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns\u{0}1,One\u{0}A,50.1,8.1\ns2,\u{0},50.2,8.2\n",
            "stop_times.txt":
                "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,06:00:00,06:00:00,s\u{0}1,1\n",
        ]).imported()
        #expect(try store.rows("SELECT hex(stop_id), hex(name) FROM stop") == ["730031|4F6E650041", "7332|00"])
        #expect(try store.rows("SELECT hex(stop_id) FROM gtfs_stop_times") == ["730031"])
        #expect(try store.rows("SELECT count FROM notice_total WHERE code = 'invalid_character'") == ["3"])
        try store.expectSound()
    }

    /// The mark says that a file is UTF-8, so other bytes are damage and no letters of another encoding.
    @Test func `wrong bytes behind a byte order mark are replaced`() throws {
        let feed = try LayeredFeed()
        let (before, behind) = (
            "\u{FEFF}stop_id,stop_name,stop_lat,stop_lon\ns1,K", "ln,50.1,8.1\ns2,Two,50.2,8.2\n"
        )
        try feed.write("stops.txt", Array(before.utf8) + [0xF6] + Array(behind.utf8))
        #expect(try feed.imported().rows("SELECT name FROM stop WHERE id = 1") == ["K\u{FFFD}ln"])
    }

    /// The names of the stops are in windows-1251, though the mark denies it. The routes' one name suggests nothing.
    @Test func `a file behind a byte order mark says nothing about the encoding of the others`() throws {
        let names = ["Москва", "Площадь Ленина", "Вокзал", "Больница", "Парк культуры", "Терминал", "Университет"]
        let stops = names.enumerated().map { "x\($0),\($1),50.1,8.1\n" }.joined()
        let routes = "route_id,agency_id,route_short_name,route_long_name,route_type\nr,a,1,Hauptstraße,3\n"
        let feed = try LayeredFeed()
        let header = "stop_id,stop_name,stop_lat,stop_lon\ns1,One,50.1,8.1\ns2,Two,50.2,8.2\n"
        try feed.write(
            "stops.txt", [0xEF, 0xBB, 0xBF] + Array(#require((header + stops).data(using: .windowsCP1251))))
        try feed.write("routes.txt", Array(#require(routes.data(using: .windowsCP1252))))
        #expect(try feed.imported().rows("SELECT route_long_name FROM gtfs_routes") == ["Hauptstraße"])
    }

    /// A no-break space is one byte in windows-1252 and two in UTF-8.
    @Test func `white space has the length that it has in its own file`() throws {
        let feed = try LayeredFeed()
        let header = "agency_id,agency_name,agency_url,agency_timezone\n"
        let agency = header + "a,Köln Süd\u{A0},http://a.example,Europe/Berlin\n"
        try feed.write("agency.txt", Array(#require(agency.data(using: .windowsCP1252))))
        let (before, behind) = (
            "\u{FEFF}stop_id,stop_name,stop_lat,stop_lon\ns1,K", "ln\u{A0},50.1,8.1\ns2,Two,50.2,8.2\n"
        )
        try feed.write("stops.txt", Array(before.utf8) + [0xF6] + Array(behind.utf8))
        let store = try feed.imported()
        #expect(try store.rows("SELECT name FROM agency") == ["Köln Süd"])
        #expect(try store.rows("SELECT name FROM stop WHERE id = 1") == ["K\u{FFFD}ln"])
    }
}
