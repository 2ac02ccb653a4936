import GTFSFeed
import TestSupport
import Testing

@testable import GTFSImport

/// Headers that take in more of the file than their line, or less: the notices say where.
@Suite struct HeaderFaultTests {
    private static let rows = "l,0,x\nm,1,y\n"

    /// The messages about levels.txt, without those about columns that are unknown or missing for this reason.
    private func messages(_ levels: String) throws -> [String] {
        let store = try LayeredFeed(["levels.txt": levels]).imported()
        try store.expectSound()
        return try store.rows(
            """
            SELECT code || '|' || row_number || '|' || message FROM notice WHERE file = 'levels.txt'
            AND code NOT IN ('unknown_column', 'missing_required_column', 'leading_or_trailing_whitespaces') ORDER BY id
            """)
    }

    @Test func aQuoteThatIsNeverClosedTakesInTheRestOfTheFile() throws {
        #expect(
            try messages("level_id,\"level_index,level_name\n" + Self.rows) == [
                "new_line_in_value|1|levels.txt, row 1, column 2: the column's name has a line break; the lines within it "
                    + "are not read as rows",
                "csv_parsing_failed|1|levels.txt, row 1, column 2: a quote is opened and never closed; read to the end "
                    + "of the line or file",
            ])
    }

    @Test func aQuoteMayBeClosedByOneInTheRows() throws {
        #expect(
            try messages("\n\"level_id,level_index,level_name\nl,0,x\n\"m\",1,y\n") == [
                "new_line_in_value|2|levels.txt, row 2, column 1: the column's name has a line break; the lines within it "
                    + "are not read as rows",
                "csv_parsing_failed|2|levels.txt, row 2: text follows a closing quote; it was added to the value as it "
                    + "stands",
                "empty_row|1|levels.txt, row 1: the row is blank; left out",
            ])
    }

    /// As in a row, such a quote is text, and only its line is read differently.
    @Test func aQuoteThatIsNotClosedWithinAMegabyteTakesInItsLineOnly() throws {
        let name = String(repeating: "x", count: 1 << 19)
        let levels = "\"level_id\",level_name,\"level_index\nl,\(name),0\nm,\(name),1\nn,N,2\n"
        let store = try LayeredFeed(["levels.txt": levels]).imported()
        #expect(
            try store.rows("SELECT message FROM notice WHERE code = 'csv_parsing_failed'") == [
                "levels.txt, row 1, column 3: a quote is opened and never closed; read to the end of the line or file"
            ])
        #expect(try store.rows("SELECT count(*) FROM gtfs_levels") == ["3"])
    }

    @Test func aQuoteWithinANameIsText() throws {
        let store = try LayeredFeed(["levels.txt": "level_id,level_index\",level_name\n" + Self.rows]).imported()
        #expect(try store.rows("SELECT level_id, \"level_index\"\"\" FROM gtfs_levels") == ["l|0", "m|1"])
        #expect(try store.messages.first == "levels.txt, row 1, level_index\": not a column of GTFS; kept as text")
    }

    @Test(arguments: [(";", "semicolons"), ("\t", "tabs")])
    func otherDelimitersThanCommasAreNoted(delimiter: String, name: String) throws {
        let levels = "\nlevel_id,level_index,level_name\n\(Self.rows)".replacing(",", with: delimiter)
        let store = try LayeredFeed(["levels.txt": levels, "notes.txt": "a\(delimiter)b\n1\(delimiter)2\n"]).imported()
        #expect(try store.rows("SELECT level_id, level_name FROM gtfs_levels") == ["l|x", "m|y"])
        #expect(
            try store.rows("SELECT file, row_number, message FROM notice WHERE code = 'csv_parsing_failed'") == [
                "levels.txt|2|levels.txt, row 2: the columns are divided by \(name) where GTFS has commas; read as such"
            ])
    }

    @Test func aHeaderOfMoreThanAMegabyteIsCut() throws {
        let name = String(repeating: "x", count: 1 << 20)
        #expect(
            try messages("level_id,level_index,\(name),level_name\nl,0,x,y\n") == [
                "csv_parsing_failed|1|levels.txt, row 1, column 3: the record is longer than --max-field allows and was "
                    + "cut there; the rest is not stored",
                "invalid_row_length|2|levels.txt, row 2: has 4 cells where the header has 3; further ones are kept in "
                    + "extra_cell",
            ])
    }
}
