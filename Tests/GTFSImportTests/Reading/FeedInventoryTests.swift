import GTFSSchema
import TestSupport
import Testing

@testable import GTFSFeed
@testable import GTFSImport

/// The files of a feed in the order of reading.
@Suite struct FeedInventoryTests {
    private static let files = Specification.gtfs.files

    /// A file that is missing from the order would be left out of the store without a word.
    @Test func everyFileOfTheSpecificationIsReadOnce() throws {
        #expect(FeedInventory.order.sorted() == Self.files.map(\.name).sorted())
        let feed = try OpenedFeed.open(CommandLineProgram.sampleFeed)
        var notices = NoticeLog(keptPerCode: 10)
        let inventory = FeedInventory(feed.entries, notices: &notices)
        #expect(inventory.tables.map { $0.definition.name } == FeedInventory.order)
    }

    /// References are resolved while reading, so a file comes after the files that it refers to. Only `parent_station`
    /// refers to its own file. The table of shapes has no file of its own: shapes.txt makes its rows.
    @Test func everyFileComesAfterThoseItRefersTo() throws {
        var own: [String] = []
        for file in Self.files {
            let place = try #require(FeedInventory.order.firstIndex(of: file.name))
            for field in file.fields {
                for target in field.targets {
                    let source = target.table == "shape" ? "shapes.txt" : Self.name(of: target.table)
                    guard source != file.name else {
                        own.append("\(file.name) \(field.name)")
                        continue
                    }
                    #expect(FeedInventory.order[..<place].contains(source), "\(file.name) \(field.name): \(target)")
                }
            }
        }
        #expect(own == ["stops.txt parent_station", "shapes.txt shape_id"])
    }

    /// Each notice about a row has the file's name.
    @Test(arguments: [(251, true), (252, false)])
    func `a file whose name is too long for a file system is no table`(letters: Int, isTable: Bool) {
        let name = String(repeating: "n", count: letters) + ".txt"
        var notices = NoticeLog(keptPerCode: 10)
        let inventory = FeedInventory([Self.entry(name)], notices: &notices)
        #expect(inventory.unknownTables.map(\.name) == (isTable ? [name] : []))
        #expect(inventory.others.map(\.name) == (isTable ? [] : [name]))
    }

    /// The names of all entries of a zip may take 64 MB.
    @Test func `a refusal shows the beginnings of long names`() throws {
        let names = "abcdefghijklm".map { String(repeating: $0, count: 60_000) }
        var notices = NoticeLog(keptPerCode: 10)
        let inventory = FeedInventory(names.map(Self.entry), notices: &notices)
        let error = #expect(throws: ImportError.self) {
            try inventory.requireFiles(feed: "a.zip", anomalies: [], notices: &notices)
        }
        let shown = names.prefix(12).map { $0.prefix(200) + "…" }.joined(separator: ", ")
        #expect(error?.message.hasSuffix(" are missing; the feed has \(shown) and 1 more") == true)
    }

    private static func entry(_ name: String) -> FeedEntry {
        let item = Container.Item(path: name, size: 0, checksum: nil, source: .file(path: name))
        return FeedEntry(item, name: name, path: name, place: "a.zip")
    }

    private static func name(of table: String) -> String { Specification.gtfs.file(ofTable: table)?.name ?? "" }
}
