import Testing

@testable import SystemFiles

@Suite struct LargeMemoryTests {
    private static let largePage = 2 << 20

    /// Tries sizes below, at and above that of a large page.
    @Test(arguments: [1, 4_096, 2 << 20, (2 << 20) + 1, 7 << 20]) func newMemoryIsZeros(count: Int) {
        let memory = LargeMemory(zeros: count)
        #expect(UnsafeRawBufferPointer(start: memory.bytes, count: count).allSatisfy { $0 == 0 })
        if count >= Self.largePage { #expect(Int(bitPattern: memory.bytes) % Self.largePage == 0) }
    }

    /// Grows from 8 bytes to over 64 MB, in steps that are not whole pages.
    @Test func whatIsThereStays() {
        var memory = LargeMemory(zeros: 8)
        var count = 8
        func fill(_ range: Range<Int>) {
            for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
                memory.bytes.storeBytes(of: place &* 31, toByteOffset: place, as: Int.self)
            }
        }
        fill(0..<count)
        while count < 64 << 20 {
            let more = count * 3 + 16
            memory.grow(to: more, keeping: count)
            fill(count..<more)
            count = more
        }
        let bytes = UnsafeRawPointer(memory.bytes)
        let wrong = stride(from: 0, to: count, by: 8).filter {
            bytes.load(fromByteOffset: $0, as: Int.self) != $0 &* 31
        }
        #expect(wrong.isEmpty)
    }

    @Test func lessIsNoGrowth() {
        var memory = LargeMemory(zeros: 5 << 20)
        let place = memory.bytes
        memory.grow(to: 100, keeping: 100)
        #expect(memory.bytes == place)
    }
}
