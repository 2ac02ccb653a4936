// Unsafe only where the bytes of texts are hashed and compared in place; a copy of each would be an array.

import Glibc

/// A text as the key of a dictionary or set. Texts with different bytes are different keys, as they are for SQLite.
///
/// Swift takes two texts for equal if they show the same characters: "é" in one code point and "é" in two.
struct ExactText: Sendable, Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (one: ExactText, other: ExactText) -> Bool { one.text.hasSameBytes(as: other.text) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}

extension ExactText: ExpressibleByStringLiteral {
    init(stringLiteral text: String) { self.init(text) }
}

extension Sequence<String> {
    /// Each text once, in the order of their bytes. Swift's own sets and orders take quadratic time for a letter with
    /// very many combining marks.
    var eachOnceInOrder: [String] {
        Set(map { ExactText($0) }).map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

extension String {
    /// Whether two texts have the same bytes in UTF-8.
    func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let areSame = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { bytes.hasSameBytes(as: $0) }
        }
        return (areSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the first bytes are those of another buffer of the same length.
    fileprivate func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let one = baseAddress, let two = other.baseAddress else { return true }
        return memcmp(one, two, count) == 0
    }
}
