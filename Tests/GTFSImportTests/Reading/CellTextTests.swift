import Testing

@testable import GTFSImport

/// How a cell's text changes before it is stored.
@Suite struct CellTextTests {
    @Test func whiteSpaceOfAnyKindIsRemovedAroundACell() throws {
        let (store, _) = try SmallFeed.store([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,zone_id\n"
                + "\u{A0}s1, \u{3000} 駅 \u{2009},50.1\u{202F},8.1,\u{3000}\ns2,\u{A0}Zwei\u{A0}Wörter\u{A0} ,50.2,8.2,\u{FEFF}z\n"
        ])
        #expect(
            try SmallFeed.all("SELECT stop_id, name, latitude, zone_id FROM stop WHERE id = 1", store) == "s1 駅 50.1 -")
        #expect(
            try SmallFeed.all("SELECT name, zone_id FROM stop WHERE id = 2", store) == "Zwei\u{A0}Wörter \u{FEFF}z")
        #expect(try SmallFeed.all("SELECT stop_id FROM gtfs_stop_times", store) == "s1; s2")
        #expect(
            try SmallFeed.all("SELECT count FROM notice_total WHERE code = 'leading_or_trailing_whitespaces'", store)
                == "4")
    }

    @Test(arguments: [
        "", " ", "a", "é", "\u{3000}", "a\u{3000}", "\u{A0}é\u{2000}", "\0", "日本", "\u{2007} \u{85}x\ty\u{1680}",
    ])
    func trimmingIsThatOfUnicode(text: String) {
        let scalars = Array(text.unicodeScalars)
        func isSpace(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.isWhitespace || (scalar.value < 0x20 && scalar.value > 0)
        }
        let start = scalars.firstIndex { !isSpace($0) } ?? scalars.endIndex
        let end = scalars.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
        var expected = String.UnicodeScalarView()
        expected.append(contentsOf: scalars[start..<end])
        let bytes = Array(text.utf8)
        let found = bytes.withUnsafeBytes { String(decoding: $0[TextRules.trimmed($0)], as: UTF8.self) }
        #expect(found.unicodeScalars.elementsEqual(expected))
    }
}
