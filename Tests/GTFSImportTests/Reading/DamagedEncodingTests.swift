import Foundation
import TestSupport
import Testing

@testable import GTFSImport

/// Feeds in encodings of two bytes for a letter, whose bytes were cut within a letter or are UTF-8 by chance.
@Suite struct DamagedEncodingTests {
    private static let japanese = [
        "東京駅", "新宿", "渋谷", "大手町", "六本木", "神田", "有楽町", "日本橋", "上野", "浅草", "品川", "池袋", "目黒", "恵比寿",
    ]
    private static let korean = [
        "서울역", "시청", "강남", "부산대학교", "종각", "신촌", "홍대입구", "합정", "잠실", "역삼", "선릉", "삼성", "교대", "사당",
    ]
    private static let times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"

    private static func stops(_ names: [String]) -> String {
        "stop_id,stop_name,stop_lat,stop_lon\n"
            + names.enumerated().map { "s\($0 + 1),\($1),50.\(10 + $0),10\n" }.joined()
    }

    /// Writes a file in an encoding that iconv knows.
    private static func write(_ name: String, _ text: String, _ encoding: String, to feed: LayeredFeed) throws {
        let source = feed.folder.path("utf8"), target = feed.folder.path("encoded")
        try Data(text.utf8).write(to: URL(filePath: source))
        let result = try CommandLineProgram.run(
            ["-f", "UTF-8", "-t", encoding, "-o", target, source], executable: "/usr/bin/iconv")
        try #require(result.exitCode == 0, "\(result.error)")
        try feed.write(name, Array(Data(contentsOf: URL(filePath: target))))
        try FileManager.default.removeItem(atPath: source)
        try FileManager.default.removeItem(atPath: target)
    }

