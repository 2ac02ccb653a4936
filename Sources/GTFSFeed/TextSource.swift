// Unsafe: a source fills memory that its caller owns, so UTF-8 passes without a copy.

/// A stream of bytes that is read once from start to end: a member of a zip, a file, a converter.
public protocol ByteSource {
    /// Puts up to `buffer.count` (at least 1) bytes into `buffer` and returns how many; 0 means the end, for good.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

extension EntryStream: ByteSource {}

/// The text of a source as UTF-8 without a byte-order mark.
///
/// UTF-8 passes untouched and uncopied. So do legacy 8-bit encodings, which are detected later, value by value. UTF-16
/// and UTF-32 are recognised by their mark or by the NULs of an ASCII header line, and converted on the way. Their
/// invalid units (such as lone surrogates, or half a unit at the end) become U+FFFD.
public final class TextSource: ByteSource {
    /// The encoding detected from the first bytes.
    public let encoding: TextEncoding

    private var source: any ByteSource
    /// Bytes ready to be returned: the first of the file, or converted ones.
    private var ready: [UInt8] = []
    private var readyStart = 0
    /// Bytes of UTF-16 or UTF-32 not converted yet.
    private var raw: [UInt8] = []
    private var isAtEnd = false

    static let sampleBytes = 512
    static let chunkBytes = 32 << 10

    /// Reads the first bytes to tell the encoding. Throws what the source throws.
    public init(_ source: any ByteSource) throws {
        self.source = source
        var sample: [UInt8] = []
        while sample.count < Self.sampleBytes, try Self.append(&self.source, to: &sample, Self.sampleBytes) {}
        encoding = TextEncoding.detect(sample)
        let text = Array(sample.dropFirst(encoding.byteOrderMark))
        if encoding.unitBytes == 1 { ready = text } else { raw = text }
    }

    /// As ``ByteSource/read(into:)``, in UTF-8. Throws what the source throws.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        if readyStart == ready.count {
            if encoding.unitBytes == 1 { return try source.read(into: buffer) }
            try convert()
        }
        let count = min(buffer.count, ready.count - readyStart)
        ready.withUnsafeBytes {
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[readyStart..<readyStart + count]))
        }
        readyStart += count
        return count
    }

    /// Appends the result of one read of up to `count` bytes; false at the end.
    private static func append(_ source: inout any ByteSource, to bytes: inout [UInt8], _ count: Int) throws -> Bool {
        let chunk = try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let read = try source.read(into: UnsafeMutableRawBufferPointer(buffer))
            initialized = min(max(read, 0), count)
        }
        bytes += chunk
        return !chunk.isEmpty
    }

    // MARK: Converting

    /// Fills `ready` with the next characters; leaves it empty at the end.
    private func convert() throws {
        ready.removeAll(keepingCapacity: true)
        readyStart = 0
        while ready.isEmpty, !(isAtEnd && raw.isEmpty) {
            if !isAtEnd { isAtEnd = try !Self.append(&source, to: &raw, Self.chunkBytes) }
            var position = 0
            while let length = appendCharacter(at: position) { position += length }
            raw.removeFirst(position)
        }
    }

    /// Converts the character at `position` and returns its length in bytes; nil when more bytes are needed.
    private func appendCharacter(at position: Int) -> Int? {
        let width = encoding.unitBytes
        guard position + width <= raw.count else {
            guard isAtEnd, position < raw.count else { return nil }
            append(nil)
            return raw.count - position
        }
        let first = unit(at: position)
        guard width == 2, (0xD800..<0xDC00).contains(first) else {
            append(Unicode.Scalar(first))
            return width
        }
        guard position + 4 <= raw.count || isAtEnd else { return nil }
        let second = position + 4 <= raw.count ? unit(at: position + 2) : 0
        guard (0xDC00..<0xE000).contains(second) else {
            append(nil)
            return 2
        }
        append(Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)))
        return 4
    }

    private func unit(at position: Int) -> UInt32 {
        var unit: UInt32 = 0
        for offset in 0..<encoding.unitBytes {
            let place = encoding.isBigEndian ? encoding.unitBytes - 1 - offset : offset
            unit |= UInt32(raw[position + offset]) << UInt32(place * 8)
        }
        return unit
    }

    private func append(_ scalar: Unicode.Scalar?) {
        ready.append(contentsOf: UTF8.encode(scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
    }
}
