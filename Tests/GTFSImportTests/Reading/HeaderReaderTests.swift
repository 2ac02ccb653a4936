import GTFSFeed
import GTFSSchema
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// Headers of every kind, the plan made from them, and the resulting store.
@Suite struct HeaderReaderTests {
    private final class Text: ByteSource {
        private var rest: ArraySlice<UInt8>
        init(_ text: String) { rest = Array(text.utf8)[...] }
        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let part = rest.prefix(buffer.count)
            buffer.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
    }

    private func plan(_ header: String, of file: String? = "stops.txt") throws -> (HeaderPlan, [String]) {
        let reader = try CSVReader(source: Text(header))
        var notices = NoticeLog(keptPerCode: 10_000)
        let definition = file.flatMap { Specification.gtfs.file(named: $0) }
        let plan = HeaderReader(file: file ?? "x.txt", definition: definition, header: reader.header)
            .plan(&notices)
        return (plan, notices.kept.map(\.kind.code.name))
    }

    @Test func knownColumnsInAnyOrderAndSpelling() throws {
        let (plan, notices) = try plan(" stop_lon ,STOP_ID,Stop_Name,\"stop_lat\"\n")
        #expect(plan.known.map(\.name) == ["stop_lon", "stop_id", "stop_name", "stop_lat"])
        #expect(plan.known.map(\.source) == [0, 1, 2, 3])
        #expect(plan.extra.isEmpty && plan.count == 4)
        #expect(notices == ["leading_or_trailing_whitespaces", "unknown_column", "unknown_column"])
    }

    @Test func theFirstOfTwoColumnsIsRead() throws {
        let (plan, notices) = try plan("stop_id,stop_name,stop_id,STOP_ID,stop_lat,stop_lon\n")
        #expect(plan.known.map(\.source) == [0, 1, 4, 5])
        #expect(plan.extra.map(\.column.column) == ["stop_id_2", "STOP_ID_3"])
        #expect(plan.extra.map(\.column.viewColumn) == ["stop_id_2", "STOP_ID_3"])
        #expect(notices == ["duplicated_column", "unknown_column"])
    }

    /// A column in upper case before the right one is not read for it.
    @Test func theRightSpellingIsRead() throws {
        let (plan, notices) = try plan("stop_id,STOP_NAME,stop_name,stop_lat,stop_lon,Stop_Lat\n")
        #expect(plan.known.map(\.source) == [0, 2, 3, 4])
        #expect(plan.extra.map(\.column.viewColumn) == ["STOP_NAME_2", "Stop_Lat_2"])
        #expect(notices == ["unknown_column", "unknown_column"])
    }

    @Test func aNumberThatTheFeedHasIsNotGivenAgain() throws {
        let (plan, _) = try plan("a,a_2,A,a,A_3,a\n")
        #expect(plan.extra.map(\.column.column) == ["a", "a_2", "A_3", "a_4", "A_3_2", "a_5"])
    }

    /// One whose spelling is wrong was once compared with all others: 110,000 took 25 seconds.
    @Test func aHeaderMayHaveManyColumnsOfOneName() throws {
        let (plan, notices) = try plan("stop_lat" + String(repeating: ",STOP_ID", count: 110_000) + ",stop_id\n")
        #expect(plan.known.map(\.source) == [0, 110_001])
        #expect(plan.extra.count + plan.beyond.count == 110_000 && notices.count > 0)
    }

