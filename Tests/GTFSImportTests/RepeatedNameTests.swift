import SQLite
import TestSupport
import Testing

@testable import GTFSImport

@Suite("Stops of one name have the same terms")
struct RepeatedNameTests {
    /// More names than are remembered, all of them three times: at once, and when they are forgotten.
    @Test func howeverManyNames() throws {
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
