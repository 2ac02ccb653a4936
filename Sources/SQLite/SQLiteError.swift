/// What SQLite answered when it could not do as asked.
///
///     SQLiteError(code: 13, message: "database or disk is full", context: "INSERT INTO stop …")
///
/// Codes are SQLite's extended result codes (<https://sqlite.org/rescode.html>).
public struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The extended result code; its low byte is the primary code.
    public let code: Int32
    /// SQLite's own words.
    public let message: String
    /// The statement or path that was being worked on.
    public let context: String
    /// The system call behind it, where one had failed.
    public let systemFailure: SystemFailure?

    /// The low byte of `code`.
    public var primaryCode: Int32 { code & 0xFF }
    /// The disk is full (13), or reading or writing failed (10).
    public var isInputOutput: Bool { primaryCode == 13 || primaryCode == 10 }
    /// The disk is full (13), or a write, fsync or ftruncate failed, or no folder for temporary files was found.
    public var isOfWriting: Bool { primaryCode == 13 || [778, 1034, 1546, 6410].contains(code) }
    /// The file is not a database or its pages contradict each other (26, 11).
    public var isCorruption: Bool { primaryCode == 11 || primaryCode == 26 }
    /// The statement was stopped by an `Interrupter` (9).
    public var isInterruption: Bool { primaryCode == 9 }
    /// The file could not be opened (14) or may not be written (8).
    public var isCannotOpen: Bool { primaryCode == 14 || primaryCode == 8 }

    /// The statement goes beyond one of SQLite's limits (<https://sqlite.org/limits.html>), or a function in it gave
    /// up.
    ///
    /// There is no code of its own for most of these, only words.
    public var isTooComplex: Bool {
        if primaryCode == 18 { return true }
        guard primaryCode == 1 else { return false }
        let words = Array(message.utf8)
        return ["too large", "too many", "too complex", "too long", "stack overflow", "at most "].contains { limit in
            words.indices.contains { words[$0...].starts(with: limit.utf8) }
        }
    }

    public var description: String { "SQLite error \(code): \(message) - while working on \(context)" }

    /// There was not enough memory (7).
    public var isOutOfMemory: Bool { primaryCode == 7 || code == 3082 }

    public init(code: Int32, message: String, context: String, systemFailure: SystemFailure? = nil) {
        self.code = code
        self.message = message
        self.context = context
        self.systemFailure = systemFailure
    }
}

/// A system call that failed under SQLite.
public struct SystemFailure: Sendable, Equatable {
    /// What it was to do.
    public enum Action: Sendable {
        case opening, reading, writing, readingTemporary, writingTemporary, makingTemporary, other
    }

    /// `errno` after the call.
    public let number: Int32
    public let action: Action

    public init(number: Int32, action: Action) {
        self.number = number
        self.action = action
    }
}