    /// Notices about a header after blank lines name its row.
    @Test func aHeaderMayFollowBlankLines() throws {
        let store = try LayeredFeed(["levels.txt": "\n\nlevel_id, level_index,what\nl,0,x\n"]).imported()
        #expect(
            try store.rows(
                "SELECT row_number, message FROM notice WHERE file = 'levels.txt' AND code <> 'empty_row' ORDER BY id")
                == [
                    "3|levels.txt, row 3, level_index: the column's name has white space around it, which was removed",
                    "3|levels.txt, row 3, what: not a column of GTFS; kept as text",
                ])
    }

    /// Also of those about the header that are made once all rows are stored.
    @Test func aRuleAboutAHeaderNamesItsRow() throws {
        let store = try LayeredFeed([
            "routes.txt": "\n\nroute_id,agency_id,route_short_name,route_type,network_id\nr,a,1,3,n\n",
            "networks.txt": "network_id,network_name\nn,N\n", "route_networks.txt": "network_id,route_id\nn,r\n",
        ]).imported()
        let code = "route_networks_specified_in_more_than_one_file"
        #expect(
            try store.rows("SELECT row_number, message LIKE 'routes.txt, row 3, %' FROM notice WHERE code = '\(code)'")
                == ["3|1", "3|1"])
    }

    /// Lines of blanks before the header are like empty ones.
    @Test(arguments: ["  ", "\t", " \n\n  "]) func blanksBeforeTheHeaderAreBlankRows(blanks: String) throws {
        let stops = "\n\(blanks)\nstop_id,stop_name,stop_lat,stop_lon\ns1,One,50.1,8.1\ns2,Two,50.2,8.2\n"
        let store = try LayeredFeed(["stops.txt": stops]).imported()
        #expect(try store.rows("SELECT stop_id, stop_name FROM gtfs_stops") == ["s1|One", "s2|Two"])
        let blankRows = "SELECT row_number FROM notice WHERE code = 'empty_row' AND file = 'stops.txt' ORDER BY 1"
        #expect(try store.rows(blankRows) == (blanks.contains("\n") ? ["1", "2", "3", "4"] : ["1", "2"]))
        #expect(try store.messages.count == (blanks.contains("\n") ? 4 : 2))
    }

    @Test func extraColumnsGetNamesThatTheTableDoesNotHave() throws {
        let (plan, _) = try plan("stop_id,id,name,NAME,latitude,normalized_name,level,x,X,\n")
        #expect(
            plan.extra.map(\.column.column)
                == ["id_2", "name_2", "NAME_3", "latitude_2", "normalized_name_2", "level_2", "x", "X_2", "column_10"])
        #expect(
            plan.extra.map(\.column.viewColumn)
                == ["id", "name", "NAME_2", "latitude", "normalized_name", "level", "x", "X_2", "column_10"])
    }

    @Test func repeatedNamesSkipNumbersThatAreTaken() throws {
        let (plan, _) = try plan("x_2,x,x,x\n", of: nil)
        #expect(plan.extra.map(\.column.column) == ["x_2", "x", "x_3", "x_4"])
    }

    @Test func noHeaderIsAnEmptyFile() throws {
        for text in ["", "\n\n", "\r\n"] {
            let (plan, notices) = try plan(text)
            #expect(plan.count == 0 && plan.known.isEmpty && plan.extra.isEmpty)
            #expect(notices == ["empty_file"])
        }
    }

    /// Whatever a column is called, its cells come back under that name.
    @Test(arguments: [
        "plain", "select", "two words", "it's", "\"\"quoted\"\"", "Straße", "名前", "🚋", "[z]", "--", "1", "a.b", "?1",
        ":x", "%s", "\\", "of_level", "rowid", "row", "sequence", "value", "k", "t", "\u{0}", "a\u{0}b", "*",
        "normalized_name",
    ])
    func anyNameComesBack(name: String) throws {
        let table =
            "stop_id,stop_name,stop_lat,stop_lon,\"\(name)\"\ns1,One,50.1,8.1,here\ns2,Two,50.2,8.2,\ns9,Nine,x,8.2,9\n"
        let store = try LayeredFeed(["stops.txt": table, "other.txt": table]).imported()
        let spelled = name.replacing("\"\"", with: "\"").filter { $0 != "\0" }
        for view in ["gtfs_stops", "gtfs_other"] {
            let columns = try store.rows("SELECT name FROM pragma_table_info('\(view)')")
            let column = try #require(columns.last { $0 == spelled || spelled.isEmpty }, "\(columns)")
            #expect(
                try store.rows("SELECT \(StoreSchema.quoted(column)) FROM \(view) ORDER BY stop_id") == [
                    "here", "-", "9",
                ])
        }
        try store.expectSound()
    }

    /// A SQLite table has at most 2,000 columns. The cells of the other columns are kept one by one.
    @Test(arguments: ["stops.txt", "wide.txt"]) func noneOfThreeThousandColumnsIsLost(file: String) throws {
        let names = (0..<3000).map { "x\($0)" }
        let header = (["stop_id", "stop_name", "stop_lat", "stop_lon"] + names).joined(separator: ",")
        func row(_ id: String) -> String {
            ([id, "Name", "50.1", "8.1"] + (0..<3000).map { $0 % 7 == 0 ? "" : "\(id)-\($0)" }).joined(separator: ",")
        }
        let feed = try LayeredFeed([file: "\(header)\n\(row("s1"))\n\(row("s2"))\n"])
        let store = try feed.imported()
        let view = "gtfs_\(file.dropLast(4))"
        let columns = try store.rows("SELECT name FROM pragma_table_info('\(view)')").filter { $0.hasPrefix("x") }
        #expect(columns.count >= 1_800)
        var found: [String] = []
        let rows = try store.connection.prepare("SELECT * FROM \(view) WHERE stop_id = 's2'")
        #expect(try rows.step())
        for column in 0..<rows.columnCount where rows.text(column)?.hasPrefix("s2-") == true {
            found.append(rows.text(column) ?? "")
        }
        found += try store.rows("SELECT value FROM extra_cell WHERE row_number = 3 ORDER BY position")
        #expect(found == (0..<3000).filter { $0 % 7 != 0 }.map { "s2-\($0)" })
        let position = try store.rows("SELECT position FROM extra_cell WHERE value = 's2-2999'")
        #expect(position == ["3004"])
        #expect(try store.rows("SELECT value FROM extra_cell WHERE row_number = 1 AND position = 3004") == ["x2999"])
        #expect(try store.messages.contains { $0.contains("more columns") })
        try store.expectSound()
    }
}
