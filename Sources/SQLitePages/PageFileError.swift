/// Why pages could not be written or read.
///
///     PageFileError(.inputOutput, "page 4711 cannot be written: No space left on device")
///
/// The message does not name the file, which is known here by its descriptor only. Whoever opened it adds its path.
public struct PageFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of failure it was; more may be added.
    public struct Kind: Sendable, Hashable {
        private enum Value {
            case inputOutput, unsuitable, tooLarge, outOfOrder, lost, interrupted
        }
        private let value: Value

        /// A system call failed, as when the disk is full.
        public static let inputOutput = Kind(value: .inputOutput)
        /// The file is not a database, or its format is not supported here.
        public static let unsuitable = Kind(value: .unsuitable)
        /// A record or the file is larger than SQLite can read.
        public static let tooLarge = Kind(value: .tooLarge)
        /// A record does not come after the one before it.
        public static let outOfOrder = Kind(value: .outOfOrder)
        /// A page is not in the file as it was written.
        public static let lost = Kind(value: .lost)
        /// The caller asked to stop.
        public static let interrupted = Kind(value: .interrupted)
    }

    public let kind: Kind
    /// What failed, with the number at fault.
    public let message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    public var description: String { message }

    static func damagedTree(_ page: UInt32) -> PageFileError {
        PageFileError(.unsuitable, "page \(page) is not as it was written")
    }
}
