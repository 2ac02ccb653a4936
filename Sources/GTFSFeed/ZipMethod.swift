/// How an entry is compressed (APPNOTE 4.4.5).
struct ZipMethod: Equatable, Sendable, CustomStringConvertible {
    let number: UInt16

    static let stored = ZipMethod(number: 0)
    static let deflate = ZipMethod(number: 8)
    /// Not a compression: the entry is encrypted with AES, and the method stands in an extra field.
    static let aes = ZipMethod(number: 99)

    /// Name and number: "LZMA (method 14)".
    var description: String { Self.names[number].map { "\($0) (method \(number))" } ?? "method \(number)" }

    private static let names: [UInt16: String] = [
        0: "nothing", 1: "Shrink", 2: "Reduce", 3: "Reduce", 4: "Reduce", 5: "Reduce", 6: "Implode", 8: "Deflate",
        9: "Deflate64", 10: "PKWARE Implode", 12: "BZip2", 14: "LZMA", 16: "IBM CMPSC", 18: "IBM TERSE", 19: "IBM LZ77",
        20: "Zstandard", 93: "Zstandard", 94: "MP3", 95: "XZ", 96: "JPEG", 97: "WavPack", 98: "PPMd",
    ]
}
