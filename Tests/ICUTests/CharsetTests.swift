import Foundation
import ICU
import TestSupport
import Testing

struct CharsetTests {
    @Test(arguments: [
        ("windows-1252", Names.german), ("windows-1252", Names.french), ("windows-1252", Names.norwegian),
        ("windows-1252", Names.icelandic), ("ISO-8859-2", Names.polish), ("windows-1250", Names.polish),
        ("windows-1250", Names.czech), ("windows-1250", Names.croatian), ("windows-1251", Names.ukrainian),
        ("KOI8-U", Names.ukrainian), ("windows-1253", Names.greek), ("ISO-8859-7", Names.greek),
        ("windows-1254", Names.turkish), ("windows-1255", Names.hebrew), ("windows-1257", Names.lithuanian),
        ("windows-1257", Names.lithuanian + ";„Saulėtekio“ žiedas"),
        ("ISO-8859-13", Names.lithuanian + ";„Saulėtekio“ žiedas"),
        ("ISO-8859-13", Names.latvian),
        ("Shift_JIS", Names.japanese), ("EUC-JP", Names.japanese), ("GB18030", Names.chinese),
        ("Big5-HKSCS", Names.taiwanese), ("windows-949", Names.korean),
        // With characters that Big5 and EUC-KR lack.
        ("Big5-HKSCS", Names.hongKong), ("windows-949", Names.korean + ";커피숖앞;뷁동"),
    ])
    func `stops in a legacy encoding are recognized and read back`(encoding: String, names: String) throws {
        let file = Names.stopsFile(names)
        let bytes = try #require(LegacyText.encode(file, as: encoding))
        #expect(String(validating: bytes, as: UTF8.self) == nil, "the sample must not be UTF-8")
        let detected = bytes.withUnsafeBytes { Charset.detect($0) }
        #expect(detected == encoding)
        #expect(LegacyText.decode(bytes, as: detected) == file)
    }

    /// ICU has no statistics for these: DOS, old Macs, Thai, and the Latin alphabets of ISO with few names.
    @Test(arguments: [
        ("macintosh", Names.german), ("macintosh", Names.french), ("macintosh", Names.norwegian),
        ("IBM850", Names.german),
        ("IBM850", "Hôtel de Ville;Étoile;Bibliothèque;Préfecture;Château Rouge;Poissonnière"),
        ("IBM850", Names.norwegian),
        ("IBM852", Names.polish), ("IBM852", Names.czech), ("IBM866", "Вокзал;Улица Пушкина;Площадь Ленина"),
        ("x-mac-centraleurroman", Names.polish), ("windows-874", Names.thai), ("windows-874", "สยาม;อโศก"),
        ("ISO-8859-2", "Náměstí Míru;Žižkov;Říčany"), ("ISO-8859-15", "Sacré-Cœur;Œuvre;Hôtel de Ville;Opéra"),
    ])
    func `encodings that ICU does not tell are recognized by what stands within words`(
        encoding: String, names: String
    ) throws {
        let bytes = try #require(LegacyText.encode(Names.stopsFile(names), as: encoding))
        #expect(bytes.withUnsafeBytes { Charset.detect($0) } == encoding)
    }

    /// ICU needs more text, and does not know old Macs.
    @Test(
        arguments: ["windows-1251", "KOI8-U", "ISO-8859-5", "IBM866", "x-mac-cyrillic"],
        ["Депо Шевченка;вул. Милослав (101к);Авторинок", "Бизнес парк;Бели Дунав;Вардар", "Вокзал;Улица Пушкина"])
    func `a few Cyrillic names are enough`(encoding: String, names: String) throws {
        let bytes = try #require(LegacyText.encode(Names.stopsFile(names), as: encoding))
        #expect(bytes.withUnsafeBytes { Charset.detect($0) } == encoding)
    }

