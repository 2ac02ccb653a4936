// Unsafe: system calls take paths as pointers to bytes; each pointer is lent for one call.

/// To the system a path is bytes, mostly but not always UTF-8. These texts represent any bytes without loss.
///
///     let path = String(pathBytes: [0x67, 0xFC, 0x2E, 0x7A, 0x69, 0x70])   // "gü.zip" in Latin-1
///     path.pathBytes                                                       // the same six bytes
///     path.readablePath                                                    // "g\xFC.zip"
///
/// A byte that is not part of a valid UTF-8 character becomes the private character U+10FF00 + byte. Bytes that encode
/// one of these private characters are converted one by one as well, so different paths have different texts.
extension String {
    private static let firstByteScalar: UInt32 = 0x10FF80
    private static let byteScalars = firstByteScalar...0x10FFFF

    /// The text of a path.
    package init(pathBytes bytes: some Sequence<UInt8>) {
        self.init()
        let bytes = Array(bytes)
        var start = 0
        while start < bytes.count {
            let length = Self.scalarLength(bytes[start...])
            let text = length > 0 ? String(decoding: bytes[start..<start + length], as: UTF8.self) : ""
            if let scalar = text.unicodeScalars.first, !Self.byteScalars.contains(scalar.value) {
                unicodeScalars.append(scalar)
                start += length
            } else {
                let scalar = bytes[start] < 0x80 ? UInt32(bytes[start]) : 0x10FF00 + UInt32(bytes[start])
                if let scalar = Unicode.Scalar(scalar) { unicodeScalars.append(scalar) }
                start += 1
            }
        }
    }

    /// The text of a path that the system returned, up to its NUL.
    package init(path: UnsafePointer<CChar>) {
        var length = 0
        while path[length] != 0 { length += 1 }
        self.init(pathBytes: UnsafeBufferPointer(start: path, count: length).lazy.map(UInt8.init(bitPattern:)))
    }

    /// The bytes that the text stands for, without a NUL.
    package var pathBytes: [UInt8] {
        if !utf8.contains(0xF4) { return Array(utf8) }
        var bytes: [UInt8] = []
        for scalar in unicodeScalars {
            if Self.byteScalars.contains(scalar.value) {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                bytes += UTF8.encode(scalar).map(Array.init) ?? []
            }
        }
        return bytes
    }

    /// The path for messages: bytes that are not valid UTF-8 appear as `\xFC`.
    package var readablePath: String {
        if !utf8.contains(0xF4) { return self }
        var text = ""
        for scalar in unicodeScalars {
            if Self.byteScalars.contains(scalar.value) {
                text += "\\x" + String(scalar.value & 0xFF, radix: 16, uppercase: true)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The text of an argument that is not a path: bytes that are not valid UTF-8 become U+FFFD, as in Swift's own
    /// arguments.
    package var repairedText: String { utf8.contains(0xF4) ? String(decoding: pathBytes, as: UTF8.self) : self }

    /// Lends the path as bytes that end with a NUL, for a system call.
    package func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        let bytes = pathBytes.map(CChar.init(bitPattern:)) + [0]
        return bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return "".withCString(body) }
            return body(start)
        }
    }

    /// Bytes of the UTF-8 character at the beginning of `bytes` (RFC 3629, 4); 0 when there is none.
    private static func scalarLength(_ bytes: ArraySlice<UInt8>) -> Int {
        guard let first = bytes.first else { return 0 }
        let (length, second): (Int, ClosedRange<UInt8>) =
            switch first {
            case 0..<0x80: (1, 0...0)
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xE1...0xEF: (3, 0x80...0xBF)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: (0, 0...0)
            }
        if length < 2 { return length }
        let rest = bytes.dropFirst().prefix(length - 1)
        guard rest.count == length - 1, let next = rest.first, second.contains(next) else { return 0 }
        return rest.dropFirst().allSatisfy { (0x80...0xBF).contains($0) } ? length : 0
    }
}
