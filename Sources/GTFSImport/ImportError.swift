/// Why an import ended without a new store; each kind has its own exit code (sysexits).
///
///     catch let error as ImportError { exit(error.kind.exitCode) }
public struct ImportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of failure it was; more may be added.
    public struct Kind: Sendable, Hashable {
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
        public static let feedRefused = Kind(value: .feedRefused)
        /// The feed does not exist or may not be read.
        public static let cannotOpenFeed = Kind(value: .cannotOpenFeed)
        /// Something that must not happen did.
        public static let bug = Kind(value: .bug)
        /// The store cannot be created where it was asked for.
        public static let cannotCreateStore = Kind(value: .cannotCreateStore)
        /// Reading or writing failed underway, as when the disk is full.
        public static let inputOutput = Kind(value: .inputOutput)
        /// Another import holds the lock.
        public static let locked = Kind(value: .locked)
        /// Stopped by SIGINT.
        public static let interrupted = Kind(value: .interrupted)
        /// Stopped by SIGTERM or SIGHUP.
        public static let terminated = Kind(value: .terminated)

        /// The process's exit code (DESIGN: sysexits, 128 + signal).
        public var exitCode: Int32 { value.rawValue }
    }

    public let kind: Kind
    /// One sentence: where, what, and what can be done.
    public let message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    public var description: String { message }
}
