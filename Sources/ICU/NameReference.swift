// The slow twin of NameFolding, for tests.
//
// Unsafe because ICU writes straight into the array.

/// ICU's transliterator `NFD; [:Nonspacing Mark:] Remove; Lower(); NFC` itself: what `NameFolding` must equal, fifty
/// times slower.
public struct NameReference: ~Copyable {
    private let reference = CNames.openReference()

    /// Opens the transliterator (about 0.3 ms).
    public init() {}

    deinit { CNames.closeReference(reference) }

    /// The normalized bytes; nil when ICU fails.
    public func fold(_ utf8: UnsafeRawBufferPointer) -> [UInt8]? {
        let capacity = utf8.count * 4 + 16
        var length = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            length = CNames.normalize(byReference: reference, utf8, UnsafeMutableRawBufferPointer(buffer))
            count = max(0, min(length, capacity))
        }
        return length >= 0 && length <= capacity ? bytes : nil
    }

    /// Whether the code point is assigned in this ICU's version of Unicode; for tests that try every one.
    public static func isAssigned(_ codePoint: UInt32) -> Bool {
        CNames.isAssigned(codePoint)
    }
}
