// Unsafe: numbers are stored before records, and read from there, at addresses that need not be aligned.

extension RecordChunk {
    /// The prefix of a record: how far its sequence is from the first one of its stretch, and the record's length.
    ///
    /// Takes four bytes, or twelve if one of the two numbers is 65,535 or more.
    struct Prefix {
        static let longest = 12
        private static let escape = UInt16.max
        private static let short = 4

        var distance: UInt32
        let byteCount: UInt32
        /// The length of the prefix itself. It does not change when the distance becomes smaller.
        let length: Int

        init(distance: UInt32, byteCount: UInt32) {
            (self.distance, self.byteCount) = (distance, byteCount)
            length = distance < Self.escape && byteCount < Self.escape ? Self.short : Self.longest
        }

        /// Reads the prefix of a record in memory.
        @inline(__always)
        init(at memory: UnsafeRawPointer) {
            let word = memory.loadUnaligned(as: UInt32.self)
            if word >> 16 < UInt32(Self.escape) {
                (distance, byteCount, length) = (word & 0xFFFF, word >> 16, Self.short)
            } else {
                distance = memory.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
                byteCount = memory.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
                length = Self.longest
            }
        }

        @inline(__always)
        func store(to memory: UnsafeMutableRawPointer) {
            guard length == Self.longest else {
                return memory.storeBytes(of: byteCount << 16 | distance, as: UInt32.self)
            }
            memory.storeBytes(of: UInt32.max, as: UInt32.self)
            memory.storeBytes(of: distance, toByteOffset: 4, as: UInt32.self)
            memory.storeBytes(of: byteCount, toByteOffset: 8, as: UInt32.self)
        }
    }

    /// The header of a stretch in a file of runs; the stretch's records follow.
    ///
    /// Takes twelve bytes, or twenty-four if the sequence or the length does not fit into two bytes. It is short,
    /// because each row needs a header of its own if no two rows form a stretch.
    struct Header {
        static let longest = 24
        private static let escape = UInt16.max
        private static let short = 12

        var parent: UInt32
        /// The number of the first row; the others have the numbers after it.
        var number: UInt32
        var sequence: Int64
        var byteCount: Int

        init(parent: UInt32, number: UInt32, sequence: Int64, byteCount: Int) {
            (self.parent, self.number) = (parent, number)
            (self.sequence, self.byteCount) = (sequence, byteCount)
        }

        /// Reads the header of a stretch in memory, and sets `length` to the header's length.
        @inline(__always)
        init(at memory: UnsafeRawPointer, length: inout Int) {
            parent = memory.loadUnaligned(as: UInt32.self)
            number = memory.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
            let bytes = memory.loadUnaligned(fromByteOffset: 8, as: UInt16.self)
            if bytes < Self.escape {
                byteCount = Int(bytes)
                sequence = Int64(memory.loadUnaligned(fromByteOffset: 10, as: UInt16.self))
                length = Self.short
            } else {
                // Six bytes are enough for the length of a chunk.
                byteCount = Int(memory.loadUnaligned(fromByteOffset: 8, as: UInt64.self) >> 16)
                sequence = memory.loadUnaligned(fromByteOffset: 16, as: Int64.self)
                length = Self.longest
            }
        }

        /// Writes the header and returns how many bytes it took.
        @inline(__always)
        func store(to memory: UnsafeMutableRawPointer) -> Int {
            memory.storeBytes(of: parent, as: UInt32.self)
            memory.storeBytes(of: number, toByteOffset: 4, as: UInt32.self)
            if byteCount < Self.escape, let short = UInt16(exactly: sequence) {
                memory.storeBytes(of: UInt16(truncatingIfNeeded: byteCount), toByteOffset: 8, as: UInt16.self)
                memory.storeBytes(of: short, toByteOffset: 10, as: UInt16.self)
                return Self.short
            }
            let word = UInt64(truncatingIfNeeded: byteCount) << 16 | UInt64(Self.escape)
            memory.storeBytes(of: word, toByteOffset: 8, as: UInt64.self)
            memory.storeBytes(of: sequence, toByteOffset: 16, as: Int64.self)
            return Self.longest
        }
    }
}
