import SQLite
import TestSupport
import Testing

@testable import GTFSImport

@Suite("Stops of one name have the same terms")
struct RepeatedNameTests {
    /// The importer stops remembering names when too few of them repeat. Here a few names repeat, and one stop has a
    /// spoken form. There are translations as well.
    @Test func namesThatRarelyRepeatHaveAllTheirWords() throws {
        let count = 40_000
        var stops = "stop_id,stop_name,stop_lat,stop_lon,tts_stop_name\n"
        for number in 0..<count {
            stops += "s\(number),Halt n\(number % 36_000),1,2,\(number == 7 ? "Stop seven" : "")\n"
        }
        let translations = (0..<200).map { "stops,stop_name,fr,Arrêt f\($0) n\($0),s\($0)\n" }.joined()
        let store = try LayeredFeed([
            "stops.txt": stops,
            "translations.txt": "table_name,field_name,language,translation,record_id\n" + translations,
        ]).imported()
        var expected = (0..<count).flatMap { ["halt s\($0)", "n\($0 % 36_000) s\($0)"] }
        expected += (0..<200).flatMap { ["arret s\($0)", "f\($0) s\($0)"] }
        let words = "SELECT normalized_word || ' ' || stop_id FROM"
        #expect(try store.rows("\(words) search_term JOIN stop ON stop.id = stop").sorted() == expected.sorted())
        #expect(
            try store.rows("\(words) search_spelling JOIN stop ON stop.id = stop ORDER BY 1") == [
                "seven s7", "stop s7",
            ])
    }

    /// More names than are remembered. Each comes three times: twice in a row, and again when it has been forgotten.
    @Test func aForgottenNameGetsItsWordsAgain() throws {
        let names = (0..<33_000).map { ["Düren Straße \($0)", "Київ \($0)", "Main St \($0)"][$0 % 3] }
        var stops = "stop_id,stop_name,stop_lat,stop_lon\ns1,Mitte,1,2\ns2,Mitte,1,2\n"
        for (number, name) in names.enumerated() { stops += "a\(number),\(name),1,2\nb\(number),\(name),1,2\n" }
        for (number, name) in names.enumerated() { stops += "c\(number),\(name),1,2\n" }
        let store = try LayeredFeed(["stops.txt": stops]).imported()
        #expect(try store.rows("SELECT count(*) FROM stop") == ["99002"])
        for table in ["search_term", "search_spelling"] {
            let words = "FROM \(table) JOIN stop ON stop.id = stop WHERE stop_id NOT IN ('s1', 's2')"
            #expect(
                try store.rows("SELECT name, normalized_word, count(*) \(words) GROUP BY 1, 2 HAVING count(*) <> 3")
                    == [])
        }
        for (stop, terms, spellings) in [
            ("c0", ["0", "duren", "straße"], ["dueren", "strasse"]), ("c1", ["1", "киів"], ["kyiv"]),
            ("c2", ["2", "main", "st"], []),
        ] {
            let ofStop = "JOIN stop ON stop.id = stop WHERE stop_id = '\(stop)' ORDER BY 1"
            #expect(try store.rows("SELECT normalized_word FROM search_term \(ofStop)") == terms)
            #expect(try store.rows("SELECT normalized_word FROM search_spelling \(ofStop)") == spellings)
        }
    }
}
