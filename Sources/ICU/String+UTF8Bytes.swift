// Strings as the bytes that C wants.
//
// Unsafe only where these bytes are lent: nothing is copied.

extension String {
    /// Calls `body` with the string's UTF-8, which lies in the string itself unless that is a rare foreign one.
    func withUTF8Bytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var copy = self
        return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}
