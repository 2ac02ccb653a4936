import Testing

@testable import TransitStore

/// Names in other languages, and spoken ones, are found by each of their beginnings.
@Suite struct TranslatedSearchTests {
    private static let translations = [
        "中央市場前広場", "ちゅうおういちばまえ", "チュウオウイチバ", "ตลาดกลางสยามพารากอน", "中央市場 南口駅前広場",
    ]

    private static let store = Result {
        let rows = translations.enumerated().map { "stops,stop_name,x\($0),\($1),markt" }
        return try ImportedStore(
            files: [
                "translations.txt": """
                table_name,field_name,language,translation,record_id
                \(rows.joined(separator: "\n"))
                stops,tts_stop_name,ja-Hrkt,しじょうまえひろば,markt
                """
            ], over: ImportedStore.packageRoot + "/pipelines/sample-feed")
    }

    @Test(arguments: translations + ["しじょうまえひろば", "南口駅前広場"])
    func everyBeginningIsFound(name: String) throws {
        let context = try Self.store.get().context()
        for count in 1...name.unicodeScalars.count {
            let text = String(String.UnicodeScalarView(name.unicodeScalars.prefix(count)))
            #expect(try context.searchStops(text).map(\.stopID) == ["markt"], "\(text)")
        }
    }
}
