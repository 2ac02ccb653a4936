// Texts in another spelling or script.
//
// Unsafe because ICU writes straight into the array.

/// Turns texts into others by ICU's transliteration rules.
///
///     Transform(rules: ":: Lower; ö > oe;")?.apply("Görlitz")        // "goerlitz"
///
/// Rules are written as ICU's guide says
/// (<https://unicode-org.github.io/icu/userguide/transforms/general/rules.html>); they may name those that ICU has,
/// such as `:: Any-Latin;`. Opening costs 10 µs for a few rules of one's own, and up to 30 ms for `Latin-ASCII`; a word
/// costs 1 to 5 µs. Not for two threads at once.
public final class Transform {
    private let transform: Handle

    /// Compiles the rules; nil when ICU cannot read them.
    public init?(rules: String) {
        guard let transform = rules.withUTF8Bytes(CTransform.open) else { return nil }
        self.transform = transform
    }

    deinit { CTransform.close(transform) }

    /// The other text; nil when it is more than four times as long.
    public func apply(_ text: String) -> String? {
        text.withUTF8Bytes { apply($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// As above, for UTF-8; malformed parts read as U+FFFD.
    public func apply(_ utf8: UnsafeRawBufferPointer) -> [UInt8]? {
        let capacity = utf8.count * 4 + 16
        var length = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            length = CTransform.apply(transform, utf8, UnsafeMutableRawBufferPointer(buffer))
            count = max(0, min(length, capacity))
        }
        return length >= 0 && length <= capacity ? bytes : nil
    }
}