    /// ICU takes so few for windows-1252 and Shift_JIS.
    @Test(arguments: [
        ("windows-1253", "Σύνταγμα;Μοναστηράκι;Ομόνοια;Ακρόπολη"), ("windows-1253", "Λόφος Σκουζέ;Πειραιάς"),
        (
            "windows-1253",
            "Σύνταγμα;Μοναστηράκι;Ομόνοια;Ακρόπολη;Πειραιάς;Θησείο;Κηφισιά;Μαρούσι;Ειρήνη;Νερατζιώτισσα"
        ),
        ("ISO-8859-7", "Άγιος Δημήτριος;Άνω Πατήσια"),
        ("windows-874", "หมอชิต;สะพานควาย;อารีย์;สนามเป้า;พญาไท;ราชเทวี;ชิดลม;เพลินจิต"),
        ("windows-874", "พระราม 9;ศูนย์วัฒนธรรม"), ("windows-874", "โรงเรียนนายเรือ;ปากน้ำ;ช้างเอราวัณ"),
    ])
    func `a few Greek or Thai names are enough`(encoding: String, names: String) throws {
        let bytes = try #require(LegacyText.encode(Names.stopsFile(names), as: encoding))
        #expect(bytes.withUnsafeBytes { Charset.detect($0) } == encoding)
    }

    /// Cyrillic capitals may pass for Thai, kanji for Korean, Turkish letters for Icelandic ones, Spanish
    /// ones of an old Mac for dashes, and French ones of DOS for wide letters.
    @Test(arguments: [
        (
            "ISO-8859-5",
            "ОХОТНЫЙ РЯД;ЛУБЯНКА;ЧИСТЫЕ ПРУДЫ;КРАСНЫЕ ВОРОТА;УНИВЕРСИТЕТ;СПОРТИВНАЯ;АВТОЗАВОДСКАЯ;КАШИРСКАЯ"
        ),
        ("EUC-JP", "高浜橋;青山二丁目交差点;光林寺;魚籃坂下;芝五丁目;高輪三丁目;港南三丁目;西麻布;六本木;白金台"),
        ("GB18030", "复兴门;南礼士路;八宝山;古城;宣武门;永安里"),
        ("windows-1254", "Şişhane;Darüşşafaka;Kadıköy;Göztepe"),
        ("windows-1254", "Soğanlık;Pendik;Acıbadem;Tavşantepe;Çeşmesi"),
        ("macintosh", "Río Arillo;Alagón;Lora Del Río"), ("IBM850", "Espérance;Homme de Fer"),
    ])
    func `letters are not taken for those of another script`(encoding: String, names: String) throws {
        let file = Names.stopsFile(names)
        let bytes = try #require(LegacyText.encode(file, as: encoding))
        let detected = bytes.withUnsafeBytes { Charset.detect($0) }
        #expect(LegacyText.decode(bytes, as: detected) == file, "\(detected)")
    }

    /// Names of lines have as many dashes and quotation marks as letters beyond ASCII.
    @Test(arguments: [
        ("windows-1250", "Łódź — Kraków;Las Gdański — Wilczak;Łęgnowo — Lisia"),
        ("windows-1250", "Gdańska „Dworzec”;Łódź;Żórawia „Poczta”"),
        ("windows-1250", "Zaprešić – Zagreb;Črnomerec – Žitnjak;Dubrava – Špansko"),
        ("windows-1252", "Gare – Hôpital;Centre – Mairie d’Issy;Première – Forêt;Opéra – Père Lachaise;Où – Là…"),
        ("windows-1252", "Gare - Hôpital;Centre - Mairie;Première - Forêt;Opéra - Père Lachaise;Où - Là"),
        ("windows-1252", "Gare Hôpital;Centre Mairie;Première Forêt;Opéra Père Lachaise;Où Là"),
        ("windows-1252", "Hôpital;Mairie d’Issy;Première;Forêt;Opéra;Père Lachaise;Où;Là"),
        ("windows-1252", "Gare – Hôpital;Première – Forêt;Opéra – Père Lachaise;Où – Là"),
        ("windows-1252", "„Süd“ – Rathaus;Mitte – „Nord“;Süd – Ost"),
        ("windows-1251", "Ковель – Київ;Львів – Рівне;«Центр» – Вокзал"),
        ("windows-1257", "Šiauliai – Kėdainiai;Vilkaviškis – Utena;Žvėrynas – Šilas;Naujoji Akmenė – Telšiai"),
    ])
    func `dashes and quotation marks say nothing about the letters`(encoding: String, names: String) throws {
        let bytes = try #require(LegacyText.encode(Names.stopsFile(names), as: encoding))
        #expect(bytes.withUnsafeBytes { Charset.detect($0) } == encoding)
    }

