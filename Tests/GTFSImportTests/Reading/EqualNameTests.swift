import Foundation
import SQLite
import Testing

@testable import GTFSImport

/// Names that Swift takes for equal and SQLite does not: é in one code point and in two.
@Suite struct EqualNameTests {
    private static let (composed, decomposed) = ("\u{E9}", "e\u{301}")

    /// Of both kinds of table: with rowids, and clustered.
    @Test func `two columns of one table may have names that Swift takes for equal`() throws {
        let (store, _) = try SmallFeed.store([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,\(Self.composed),\(Self.decomposed)\n"
                + "s1,One,50.1,8.1,a,b\ns2,Two,50.2,8.2,c,d\n",
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,\(Self.decomposed),"
                + "\(Self.composed)\nt,06:00:00,06:00:00,s1,1,e,f\nt,06:10:00,06:10:00,s2,2,g,h\n",
            "other.txt": "\(Self.composed),\(Self.decomposed)\ni,j\n",
        ])
        for (view, one, other) in [
            ("gtfs_stops", "a; c", "b; d"), ("gtfs_stop_times", "f; h", "e; g"), ("gtfs_other", "i", "j"),
        ] {
            #expect(try SmallFeed.all("SELECT \"\(Self.composed)\" FROM \(view)", store) == one, "\(view)")
            #expect(try SmallFeed.all("SELECT \"\(Self.decomposed)\" FROM \(view)", store) == other, "\(view)")
        }
        #expect(try SmallFeed.all("SELECT * FROM notice WHERE code = 'duplicated_column'", store) == "")
    }

    /// Each file has its own table and view under its own name, with its own rows, cells and records that do not fit.
    @Test func `two unknown files may have names that Swift takes for equal`() throws {
        let (store, _) = try SmallFeed.store(
            ["\(Self.composed).txt": "a,b\n1,2\n3,4,5\n"],
            bytes: ["\(Self.decomposed).txt": Data("c\n6\n7,8\n9\n".utf8)])
        #expect(
            try SmallFeed.all(
                "SELECT hex(name), hex(\"table\"), hex(\"view\"), row_count FROM feed_file "
                    + "WHERE name GLOB '*\u{E9}.txt' OR name GLOB '*e\u{301}.txt' ORDER BY name", store)
                == "65CC812E747874 65787472615F65CC81 677466735F65CC81 3; C3A92E747874 65787472615FC3A9 677466735FC3A9 2"
        )
        #expect(try SmallFeed.all("SELECT * FROM \"gtfs_\(Self.composed)\"", store) == "1 2; 3 4")
        #expect(try SmallFeed.all("SELECT * FROM \"gtfs_\(Self.decomposed)\"", store) == "6; 7; 9")
        #expect(
            try SmallFeed.all("SELECT hex(file), row_number, value FROM extra_cell ORDER BY file", store)
                == "65CC812E747874 3 8; C3A92E747874 3 5")
    }

    @Test func `two files with such names may be in different encodings`() throws {
        // Each of the files has enough text to be judged alone.
        let russian = (1...5).flatMap { ["Площадь \($0)", "Вокзал \($0)", "Улица \($0)", "Майдан \($0)"] }
        let japanese = (1...5).flatMap { ["東京駅\($0)", "新宿三丁目\($0)", "市役所前\($0)", "病院前\($0)"] }
        let files: [(name: String, names: [String], encoding: String.Encoding)] = [
            ("a", russian, .windowsCP1251), (Self.composed, russian, .windowsCP1251),
            ("b", japanese, .shiftJIS), (Self.decomposed, japanese, .shiftJIS),
        ]
        let feed = try LayeredFeed()
        for (name, names, encoding) in files {
            let text = "name\n" + names.map { $0 + "\n" }.joined()
            try feed.write(name + ".txt", Array(#require(text.data(using: encoding))))
        }
        let store = try feed.imported()
        for (name, names, _) in files { #expect(try store.rows("SELECT * FROM \"gtfs_\(name)\"") == names, "\(name)") }
    }
}
