// Each word of a name once.
//
// Unsafe because words are remembered as parts of the name's bytes while it is split: most names then cost no
// allocation.

/// The words met so far in one name. Safe as long as `removeAll` comes before the name's bytes are gone.
@safe
struct DistinctWords {
    /// The first words, compared one by one: names rarely have more.
    private var few: [UnsafeRawBufferPointer] = unsafe []
    /// All further words, so that a text of a million words does not take a million times a million steps.
    private var many: Set<[UInt8]> = []
    private static let mostCompared = 16

    /// Forgets the words.
    mutating func removeAll() {
        unsafe few.removeAll(keepingCapacity: true)
        if !many.isEmpty { many.removeAll() }
    }

    /// Remembers the word and answers whether it is new.
    mutating func insert(_ word: UnsafeRawBufferPointer) -> Bool {
        if unsafe few.contains(where: { unsafe $0.count == word.count && $0.elementsEqual(word) }) { return false }
        guard unsafe few.count == Self.mostCompared else {
            unsafe few.append(word)
            return true
        }
        return unsafe many.insert([UInt8](word)).inserted
    }
}
