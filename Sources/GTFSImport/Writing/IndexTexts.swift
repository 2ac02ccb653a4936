// Unsafe: texts are copied one behind the other and compared where they lie.

import Glibc
import KeySorting

/// How much memory the texts of an import's indexes may take. More texts are left to SQLite, which sorts them in a
/// file.
final class TextBudget {
    private var bytes = 48 << 20

    /// Takes memory; false when there is not as much left.
    func take(_ count: Int) -> Bool {
        guard bytes >= count else { return false }
        bytes -= count
        return true
    }

    /// Takes memory back, for the texts of other indexes.
    func giveBack(_ count: Int) { bytes += count }
}

/// The texts of one index: numbered as they come, ranked by their bytes when all are there.
///
/// SQLite compares two records some fifteen times a row; here a text's first distinguishing eight bytes are sorted as a
/// number, and only texts that have the same are compared.
final class IndexTexts {
    /// Nil where no text is expected twice.
    private let known: IdentifierMap?
    private let arena = TextArena()
    // Unchecked: no access lasts beyond a call of the own functions.
    @exclusivity(unchecked) private var payloads: [Int64] = []

    /// The number of the text that came last.
    @exclusivity(unchecked) private var last = 0
    private let budget: TextBudget?
    @exclusivity(unchecked) private var taken = 0
    /// What is kept for each text beside its bytes: its place, its row, and where it is found again.
    private let bytesPerText: Int
    private static let longestText = 1 << 10

    /// Without a budget, every text gets a number.
    init(areDistinct: Bool, budget: TextBudget?) {
        known = areDistinct ? nil : IdentifierMap()
        bytesPerText = areDistinct ? 16 : 48
        self.budget = budget
    }

    deinit { budget?.giveBack(taken) }

    var bytes: UnsafeRawPointer { UnsafeRawPointer(arena.bytes) }

    func payload(ofRank rank: Int) -> Int64 { payloads[rank] }

    /// The text's number, from 0; nil when there are too many.
    func number(of start: UnsafeRawPointer, _ payload: Int64) -> UInt32? {
        number(of: UnsafeRawBufferPointer(start: start + Int(payload >> 32), count: Self.count(payload)))
    }

    func number(of text: UnsafeRawBufferPointer) -> UInt32? {
        // Rows with the same text often stand together.
        if known != nil, payloads.count > last, isLast(text) { return UInt32(last) }
        if let key = known?.key(of: text) {
            last = Int(key)
            return UInt32(bitPattern: key)
        }
        guard takesMemory(text.count) else { return nil }
        let number = payloads.count
        payloads.append(CellBuffer.textPayload(offset: arena.append(text), count: text.count))
        _ = known?.insert(text, key: Int32(number))
        last = number
        return UInt32(number)
    }

    private func takesMemory(_ count: Int) -> Bool {
        guard let budget else { return true }
        guard count <= Self.longestText, budget.take(count + bytesPerText) else { return false }
        taken += count + bytesPerText
        return true
    }

    private func isLast(_ text: UnsafeRawBufferPointer) -> Bool {
        let other = self.text(payloads[last])
        return other.count == text.count && comparison(other, text) == 0
    }

    /// The rank of each number. From then on texts are known by their ranks.
    func ranks(in place: StorePlace) throws -> [UInt32] {
        let order = try numbersInOrder(in: place)
        var ranks = [UInt32](repeating: 0, count: order.count)
        for (rank, number) in order.enumerated() { ranks[Int(number)] = UInt32(rank) }
        return ranks
    }

    /// The numbers in the order of their texts, which are known by their ranks from then on.
    func numbersInOrder(in place: StorePlace) throws -> [UInt32] {
        let order = try order(in: place)
        payloads = order.map { payloads[Int($0)] }
        return order
    }

    /// Whether all texts differ, once they are known by their ranks.
    var areDistinct: Bool { zip(payloads, payloads.dropFirst()).allSatisfy { isLess($0, $1) } }

    private func order(in place: StorePlace) throws -> [UInt32] {
        let sorter = KeySorter(in: place.space)
        let start = commonPrefix()
        for (number, payload) in payloads.enumerated() {
            try sorter.append(SortKey(high: word(of: text(payload), from: start), low: UInt64(number)))
        }
        var order: [UInt32] = []
        order.reserveCapacity(payloads.count)
        var (word, first) = (UInt64(0), 0)
        while let keys = try sorter.nextBatch() {
            try place.check()
            for key in keys {
                if key.high != word {
                    settle(&order, from: first)
                    (word, first) = (key.high, order.count)
                }
                order.append(UInt32(truncatingIfNeeded: key.low))
            }
        }
        settle(&order, from: first)
        return order
    }

    /// Compares texts whose words are the same.
    private func settle(_ order: inout [UInt32], from first: Int) {
        guard order.count - first > 1 else { return }
        order[first...].sort { isLess(payloads[Int($0)], payloads[Int($1)]) }
    }

    /// How many bytes all texts begin with.
    private func commonPrefix() -> Int {
        guard let first = payloads.first.map({ text($0) }) else { return 0 }
        var count = first.count
        for payload in payloads {
            let text = text(payload)
            var same = 0
            while same < min(count, text.count), text[same] == first[same] { same += 1 }
            count = same
        }
        return count
    }

    /// Eight bytes as a number that sorts as they do.
    private func word(of text: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
        if text.count >= start + 8 {
            return UInt64(bigEndian: text.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        }
        var word: UInt64 = 0
        for place in start..<start + 8 { word = word << 8 | (place < text.count ? UInt64(text[place]) : 0) }
        return word
    }

    private func text(_ payload: Int64) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes + Int(payload >> 32), count: Self.count(payload))
    }

    private static func count(_ payload: Int64) -> Int { Int(UInt32(truncatingIfNeeded: payload)) }

    private func isLess(_ a: Int64, _ b: Int64) -> Bool {
        let (a, b) = (text(a), text(b))
        let difference = comparison(a, b)
        return difference == 0 ? a.count < b.count : difference < 0
    }

    private func comparison(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int32 {
        guard let start = a.baseAddress, let other = b.baseAddress else { return 0 }
        return memcmp(start, other, min(a.count, b.count))
    }
}
