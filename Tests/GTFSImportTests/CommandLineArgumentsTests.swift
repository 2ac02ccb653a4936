import Console
import Testing

@testable import GTFSImport

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
        #expect(arguments.options.maximumMemoryBytes == 300_000_000)
        #expect(arguments.options.feed == "a.zip" && arguments.options.store == "b.sqlite")
        #expect(arguments.printsJSON && arguments.isQuiet && arguments.showsProgress && arguments.options.force)
        #expect(arguments.options.previousStoresKept == 3 && arguments.options.batchRows == 10)
        #expect(arguments.options.maximumErrors == 0 && arguments.options.noticesKeptPerCode == 7)
    }

    @Test func hasDefaults() throws {
        let arguments = try parsed(["a", "b"])
        #expect(!arguments.printsJSON && !arguments.isQuiet && !arguments.showsProgress && !arguments.options.force)
        #expect(arguments.options.previousStoresKept == 0 && arguments.options.maximumErrors == nil)
        #expect(arguments.options.batchRows == 500_000 && arguments.options.noticesKeptPerCode == 1_000)
    }

    @Test func theLastOfSeveralCounts() throws {
        #expect(try parsed(["a", "b", "--keep", "1", "--keep=2"]).options.previousStoresKept == 2)
    }

    @Test func dashesEndTheOptionsAndOneDashIsStandardInput() throws {
        let arguments = try parsed(["--force", "--", "-", "--keep"])
        #expect(arguments.options.feed == "-" && arguments.options.store == "--keep")
        #expect(try parsed(["-", "b"]).options.feed == "-")
    }

    @Test func helpAndVersion() throws {
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
            (["--jsn"], "unknown option --jsn; did you mean --json?"),
            (["-json"], "unknown option -json; did you mean --json?"),
            (["--notices=3"], "unknown option --notices; did you mean --notices-per-code?"),
            (["--max-error", "3"], "unknown option --max-error; did you mean --max-errors?"),
            (["--batchsize", "3"], "unknown option --batchsize; did you mean --batch-size?"),
            (["--compress"], "unknown option --compress"),
            (["-x"], "unknown option -x"),
            (["--json=yes"], "--json takes no value, but was given \"yes\""),
            (["a", "b", "--keep"], "--keep needs a value: --keep N"),
            (["a", "b", "--keep", "-1"], "--keep takes a whole number of at least 0, not \"-1\""),
            (["a", "b", "--keep="], "--keep takes a whole number of at least 0, not \"\""),
            (["a", "b", "--keep", "+1"], "--keep takes a whole number of at least 0, not \"+1\""),
            (["a", "b", "--keep", "٣"], "--keep takes a whole number of at least 0, not \"٣\""),
            (["a", "b", "--memory", "lots"], "--memory takes a size such as 300M or 2G, not \"lots\""),
            (["a", "b", "--memory=0"], "--memory takes a size such as 300M or 2G, not \"0\""),
            (["a", "b", "--memory=99999999999G"], "--memory takes a size such as 300M or 2G, not \"99999999999G\""),
            (["a", "b", "--batch-size", "0"], "--batch-size takes a whole number of at least 1, not \"0\""),
            (
                ["a", "b", "--max-errors", "99999999999999999999"],
                "--max-errors takes a whole number of at least 0, not \"99999999999999999999\""
            ),
        ] as [([String], String)]) func saysWhatIsWrong(arguments: [String], message: String)
    {
        #expect(throws: UsageError(message)) { try ImportArguments.parse(arguments) }
    }
}
