// Unsafe: numbers are laid before records, and read from there, at places that need not be aligned.

extension RecordChunk {
    /// The beginning of a record: how far its sequence is from the first of its stretch, and its length.
    ///
    /// Four bytes, and twelve where one of the two is no number of two bytes.
    struct Prefix {
        static let longest = 12
        private static let escape = UInt16.max
        private static let short = 4

        var distance: UInt32
        let byteCount: UInt32
        /// Stays what it is when the distance becomes less.
        let length: Int

        init(distance: UInt32, byteCount: UInt32) {
            (self.distance, self.byteCount) = (distance, byteCount)
            length = distance < Self.escape && byteCount < Self.escape ? Self.short : Self.longest
        }

        /// That of a record in memory.
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

    /// The beginning of a stretch as it stands in a file of runs; its records follow.
    ///
    /// Twelve bytes, and twenty-four where the sequence or the length is no number of two bytes: of rows that each
    /// stand elsewhere, every one has a header.
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

        /// That of a stretch in memory; `length` becomes its length.
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
                // Six bytes are enough for a chunk.
                byteCount = Int(memory.loadUnaligned(fromByteOffset: 8, as: UInt64.self) >> 16)
                sequence = memory.loadUnaligned(fromByteOffset: 16, as: Int64.self)
                length = Self.longest
            }
        }

        /// Answers how many bytes it took.
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
