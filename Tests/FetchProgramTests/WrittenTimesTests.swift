import Foundation
import Testing

/// How times and dates are written.
@Suite struct WrittenTimesTests {
    @Test func timesAreWrittenAsTimesAndDatesAsNumbers() throws {
        try expect(
            [
                "fetch", "StopTime", "--where", "departureTime > '24:00'", "--sort", "departureTime DESC", "--limit",
                "1",
                "--properties", "departureTime, departureTime - '0:21' AS earlier, trip.service.startDate", "--format",
                "jsonl",
            ], prints: #"{"departureTime":"27:21:00","earlier":"27:00:00","trip.service.startDate":20260101}"# + "\n")
        try expect(
            [
                "fetch", "ServiceException", "--where", "date = '2026-12-24'", "--properties",
                "date, service.serviceID, exceptionType",
            ],
            prints: """
                    date  service.serviceID  exceptionType
                --------  -----------------  -------------
                20261224  taeglich                       2

                """)
    }

    /// Tables have the description of `ServiceTime`; the other forms spell a time themselves, because that is faster.
    @Test(arguments: ["'0:00'", "'7:13:59'", "'26:59:01'", "'120:00:07'"])
    func timesAreSpelledAlikeInAllForms(shift: String) throws {
        let request = [
            "fetch", "StopTime", "--where", "departureTime != nil", "--sort", "departureTime, trip, stopSequence",
            "--properties", "departureTime - \(shift) AS time", "--format",
        ]
        func output(_ format: String) throws -> [Substring] {
            try FetchProgram.run([FetchProgram.shared.get().store] + request + [format]).output.split(separator: "\n")
        }
        let table = try output("table").dropFirst(2).map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(table.count > 80)
        #expect(try output("csv").dropFirst().map(String.init) == table)
        #expect(try output("jsonl").map(String.init) == table.map { #"{"time":"\#($0)"}"# })
        if shift.hasPrefix("'120") { #expect(table.first == "-114:08:07") }
    }
}
