import GTFSSchema
import ICU
import ReportPage
import SQLite

/// What the report page shows in addition to the report; gathered only if a page was requested.
package struct ImportDetails: Sendable {
    /// Nil if the import ended before the store could be read.
    package var portrait: PageContent.Portrait?
    /// Rows of each file in the previous live store.
    package var rowsBefore: [(file: String, count: Int)]?
    /// The first findings of each code.
    package var samples: [String: [PageContent.NoticeGroup.Sample]] = [:]

    private static let samplesPerCode = 5

    /// Reads the portrait from a store that is being built or is published.
    mutating func read(_ connection: Connection) throws(SQLiteError) {
        portrait = try FeedPortrait(connection).read()
    }

    mutating func readSamples(_ log: NoticeLog) {
        for notice in log.kept {
            addSample(notice.kind.code.name, file: notice.file, row: notice.rowNumber, notice.message)
        }
    }

    mutating func readSamples(of connection: Connection) throws(SQLiteError) {
        let rows = try connection.prepare("SELECT code, file, row_number, message FROM notice ORDER BY id")
        while try rows.step() {
            addSample(
                rows.text(0) ?? "", file: rows.text(1), row: rows.isNull(2) ? nil : Int(rows.integer(2)),
                rows.text(3) ?? "")
        }
    }

    private mutating func addSample(_ code: String, file: String?, row: Int?, _ message: String) {
        guard samples[code, default: []].count < Self.samplesPerCode else { return }
        samples[code, default: []].append(.init(file: file, row: row, message: message))
    }
}
