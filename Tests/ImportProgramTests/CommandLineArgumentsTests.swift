import GTFSFeed
import Console
import Foundation
import TestSupport
import Testing

@testable import GTFSImport
@testable import import_gtfs

@Suite struct CommandLineArgumentsTests {
    private func parsed(_ arguments: [String]) throws -> ImportArguments {
        guard case .run(let parsed) = try ImportArguments.parse(arguments) else {
            throw UsageError("not a request to import")
        }
        return parsed
    }

    @Test func readsEveryOption() throws {
        let arguments = try parsed([
            "--json", "a.zip", "--keep", "3", "--batch-size=10", "--quiet", "b.sqlite", "--max-errors", "0", "--force",
            "--notices-per-code=7", "--progress", "--memory", "300M",
        ])
        #expect(arguments.options.maximumMemoryBytes == 300 << 20)
        #expect(arguments.options.feed == "a.zip" && arguments.options.store == "b.sqlite")
        #expect(arguments.printsJSON && arguments.isQuiet && arguments.showsProgress && arguments.options.force)
        #expect(arguments.options.previousStoresKept == 3 && arguments.options.batchRows == 10)
        #expect(
            arguments.options.policy.errorLimits == [ErrorLimit(.all, maximum: 0)]
                && arguments.options.noticesKeptPerCode == 7)
    }

    @Test func hasDefaults() throws {
        let arguments = try parsed(["a", "b"])
        #expect(!arguments.printsJSON && !arguments.isQuiet && !arguments.showsProgress && !arguments.options.force)
        #expect(arguments.options.previousStoresKept == 0 && arguments.options.policy == PublicationPolicy())
        #expect(arguments.options.batchRows == 500_000 && arguments.options.noticesKeptPerCode == 1_000)
    }

    @Test func readsThePolicy() throws {
        let options = try parsed([
            "a", "b", "--max-errors", "stops.txt:5,invalid_url:7,*:10", "--max-shrink=20%", "--service-within", "7",
            "--date", "2026-11-22",
        ]).options
        var policy = PublicationPolicy()
        policy.errorLimits = [
            ErrorLimit(.file("stops.txt"), maximum: 5), ErrorLimit(.code("invalid_url"), maximum: 7),
            ErrorLimit(.all, maximum: 10),
        ]
        (policy.maximumShrink, policy.serviceWithinDays, policy.date) = (20, 7, 20_261_122)
        #expect(options.policy == policy)
        #expect(try parsed(["a", "b", "--strict"]).options.policy.errorLimits == [ErrorLimit(.all, maximum: 0)])
        for percent in [0, 5, 100] {
            #expect(try parsed(["a", "b", "--max-shrink", "\(percent)"]).options.policy.maximumShrink == percent)
        }
    }

    @Test func readsTheFilter() throws {
        let folder = try TemporaryFolder()
        try Data("\u{FEFF}1\r\n\n  a b\t\n@c,d\n".utf8).write(to: URL(filePath: folder.path("ids")))
        let filter = try parsed([
            "a", "b", "--routes", #" 1 , "a,""b""" ,2"#, "--routes=@" + folder.path("ids"), "--agencies", "Ü",
            "--dates",
            "2026-11-22..20261231", "--box", "-33.9, 151,-33.8,1.512e2",
        ]).options.filter
        #expect(filter.routes == ["1", "a,\"b\"", "2", "1", "a b", "@c,d"] && filter.agencies == ["Ü"])
        #expect(filter.dates == 2026_11_22...2026_12_31)
        #expect(filter.box == FilterBox(south: -33.9, west: 151, north: -33.8, east: 151.2))
        #expect(try parsed(["a", "b", "--dates=20261122"]).options.filter.dates == 2026_11_22...2026_11_22)
        #expect(try parsed(["a", "b", "--dates=20261122.."]).options.filter.dates == 2026_11_22...9999_12_31)
        #expect(try parsed(["a", "b", "--dates=..20261122"]).options.filter.dates == 1_01_01...2026_11_22)
        let line = FilterBox(south: 52, west: 14, north: 52, east: 13)
        #expect(try parsed(["a", "b", "--box=52,14,52,13"]).options.filter.box == line)
        #expect(try parsed(["a", "b"]).options.filter.isEmpty)
    }

    /// `--routes @<(…)` of a shell is a pipe.
    @Test func idsMayComeThroughAPipe() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("1\n2\n".utf8))
        try pipe.fileHandleForWriting.close()
        let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        #expect(try parsed(["a", "b", "--routes", "@" + path]).options.filter.routes == ["1", "2"])
    }

    /// Swift takes a comma, a quote or a blank with a combining mark for one character.
    @Test func idsMayBeginWithACombiningMark() throws {
        let folder = try TemporaryFolder()
        try Data("\u{301}a\n \u{301}b \n".utf8).write(to: URL(filePath: folder.path("ids")))
        let filter = try parsed([
            "a", "b", "--routes=\u{301}a,\u{301}b,\"\u{301}c,\"\"\u{301}\", \u{301}d",
            "--agencies=@" + folder.path("ids"),
        ]).options.filter
        #expect(filter.routes == ["\u{301}a", "\u{301}b", "\u{301}c,\"\u{301}", "\u{301}d"])
        #expect(filter.agencies == ["\u{301}a", "\u{301}b"])
        #expect(throws: UsageError("--routes: \u{301}x cannot be opened: No such file or directory")) {
            try parsed(["a", "b", "--routes", "@\u{301}x"])
        }
    }

    @Test(
        arguments: [
            (["--routes", ""], "--routes: an ID is empty in \"\""),
            (["--routes", "1,,2"], "--routes: an ID is empty in \"1,,2\""),
            (["--agencies", "\"a"], "--agencies: a quote is not closed in \"\"a\""),
            (["--routes", "\"a\"b"], "--routes: a comma is missing behind a quote in \"\"a\"b\""),
            (["--routes", "@/dev/null"], "--routes: /dev/null names no ID"),
            (["--routes", "@/none/x"], "--routes: /none/x cannot be opened: No such file or directory"),
            (["--routes", "@"], "--routes: a file's name is missing behind @"),
            (
                ["--dates", "20260230"],
                "--dates takes days such as 20261122..20261231, 20261122.. or 2026-11-22, not \"20260230\""
            ),
            (["--dates", ".."], "--dates takes days such as 20261122..20261231, 20261122.. or 2026-11-22, not \"..\""),
            (["--dates", ""], "--dates takes days such as 20261122..20261231, 20261122.. or 2026-11-22, not \"\""),
            (["--dates", "20261122..20261121"], "--dates: 20261122 comes after 20261121"),
            (
                ["--box", "1,2,3"],
                "--box takes SOUTH,WEST,NORTH,EAST in degrees, such as 52.3,13.1,52.7,13.8, not \"1,2,3\""
            ),
            (["--box", "1,2,91,3"], "--box: \"1,2,91,3\" is beyond latitude -90 to 90 and longitude -180 to 180"),
            (["--box", "2,2,1,3"], "--box: south 2.0 is north of 1.0"),
        ])
    func refusesFilters(options: [String], message: String) {
        #expect(throws: UsageError(message)) { try ImportArguments.parse(["a", "b"] + options) }
    }

    /// Imports of the store would refuse such a file, or take it for an earlier store.
    @Test(arguments: ["b", "./b", "b.lock", "b.rolled-back", "b.1", "b.17", "b-journal"])
    func `reports take no name of the store`(path: String) throws {
        for option in ["--report", "--metrics"] {
            let message = "\(option) takes another file than \(path), which belongs to the store"
            #expect(throws: UsageError(message)) { try ImportArguments.parse(["a", "b", option, path]) }
            for other in ["b.html", "b.01", "c", "/b"] {
                _ = try ImportArguments.parse(["a", "b", option, other])
            }
            // Not even if the import will refuse the store's path.
            #expect(throws: UsageError("\(option) takes another file than /tmp.1, which belongs to the store")) {
                try ImportArguments.parse(["a", "/tmp", option, "/tmp.1"])
            }
        }
    }

    @Test func theLastOfSeveralCounts() throws {
        #expect(try parsed(["a", "b", "--keep", "1", "--keep=2"]).options.previousStoresKept == 2)
    }

    @Test func dashesEndTheOptionsAndOneDashIsStandardInput() throws {
        let arguments = try parsed(["--force", "--", "-", "--keep"])
        #expect(arguments.options.feed == "-" && arguments.options.store == "--keep")
        #expect(try parsed(["-", "b"]).options.feed == "-")
    }

    @Test func helpAndVersionWinOverOtherArguments() throws {
        for arguments in [["--help"], ["-h"], ["a", "--help", "b", "c"], ["--version", "--help"]] {
            guard case .help = try ImportArguments.parse(arguments) else { throw UsageError("\(arguments)") }
        }
        guard case .version = try ImportArguments.parse(["--version"]) else { throw UsageError("--version") }
    }

    @Test(
        arguments: [
            ([], "FEED and OUT are missing"),
            (["a.zip"], "OUT is missing: where to write the store made from a.zip"),
            (["a", "b", "c"], "one argument too many: \"c\""),
            (["", "b"], "FEED is empty"),
            (["a", ""], "OUT is empty"),
            (
                ["a", "-"],
                "OUT must be the path of a file: a store cannot be written to standard output (./- is a file named -)"
            ),
            (
                ["--rollback", "-"],
                "OUT must be the path of a file: a store cannot be written to standard output (./- is a file named -)"
            ),
            (
                ["a", "b", "--report=-"],
                "--report takes the path of a file, not standard output (./- is a file named -)"
            ),
            (
                ["a", "b", "--metrics", "-"],
                "--metrics takes the path of a file, not standard output (./- is a file named -)"
            ),
            (["--jsn"], "unknown option --jsn; did you mean --json?"),
            (["-json"], "unknown option -json; did you mean --json?"),
            (["--notices=3"], "unknown option --notices; did you mean --notices-per-code?"),
            (["--max-error", "3"], "unknown option --max-error; did you mean --max-errors?"),
            (["--batchsize", "3"], "unknown option --batchsize; did you mean --batch-size?"),
            (["--compress"], "unknown option --compress"),
            (["-x"], "unknown option -x; if it is not an option, write -- before it"),
            (["--index", ""], "--index is empty"),
            (["--list="], "--list is empty"),
            (["--json=yes"], "--json takes no value, but was given \"yes\""),
            (["a", "b", "--keep"], "--keep needs a value: --keep N"),
            (
                ["a", "b", "--metrics", "--json"],
                "--metrics needs a value, but --json follows; if that is the value, write --metrics=--json"
            ),
            (
                ["a", "b", "--report", "-h"],
                "--report needs a value, but -h follows; if that is the value, write --report=-h"
            ),
            (
                ["a", "b", "--report", "c", "--metrics", "./c"],
                "--report and --metrics take two files, not both ./c"
            ),
            (["a", "b", "--keep", "-1"], "--keep takes a whole number of at least 0, not \"-1\""),
            (["a", "b", "--keep="], "--keep takes a whole number of at least 0, not \"\""),
            (["a", "b", "--keep", "+1"], "--keep takes a whole number of at least 0, not \"+1\""),
            (["a", "b", "--keep", "٣"], "--keep takes a whole number of at least 0, not \"٣\""),
            (
                ["a", "b", "--memory", "lots"],
                "--memory takes bytes from 16M up to 1E, such as 300M or 2G, not \"lots\""
            ),
            (["a", "b", "--memory", "300"], "--memory takes bytes from 16M up to 1E, such as 300M or 2G, not \"300\""),
            (["a", "b", "--memory=0"], "--memory takes bytes from 16M up to 1E, such as 300M or 2G, not \"0\""),
            (
                ["a", "b", "--memory=99999999999G"],
                "--memory takes bytes from 16M up to 1E, such as 300M or 2G, not \"99999999999G\""
            ),
            (
                ["a", "b", "--keep", "99999999999999999999"],
                "--keep takes a whole number from 0 to 9223372036854775807, not \"99999999999999999999\""
            ),
            (["a", "b", "--max-files=-1"], "--max-files takes a whole number from 1 to 1073741824, not \"-1\""),
            (["a", "b", "--max-rows", "-1"], "--max-rows takes a whole number from 1 to 2000000000, not \"-1\""),
            (["a", "b", "--max-time=-1"], "--max-time takes a whole number from 1 to 2000000, not \"-1\""),
            (["a", "b", "--max-depth=-1"], "--max-depth takes a whole number from 0 to 100, not \"-1\""),
            (["a", "b", "--batch-size", "0"], "--batch-size takes a whole number of at least 1, not \"0\""),
            (
                ["a", "b", "--max-errors", "99999999999999999999"],
                "--max-errors takes a number, or a list such as stops.txt:5,invalid_url:100,*:10, not "
                    + "\"99999999999999999999\""
            ),
            (
                ["a", "b", "--max-errors", "stops.txt:5,"],
                "--max-errors takes a number, or a list such as stops.txt:5,invalid_url:100,*:10, not \"\""
            ),
            (
                ["a", "b", "--max-errors", "stops.txt:-1"],
                "--max-errors takes a number, or a list such as stops.txt:5,invalid_url:100,*:10, not \"stops.txt:-1\""
            ),
            (
                ["a", "b", "--max-errors", "stop.txt:5"],
                "--max-errors: \"stop.txt\" is neither a GTFS file nor a notice code; did you mean stops.txt?"
            ),
            (
                ["a", "b", "--max-errors", "expired_calendar:0"],
                "--max-errors: no import gives \"expired_calendar\", which depends on the day; --service-within DAYS "
                    + "refuses feeds that have ended"
            ),
            (
                ["a", "b", "--max-errors", "invalid_uri:5"],
                "--max-errors: \"invalid_uri\" is neither a GTFS file nor a notice code; did you mean invalid_url?"
            ),
            (["a", "b", "--max-errors", "1,*:2"], "--max-errors has two limits for all files: \"1,*:2\""),
            (
                ["a", "b", "--strict", "--max-errors", "1"],
                "--strict allows no error, so --max-errors has no effect; give one of them"
            ),
            (
                ["a", "b", "--max-shrink", "101"],
                "--max-shrink takes a whole number of percent from 0% to 100%, not \"101\""
            ),
            (
                ["a", "b", "--max-shrink", "%"],
                "--max-shrink takes a whole number of percent from 0% to 100%, not \"%\""
            ),
            (["a", "b", "--service-within", "0"], "--service-within takes a whole number from 1 to 36500, not \"0\""),
            (
                ["a", "b", "--date", "20260228"],
                "--date has no effect without --service-within; to store only some days, use --dates"
            ),
            (["a", "b", "--date", "20260230"], "--date takes a date such as 20261122 or 2026-11-22, not \"20260230\""),
            (
                ["a", "b", "--date", "2026-1-22"],
                "--date takes a date such as 20261122 or 2026-11-22, not \"2026-1-22\""
            ),
            (["--rollback"], "OUT is missing: which store to roll back"),
            (["--rollback", "a", "b"], "--rollback takes the store alone, but was also given \"b\""),
            (["--rollback", "a", "--keep", "3"], "--rollback does not go with --keep"),
        ] as [([String], String)]) func wrongArgumentsAreRefusedWithTheReason(arguments: [String], message: String)
    {
        #expect(throws: UsageError(message)) { try ImportArguments.parse(arguments) }
    }

    @Test func sizesAreDigitsWithALetter() throws {
        func limits(_ arguments: [String]) throws -> ImportOptions? {
            guard case .run(let parsed) = try ImportArguments.parse(["a", "b"] + arguments) else { return nil }
            return parsed.options
        }
        #expect(try limits(["--max-size", "4G"])?.limits.maximumFeedBytes == 4 << 30)
        #expect(try limits(["--max-store=12"])?.maximumStoreBytes == 12)
        #expect(try limits(["--max-spool=5t"])?.limits.maximumSpooledBytes == 5 << 40)
        #expect(try limits(["--max-field=300K"])?.limits.maximumFieldBytes == 300 << 10)
        for wrong in ["", "0", "G", "-1", "1.5G", "4GB", "99999999999999999999", "9999999T", "٣"] {
            #expect(throws: (any Error).self) { try limits(["--max-size=\(wrong)"]) }
        }
    }
}
