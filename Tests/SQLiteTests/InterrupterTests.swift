import Foundation
import TestSupport
import Testing

@testable import SQLite

/// Stopping a statement from another thread.
@Suite struct InterrupterTests {
    private static let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    @Test func anEndlessStatementEnds() throws {
        let connection = try Connection.inMemory()
        let interrupter = connection.interrupter
        let over = DispatchSemaphore(value: 0)
        // Interrupts repeatedly, because an interrupt before the statement begins has no effect.
        let thread = Thread {
            while over.wait(timeout: .now() + .milliseconds(5)) == .timedOut { interrupter.interrupt() }
            over.signal()
        }
        thread.start()
        let error = try sqliteError { _ = try connection.integer(Self.endless) }
        over.signal()
        while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
        #expect(error == SQLiteError(code: 9, message: "interrupted", context: Self.endless))
        #expect(error?.isInterruption == true)
        #expect(try connection.integer("SELECT 1") == 1)
    }

    @Test func anInterruptWithoutAStatementIsForgotten() throws {
        let connection = try Connection.inMemory()
        connection.interrupter.interrupt()
        #expect(try connection.integer("SELECT 1") == 1)
    }
}
