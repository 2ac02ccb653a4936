/// Mixes the name, size and checksum of every entry into one number (see ``Feed/contentHash()``).
struct ContentHash {
    private var hash = SipHash128(key: (0x6774_6673_2063_6f6e, 0x7465_6e74_2068_6173))

    /// Adds one entry; the order counts. The name's length goes before it, so that no two lists of entries give the
    /// same bytes.
    mutating func add(name: String, size: UInt64, checksum: UInt32) {
        let bytes = Array(name.utf8)
        hash.update(littleEndian: UInt64(bytes.count))
        hash.update(bytes)
        hash.update(littleEndian: size)
        hash.update(littleEndian: UInt64(checksum))
    }

    /// 32 lower-case hexadecimal digits.
    var text: String {
        let (first, second) = hash.value
        return Self.digits(first) + Self.digits(second)
    }

    private static func digits(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
