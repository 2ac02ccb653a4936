import Foundation
import GTFSSchema
import SQLite
import Testing

/// Every failure has its own message and exit code.
@Suite struct FetchFailureTests {
    @Test(
        arguments: [
            ([], "STORE and a command are missing"),
            (["s"], "the command is missing: info, check, departures, trips, fetch, near or search"),
            (
                ["s", "fly"],
                "there is no command \"fly\"; the commands are info, check, departures, trips, fetch, near and search"
            ),
            (["", "info"], "STORE is empty"),
            (["s", "info", "x"], "one argument too many: \"x\""),
            (["s", "info", "--limit", "3"], "info has no option --limit"),
            (["s", "fetch"], "fetch needs an entity, such as Stop, or --template"),
            (["s", "fetch", "Stop", "Trip"], "one argument too many: \"Trip\""),
            (["s", "fetch", "Stop", "--meters", "3"], "fetch has no option --meters"),
            (["s", "fetch", "Stop", "--format", "xml"], "--format is table, csv, json or jsonl, not \"xml\""),
            (["s", "fetch", "Stop", "--wher", "x"], "unknown option --wher; did you mean --where?"),
            (["s", "fetch", "Stop", "--where"], "--where needs a value: --where CONDITION"),
            (
                ["s", "fetch", "Stop", "--where", "--count"],
                "--where needs a value, but --count follows; if that is the value, write --where=--count"
            ),
            (["s", "fetch", "Stop", "--count", "--ids"], "--count and --ids exclude each other"),
            (["s", "fetch", "Stop", "--having", "@count > 1"], "--having needs --group-by"),
            (["s", "fetch", "Stop", "--prefetch", "level"], "--prefetch needs --format json or jsonl"),
            (["s", "fetch", "Stop", "--template", "x"], "the template names the entity: \"Stop\" is one too many"),
            (["s", "fetch", "--template", "x"], "--template needs --templates"),
            (["s", "fetch", "Stop", "--templates", "x"], "--templates needs --template"),
            (["s", "near"], "near needs LATITUDE,LONGITUDE, such as 52.499,13.418"),
            (
                ["s", "near", "91,0"],
                "expected LATITUDE,LONGITUDE (-90 to 90, -180 to 180), such as 52.499,13.418, not \"91,0\""
            ),
            (
                ["s", "near", "1,2,3"],
                "expected LATITUDE,LONGITUDE (-90 to 90, -180 to 180), such as 52.499,13.418, not \"1,2,3\""
            ),
            (
                ["s", "near", "nan,2"],
                "expected LATITUDE,LONGITUDE (-90 to 90, -180 to 180), such as 52.499,13.418, not \"nan,2\""
            ),
            (["s", "search"], "search needs a text"),
            (["s", "info", "--entities", "Stop", "Trip"], "one argument too many: \"Trip\""),
            (["s", "fetch", "Stop", "--entities"], "fetch has no option --entities"),
            (
                ["s", "fetch", "Stop", "--where", "a", "--where", "b"],
                "--where can be given once: \"a\", \"b\"; join conditions with AND"
            ),
            (["s", "fetch", "Stop", "--limit", "1", "--limit=3"], "--limit can be given once: \"1\", \"3\""),
            (
                ["s", "near", "1,2", "--sort", "name", "--sort", "id"],
                "--sort can be given once: \"name\", \"id\"; a list has commas between"
            ),
            (["s", "fetch", "Stop", "--count", "--count"], "--count can be given once"),
        ] as [([String], String)]) func wrongUsageEndsWith64(arguments: [String], message: String) throws
    {
        let result = try FetchProgram.run(arguments)
        #expect(result.exitCode == 64)
        #expect(result.output == "")
        #expect(
            result.error
                == "fetch-gtfs: \(message)\nUsage: fetch-gtfs STORE COMMAND [options]; fetch-gtfs --help tells more\n")
    }

    /// Words for people cannot control a terminal: neither from values nor from names.
    @Test(arguments: [
        ["fetch", "Stop", "--where", "name == $X", "--set", "X=\u{1B}[31m\r\u{7}\u{9B}\n", "--sql-debug"],
        ["fetch", "Stop", "--where", "name == $X", "--set", "X=\u{1B}[31m\r\u{7}\u{9B}\n", "--explain"],
        ["fetch", "Stop", "--properties", "name AS '\u{1B}[31m\r\u{7}\u{9B}'", "--limit", "1"],
        ["fetch", "Stop", "--properties", "name AS '\u{1B}[31m\r\u{7}\u{9B}'", "--explain"],
        ["fetch", "Stop", "--properties", "name AS '\u{1B}[31m\r\u{7}\u{9B}'", "--sql-debug"],
        ["fetch", "Stop", "--where", "\u{1B}\r\u{9B}"], ["fetch", "\u{1B}\r\u{9B}"], ["search", "\u{1B}\r\u{9B}"],
        ["search", "\u{1B}\r\u{9B}markt", "--sql-debug"], ["departures", "\u{1B}\r\u{9B}", "--sql-debug"],
    ])
    func saysNothingThatControlsATerminal(arguments: [String]) throws {
        let result = try FetchProgram.run([FetchProgram.shared.get().store] + arguments)
        for text in [result.output, result.error] {
            #expect(
                !text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control }, "\(text)")
        }
    }

    /// Swift takes an equals sign with a combining mark for one character.
    @Test func aValueMayBeginWithACombiningMark() throws {
        let result = try FetchProgram.run("fetch", "Stop", "--where", "name == $X", "--set", "X=\u{301}a", "--count")
        #expect(result.output == "0\n", "\(result.error)")
    }

    @Test(
        arguments: [
            (["fetch", "Stop", "--limit", "-1"], "--limit takes a whole number of at least 0, not \"-1\""),
            (["fetch", "Stop", "--set", "x"], "--set takes NAME=VALUE, not \"x\""),
            (
                ["fetch", "Stop", "--set", "X=1", "--set", "X=2"],
                "--set gives X a value twice; a list is written {a, b}"
            ),
            (
                ["near", "1,2", "--properties", "name AS distance"],
                "--properties calls another column distance; give it another name with AS"
            ),
            (["near", "1,2", "--meters", "-1"], "--meters takes a number of at least 0, not \"-1\""),
            (["near", "1,2", "--meters", "inf"], "--meters takes a number of at least 0, not \"inf\""),
        ]) func wrongValuesOfOptionsEndWith64(arguments: [String], message: String) throws
    {
        let result = try FetchProgram.run([FetchProgram.shared.get().store] + arguments)
        #expect(result.exitCode == 64)
        #expect(result.error.hasPrefix("fetch-gtfs: \(message)\n"))
    }

    @Test(
        arguments: [
            (
                ["fetch", "stops"],
                "entity: The store has no entity stops; stops.txt is Stop here (info --entities lists all)"
            ),
            (["info", "--entities", "ship"], "The store has no entity ship (info --entities lists all)"),
            (
                ["fetch", "StopTime", "--where", "stop_id = 'markt'"],
                "--where: StopTime has no property stop_id; stop_id is called stop.stopID here\n  stop_id = 'markt'\n  ^~~~~~~"
            ),
            (
                ["fetch", "Stop", "--where", "nam = 'x'"],
                "--where: Stop has no property nam; did you mean name?\n  nam = 'x'\n  ^~~"
            ),
            (
                ["fetch", "Stop", "--sort", "name,"],
                "--sort: expected a value: a property, a number, a text in quotes, $NAME or (\n  name,\n       ^"
            ),
            (
                ["fetch", "Stop", "--properties", "name AS a, stopID AS a"],
                "--properties: name and stopID would both be called a; give one another name with AS\n"
                    + "  name AS a, stopID AS a\n             ^~~~~~~~~~~"
            ),
            (
                ["fetch", "Stop", "--properties", "name, name"],
                "--properties: name and name would both be called name; give one another name with AS\n"
                    + "  name, name\n        ^~~~"
            ),
            (
                ["fetch", "Stop", "--group-by", "name AS count"],
                "--group-by: the properties 1 and 2 to fetch are both called count; give one another name"
            ),
            (
                ["fetch", "Stop", "--where", "stopID IN $L", "--set", "L={a"],
                "--set L: the list that begins here has no closing }\n  {a\n  ^"
            ),
            (
                ["fetch", "Stop", "--properties", "name AS"],
                "--properties: expected a name for the column\n  name AS\n         ^"
            ),
            (
                ["search", "x", "--where", "a\u{1B} = 3"],
                "--where: this character has no meaning here\n  a\u{FFFD} = 3\n   ^"
            ),
            (
                ["fetch", "Stop", "--prefetch", "levels", "--format", "json"],
                "--prefetch: Stop has no relationship levels; did you mean level?\n  levels\n  ^~~~~~"
            ),
            (
                ["fetch", "StopTime", "--prefetch", "stop_id", "--format", "json"],
                "--prefetch: StopTime has no relationship stop_id; stop_id is called stop here\n  stop_id\n  ^~~~~~~"
            ),
            (
                ["near", "1,2", "--where", "distance.x > 3"],
                "--where: distance is not a relationship\n  distance.x > 3\n           ^"
            ),
            (
                ["near", "1,2", "--where", "distnace > 3"],
                "--where: Stop has no property distnace; did you mean distance?\n  distnace > 3\n  ^~~~~~~~"
            ),
        ]) func requestsThatCannotBeUnderstoodEndWith65(arguments: [String], message: String) throws
    {
        let result = try FetchProgram.run([FetchProgram.shared.get().store] + arguments)
        #expect(result.exitCode == 65)
        #expect(result.error == "fetch-gtfs: \(message)\n")
    }

    @Test func storesAndTemplatesThatCannotBeOpenedEndWith66() throws {
        let missing = try FetchProgram.run(["/no/store", "info"])
        #expect(missing == .init(exitCode: 66, output: "", error: "fetch-gtfs: There is no store at /no/store\n"))
        let path = FetchProgram.packageRoot + "/Package.swift"
        let other = try FetchProgram.run([path, "info"])
        #expect(
            other
                == .init(
                    exitCode: 66, output: "",
                    error: "fetch-gtfs: \(path) is not an SQLite file, so it is not a store of import-gtfs\n"))
        let templates = try FetchProgram.run("fetch", "--templates", "/no/file", "--template", "x")
        #expect(templates.exitCode == 66)
        #expect(templates.error == "fetch-gtfs: /no/file cannot be opened: No such file or directory\n")
    }

    @Test func aDamagedStoreEndsWith65() throws {
        let program = try FetchProgram.shared.get()
        let path = program.folder + "/damaged.sqlite"
        var bytes = try Data(contentsOf: URL(filePath: program.store))
        let connection = try Connection(path: program.store, mode: .readOnly)
        let root = try #require(try connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'stop'"))
        let size = try #require(try connection.integer("PRAGMA page_size"))
        let start = Int((root - 1) * size)
        for offset in start..<start + 200 { bytes[offset] = 0xA5 }
        try bytes.write(to: URL(filePath: path))
        let result = try FetchProgram.run([path, "fetch", "Stop"])
        #expect(result.exitCode == 65)
        #expect(result.error.hasPrefix("fetch-gtfs: \(path) is damaged: "))
    }

    @Test func outputThatCannotBeWrittenEndsWith74() throws {
        let full = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
        let result = try FetchProgram.run([FetchProgram.shared.get().store, "fetch", "Stop"], output: full)
        #expect(result.exitCode == 74)
        #expect(result.error == "fetch-gtfs: standard output cannot be written: No space left on device\n")
    }

    @Test func aReaderThatGoesAwayIsNoMatter() throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let result = try FetchProgram.run(
            [FetchProgram.shared.get().store, "fetch", "Stop"], output: pipe.fileHandleForWriting)
        #expect(result.signal == SIGPIPE)
        #expect(result.error == "")
    }

    @Test func anInterruptEndsIt() throws {
        let process = Process()
        process.executableURL = URL(filePath: FetchProgram.path)
        // More than a pipe holds, so the program is still writing when it is interrupted.
        process.arguments = [
            try FetchProgram.shared.get().store, "fetch", "StopTime", "--prefetch", "trip.stopTimes.stop.stopTimes",
            "--format", "json",
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        _ = try pipe.fileHandleForReading.read(upToCount: 1)
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == SIGINT)
    }

    @Test func helpAndVersionAreComplete() throws {
        for arguments in [["--help"], ["-h"], ["x", "fly", "--help"]] {
            let result = try FetchProgram.run(arguments)
            #expect(result.exitCode == 0)
            #expect(
                result.output.hasPrefix(
                    "Asks a store that import-gtfs has made.\n\nUsage: fetch-gtfs STORE COMMAND [options]\n"))
            #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
            for option in [
                "--where CONDITION", "--meters N", "--prefetch PATHS", "--sql-debug", "departures", "--entities",
                "having and prefetch.", "SIGPIPE",
            ] {
                #expect(result.output.contains(option))
            }
        }
        let version = try FetchProgram.run(["--version"])
        #expect(version.output.hasPrefix("fetch-gtfs \(ToolVersion.number) (SQLite 3."))
        #expect(version.output.hasSuffix(", store layout \(StoreSchema.version))\n"))
    }
}
