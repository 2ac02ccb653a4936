// Unsafe only where a source fills the buffer; all other access is bounds-checked.

import GTFSFeed
import SystemFiles

/// The bytes of a JSON text, read byte by byte or value by value, through a buffer of constant size.
struct GeoJSONBytes {
    private var source: any ByteSource
    private var buffer: [UInt8]
    private var position = 0
    private var end = 0
    private var isAtEnd = false
    /// How many bytes were taken so far.
    private(set) var offset = 0

    init(_ source: any ByteSource, bufferBytes: Int = 64 << 10) {
        self.source = source
        buffer = [UInt8](repeating: 0, count: max(bufferBytes, 1))
    }

    /// The next byte, without consuming it; nil at the end. Throws what the source throws.
    mutating func peek() throws -> UInt8? {
        if position == end, try !fill() { return nil }
        return buffer[position]
    }

    /// Consumes white space (RFC 8259, section 2) and returns the byte after it without consuming that; nil at the end.
    mutating func peekPastSpace() throws -> UInt8? {
        while let byte = try peek() {
            guard byte.isBlank || byte.isLineEnd else { return byte }
            advance(1)
        }
        return nil
    }

    /// Consumes the byte that `peek` returned.
    mutating func skip() {
        if position < end { advance(1) }
    }

    /// Moves the bytes that belong to `value` to `bytes`, as far as they are in the buffer; false at the end.
    mutating func take(_ value: inout GeoJSONValueEnd, into bytes: inout [UInt8]) throws -> Bool {
        if position == end, try !fill() { return false }
        let count = value.follow(buffer[position..<end])
        bytes += buffer[position..<position + count]
        advance(count)
        return true
    }

    /// Moves the next byte to `bytes` if it belongs to a number or word; else returns false.
    mutating func takeWordByte(into bytes: inout [UInt8]) throws -> Bool {
        guard let byte = try peek(), Self.isOfWord(byte) else { return false }
        bytes.append(byte)
        advance(1)
        return true
    }

    /// The rest of the buffer, or the whole next buffer; empty at the end.
    mutating func takeRest() throws -> [UInt8] {
        if position == end, try !fill() { return [] }
        let bytes = Array(buffer[position..<end])
        advance(bytes.count)
        return bytes
    }

    /// Digits, letters, signs and the point: what `-1.5e+3`, `true`, `false` and `null` are made of.
    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == 0x2B || byte == 0x2D || byte == 0x2E
    }

    private mutating func advance(_ count: Int) {
        position += count
        offset &+= count
    }

    private mutating func fill() throws -> Bool {
        guard !isAtEnd else { return false }
        position = 0
        end = 0
        end = try buffer.withUnsafeMutableBytes { min(max(try source.read(into: $0), 0), $0.count) }
        isAtEnd = end == 0
        return !isAtEnd
    }
}

/// Finds the end of a JSON string, array or object by its quotes and brackets alone.
///
/// The parser decides later whether the bytes in between are JSON.
struct GeoJSONValueEnd {
    enum Progress { case unfinished, complete, wrongBracket, tooDeep }

    private(set) var progress = Progress.unfinished
    private var closers: [UInt8] = []
    private var isInString = false
    private var isEscaped = false
    private let maximumDepth: Int

    init(maximumDepth: Int) { self.maximumDepth = maximumDepth }

    /// Reads on in `bytes` and returns how many of them belong to the value: all of them while `progress` is
    /// `unfinished`.
    mutating func follow(_ bytes: ArraySlice<UInt8>) -> Int {
        var count = 0
        for byte in bytes {
            if isInString { followString(byte) } else { followStructure(byte) }
            guard progress == .unfinished else { return progress == .complete ? count + 1 : count }
            count += 1
        }
        return count
    }

    @inline(__always)
    private mutating func followString(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
            if closers.isEmpty { progress = .complete }
        }
    }

    @inline(__always)
    private mutating func followStructure(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        // In ASCII each closing bracket comes two after its opening one.
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            if closers.count < maximumDepth { closers.append(byte + 2) } else { progress = .tooDeep }
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            guard closers.popLast() == byte else { return progress = .wrongBracket }
            if closers.isEmpty { progress = .complete }
        default: break
        }
    }
}
