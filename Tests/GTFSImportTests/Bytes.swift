@testable import GTFSImport

/// Lends a text's bytes as the reading stage has them.
func withBytes<T>(_ text: String, _ body: (UnsafeRawBufferPointer) -> T) -> T { withBytes(Array(text.utf8), body) }

func withBytes<T>(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> T) -> T { bytes.withUnsafeBytes(body) }

/// Random numbers that are the same in each run, so that what fails fails again (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}
