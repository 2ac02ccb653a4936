import Foundation
import TestSupport
import Testing

@testable import GTFSImport
@testable import import_gtfs

/// The short round of what `make torture` does at length: kills at every failpoint, power cuts, failing system calls.
@Suite struct TortureTests {
    @Test func theShortRound() throws {
        let programs = URL(filePath: CommandLineProgram.path).deletingLastPathComponent().path
        let script = CommandLineProgram.packageRoot + "/Tests/Torture/torture.py"
        let result = try CommandLineProgram.run(["python3", script, "quick", programs], executable: "/usr/bin/env")
        #expect(result.exitCode == 0, "\(result.error)")
        // Each part has done something.
        #expect(result.output.contains("failpoints: batch, block, check, created"))
        #expect(result.output.contains("failing mallocs: {"))
        #expect(result.output.contains("system calls, fetch-gtfs: {"))
    }
}
