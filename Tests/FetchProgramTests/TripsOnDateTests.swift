import Foundation
import Testing

/// The commands for the trips of a line on a date, as the help and the documentation show them, run in a shell.
@Suite struct TripsOnDateTests {
    private func trips(_ command: String) throws -> [Substring] {
        let command = command.replacing("fetch-gtfs ", with: "\"$0\" ", maxReplacements: 1)
            .replacing(/\w+\.sqlite/, with: "\"$1\" --format csv", maxReplacements: 1)
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", command, FetchProgram.path, try FetchProgram.shared.get().store]
        let pipe = Pipe()
        shell.standardOutput = pipe
        try shell.run()
        let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0, "\(command)")
        let cells = output.split { "\n,".contains($0) }
        return cells.filter { $0.wholeMatch(of: /1-(hin|zurueck)-.*/) != nil }.sorted()
    }

    @Test func theCommandOfThePageFindsTheTripsOfAHoliday() throws {
        let page = FetchProgram.packageRoot + "/Sources/TransitStore/TransitStore.docc/Departures.md"
        let parts = try String(contentsOfFile: page, encoding: .utf8)
            .components(separatedBy: "<!-- trips: run by the tests -->\n```sh\n")
        try #require(parts.count == 2)
        let command = try #require(parts[1].components(separatedBy: "```").first)
        #expect(try trips(command) == ["1-hin-we-0902", "1-zurueck-we-1832"])
        // The next Friday is no holiday.
        let trips = try trips(command.replacing("2026-12-25", with: "2026-12-18"))
        #expect(trips.count == 5 && !trips.contains { $0.contains("-we-") })
    }

    @Test func theCommandOfTheHelpFindsTheTripsOfAHoliday() throws {
        let help = try FetchProgram.run(["--help"]).output
        let start = try #require(help.firstRange(of: "fetch-gtfs berlin.sqlite fetch Trip --set DATE"))
        let end = try #require(help[start.upperBound...].firstRange(of: ")'\n"))
        let command = String(help[start.lowerBound..<end.upperBound].replacing("U1", with: "1"))
        #expect(try trips(command) == ["1-hin-we-0902", "1-zurueck-we-1832"])
    }
}
