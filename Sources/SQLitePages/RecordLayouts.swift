// Unsafe: layouts lie in memory that is allocated once, and values are looked up in the memory of records, whose
// lengths are checked.

/// Where records have their key and the numbers in three columns. Records with the same types of values have the same
/// layout. A layout is worked out once, because that takes a look at all columns up to the last of the three: in a row
/// of stop_times.txt, eighteen may come before it.
struct RecordLayouts {
    /// A power of 2.
    private static let count = 64

    private let columns: (Int, Int, Int)
    /// A place for each hash of a header, and a last one for records whose headers cannot be compared: a header is
    /// longer than 24 bytes, or its values are so short that reading the header by words would pass the end. The layout
    /// of such a record is worked out each time.
    private let layouts: UnsafeMutablePointer<RecordLayout>

    /// A negative column number stands for no column: its values are NaN.
    init(columns: (Int, Int, Int)) {
        self.columns = columns
        layouts = .allocate(capacity: Self.count + 1)
        layouts.initialize(repeating: RecordLayout(), count: Self.count + 1)
    }

    func deallocate() { layouts.deallocate() }

    /// The layout of a record, which has at least one byte. Valid until the next call.
    @inline(__always)
    func layout(of record: UnsafeRawPointer, _ length: Int) -> UnsafePointer<RecordLayout> {
        let header = Int(record.load(as: UInt8.self))
        let words = (header &+ 7) &>> 3
        guard header &- 1 < 24, header > 0, 8 &* words <= length else { return find(record, length) }
        @inline(__always)
        func word(_ number: Int) -> UInt64 { record.loadUnaligned(fromByteOffset: 8 &* number, as: UInt64.self) }
        // The bytes of the last word that belong to the header.
        let mask = (UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- 8 &* (header &- 8 &* (words &- 1)))).littleEndian
        let types = (words > 1 ? word(0) : 0, words > 2 ? word(1) : 0, word(words &- 1) & mask)
        let sum = types.0 &* 0x9E37_79B9_7F4A_7C15 ^ types.1 &* 0xBF58_476D_1CE4_E5B9 ^ types.2
        let layout = layouts + Int(truncatingIfNeeded: (sum &* 0x94D0_49BB_1331_11EB) &>> 58)
        if layout.pointee.types != types || layout.pointee.end > length {
            layout.pointee = RecordLayout(columns, of: record, length, types)
        }
        return UnsafePointer(layout)
    }

    @inline(never)
    private func find(_ record: UnsafeRawPointer, _ length: Int) -> UnsafePointer<RecordLayout> {
        layouts[Self.count] = RecordLayout(columns, of: record, length, (0, 0, 0))
        return UnsafePointer(layouts + Self.count)
    }
}

struct RecordLayout {
    /// A value of a record.
    struct Value {
        private enum Kind: UInt8 {
            case none, integer, double, zero, one
        }

        private let kind: Kind
        /// How many bits stand before the integer in the eight bytes that end with it.
        private let shift: UInt8
        private let end: Int32

        /// NULL. Texts count as NULL.
        static let null = Value(type: 0, end: 0)

        /// `type` is that in the record's header.
        fileprivate init(type: Int, end: Int) {
            self.end = Int32(truncatingIfNeeded: end)
            shift = UInt8(truncatingIfNeeded: 64 &- 8 &* RecordIntegers.length(type))
            switch type {
            case 1...6: kind = .integer
            case 7: kind = .double
            case 8: kind = .zero
            case 9: kind = .one
            default: kind = .none
            }
        }

        /// The eight bytes that end with the value. As many must stand before the record.
        @inline(__always)
        private func bytes(_ record: UnsafeRawPointer) -> UInt64 {
            UInt64(bigEndian: record.loadUnaligned(fromByteOffset: Int(end) &- 8, as: UInt64.self))
        }

        /// 0 for anything but an integer.
        @inline(__always)
        func integer(_ record: UnsafeRawPointer) -> Int64 {
            guard kind == .integer else { return kind == .one ? 1 : 0 }
            return Int64(bitPattern: bytes(record) &<< UInt64(shift)) &>> Int64(shift)
        }

        /// NaN for NULL.
        @inline(__always)
        func number(_ record: UnsafeRawPointer) -> Double {
            switch kind {
            case .double: Double(bitPattern: bytes(record))
            case .none: .nan
            default: Double(integer(record))
            }
        }
    }

    /// The header of the record, padded with zeros at its end.
    fileprivate var types: (UInt64, UInt64, UInt64) = (0, 0, 0)
    /// How many bytes of the record are looked at.
    fileprivate private(set) var end = 0
    private(set) var parent = Value.null
    private(set) var sequence = Value.null
    private(set) var first = Value.null
    private(set) var second = Value.null
    private(set) var third = Value.null

    init() {}

    /// Works out the places of a record's values. What it lacks is NULL.
    @inline(never)
    fileprivate init(
        _ columns: (Int, Int, Int), of record: UnsafeRawPointer, _ length: Int, _ types: (UInt64, UInt64, UInt64)
    ) {
        self.types = types
        let header = Varint.read(record, upTo: length)
        let (headerEnd, last) = (min(header.value, length), max(columns.0, columns.1, columns.2, 1))
        var (place, next, column) = (header.length, header.value, 0)
        while place < headerEnd, column <= last {
            let type = Varint.read(record + place, upTo: length - place)
            place += type.length
            next += RecordIntegers.length(type.value)
            guard next <= length else { break }
            let value = Value(type: type.value, end: next)
            if column == 0 { parent = value }
            if column == 1 { sequence = value }
            if column == columns.0 { first = value }
            if column == columns.1 { second = value }
            if column == columns.2 { third = value }
            column += 1
        }
        end = min(next, length)
    }
}
