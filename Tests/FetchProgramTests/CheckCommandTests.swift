import Foundation
import GTFSImport
import SQLite
import TestSupport
import Testing

/// `check`, and what the program does with files that only look like stores.
@Suite struct CheckCommandTests {
    /// A copy of the sample store that a test may damage.
    private final class Copy {
        let path = FileManager.default.temporaryDirectory.appending(path: "check-\(UUID().uuidString).sqlite").path

        init() throws { try FileManager.default.copyItem(atPath: FetchProgram.shared.get().store, toPath: path) }
        deinit { try? FileManager.default.removeItem(atPath: path) }

        var bytes: Data {
            get throws { try Data(contentsOf: URL(filePath: path)) }
        }

        func write(_ data: Data) throws { try data.write(to: URL(filePath: path)) }

        /// Makes changes that import-gtfs would not.
        func execute(_ sql: String) throws {
            let connection = try Connection(path: path, mode: .create)
            try connection.execute(sql)
        }

        /// Changes a byte of the header, which is on the first page, and the checksums with it.
        func setHeader(_ offset: Int, to byte: UInt8) throws {
            var bytes = Array(try bytes)
            bytes[offset] = byte
            let sums = (bytes.count - 28) / 4_100 * 4_096
            for (part, place) in [(0..<4_096, sums), (sums..<bytes.count - 4, bytes.count - 4)] {
                var crc = UInt32.max
                for byte in bytes[part] {
                    crc ^= UInt32(byte)
                    for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
                }
                bytes.replaceSubrange(place..<place + 4, with: withUnsafeBytes(of: (~crc).bigEndian) { Array($0) })
            }
            try write(Data(bytes))
        }

        func run(_ arguments: String...) throws -> FetchProgram.Result { try FetchProgram.run([path] + arguments) }
    }

    @Test func aStoreAsPublishedIsSound() throws {
        let copy = try Copy()
        let result = try copy.run("check")
        #expect(result.exitCode == 0, "\(result.error)")
        #expect(result.output == "\(copy.path) is sound: every byte is as import-gtfs published it.\n")
        #expect(try copy.run("check", "--quick").exitCode == 0)
        #expect(try copy.run("check", "--format", "json").output == "[]\n")
    }

    @Test func aFileThatCannotBeOpenedIsNamed() throws {
        let copy = try Copy()
        let missing = try FetchProgram.run([copy.path + ".none", "check"])
        #expect(missing.exitCode == 66)
        #expect(missing.error == "fetch-gtfs: There is no store at \(copy.path).none\n")
        let folder = try FetchProgram.run(["/", "check"])
        #expect(folder.exitCode == 66)
        #expect(folder.error == "fetch-gtfs: / is a folder, a pipe or a device, not a file\n")
    }

