import GTFSFeed
import GTFSSchema
import Testing

@testable import GTFSImport

/// How much of the queue between the stages a block takes.
@Suite struct ReadingEventTests {
    private static func weight(of file: String) throws -> Int {
        let state = ReadingState(notices: NoticeLog(keptPerCode: 20))
        let reader = try CSVReader(source: FileBytes(rest: Array(file.utf8)[...]))
        let definition = try #require(Specification.gtfs.file(named: "routes.txt"))
        let header = HeaderReader(file: "routes.txt", definition: definition, header: reader.header)
            .plan(&state.notices)
        let plan = TablePlan(
            file: "routes.txt", definition: definition, header: header, namespaces: state.namespaces)
        let block = ParsedBlock()
        let records = try #require(try reader.nextBlock())
        TableReader(plan: plan, shared: state).read(records, into: block)
        return ReadingEvent.block(block).weight
    }

    @Test func aSmallFileIsLight() throws {
        let rows = (0..<150).map { "\($0),a,Line \($0),From here to there,3,http://a.example/\($0),FF0000,FFFFFF\n" }
        let header =
            "route_id,agency_id,route_short_name,route_long_name,route_type,route_url,route_color,route_text_color\n"
        #expect(try Self.weight(of: header + rows.joined()) == 1)
    }

    /// The rows have 16 KB, but 8,000 records with their positions and cells take twenty times that much memory.
    @Test(arguments: ["route_id\n", "route_type\n", "x\n"]) func manyRowsOfAByteAreHeavy(header: String) throws {
        #expect(try Self.weight(of: header + String(repeating: "1\n", count: 8_000)) == ReadingEvent.fullWeight)
    }

    @Test func manyCellsOfAByteAreHeavy() throws {
        let row = String(repeating: "1,", count: 40) + "1\n"
        #expect(try Self.weight(of: "route_id\n" + String(repeating: row, count: 190)) == ReadingEvent.fullWeight)
    }

    @Test func aFileOfLongTextsIsHeavy() throws {
        let long = String(repeating: "x", count: 70_000)
        #expect(try Self.weight(of: "route_id,route_desc\n1,\(long)\n") == ReadingEvent.fullWeight)
    }
}
