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

        /// The feed is damaged, lacks a required file, or is over the error policy.
        public static let feedRefused = Code(value: .feedRefused)
        /// The feed does not exist or may not be read.
        public static let cannotOpenFeed = Code(value: .cannotOpenFeed)
        /// Something that must not happen did.
        public static let bug = Code(value: .bug)
        /// The store cannot be created where it was asked for.
        public static let cannotCreateStore = Code(value: .cannotCreateStore)
        /// Reading or writing failed underway, as when the disk is full.
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

    /// What failed beneath the import, as whoever answered for it says.
    public struct Cause: Sendable, Hashable {
        /// Who answered.
        public enum Source: Sendable, Hashable {
            /// A system call; `code` is its error number (errno(3)).
            case system
            /// SQLite; `code` is its extended result code (<https://sqlite.org/rescode.html>).
            case sqlite
            /// The reader of feeds, or the writer of pages; `code` is 0.
            case feed, pages
        }

        public let source: Source
        public let code: Int32
        /// In the words of the source.
        public let message: String
    }

    public let code: Code
    /// One sentence: where, what, and what can be done; says place and cause as well.
    public let message: String
    /// The path of the feed, store or folder that it is about, if it is about one.
    public let place: String?
    public let cause: Cause?

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

    /// The same error in words that a terminal, or a reader of one line, can take.
    package func reworded(_ words: (String) -> String) -> ImportError {
        ImportError(code, words(message), at: place, cause: cause)
    }

    public var description: String { message }
}
