import Foundation
import Testing

@testable import KeySorting

@Suite("Numbers come out in the order in which they went in")
struct NumberListTests {
    private let space = SortingSpace(folder: FileManager.default.temporaryDirectory.path)

    private func numbers(of list: NumberList) throws -> [UInt64] {
        var numbers: [UInt64] = []
        try list.forEachBatch {
            #expect((1...4_096).contains($0.count))
            numbers += $0
        }
        return numbers
    }

    /// In memory and in a file.
    @Test(arguments: [0, 1, 4_095, 4_096, 4_097, 70_000], [false, true])
    func numbersComeBackAsFromAnArray(count: Int, _ isFull: Bool) throws {
        let space = SortingSpace(folder: space.folder)
        if isFull { #expect(space.hold(12 << 20)) }
        let list = NumberList(in: space)
        var expected = (0..<UInt64(count)).map { $0 &* 0x9E37_79B9_7F4A_7C15 }
        for number in expected { try list.append(number) }
        #expect(try numbers(of: list) == expected)
        #expect((space.spilledBytes > 0) == (isFull && count >= 4_096))
        // The numbers stay after reading, and more can be appended.
        try list.append(.max)
        expected.append(.max)
        #expect(try numbers(of: list) == expected)
    }

    @Test func whatTheBodyThrowsIsThrown() throws {
        struct Stop: Error {}
        let list = NumberList(in: space)
        try list.append(1)
        #expect(throws: Stop.self) { try list.forEachBatch { _ in throw Stop() } }
    }
}