    @Test func `lines with dashes keep the encoding of the stops`() throws {
        let stops = try #require(LegacyText.encode(Names.stopsFile(Names.polish), as: "windows-1250"))
        let ofStops = stops.withUnsafeBytes { Charset.guess($0) }
        #expect(ofStops.name == "windows-1250")
        for names in ["Łęgnowo — Lisia", "Gdańska „Dworzec”", "Kraków…"] {
            let lines = try #require(LegacyText.encode(Names.stopsFile(names), as: "windows-1250"))
            #expect(lines.withUnsafeBytes { Charset.guess($0, preferring: ofStops) } == ofStops)
        }
    }

    /// Each has bytes that are Cyrillic letters in some encoding, with a capital first.
    @Test(arguments: [
        ("windows-1253", "Ομόνοια;Λόφος"), ("windows-1255", "ירושלים;שדרות"), ("GB18030", "ירושלים;שדרות"),
        ("windows-949", Names.korean), ("windows-1252", "Öå;Åre;Ærø"),
    ])
    func `names in other alphabets are not Cyrillic`(encoding: String, names: String) throws {
        let bytes = try #require(LegacyText.encode(Names.stopsFile(names), as: encoding))
        #expect(bytes.withUnsafeBytes { Charset.detect($0) } == encoding)
    }

    /// Signs that names do have, in windows-1252 alone.
    @Test(arguments: [
        "Starbucks®;Café™", "Km 2½;½ Moon;1¼ Mile", "Nº 5;1ª Avenida;Pza. Mª Pita", "N°12;Gate 3°;20 °C", "5 m²;100m²",
        "L´Hospitalet;Sant Cugat d´Amunt", "d’Alembert;“Kino”;»Markt«;„Post“", "STRAßE;GROßER MARKT",
        "Col·legi;Sant Gil·la",
        "A–B;Nord—Süd", "¿Quién?;¡Hola!", "© Stadt;§ 12;¶ Absatz", "5€;£3;¥4", "Café•Bar;…Ende",
    ])
    func `signs in names leave them in windows-1252`(names: String) throws {
        let bytes = try #require(LegacyText.encode(Names.stopsFile(names), as: "windows-1252"))
        let detected = bytes.withUnsafeBytes { Charset.detect($0) }
        #expect(LegacyText.decode(bytes, as: detected) == Names.stopsFile(names), "\(detected)")
    }

    /// Some feeds have them around every name, because it was copied from a page or a form.
    @Test(arguments: [
        ("windows-1252", "\u{A0}", Names.german), ("windows-1250", "\u{A0}", Names.polish),
        ("windows-1251", "\u{A0}", Names.ukrainian), ("KOI8-U", "\u{A0}", Names.ukrainian),
        ("Shift_JIS", "\u{3000}", Names.japanese), ("GB18030", "\u{3000}", Names.chinese),
        ("Big5-HKSCS", "\u{3000}", Names.taiwanese), ("EUC-JP", "\u{3000}", Names.japanese),
        ("windows-949", "\u{3000}", Names.korean), ("EUC-JP", " \u{3000}\u{3000} ", Names.japanese),
    ])
    func `wide spaces do not hide the letters`(encoding: String, space: String, names: String) throws {
        let file = Names.stopsFile(names.split(separator: ";").map { "\(space)\($0)\(space)" }.joined(separator: ";"))
        let bytes = try #require(LegacyText.encode(file, as: encoding))
        #expect(bytes.withUnsafeBytes { Charset.detect($0) } == encoding)
    }

