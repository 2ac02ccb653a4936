import Glibc

/// Why a sorter's temporary file failed.
///
///     KeySortingError(message: "a temporary file in /x cannot be written: No space left on device", number: 28)
public struct KeySortingError: Error, Sendable, Equatable, CustomStringConvertible {
    public let message: String
    /// The system's error number.
    public let number: Int32

    public var description: String { message }

    static func system(_ what: String, _ number: Int32) -> KeySortingError {
        KeySortingError(message: "\(what): \(String(cString: strerror(number)))", number: number)
    }
}