    @Test(arguments: [
        "stop", "stop_time", "agency", "feed", "notice_total", "stop_time_stop_departure_time", "trip_trip_id",
    ])
    func theHurtTableIsNamed(name: String) throws {
        let copy = try Copy()
        let connection = try Connection(path: copy.path, mode: .readOnly)
        let page = Int(
            try #require(try connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'")))
        let table = try #require(try connection.text("SELECT tbl_name FROM sqlite_schema WHERE name = '\(name)'"))
        var hurt = try copy.bytes
        hurt[(page - 1) * 4096 + 2_000] ^= 1
        try copy.write(hurt)
        let result = try copy.run("check", "--format", "jsonl")
        #expect(result.exitCode == 65)
        let index = name == table ? "null" : "\"\(name)\""
        #expect(
            result.output
                == "{\"table\":\"\(table)\",\"index\":\(index),\"pages\":1,\"firstPage\":\(page),\"lastPage\":\(page)}\n"
        )
        #expect(
            result.error == "fetch-gtfs: \(copy.path) is damaged: page \(page) is not as published, in \(table). "
                + "Import the feed again.\n")
    }

    @Test func theSchemaIsNamed() throws {
        let copy = try Copy()
        var hurt = try copy.bytes
        hurt[120] ^= 0xFF
        try copy.write(hurt)
        let result = try copy.run("check")
        #expect(result.exitCode == 65)
        #expect(result.error.contains("page 1 is not as published, in sqlite_schema"), "\(result.error)")
    }

    @Test func aCutStoreNamesWhatIsMissing() throws {
        let copy = try Copy()
        try copy.write(copy.bytes.prefix(20 * 4096))
        let result = try copy.run("check")
        #expect(result.exitCode == 65)
        #expect(result.error.contains("is damaged: it has 81920 of "), "\(result.error)")
        #expect(result.output.contains("sqlite_schema"))
        try copy.write(Data())
        #expect(try copy.run("check").exitCode == 65)
        #expect(try FetchProgram.run([copy.path + ".none", "check"]).exitCode == 66)
    }

    /// A damaged header may claim four thousand million pages.
    @Test(.enabled(if: !isSanitized, "sanitizers take memory of their own"))
    func aHeaderThatClaimsManyPagesTakesNoMemory() throws {
        let copy = try Copy()
        var cut = try copy.bytes.prefix(2 * 4096)
        cut.replaceSubrange(28..<32, with: [0xFF, 0xFF, 0xFF, 0xF0])
        try copy.write(cut)
        let command = "ulimit -v 3000000; exec '\(FetchProgram.path)' '\(copy.path)' check --quick"
        let result = try CommandLineProgram.run(["-c", command], executable: "/bin/sh")
        #expect(result.exitCode == 65, "\(result)")
        #expect(result.error.contains("is damaged: it has 8192 of "), "\(result.error)")
    }

    @Test func anyTimeLimitIsTaken() throws {
        #expect(try Copy().run("check", "--timeout", "1e300").exitCode == 0)
    }

    /// SQLite says which pages each tree has (<https://sqlite.org/dbstat.html>). For a cut store, `check` names only
    /// trees with missing pages. It may leave out a tree only if the tree's row in the schema is cut off as well.
    @Test func tablesOfACutStoreAreThoseWhosePagesAreMissing() throws {
        let copy = try Copy()
        let (whole, connection) = (try copy.bytes, try Connection(path: copy.path, mode: .immutable))
        var pages: [String: Set<Int>] = [:]
        let rows = try connection.prepare("SELECT name, pageno FROM dbstat")
        while try rows.step() { pages[rows.text(0) ?? "", default: []].insert(Int(rows.integer(1))) }
        var named = 0
        for count in stride(from: 2, to: try #require(pages.values.joined().max()), by: 7) {
            try copy.write(whole.prefix(count * 4096 + count % 3))
            let result = try copy.run("check", "--format", "jsonl")
            #expect(result.exitCode == 65)
            var damaged = 0
            for line in result.output.split(separator: "\n") {
                let hurt = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                damaged += hurt["pages"] as? Int ?? 0
                guard let name = hurt["index"] as? String ?? hurt["table"] as? String else { continue }
                let missing = pages[name, default: []].filter { $0 > count }
                #expect(!missing.isEmpty && missing.count >= hurt["pages"] as? Int ?? 0, "\(count): \(line)")
                named += 1
            }
            // Pages of trees that are not known are counted without a name.
            #expect(damaged == (whole.count - 28) / 4_100 - count)
            if whole.prefix(count * 4096).range(of: Data("CREATE TABLE stop_time(".utf8)) != nil,
                pages["stop_time", default: []].contains(where: { $0 > count })
            {
                #expect(result.output.contains("{\"table\":\"stop_time\",\"index\":null,"), "\(count)")
            }
        }
        #expect(named > 50)
    }

    /// Bytes 60 to 63 are the number that SQLite calls the user version.
    @Test func `a sound store of another version cannot be read`() throws {
        let copy = try Copy()
        try copy.setHeader(60, to: 1)
        for arguments in [["check"], ["check", "--quick"], ["info"]] {
            let result = try FetchProgram.run([copy.path] + arguments)
            #expect(result.exitCode == 66 && result.output == "")
            #expect(result.error.hasPrefix("fetch-gtfs: \(copy.path) has layout version "), "\(result.error)")
        }
        try copy.setHeader(60, to: 0)
        #expect(try copy.run("check").exitCode == 0)
    }

    @Test func aStoreThatWasWrittenToIsNotSound() throws {
        let copy = try Copy()
        try copy.execute("CREATE TABLE mine(a); INSERT INTO mine VALUES(1)")
        let result = try copy.run("check")
        #expect(result.exitCode == 65, "\(result)")
    }

    // MARK: Schemas that are not ours

    @Test(arguments: [
        (
            "stop is a view",
            "ALTER TABLE stop RENAME TO old; CREATE VIEW stop AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, 'x' AS stop_id, 'y' AS name FROM n"
        ),
        (
            "extra_cell is another view",
            "DROP VIEW extra_cell; CREATE VIEW extra_cell AS SELECT name AS file, 1 AS row_number, 1 AS position, 'x' AS value FROM stop"
        ),
        (
            "extra_cell is a table",
            "DROP VIEW extra_cell; CREATE TABLE extra_cell(file TEXT, row_number INTEGER, position INTEGER, value TEXT)"
        ),
        ("t is a trigger", "CREATE TRIGGER t AFTER INSERT ON stop BEGIN SELECT 1; END"),
        ("extra_x is not a plain table", "CREATE VIRTUAL TABLE extra_x USING fts5(a)"),
    ])
    func aForeignSchemaIsRefused(fault: String, sql: String) throws {
        let copy = try Copy()
        do {
            try copy.execute(sql)
        } catch {
            // A SQLite without full-text search.
            return #expect(sql.contains("fts5") && "\(error)".contains("no such module"), "\(error)")
        }
        for command in [["info"], ["fetch", "Stop"], ["search", "markt"], ["near", "53.4,12.6"]] {
            let result = try FetchProgram.run([copy.path] + command)
            #expect(result.exitCode == 65)
            #expect(
                result.error == "fetch-gtfs: \(copy.path) is damaged or not made by import-gtfs: \(fault). "
                    + "Import the feed again.\n")
        }
    }

    @Test func aDamagedSchemaTextIsDamage() throws {
        let copy = try Copy()
        let whole = try copy.bytes
        for word in [
            "normalized_name TEXT", "stop_headsign\" TEXT", "latitude\" DOUBLE", "CREATE TABLE", "PRIMARY KEY(\"trip\"",
            "search_term(", "INTEGER PRIMARY KEY", "TEXT,", "DOUBLE,", "WITHOUT ROWID",
        ] {
            var hurt = whole
            var found = 0
            var from = whole.startIndex
            while let range = whole.range(of: Data(word.utf8), in: from..<whole.endIndex) {
                hurt[range.lowerBound + 3] = UInt8(ascii: "q")
                from = range.upperBound
                found += 1
            }
            try #require(found > 0, "\(word)")
            try copy.write(hurt)
            for command in [
                ["info"], ["fetch", "Stop"], ["fetch", "StopTime"], ["search", "m"], ["near", "53.4,12.6"],
            ] {
                let result = try FetchProgram.run([copy.path] + command)
                #expect([0, 65].contains(result.exitCode), "\(word), \(command): \(result)")
                #expect(!result.error.contains("PRAGMA") && !result.error.contains("SELECT "), "\(result.error)")
            }
            #expect(try copy.run("check").exitCode == 65)
        }
    }

    // MARK: Files that change while they are read

    /// The program waits with rows in the pipe until the file has been cut or written over.
    @Test(arguments: ["cut", "written over"])
    func aStoreThatIsChangedInPlaceWhileItIsReadFailsWith74(how: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "changed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let sample = FetchProgram.packageRoot + "/pipelines/sample-feed"
        try FileManager.default.copyItem(atPath: sample, toPath: folder.path + "/feed")
        let stops = (0..<60_000).map { "x\($0),A stop with a rather long name \($0),53.1,12.1\n" }.joined()
        try ("stop_id,stop_name,stop_lat,stop_lon\n" + stops).write(
            toFile: folder.path + "/feed/stops.txt", atomically: true, encoding: .utf8)
        let store = folder.path + "/s.sqlite"
        #expect(Importer(ImportOptions(feed: folder.path + "/feed", store: store)).run().error == nil)
        let process = Process()
        process.executableURL = URL(filePath: FetchProgram.path)
        process.arguments = [store, "fetch", "Stop", "--format", "jsonl"]
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let first = output.fileHandleForReading.availableData
        #expect(!first.isEmpty)
        let other = try Data(contentsOf: URL(filePath: FetchProgram.shared.get().store))
        let file = try FileHandle(forWritingTo: URL(filePath: store))
        if how == "cut" {
            try file.truncate(atOffset: 8_192)
        } else {
            try file.write(contentsOf: other)
        }
        try file.close()
        let rest = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let words = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(process.terminationReason == .exit && process.terminationStatus == 74, "\(rest.count) bytes, \(words)")
        #expect(
            words.hasPrefix("fetch-gtfs: \(store) was cut or written over while it was open; open it again."),
            "\(words)")
    }

    @Test func whatTakesTooLongIsStopped() throws {
        let copy = try Copy()
        try copy.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) "
                + "INSERT INTO stop(id, name) SELECT i, 'Stop ' || i FROM n")
        let count = ["fetch", "Stop", "--where", "name CONTAINS 'x'", "--count"]
        let stopped = try FetchProgram.run([copy.path] + count + ["--timeout", "0.000001"])
        #expect(stopped.exitCode == 75)
        #expect(stopped.error == "fetch-gtfs: The fetch took longer than 1e-06 s and was stopped.\n")
        let sound = try Copy()
        let check = try sound.run("check", "--timeout", "0.000001")
        #expect(check.exitCode == 75)
        #expect(check.error == "fetch-gtfs: Checking \(sound.path) took longer than 1e-06 s and was stopped.\n")
        #expect(try FetchProgram.run([copy.path] + count + ["--timeout", "60"]).exitCode == 0)
        #expect(try FetchProgram.run("info", "--timeout", "60").exitCode == 0)
        #expect(try FetchProgram.run("info", "--timeout", "0").exitCode == 64)
    }

    // MARK: Output

    /// An empty line would be no row. No import writes such a text.
    @Test func `a row of one empty text is a field in quotes`() throws {
        let copy = try Copy()
        try copy.execute("UPDATE stop SET description = '' WHERE id = 1")
        let result = try copy.run(
            "fetch", "Stop", "--where", "id = 1", "--properties", "description", "--format", "csv")
        #expect(result.output == "description\n\"\"\n")
    }

    /// The first thousand rows, which decide the widths, have no description.
    @Test func `a column that only a late row fills is shown`() throws {
        let copy = try Copy()
        try copy.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 2999) "
                + "INSERT INTO stop(id, description) SELECT i, iif(i = 2999, 'the last', NULL) FROM n")
        let result = try copy.run("fetch", "Stop", "--where", "id >= 1000", "--sort", "id")
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 2_002)
        #expect(lines.first?.contains("description") == true && lines.last?.contains("the last") == true)
    }

    @Test func spreadsheetsGetNoFormula() throws {
        let copy = try Copy()
        try copy.execute(
            "UPDATE stop SET name = '=HYPERLINK(\"http://x\")' WHERE id = 1; UPDATE stop SET name = '-5+1' WHERE id = 2; UPDATE stop SET name = 'a=b' WHERE id = 3"
        )
        try copy.execute(
            "UPDATE stop SET name = char(9) || '1' WHERE id = 4; UPDATE stop SET name = 'a' || char(13) WHERE id = 5")
        let arguments = [
            "fetch", "Stop", "--properties", "name,latitude * -1 AS '@x'", "--where", "id <= 5", "--sort", "id",
            "--format", "csv",
        ]
        let plain = try FetchProgram.run([copy.path] + arguments).output
        #expect(plain.hasPrefix("name,@x\n\"=HYPERLINK(\"\"http://x\"\")\",-"))
        let guarded = try FetchProgram.run([copy.path] + arguments + ["--spreadsheet"]).output
        #expect(guarded.hasPrefix("name,'@x\n\"'=HYPERLINK(\"\"http://x\"\")\",-"), "\(guarded)")
        #expect(guarded.contains("\n'-5+1,-") && guarded.contains("\na=b,-"), "\(guarded)")
        #expect(guarded.contains("\n'\t1,-") && guarded.contains("\n\"a\r\",-"), "\(guarded)")
        #expect(try FetchProgram.run([copy.path] + arguments.dropLast(2) + ["--spreadsheet"]).exitCode == 64)
    }
}
