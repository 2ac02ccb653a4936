import Foundation
import SQLite
import SQLitePages
import TestSupport
import Testing

@testable import GTFSImport

@Suite("The indexes by place hold the records that SQLite makes of the same stops")
struct PlaceIndexTests {
    private static let definitions = [
        PlaceIndexes.byLongitude: "(longitude, latitude)",
        PlaceIndexes.byCell: "(CAST((longitude + 180) * 100 AS INTEGER), latitude, longitude)",
    ]
    /// Coordinates that feeds write, invalid ones, and some that SQLite stores as whole numbers.
    private static let degrees = [
        "", "0", "-0.0", "13", "13.0", "13.4050001", "13.405", "-13.405", "179.999999", "180", "-180", "-180.005",
        "1e300",
        "-1e300", "92233720368547758", "1e-320", "-179.99", "-179.991", "north", "52.522", "4503599627370497",
    ]

    private func feed(stops: Int, _ random: inout SeededGenerator) throws -> LayeredFeed {
        var rows = "stop_id,stop_name,stop_lat,stop_lon\ns1,One,50,8\n"
        for stop in 0..<stops {
            let (latitude, longitude) =
                Bool.random(using: &random)
                ? ("\(Double.random(in: -1...1, using: &random))", "\(Double.random(in: -1...1, using: &random))")
                : (Self.degrees.randomElement(using: &random) ?? "", Self.degrees.randomElement(using: &random) ?? "")
            rows += "x\(stop),X,\(latitude),\(longitude)\n"
        }
        let feed = try LayeredFeed(["stops.txt": rows])
        feed.options.rowsOfLongTable = 1
        return feed
    }

    /// All records of an index, read from its pages.
    private func records(_ index: String, _ path: String) throws -> [[UInt8]] {
        let root = try #require(try Connection(path: path, mode: .readOnly).rootPage(of: index))
        let bytes = try Data(contentsOf: URL(filePath: path))
        let reader = try IndexTreeReader(pageSize: 4096, root: root) { page, memory in
            bytes.copyBytes(to: memory, from: (Int(page) - 1) * 4096..<Int(page) * 4096)
        }
        var records: [[UInt8]] = []
        while let record = try reader.next() { records.append(Array(record)) }
        return records
    }

    @Test(arguments: [0, 1, 30, 3_000]) func placeIndexesAreThoseThatSQLiteMakes(stops: Int) throws {
        var random = SeededGenerator(seed: UInt64(stops))
        let feed = try feed(stops: stops, &random)
        try feed.imported().expectSound()
        let copy = feed.folder.path("copy.sqlite")
        try FileManager.default.copyItem(atPath: feed.options.store, toPath: copy)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
        let connection = try Connection(path: copy, mode: .create)
        for (name, columns) in Self.definitions {
            let sql = try connection.text("SELECT sql FROM sqlite_schema WHERE name = '\(name)'")
            #expect(sql == "CREATE INDEX \(name) ON stop\(columns)")
            try connection.execute("CREATE INDEX twin_\(name) ON stop\(columns)")
        }
        for name in Self.definitions.keys {
            let ours = try records(name, copy)
            #expect(ours.count == stops + 1)
            #expect(try ours == records("twin_\(name)", copy))
        }
    }

    /// `PlaceIndexes.cell` agrees with SQLite's expression for the same numbers.
    @Test func cellsOfLongitudesAreThoseThatSQLiteComputes() throws {
        let connection = try Connection(path: ":memory:", mode: .create)
        let statement = try connection.prepare("SELECT CAST((?1 + 180) * 100 AS INTEGER)")
        var random = SeededGenerator(seed: 7)
        let more = (0..<1_000).map { _ in Double.random(in: -200...200, using: &random) }
        for longitude in Self.degrees.compactMap(Double.init) + more + [.infinity, -.infinity] {
            statement.reset()
            statement.bind(1, longitude)
            #expect(try statement.step())
            #expect(PlaceIndexes.cell(longitude) == statement.integer(0), "\(longitude)")
        }
    }
}
