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
        let item = Container.Item(path: name, size: 0, checksum: nil, source: .file(path: name))
        var notices = NoticeLog(keptPerCode: 10)
        let inventory = FeedInventory([FeedEntry(item, name: name, path: name, place: "a.zip")], notices: &notices)
        #expect(inventory.unknownTables.map(\.name) == (isTable ? [name] : []))
        #expect(inventory.others.map(\.name) == (isTable ? [] : [name]))
    }

    private static func name(of table: String) -> String { Specification.gtfs.file(ofTable: table)?.name ?? "" }
}
