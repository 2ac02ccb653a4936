import Foundation

/// Random numbers that are the same in each run, so that failures are reproducible (SplitMix64). RANDOM_SEED gives all
/// tests other numbers.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64 = 1) { state = seed ^ Self.otherSeed &* 0xD134_2543_DE82_EF95 }

    private static let otherSeed = number("RANDOM_SEED", else: 0)

    /// The seeds that a test runs with: `count`, or RANDOM_ROUNDS times as many. The same few find nothing new.
    package static func seeds(_ count: UInt64, from first: UInt64 = 1) -> ClosedRange<UInt64> {
        let rounds = number("RANDOM_ROUNDS", else: 1)
        return first...(first + count * min(max(rounds, 1), 1_000_000) - 1)
    }

    private static func number(_ name: String, else usual: UInt64) -> UInt64 {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } ?? usual
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}

/// Passes a text's bytes to `body` in the form that readers take.
package func withBytes<T>(_ text: String, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
    try withBytes(Array(text.utf8), body)
}

package func withBytes<T>(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
    try bytes.withUnsafeBytes(body)
}
