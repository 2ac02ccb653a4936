// Unsafe: numbers are gathered in memory that is allocated once, and lent from there.

/// A list of 64-bit numbers, which come out in the order in which they went in.
///
///     let list = NumberList(in: space)
///     try list.append(word << 32 | stop)
///     try list.forEachBatch { numbers in for number in numbers { … } }
///
/// Holds keys until their ranks are known and they can be sorted. 8 bytes a number, in memory while the space allows
/// it, else in a temporary file without a name. One thread at a time.
public final class NumberList {
    /// 32 KB.
    private static let batchSize = 4096

    private let held: HeldBytes
    private let memory = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: batchSize)
    // Unchecked: no access lasts beyond a call.
    @exclusivity(unchecked) private var count = 0

    public init(in space: SortingSpace) { held = HeldBytes(in: space, mayHold: true) }

    deinit { memory.deallocate() }

    /// Throws when the temporary file cannot be made or written.
    public func append(_ number: UInt64) throws(KeySortingError) {
        memory.initializeElement(at: count, to: number)
        count += 1
        guard count == Self.batchSize else { return }
        try held.append(UnsafeRawBufferPointer(UnsafeBufferPointer(memory)))
        count = 0
    }

    /// Lends all numbers, up to 4,096 at a time; they are valid for the call. Nothing may be added meanwhile.
    ///
    /// Throws what the body throws, and `KeySortingError` when the temporary file cannot be read.
    public func forEachBatch(_ body: (UnsafeBufferPointer<UInt64>) throws -> Void) throws {
        let batch = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: Self.batchSize)
        defer { batch.deallocate() }
        let bytes = UnsafeMutableRawBufferPointer(batch)
        for offset in stride(from: 0, to: held.count, by: bytes.count) {
            try held.read(bytes, at: offset)
            try body(UnsafeBufferPointer(batch))
        }
        if count > 0 { try body(UnsafeBufferPointer(rebasing: memory[..<count])) }
    }
}
