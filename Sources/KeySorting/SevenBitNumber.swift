// Unsafe for speed: numbers are written into the caller's memory and read from there.

/// A number with seven bits a byte, the lowest first; the highest bit of a byte says that more follow.
@usableFromInline
enum SevenBitNumber {
    /// The most bytes that a number takes.
    static let longest = 5

    /// How many bytes the number takes.
    @inline(__always)
    static func length(_ number: UInt32) -> Int { number < 0x80 ? 1 : (38 - number.leadingZeroBitCount) / 7 }

    /// Writes the number and returns where the next one goes.
    @inline(__always)
    static func write(_ number: UInt32, to place: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        var (rest, place) = (number, place)
        while rest >= 0x80 {
            place.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
            rest >>= 7
            place += 1
        }
        place.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
        return place + 1
    }

    /// The number at `place`, and how many bytes it takes.
    @inlinable
    @inline(__always)
    static func read(at place: UnsafeRawPointer) -> (number: UInt32, length: UInt32) {
        var (number, length) = (UInt32(0), 0)
        while true {
            let byte = place.load(fromByteOffset: length, as: UInt8.self)
            number |= UInt32(byte & 0x7F) &<< UInt32(truncatingIfNeeded: 7 &* length)
            length &+= 1
            if byte < 0x80 { return (number, UInt32(truncatingIfNeeded: length)) }
        }
    }

    /// The number at `place`. Moves `place` to the next one.
    @inlinable
    static func read(_ place: inout UnsafeRawPointer) -> UInt32 {
        let (number, length) = read(at: place)
        place += Int(length)
        return number
    }
}
