import Foundation
import TestSupport
import Testing

@testable import GTFSImport
@testable import import_gtfs

/// A short round of `make torture`: kills at every failpoint, power cuts, failing system calls.
@Suite struct TortureTests {
    @Test func theShortRound() throws {
        let programs = URL(filePath: CommandLineProgram.path).deletingLastPathComponent().path
        let script = CommandLineProgram.packageRoot + "/Tests/Torture/torture.py"
        let result = try CommandLineProgram.run(["python3", script, "quick", programs], executable: "/usr/bin/env")
        #expect(result.exitCode == 0, "\(result.error)")
        // The output must show that these parts ran.
        #expect(result.output.contains("failpoints: batch, block, check, created"))
        #expect(result.output.contains("failing mallocs: {"))
        #expect(result.output.contains("system calls, import-gtfs of a zip: {"))
        #expect(result.output.contains("system calls, fetch-gtfs: {"))
        #expect(result.output.contains("system calls, guards: {"))
    }
}