    private static func bytes(of name: String, in feed: LayeredFeed) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: feed.folder.path("feed/\(name)"))))
    }

    /// A number that is none, and a cell beyond the header: kept as text, and not without a notice.
    @Test func whatIsKeptAsideIsConvertedWithANotice() throws {
        let feed = try LayeredFeed()
        try feed.write(
            "stops.txt",
            Array("stop_id,stop_name,stop_lat,stop_lon\ns1,One,50".utf8) + [0xBD]
                + Array(",8.1\ns2,Two,50.2,8.2,caf".utf8) + [0xE9] + Array("\n".utf8))
        let store = try feed.imported()
        #expect(
            try store.rows("SELECT value FROM kept_value UNION ALL SELECT value FROM extra_cell") == ["50½", "café"])
        let notices = "SELECT row_number, ifnull(field, ''), value FROM notice WHERE code = 'invalid_character'"
        #expect(try store.rows(notices) == ["2|stop_lat|50½", "3||café"])
    }

    /// A row that is kept as a whole: a cell in UTF-8 stays readable beside one that is not.
    @Test func eachCellOfAKeptRowIsConvertedAlone() throws {
        let feed = try LayeredFeed()
        try feed.write(
            "stops.txt",
            Array("stop_id,stop_name,stop_desc,stop_lat,stop_lon\ns1,Caf".utf8) + [0xE9]
                + Array(" Fran".utf8) + [0xE7] + Array("ais,,50.1,8.1\ns2,Ch".utf8) + [0xE2]
                + Array("teau d'Orl".utf8) + [0xE9] + Array("ans,,50.2,8.2\ns2,\"Größe, 東京\",Caf".utf8) + [0xE9]
                + Array(" de la Libert".utf8) + [0xE9] + Array(",50.1,8.1\n".utf8))
        let store = try feed.imported()
        #expect(try store.rows("SELECT text FROM kept_row") == ["s2,\"Größe, 東京\",Café de la Liberté,50.1,8.1"])
    }

    @Test func eachMemberOfAFeatureIsConvertedAlone() throws {
        let feed = try LayeredFeed()
        let zone = LocationsReading.feature(properties: #"{"stop_name":"Größe","stop_desc":"Caf|, Libert|"}"#)
        let bytes = LocationsReading.collection(zone + "," + zone).utf8.map { $0 == UInt8(ascii: "|") ? 0xE9 : $0 }
        try feed.write("locations.geojson", bytes)
        let store = try feed.imported()
        #expect(try store.rows("SELECT name, description FROM location") == ["Größe|Café, Liberté"])
        let kept = try store.rows("SELECT text FROM kept_row")
        #expect(kept.count == 1 && kept[0].contains(#""Größe","stop_desc":"Café, Liberté""#), "\(kept)")
    }

    /// White space that only the file's encoding shows: a no-break space is one byte, a Japanese one ends with an @.
    @Test(arguments: [
        ("ISO-8859-1", "\u{A0}", ["Größe", "Hauptstraße", "Köln Süd"]), ("SHIFT_JIS", "\u{3000}", japanese),
        ("WINDOWS-1251", "\u{A0}", ["Вокзал", "Терминал В", "Площадь Ленина", "Больница", "Парк культуры"]),
        ("EUC-KR", "\u{3000}", korean + korean.map { "\($0) 버스 정류장" }),
        ("CP949", "\u{3000}", korean + ["커피숖앞", "뷁동"] + korean.map { "\($0) 버스 정류장" }),
        ("GB18030", "\u{A0}", ["北京站", "天安门东", "王府井", "国家图书馆", "西单", "建国门", "复兴门", "上海火车站", "人民广场"]),
        ("BIG5-HKSCS", "\u{3000}", ["鰂魚涌", "杏花邨", "深水埗", "大圍", "中環", "尖沙咀", "旺角", "銅鑼灣", "北角", "柴灣"]),
        ("GB18030", "\u{3000}", ["北京站", "天安门东", "王府井", "国家图书馆", "西单", "建国门", "复兴门", "上海火车站", "人民广场"]),
        ("BIG5", "\u{3000}", ["台北車站", "中山國中", "忠孝復興", "西門", "龍山寺", "圓山", "士林", "北投", "淡水", "高雄車站"]),
    ])
    func whiteSpaceIsTrimmedInEachEncoding(encoding: String, space: String, names: [String]) throws {
        let feed = try LayeredFeed()
        let (one, two) = (names[0], names[1])
        try Self.write(
            "stops.txt",
            "stop_id,stop_name,stop_lat,stop_lon\n\(space) \(one)\(space),\(space)\(one)\(space)\(space),50.1\(space),"
                + "\(space)8.1\n\(two),\(two)@,50.2,8.2\n"
                + names.enumerated().map { "s\($0),\($1),50.1,8.1\n" }.joined(), encoding, to: feed)
        let calls = "t,06:00:00,06:00:00,\(one),1\nt,06:10:00,06:10:00,\(space)\(two),2\n"
        let others = names.indices.map { "t,06:20:00,06:20:00,\(names[$0 % 2]),\($0 + 3)\n" }.joined()
        try Self.write("stop_times.txt", Self.times + calls + others, encoding, to: feed)
        let store = try feed.imported()
        let stops = try store.rows("SELECT stop_id, stop_name, stop_lat, stop_lon FROM gtfs_stops LIMIT 2")
        #expect(stops == ["\(one)|\(one)|50.1|8.1", "\(two)|\(two)@|50.2|8.2"])
        #expect(
            try store.rows("SELECT stop_id FROM gtfs_stop_times WHERE stop_sequence < 3 ORDER BY stop_sequence") == [
                one, two,
            ])
        #expect(try store.rows("SELECT count(*) FROM kept_value") == ["0"])
        #expect(
            try store.rows("SELECT count(*) FROM notice WHERE code = 'leading_or_trailing_whitespaces'") == ["5"])
    }

    /// É and a no-break space in windows-1252 are "ɠ" in UTF-8, é and two such spaces are "頠". But à is à.
    @Test func aNoBreakSpaceBehindALetterIsNoUTF8() throws {
        let feed = try LayeredFeed()
        let names = ["CITÉ\u{A0}", "Café\u{A0}\u{A0}", "RUE\u{A0}", "Größe", "Liberté", "Köln Süd", "Straße"]
        try Self.write("stops.txt", Self.stops(names), "WINDOWS-1252", to: feed)
        try feed.write("stops.txt", Self.bytes(of: "stops.txt", in: feed) + Array("x,Città,50.1,8.1\n".utf8))
        let trips = "route_id,service_id,trip_id,trip_headsign\nr,w,SÜ,one\nr,w,t,CITÉ\u{A0}\n"
        try Self.write("trips.txt", trips, "WINDOWS-1252", to: feed)
        let calls = (1...2).map { "SÜ\u{A0},08:0\($0):00,08:0\($0):00,s\($0),\($0)\n" }
        try Self.write("stop_times.txt", Self.times + calls.joined(), "WINDOWS-1252", to: feed)
        let store = try feed.imported()
        let stops = try store.rows("SELECT stop_name FROM gtfs_stops")
        #expect(stops == ["CITÉ", "Café", "RUE", "Größe", "Liberté", "Köln Süd", "Straße", "Città"])
        #expect(try store.rows("SELECT trip_headsign FROM gtfs_trips") == ["one", "CITÉ"])
        #expect(try store.rows("SELECT trip_id FROM gtfs_stop_times") == ["SÜ", "SÜ"])
    }

    @Test func aCutLetterStaysInItsValue() throws {
        let feed = try LayeredFeed()
        let names = Self.japanese.enumerated().map { $0 == 1 ? "新|" : $1 }
        try Self.write("stops.txt", Self.stops(names), "SHIFT_JIS", to: feed)
        var bytes = try Self.bytes(of: "stops.txt", in: feed)
        let place = try #require(bytes.firstIndex(of: UInt8(ascii: "|")))
        bytes[place] = 0x8F  // the first byte of 宿
        try feed.write("stops.txt", bytes)
        let found = try feed.imported().rows("SELECT stop_name FROM gtfs_stops")
        #expect(found == Self.japanese.enumerated().map { $0 == 1 ? "新\u{FFFD}" : $1 })
    }

    /// One cut headsign: the IDs of the file are still those of the other files.
    @Test func aCutLetterDoesNotChangeTheEncoding() throws {
        let feed = try LayeredFeed()
        try Self.write("stops.txt", Self.stops(Self.japanese), "SHIFT_JIS", to: feed)
        try Self.write(
            "trips.txt", "route_id,service_id,trip_id,trip_headsign\nr,w,平日一,東京駅\nr,w,平日二,新宿", "SHIFT_JIS", to: feed)
        try feed.write("trips.txt", Self.bytes(of: "trips.txt", in: feed).dropLast() + [0x0A])
        let calls = ["一", "二"].flatMap { trip in (1...2).map { "平日\(trip),08:0\($0):00,08:0\($0):00,s\($0),\($0)\n" } }
        try Self.write("stop_times.txt", Self.times + calls.joined(), "SHIFT_JIS", to: feed)
        let store = try feed.imported()
        #expect(
            try store.rows("SELECT trip_id || ' ' || trip_headsign FROM gtfs_trips") == ["平日一 東京駅", "平日二 新\u{FFFD}"])
        #expect(try store.rows("SELECT count(*) FROM stop_time") == ["4"])
    }

    /// The bytes of 탄자니아 in EUC-KR are two letters of UTF-8 and two faults.
    @Test func bytesThatAreUTF8ByChance() throws {
        let feed = try LayeredFeed()
        let week = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        try Self.write("stops.txt", Self.stops(Self.korean), "EUC-KR", to: feed)
        try Self.write("calendar.txt", week + "탄자니아,1,1,1,1,1,1,1,20260101,20261231\n", "EUC-KR", to: feed)
        try Self.write("trips.txt", "route_id,service_id,trip_id\nr,탄자니아,t\n", "EUC-KR", to: feed)
        let store = try feed.imported()
        #expect(try store.rows("SELECT service_id FROM gtfs_calendar") == ["탄자니아"])
        #expect(try store.rows("SELECT service FROM trip") == ["1"])
    }

    private static let chinese = [
        "北京站", "天安门东", "中关村", "王府井", "国贸", "双井", "劲松", "潘家园", "十里河", "分钟寺", "成寿寺", "宋家庄", "石榴庄", "大红门",
    ]

    /// The bytes of 泰山路 in GB18030 are UTF-8, for a sign below, an r with a hook and a dot. The value that shows the
    /// file's encoding comes later.
    @Test func namesWhoseBytesAreUTF8ByChance() throws {
        let feed = try LayeredFeed()
        let again = "s1,泰山路,50,10\n"
        try Self.write(
            "stops.txt", Self.stops(["泰山路"] + Self.chinese + ["泰山路1号"]) + again, "GB18030", to: feed)
        let store = try feed.imported()
        #expect(try store.rows("SELECT text FROM kept_row") == ["s1,泰山路,50,10"])
        #expect(try store.rows("SELECT stop_name FROM gtfs_stops") == ["泰山路"] + Self.chinese + ["泰山路1号"])
        #expect(try store.rows("SELECT count(*) FROM stop WHERE normalized_name = '泰山路'") == ["1"])
        #expect(
            try store.messages.first
                == "stops.txt, row 2, stop_name: \"泰山路\" is UTF-8 in the feed only by chance; converted from GB18030")
    }

    /// The bytes of "Ół" and "íšť" in windows-1250 are one letter of another script in UTF-8.
    @Test(arguments: ["CP1250", "ISO-8859-2"])
    func `names in capitals are no UTF-8`(encoding: String) throws {
        let names = [
            "PÓŁNOCNA", "RÓŻANA", "STRÓŻA", "PODRÓŻNA", "MĚŠICE", "ÚŽICE", "SÍŤ", "KÓŁKO", "ŚWIĘTOJAŃSKA", "ŁĄKOWA",
            "MŁYŃSKA", "ŹRÓDLANA", "KOŚCIÓŁ", "PLAC WOLNOŚCI", "ŻEROMSKIEGO", "SŁONECZNA", "ŚREDNIA", "Píšť",
        ]
        let feed = try LayeredFeed()
        let stops = names + names.map { "\($0) 2" }
        try Self.write("stops.txt", Self.stops(stops), encoding, to: feed)
        // Rows in UTF-8 stay as they are. In the other encoding they would mislead the guess.
        let more = encoding == "CP1250" ? ["Größe", "A出口", "CAFÉ", "Xé", "A\u{30A}STORP", "S\u{30C}KODA"] : []
        try feed.write(
            "stops.txt",
            Self.bytes(of: "stops.txt", in: feed)
                + Array(more.enumerated().map { "u\($0),\($1),51,11\n" }.joined().utf8))
        let store = try feed.imported()
        #expect(try store.rows("SELECT stop_name FROM gtfs_stops") == stops + more)
    }

    /// Rows in UTF-8 in a file that is otherwise GB18030 keep their names, and so do IDs.
    @Test func wordsOfUTF8StayAsTheyAre() throws {
        let names = [
            "Café", "CAFÉ", "Ürümqi", "Москва", "Ўзбекистон", "Αθήνα", "ירושלים", "القاهرة", "«Ёлка»", "50 °C·½",
            "東京 é",
        ]
        let feed = try LayeredFeed()
        let stops = (0..<3).flatMap { number in Self.chinese.map { "\($0)\(number)号" } }
        try Self.write("stops.txt", Self.stops(stops), "GB18030", to: feed)
        let more = names.enumerated().map { "u\($0),\($1),51,10\n" }.joined()
        let id = "泰山路"
        try Self.write("more.txt", "\(id),\(id),51,11\n", "GB18030", to: feed)
        let ids = try Self.bytes(of: "more.txt", in: feed)
        try feed.write("stops.txt", Self.bytes(of: "stops.txt", in: feed) + Array(more.utf8) + ids)
        try FileManager.default.removeItem(atPath: feed.folder.path("feed/more.txt"))
        let store = try feed.imported()
        #expect(try store.rows("SELECT stop_name FROM gtfs_stops WHERE stop_id LIKE 'u%'") == names)
        #expect(try store.rows("SELECT stop_id FROM gtfs_stops WHERE stop_lon = 11") == ["\u{329}ɽ·"])
        #expect(try store.rows("SELECT stop_name FROM gtfs_stops WHERE stop_lon = 11") == [id])
    }

    /// Nothing is decoded anew in a feed, or in a file, that is UTF-8.
    @Test func strangeNamesInUTF8StayAsTheyAre() throws {
        let strange = ["\u{329}ɽ·", "жЯα", "RӯANA"]
        let feed = try LayeredFeed(["stops.txt": Self.stops(strange + ["Zürich"])])
        #expect(try feed.imported().rows("SELECT stop_name FROM gtfs_stops") == strange + ["Zürich"])
        try Self.write("stops.txt", Self.stops(Self.chinese), "GB18030", to: feed)
        let routes = "route_id,agency_id,route_short_name,route_long_name,route_type\n"
        try feed.write("routes.txt", Array((routes + "r,a,1,\(strange[0]),3\nr2,a,2,北京站,3\n").utf8))
        #expect(try feed.imported().rows("SELECT route_long_name FROM gtfs_routes") == [strange[0], "北京站"])
    }

    @Test func locationsHaveTheEncodingOfTheFeed() throws {
        let feed = try LayeredFeed()
        let zone = LocationsReading.feature(properties: #"{"stop_name":"新宿区"}"#)
        try Self.write("stops.txt", Self.stops(Self.japanese), "SHIFT_JIS", to: feed)
        try Self.write("locations.geojson", LocationsReading.collection(zone), "SHIFT_JIS", to: feed)
        #expect(try feed.imported().rows("SELECT name FROM location") == ["新宿区"])
    }

    @Test func damagedLocationsStayUTF8() throws {
        let feed = try LayeredFeed()
        let zone = LocationsReading.feature(properties: #"{"stop_name":"Zürich, Königstraße |"}"#)
        let bytes = LocationsReading.collection(zone).utf8.map { $0 == UInt8(ascii: "|") ? 0xC3 : $0 }
        try feed.write("locations.geojson", bytes)
        #expect(try feed.imported().rows("SELECT name FROM location") == ["Zürich, Königstraße \u{FFFD}"])
    }

    /// В and a no-break space in windows-1251 are the no-break space of UTF-8: only the second one is removed.
    @Test func lettersAreNotWhiteSpace() throws {
        let feed = try LayeredFeed()
        let names = ["Терминал В\u{A0}", "Вокзал", "Площадь Ленина", "Больница", "Парк культуры"]
        try Self.write("stops.txt", Self.stops(names), "WINDOWS-1251", to: feed)
        #expect(
            try feed.imported().rows("SELECT stop_name FROM gtfs_stops") == ["Терминал В"] + names.dropFirst())
    }
}