    /// As a spreadsheet writes them whose columns have the same width.
    @Test(arguments: [
        ("windows-1252", "\u{A0}", Names.german), ("windows-1251", "\u{A0}", Names.ukrainian),
        ("EUC-JP", "\u{3000}", Names.japanese), ("windows-949", "\u{3000}", Names.korean),
    ])
    func `wide spaces around every value do not hide the letters`(encoding: String, space: String, names: String) throws
    {
        let lines = Names.stopsFile(names).split(separator: "\r\n").map { line in
            line.split(separator: ",").map { "\(space)\($0)\(space)\(space)" }.joined(separator: ",")
        }
        let bytes = try #require(LegacyText.encode(lines.joined(separator: "\r\n"), as: encoding))
        #expect(bytes.withUnsafeBytes { Charset.detect($0) } == encoding)
    }

    /// A file with nothing else beyond ASCII is still in the encoding of the others.
    @Test(arguments: [("EUC-JP", Names.japanese), ("windows-949", Names.korean), ("GB18030", Names.chinese)])
    func `wide spaces alone fit the encoding of the other files`(encoding: String, names: String) throws {
        let stops = try #require(LegacyText.encode(Names.stopsFile(names), as: encoding))
        let calls = try #require(LegacyText.encode("stop_id\ns1\u{3000}\n\u{3000}s2\n", as: encoding))
        let ofStops = stops.withUnsafeBytes { Charset.guess($0) }
        #expect(calls.withUnsafeBytes { Charset.guess($0, preferring: ofStops) } == ofStops)
        #expect(calls.withUnsafeBytes { Charset.guess($0) }.hasTwoByteLetters)
    }

    /// A multibyte encoding takes the letter after a byte above ASCII with it, and leaves an ideograph beside Latin
    /// letters.
    @Test(arguments: [
        "Hauptstraße", "Bahnhofstraße", "Coruña", "Logroño", "Belém", "Århus", "Évry", "Klaksvík", "Kasnäs", "Lonzée",
        "Süd", "ÖBB", "Åre", "TÜV",
    ])
    func `one name of a western language is no ideograph`(name: String) throws {
        let bytes = try #require(LegacyText.encode("stop_id,stop_name\nS1,\(name)\nS2,Market\n", as: "windows-1252"))
        #expect(bytes.withUnsafeBytes { Charset.detect($0) } == "windows-1252")
    }

