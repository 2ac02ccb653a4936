import CSQLite

/// An error that SQLite reported.
///
///     SQLiteError(code: 13, message: "database or disk is full", context: "INSERT INTO stop …")
///
/// Codes are SQLite's extended result codes (<https://sqlite.org/rescode.html>).
package struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The extended result code; its low byte is the primary code.
    package let code: Int32
    /// SQLite's own words.
    package let message: String
    /// The statement or path that was being worked on.
    package let context: String
    /// The failed system call behind it, if there was one.
    package let systemFailure: SystemFailure?

    /// An extended code. Swift does not import SQLite's macros for these codes. SQLITE_IOERR_WRITE, for one, is
    /// `extended(SQLITE_IOERR, 3)`.
    private static func extended(_ primary: Int32, _ number: Int32) -> Int32 { primary | number << 8 }

    /// SQLITE_IOERR_WRITE, _FSYNC, _TRUNCATE and _GETTEMPPATH.
    private static let codesOfWriting = [3, 4, 6, 25].map { extended(SQLITE_IOERR, $0) }

    /// The low byte of `code`.
    package var primaryCode: Int32 { code & 0xFF }
    /// The disk is full (13), or reading or writing failed (10).
    package var isInputOutput: Bool { isDiskFull || primaryCode == SQLITE_IOERR }
    /// The disk is full (13).
    package var isDiskFull: Bool { primaryCode == SQLITE_FULL }
    /// The disk is full (13), or a write, fsync or ftruncate failed, or no folder for temporary files was found.
    package var isOfWriting: Bool { isDiskFull || Self.codesOfWriting.contains(code) }
    /// The file is not a database or its pages contradict each other (26, 11).
    package var isCorruption: Bool {
        if primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB { return true }
        // SQLite says this of a schema format number in the header that it does not know; it has no code of its own.
        return primaryCode == SQLITE_ERROR && message == "unsupported file format"
    }
    /// The statement was stopped by an `Interrupter` or by the check of `stopStatements(when:)` (9).
    package var isInterruption: Bool { primaryCode == SQLITE_INTERRUPT }
    /// The file could not be opened (14) or may not be written (8).
    package var isCannotOpen: Bool { primaryCode == SQLITE_CANTOPEN || primaryCode == SQLITE_READONLY }

    /// How messages about limits begin. Further on, messages quote names and values of the statement.
    private static let messagesOfLimits = [
        "too many ", "at most ", "Expression tree is too large", "LIKE or GLOB pattern too complex",
        "parser stack overflow",
    ]

    /// The statement goes beyond one of SQLite's limits (<https://sqlite.org/limits.html>). Most limits have no code of
    /// their own, only a message.
    package var isTooComplex: Bool {
        primaryCode == SQLITE_TOOBIG
            || primaryCode == SQLITE_ERROR && Self.messagesOfLimits.contains(where: message.hasPrefix)
    }

    package var description: String { "SQLite error \(code): \(message) - while working on \(context)" }

    /// There was not enough memory (7).
    package var isOutOfMemory: Bool { primaryCode == SQLITE_NOMEM || code == Self.extended(SQLITE_IOERR, 12) }

    package init(code: Int32, message: String, context: String, systemFailure: SystemFailure? = nil) {
        self.code = code
        self.message = message
        self.context = context
        self.systemFailure = systemFailure
    }
}

/// A system call that failed under SQLite.
package struct SystemFailure: Sendable, Equatable {
    /// What the call was meant to do.
    package enum Action: Sendable {
        case opening, reading, writing, readingTemporary, writingTemporary, makingTemporary, other
    }

    /// `errno` after the call.
    package let number: Int32
    package let action: Action

    package init(number: Int32, action: Action) {
        self.number = number
        self.action = action
    }
}
