// Unsafe: compares texts where they lie.

import Glibc
import KeySorting

/// Texts that have a number each.
protocol NumberedTexts {
    func text(_ number: UInt32) -> UnsafeRawBufferPointer
    func forEachNumber(_ body: (UInt32) throws -> Void) rethrows
}

/// Puts texts in the order of their bytes.
///
///     try TextOrder(identifiers, in: space).forEach(checking: place.check) { number in … }
///
/// SQLite compares records some fifteen times a row. Here eight bytes of each text are sorted as a number, beginning at
/// the first place where any of the texts differ. Texts with the same eight bytes are compared. If there are many,
/// because a single ID lacks what all others begin with, their next eight bytes are sorted instead.
struct TextOrder<Texts: NumberedTexts> {
    private let texts: Texts
    private let space: SortingSpace
    /// Up to this many texts with the same eight bytes are compared.
    private static var mostCompared: Int { 256 }
    /// A feed could be made so that each level settles only one text, and each level has a sorter of its own.
    private static var mostLevels: Int { 4 }

    init(_ texts: Texts, in space: SortingSpace) { (self.texts, self.space) = (texts, space) }

    /// Visits the number of each text, in the order of the texts; the order of equal texts is not determined. Calls
    /// `check` now and then, which throws to stop.
    func forEach(checking check: () throws -> Void, _ body: (UInt32) throws -> Void) throws {
        try visit(texts.forEachNumber, level: 1, check, body)
    }

    /// Visits the texts that `forEachNumber` has, in their order.
    private func visit(
        _ forEachNumber: ((UInt32) throws -> Void) throws -> Void, level: Int, _ check: () throws -> Void,
        _ body: (UInt32) throws -> Void
    ) throws {
        let start = try commonPrefix(forEachNumber)
        let sorter = KeySorter(in: space)
        try forEachNumber {
            try sorter.append(SortKey(high: Self.word(of: texts.text($0), from: start), low: UInt64($0)))
        }
        func settle(_ same: inout [UInt32]) throws {
            try self.settle(&same, behind: start + 8, level: level, check, body)
        }
        var last: SortKey?
        var same: [UInt32] = []
        while let keys = try sorter.nextBatch() {
            Failpoint.reach("text-order")
            try check()
            for key in keys {
                if let last { try visit(last, endsWord: key.high != last.high, &same, settle, body) }
                last = key
            }
        }
        if let last { try visit(last, endsWord: true, &same, settle, body) }
    }

    /// Visits a text once the word of the next one is known. Most words belong to one text only, which needs no array;
    /// the texts of other words are gathered in `same` and compared.
    @inline(__always)
    private func visit(
        _ key: SortKey, endsWord: Bool, _ same: inout [UInt32], _ settle: (inout [UInt32]) throws -> Void,
        _ body: (UInt32) throws -> Void
    ) throws {
        let number = UInt32(truncatingIfNeeded: key.low)
        if endsWord, same.isEmpty { return try body(number) }
        same.append(number)
        if endsWord { try settle(&same) }
    }

    /// Visits texts whose words are the same; `end` is where these words end.
    private func settle(
        _ same: inout [UInt32], behind end: Int, level: Int, _ check: () throws -> Void,
        _ body: (UInt32) throws -> Void
    ) throws {
        defer { same.removeAll(keepingCapacity: true) }
        guard same.count > Self.mostCompared, level < Self.mostLevels else { return try compare(&same[...], body) }
        // A text that ends within its word comes before those that have NUL bytes there.
        let whole = same.partition { texts.text($0).count >= end }
        try compare(&same[..<whole], body)
        let longer = same[whole...]
        try visit({ body in for number in longer { try body(number) } }, level: level + 1, check, body)
    }

    private func compare(_ same: inout ArraySlice<UInt32>, _ body: (UInt32) throws -> Void) throws {
        same.sort { Self.isLess(texts.text($0), texts.text($1)) }
        for number in same { try body(number) }
    }

    /// How many bytes all texts begin with.
    private func commonPrefix(_ forEachNumber: ((UInt32) throws -> Void) throws -> Void) rethrows -> Int {
        var first: UnsafeRawBufferPointer?
        var count = 0
        try forEachNumber { number in
            let text = texts.text(number)
            guard let first else {
                (first, count) = (text, text.count)
                return
            }
            if text.count >= count, let start = text.baseAddress, let other = first.baseAddress,
                memcmp(start, other, count) == 0
            {
                return
            }
            var same = 0
            while same < min(count, text.count), text[same] == first[same] { same += 1 }
            count = same
        }
        return count
    }

    /// Eight bytes as a number that sorts as they do.
    private static func word(of text: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
        if text.count >= start + 8 {
            return UInt64(bigEndian: text.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        }
        var word: UInt64 = 0
        for place in start..<start + 8 { word = word << 8 | (place < text.count ? UInt64(text[place]) : 0) }
        return word
    }

    private static func isLess(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
        guard let start = a.baseAddress, let other = b.baseAddress else { return a.count < b.count }
        let difference = memcmp(start, other, min(a.count, b.count))
        return difference == 0 ? a.count < b.count : difference < 0
    }
}
