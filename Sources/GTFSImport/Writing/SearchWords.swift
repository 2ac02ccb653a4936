// Unsafe: words are parts of names in memory, and are not copied.

import KeySorting
import SearchText

/// The words of names, and other spellings that people may type, numbered as they come. A key is a word's number and a
/// stop.
///
/// Used by one thread at a time. While the feed is read, that is a thread of its own, because ICU's rules for other
/// scripts take as long as reading the stop times of a city.
final class SearchWords {
    /// Where a word comes from: the normalized name itself, or another spelling of it. For one word and stop, the term
    /// sorts first.
    enum Origin: UInt64 { case term, spelling }

    let texts = IndexTexts(budget: nil)
    private let terms: NumberList
    private let space: SortingSpace
    private let (normalizer, splitter, otherSpellings) = (NameNormalizer(), WordSplitter(), NameSpellings())
    // Unchecked: no access lasts beyond `add`.
    @exclusivity(unchecked) private var normalized: [UInt8] = []
    @exclusivity(unchecked) private var names = KnownNames()
    /// Words that have no number yet. If many words are known, each lookup waits for memory. If several are looked up
    /// together, the processor waits only once.
    private let waiting = StopNames()
    private static let wordsAtOnce = 128
    /// In bytes. Nobody types half of a longer one.
    private static let longestRun = 256

    init(in space: SortingSpace) {
        self.space = space
        terms = NumberList(in: space)
    }

    func add(_ name: UnsafeRawBufferPointer, _ stop: UInt32, _ origin: Origin) throws {
        // Platforms share a name, and so do both sides of a street.
        if let terms = names.terms(of: name, origin) {
            for term in terms { try append(term, stop) }
            return
        }
        names.begin(name, origin)
        try split(name, stop, origin)
        names.end()
    }

    private func split(_ name: UnsafeRawBufferPointer, _ stop: UInt32, _ origin: Origin) throws {
        normalizer.normalize(name, into: &normalized)
        try normalized.withUnsafeBytes { name in
            try splitter.forEachDistinctWord(in: name) { try add(word: $0, stop, origin) }
        }
        // Most names are ASCII and have no other spelling: nothing is allocated for them.
        guard name.contains(where: { $0 >= 0x80 }) else { return }
        for var run in UnbrokenText.runs(in: normalized) where run.utf8.count <= Self.longestRun {
            try run.withUTF8 { try append(UnsafeRawBufferPointer($0), stop, .spelling) }
        }
        for var word in otherSpellings.words(of: String(decoding: name, as: UTF8.self)) {
            try word.withUTF8 { try add(word: UnsafeRawBufferPointer($0), stop, .spelling) }
        }
    }

    private func add(word: UnsafeRawBufferPointer, _ stop: UInt32, _ origin: Origin) throws(KeySortingError) {
        try append(word, stop, origin)
        try WordParts.forEachFurtherPart(of: word) { part throws(KeySortingError) in
            try append(part, stop, .spelling)
        }
    }

    private func append(_ word: UnsafeRawBufferPointer, _ stop: UInt32, _ origin: Origin) throws(KeySortingError) {
        guard names.isKept else {
            waiting.append(word, stop, origin)
            if waiting.count >= Self.wordsAtOnce || waiting.isFull { try settle() }
            return
        }
        if let term = term(word, origin) {
            names.add(term)
            try append(term, stop)
        }
    }

    /// Adds the waiting words. Call it after the last name.
    func settle() throws(KeySortingError) {
        texts.prefetch { look in waiting.forEach { word, _, _ in look(word) } }
        try waiting.forEach { word, stop, origin throws(KeySortingError) in
            if let term = term(word, origin) { try append(term, stop) }
        }
        waiting.removeAll()
    }

    /// Nil where there are too many words.
    private func term(_ word: UnsafeRawBufferPointer, _ origin: Origin) -> Term? {
        texts.number(of: word).map { Term(word: $0, origin: origin) }
    }

    private func append(_ term: Term, _ stop: UInt32) throws(KeySortingError) {
        try terms.append(UInt64(term.word) << 33 | term.origin.rawValue << 32 | UInt64(stop))
    }

    /// Keys of words: `high` is rank << 32 | stop, with ranks from 1; `low` is the origin.
    func keysByRank(checking check: () throws -> Void) throws -> KeySorter {
        let ranks = try texts.ranks(in: space, checking: check)
        let keys = KeySorter(in: space)
        try terms.forEachBatch { terms in
            Failpoint.reach("ranks")
            try check()
            for term in terms {
                let rank = UInt64(ranks[Int(term >> 33)] + 1)
                try keys.append(SortKey(high: rank << 32 | term & 0xFFFF_FFFF, low: term >> 32 & 1))
            }
        }
        return keys
    }

    /// A word's number, and where it comes from.
    fileprivate struct Term {
        let word: UInt32
        let origin: Origin
    }
}

/// The terms of names that came lately, as long as enough names repeat.
///
/// If all names differ, keeping them costs more than it saves: half a million stops that are not kept take 0.9 of the
/// time, and half a million translations 0.96.
private struct KnownNames {
    private static let most = 1 << 15
    /// Names are kept only while at least one in this many repeats.
    private static let namesForOneRepeat = 8
    private static let mostTerms = 1 << 18
    private static let longest = 256

    private var names = IdentifierMap()
    /// The terms of all names; `starts` tells where those of each name begin.
    private var terms: [SearchWords.Term] = []
    private var starts: [Int] = []
    /// Whether the current name is kept.
    private(set) var isKept = false
    /// How many names were known already, since names were last forgotten.
    private var repeats = 0
    private var isUseful = true

    /// Nil for a name that is not known.
    mutating func terms(of name: UnsafeRawBufferPointer, _ origin: SearchWords.Origin) -> ArraySlice<SearchWords.Term>?
    {
        guard isUseful, origin == .term, let number = names.key(of: name).map(Int.init) else { return nil }
        repeats += 1
        return terms[starts[number]..<(number + 1 < starts.count ? starts[number + 1] : terms.count)]
    }

    /// Begins a name, to which the terms that follow belong.
    mutating func begin(_ name: UnsafeRawBufferPointer, _ origin: SearchWords.Origin) {
        if starts.count == Self.most || terms.count >= Self.mostTerms { forget() }
        isKept = isUseful && origin == .term && name.count <= Self.longest
        guard isKept else { return }
        _ = names.insert(name, key: Int32(starts.count))
        starts.append(terms.count)
    }

    private mutating func forget() {
        isUseful = repeats * Self.namesForOneRepeat >= starts.count
        repeats = 0
        names = IdentifierMap()
        terms.removeAll(keepingCapacity: isUseful)
        starts.removeAll(keepingCapacity: isUseful)
    }

    mutating func add(_ term: SearchWords.Term) { if isKept { terms.append(term) } }

    mutating func end() { isKept = false }
}
