/// Why a feed could not be opened or read.
///
///     do { try OpenedFeed.open("feed.zip") } catch { print(error) }
///     // feed.zip: is not a zip archive: it starts with "<!DOCTYPE html"
///
/// What is wrong *inside* a readable file (a bad row, a missing column) is never a `FeedError`: bad data is a notice, a
/// feed that cannot be read at all is an error.
public struct FeedError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure; more may be added, so switch over them with a default.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case cannotOpen, notAFeed, damaged, unsupported, severalFeeds, overLimit, readFailed
        }

        private let kind: Kind

        /// The path does not exist, may not be read, or the part after `#` names nothing in the archive.
        public static let cannotOpen = Code(kind: .cannotOpen)
        /// It can be read but is not a feed: it is not a zip archive, or it holds no GTFS file.
        public static let notAFeed = Code(kind: .notAFeed)
        /// The archive contradicts itself: cut off, wrong checksum, entries that overlap.
        public static let damaged = Code(kind: .damaged)
        /// A valid archive that uses an unsupported feature: LZMA, Deflate64, encryption, several parts.
        public static let unsupported = Code(kind: .unsupported)
        /// It holds more than one feed, and none was chosen.
        public static let severalFeeds = Code(kind: .severalFeeds)
        /// It is larger than ``FeedLimits`` allow.
        public static let overLimit = Code(kind: .overLimit)
        /// Reading failed or was cancelled, or the input changed meanwhile.
        public static let readFailed = Code(kind: .readFailed)

        public var description: String { kind.rawValue }
    }

    /// What kind of failure it is.
    public let code: Code
    /// What is wrong, in which entry and value, and what can be done. It completes a sentence that begins with
    /// ``place``.
    public let message: String
    /// The file, folder or archive it was found in, in the form of an argument: `feed.zip`, `outer.zip#inner.zip`.
    public let place: String?

    /// Makes an error; `message` completes a sentence that begins with `place`. Control characters in it are escaped.
    public init(_ code: Code, _ message: String, at place: String?) {
        self.code = code
        self.message = message.onOneLine
        self.place = place
    }

    /// Place and message, control characters escaped: `feed.zip: holds no entry`.
    public var description: String { place.map { "\($0.onOneLine): \(message)" } ?? message }
}