    @Test func `the files of a feed have one encoding, unless their text contradicts it`() throws {
        func guess(_ text: String, _ encoding: String, preferring earlier: Charset.Guess? = nil) throws -> Charset.Guess
        {
            try #require(LegacyText.encode(text, as: encoding)).withUnsafeBytes {
                Charset.guess($0, preferring: earlier)
            }
        }
        let stops = try guess(Names.stopsFile(Names.croatian), "windows-1250")
        #expect(stops.name == "windows-1250")
        #expect(try guess("STRIZIĆ", "windows-1250").name != "windows-1250")
        #expect(try guess("STRIZIĆ", "windows-1250", preferring: stops) == stops)
        // Much text in a file does not count for more than one encoding for all.
        let polish = try guess(Names.stopsFile(Names.polish), "windows-1250")
        let western = try guess("Hauptstraße", "windows-1252")
        #expect(try guess(Names.stopsFile(Names.german), "windows-1252", preferring: polish) == polish)
        #expect(try guess(Names.stopsFile(Names.greek), "windows-1253", preferring: western) == western)
        // A file that is not written as the others are.
        #expect(try guess("新宿 3 丁目", "Shift_JIS", preferring: stops).name == "Shift_JIS")
    }

    /// Their second bytes are ASCII letters.
    @Test(arguments: [("新宿", "Shift_JIS"), ("台", "Big5-HKSCS")])
    func `a few ideographs with an ASCII byte in each are enough`(name: String, encoding: String) throws {
        let bytes = try #require(LegacyText.encode("stop_name\n\(name)\n", as: encoding))
        #expect(bytes.withUnsafeBytes { Charset.detect($0) } == encoding)
    }

    /// However long the samples are, and whatever they are padded with, only what tells the encoding is held.
    @Test(arguments: [
        ("windows-1252", Names.german), ("windows-1251", Names.ukrainian), ("Shift_JIS", Names.japanese),
        ("GB18030", Names.chinese), ("windows-949", Names.korean),
    ])
    func `samples one by one give the guess for all of them together`(encoding: String, names: String) throws {
        let file = try #require(LegacyText.encode(Names.stopsFile(names), as: encoding))
        let padding = [UInt8](repeating: 0xA1, count: 20_000)
        let pieces = file.split(separator: 0x0A).map { Array($0) + [0x2C, 0xA1, 0xA1] }
        for samples in [[file], [padding, file, padding], pieces, [padding], Array(repeating: file, count: 30)] {
            var text = CharsetText()
            for sample in samples { sample.withUnsafeBytes { text.add($0) } }
            let joined = Array(samples.joined(separator: [0x0A]))
            let expected = joined.withUnsafeBytes { Charset.guess($0) }
            #expect(text.guess == expected && text.evidence == expected.evidence)
        }
    }

    @Test func `ASCII before the first letter does not hide it`() throws {
        let header = (0..<3000).map { "S\($0),Main Street \($0),52.5,13.4,,,\n" }.joined()
        let bytes = try #require(LegacyText.encode(header + Names.stopsFile(Names.japanese), as: "Shift_JIS"))
        #expect(bytes.withUnsafeBytes { Charset.detect($0) } == "Shift_JIS")
    }

    @Test(arguments: [
        [], Array("stop_id,stop_name\n".utf8), [0xFF], [0x96, 0x20, 0x96],
        [0x80, 0x20, 0x85],
    ])
    func `nothing to go by means windows-1252`(bytes: [UInt8]) {
        #expect(bytes.withUnsafeBytes { Charset.detect($0) } == "windows-1252")
    }

    @Test func `whatever the bytes, the answer is no Unicode, and can be decoded`() {
        var state: UInt64 = 3
        for round in 0..<300 {
            let bytes = (0..<(round * 40)).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 33)
            }
            let detected = bytes.withUnsafeBytes { Charset.detect($0) }
            #expect(!detected.hasPrefix("UTF"))
            #expect(CharsetDecoder(detected) != nil)
        }
        for encoding in ["UTF-16LE", "UTF-16BE", "UTF-8"] {
            let bytes = LegacyText.encode(Names.stopsFile(Names.german), as: encoding) ?? []
            #expect(!bytes.withUnsafeBytes { Charset.detect($0) }.hasPrefix("UTF"))
        }
    }

    @Test(
        .enabled(
            if: RealFeeds.zip("no-atb-latin1.zip") != nil,
            "needs no-atb-latin1.zip among the feeds that GTFS_FEEDS names"))
    func `a real feed from Norway is windows-1252`() throws {
        let bytes = try RealFeedMember.member("stops.txt", of: #require(RealFeeds.zip("no-atb-latin1.zip")))
        #expect(bytes.withUnsafeBytes { Charset.detect($0) } == "windows-1252")
        #expect(LegacyText.decode(bytes, as: "windows-1252")?.contains("16242135,Olsøya,63.672") == true)
    }
}

/// Reads members of real feeds.
private enum RealFeedMember {
    /// A member's bytes, read with Python so that this test does not depend on our reader.
    static func member(_ name: String, of zip: String) throws -> [UInt8] {
        let script = "import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))"
        let python = Process()
        let output = Pipe()
        python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        python.arguments = ["python3", "-c", script, zip, name]
        python.standardOutput = output
        try python.run()
        let bytes = Array(output.fileHandleForReading.readDataToEndOfFile())
        python.waitUntilExit()
        return bytes
    }
}

/// Names of stops in the languages for which the encodings were made.
private enum Names {
    /// A file of stops like those in feeds, from names separated by semicolons.
    static func stopsFile(_ names: String) -> String {
        let rows = names.split(separator: ";").enumerated()
            .map { "\($0.offset),\"\($0.element)\",52.5\($0.offset),13.4,,0\r\n" }
        return "stop_id,stop_name,stop_lat,stop_lon,stop_code,location_type\r\n" + rows.joined()
    }

