/// Why an import ended without a new store; each code has its own exit code (sysexits).
///
///     if let error = Importer(options).run().error { exit(error.code.exitCode) }
public struct ImportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of failure it was; more may be added.
    public struct Code: Sendable, Hashable {
        private enum Value: Int32 {
            case feedRefused = 65
            case cannotOpenFeed = 66
            case bug = 70
            case cannotCreateStore = 73
            case inputOutput = 74
            case locked = 75
            case interrupted = 130
            case terminated = 143
        }
        private let value: Value

        /// The feed is damaged, lacks a required file, exceeds a limit, violates the publication policy, was rolled
        /// back, or has no trip that the filter keeps.
        public static let feedRefused = Code(value: .feedRefused)
        /// The feed does not exist or may not be read.
        public static let cannotOpenFeed = Code(value: .cannotOpenFeed)
        /// A bug in the importer.
        public static let bug = Code(value: .bug)
        /// The store cannot be created at the requested path.
        public static let cannotCreateStore = Code(value: .cannotCreateStore)
        /// Reading or writing failed during the import, for example because the disk is full; or memory ran out.
        public static let inputOutput = Code(value: .inputOutput)
        /// Another import holds the lock.
        public static let locked = Code(value: .locked)
        /// Stopped by SIGINT.
        public static let interrupted = Code(value: .interrupted)
        /// Stopped by SIGTERM or SIGHUP.
        public static let terminated = Code(value: .terminated)

        /// The process's exit code (sysexits, or 128 and the signal's number).
        public var exitCode: Int32 { value.rawValue }
    }

    /// What failed beneath the import, as reported by the source of the failure.
    public struct Cause: Sendable, Hashable {
        /// Who reported the failure.
        public enum Source: Sendable, Hashable {
            /// A system call; `code` is its error number (errno(3)).
            case system
            /// SQLite; `code` is its extended result code (<https://sqlite.org/rescode.html>).
            case sqlite
            /// The reader of feeds, or the writer of pages; `code` is 0.
            case feed, pages
        }

        /// Who reported the failure.
        public let source: Source
        /// The number by which the source names the failure.
        public let code: Int32
        /// The source's own words.
        public let message: String
    }

    /// The kind of failure, which decides the exit code.
    public let code: Code
    /// One sentence: where, what, and what can be done. It includes the place and the cause.
    public let message: String
    /// The path of the feed, store or folder that the error is about, if any.
    public let place: String?
    /// What failed beneath the import; nil if the import itself found the fault.
    public let cause: Cause?

    /// An error without a place and a cause.
    public init(_ code: Code, _ message: String) {
        (self.code, self.message, place, cause) = (code, message, nil, nil)
    }

    /// The message is the place and then `rest`: `ImportError(.locked, at: "a.sqlite", " is being written")`.
    package init(_ code: Code, at place: String, _ rest: String, cause: Cause? = nil) {
        (self.code, message, self.place, self.cause) = (code, place + rest, place, cause)
    }

    init(_ code: Code, _ message: String, at place: String?, cause: Cause?) {
        (self.code, self.message, self.place, self.cause) = (code, message, place, cause)
    }

    /// The same error with its message changed by `words`, for example for a terminal or for one line.
    package func reworded(_ words: (String) -> String) -> ImportError {
        ImportError(code, words(message), at: place, cause: cause)
    }

    public var description: String { message }
}
