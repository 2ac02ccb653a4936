import Foundation
import TestSupport
import Testing

@testable import GTFSImport

/// Compares GTFS dates with a calendar that counts day by day.
@Suite struct DateCellTests {
    /// Every day from 1900 to 2100 in Foundation's Gregorian calendar.
    private static let days: Set<Int64> = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
        let start = calendar.date(from: DateComponents(year: 1900, month: 1, day: 1)) ?? .now
        return Set(
            (0..<73_414).map { day in
                let date = start.addingTimeInterval(Double(day) * 86400)
                let parts = calendar.dateComponents([.year, .month, .day], from: date)
                return Int64((parts.year ?? 0) * 10000 + (parts.month ?? 0) * 100 + (parts.day ?? 0))
            })
    }()

    @Test func datesFrom1900To2100AreReadAndNothingElse() {
        #expect(Self.days.contains(19000101) && Self.days.contains(21001231) && Self.days.count == 73_414)
        for year in Int64(1900)...2100 {
            for monthAndDay in Int64(0)...1399 {
                let value = year * 10000 + monthAndDay
                let expected = Self.days.contains(value) ? value : nil
                if withBytes("\(value)", { DateCell.parse($0.bytes) }) != expected { Issue.record("\(value)") }
            }
        }
    }

    @Test func theRestOfEachCenturyFollowsTheRule() {
        func february29(_ year: Int) -> Bool {
            let text = String(repeating: "0", count: 4 - "\(year)".count) + "\(year)0229"
            return withBytes(text) { DateCell.parse($0.bytes) } != nil
        }
        for year in 0...9999 {
            let isLeap = year.isMultiple(of: 400) || year.isMultiple(of: 4) && !year.isMultiple(of: 100)
            if february29(year) != isLeap { Issue.record("\(year)") }
        }
    }

    @Test func onlyEightDigitsAreADate() {
        for byte in UInt8.min ... .max {
            for place in 0..<8 {
                var text = Array("20261121".utf8)
                text[place] = byte
                let isDigit = (48...57).contains(byte)
                let value = withBytes(text) { DateCell.parse($0.bytes) }
                if !isDigit && value != nil { Issue.record("\(text)") }
            }
        }
        for text in [
            "", "2026112", "202611211", "2026-11-21", "21.11.26", " 2026112", "99999999", "00000000", "20261300",
        ] {
            #expect(withBytes(text) { DateCell.parse($0.bytes) } == nil, "\(text)")
        }
        #expect(withBytes("99991231") { DateCell.parse($0.bytes) } == 99_991_231)
    }

    /// Dates before the year 1000 keep their zeros, in views and in messages.
    @Test func earlyDatesComeBack() throws {
        let store = try LayeredFeed([
            "calendar.txt":
                "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                + "w,1,1,1,1,1,1,1,00010101,00010102\nv,1,1,1,1,1,1,1,00010102,00010101\nu,1,1,1,1,1,1,1,,x\n",
            "calendar_dates.txt": "service_id,date,exception_type\nw,09990228,1\n",
        ]).imported()
        #expect(
            try store.rows("SELECT service_id, start_date, end_date, typeof(start_date) FROM gtfs_calendar ORDER BY 1")
                == ["u|-|x|null", "v|00010102|00010101|text", "w|00010101|00010102|text"])
        #expect(try store.rows("SELECT date FROM gtfs_calendar_dates") == ["09990228"])
        #expect(
            try store.messages.contains(
                "calendar.txt, row 3: end_date 00010101 is before start_date 00010102; stored as it is, so the row gives "
                    + "its service no days"))
    }
}