    static let german =
        "Köpenicker Straße;Bahnhof Süd;Gedenkstätte;Überlingen;Mühlacker;Hölderlinplatz;Schönhauser Allee;Görlitzer Park"
    static let french =
        "Hôtel de Ville;Étoile;Bibliothèque François Mitterrand;Préfecture;Château Rouge;Gare de l’Est;Poissonnière"
    static let norwegian =
        "Olsøya;Øvre Årdal;Brønnøysund;Trondheim lufthavn Værnes;Småkjærveien;Ytterøy;Grønland;Håkvik"
    static let icelandic =
        "Reykjavík;Hlemmur;Höfðatorg;Þingvellir;Ísafjörður;Mjódd;Fjörður;Egilsstaðir;Borgarnes;Hamraborg;Ártún"
    static let polish =
        "Łódź Fabryczna;Rondo Wielkopolskie;Błonie;Przyjaźni;Świętojańska;Żwirki i Wigury;Plac Wolności;Dworzec Główny"
    static let czech =
        "Náměstí Míru;Hlavní nádraží;Můstek;Křižíkova;Nový Smíchov;Plzeň hlavní nádraží;Žižkov;Vyšehrad;Budějovická"
    static let croatian =
        "Željeznički kolodvor;Črnomerec;Savski most;Mihaljevac;Trešnjevački trg;Lušci;Žitnjak;Sveučilište;Kaštel Štafilić"
    static let ukrainian =
        "Площа Незалежності;Вокзальна;Університет;Театральна;Золоті ворота;Контрактова площа;Майдан;Київська;Шулявська"
    static let greek =
        "Σύνταγμα;Ομόνοια;Πειραιάς;Κηφισιά;Μοναστηράκι;Ακρόπολη;Νέος Κόσμος;Άγιος Δημήτριος;Πανεπιστήμιο;Αεροδρόμιο"
    static let turkish =
        "Taksim Meydanı;Kadıköy İskelesi;Beşiktaş;Üsküdar;Mecidiyeköy;Şişhane;Bağcılar Meydan;Göztepe;Çağlayan;Bostancı"
    static let hebrew = "תל אביב מרכז;ירושלים;חיפה חוף הכרמל;באר שבע;נתניה;הרצליה;תחנה מרכזית;שדרות;אשקלון;רחובות"
    static let lithuanian =
        "Stotis;Žaliasis tiltas;Šv. Petro ir Povilo bažnyčia;Žvėrynas;Antakalnis;Lukiškės;Šeškinė;Fabijoniškės;Kėdainiai"
    static let latvian =
        "Brīvības iela;Tirdzniecības centrs „Spice”;Ķengarags;Šķirotava;Čiekurkalns;Mežaparks;Āgenskalna tirgus;Zolitūde"
    static let japanese = "東京駅八重洲口;新宿三丁目;市役所前;高岡駅;小学校前;公民館;病院前;アピタ前;ふれあい通り;中央町"
    static let chinese = "北京西站;天安门东;上海虹桥站;人民广场;广州南站;深圳北站;体育西路;客运中心;成都东站;春熙路;武汉大学"
    static let taiwanese = "台北車站;西門町;國父紀念館;忠孝復興;中正紀念堂;淡水老街;臺灣大學醫院;松山機場;高雄火車站;板橋;新北投"
    static let hongKong = "鰂魚涌;杏花邨;深水埗;大圍;中環;尖沙咀;旺角;銅鑼灣;北角;柴灣;荃灣;沙田;九龍塘;黃大仙;觀塘;藍田;調景嶺;將軍澳"
    static let korean = "서울역;시청;종각;강남역;부산역;대전복합터미널;광화문;동대문역사문화공원;인천국제공항;수원시청;잠실;신촌"
    static let thai = "สยาม;หมอชิต;อโศก;พร้อมพงษ์;ทองหล่อ;เอกมัย;พระโขนง;อ่อนนุช;บางจาก;อุดมสุข;ศาลาแดง;ช่องนนทรี;สุรศักดิ์"
}
