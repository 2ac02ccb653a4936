// Unsafe: words are parts of names where they lie.

import KeySorting
import SearchText

/// The words of names and how else people may type them, numbered as they come: keys of a word's number and a stop.
///
/// Used by one thread at a time: while the feed is read by one of its own, as ICU's rules for other scripts take as
/// long as reading the stop times of a city.
final class SearchWords {
    /// Where a word comes from: the normalized name itself, or another spelling of it. Of one word and stop the term
    /// is sorted first.
    enum Origin: UInt64 { case term, spelling }

    let texts = IndexTexts(areDistinct: false, budget: nil)
    /// A word's number and a stop; below them the origin.
    let keys: KeySorter
    private let (normalizer, splitter, otherSpellings) = (NameNormalizer(), WordSplitter(), NameSpellings())
    // Unchecked: no access lasts beyond `add`.
    @exclusivity(unchecked) private var normalized: [UInt8] = []

    init(_ place: StorePlace) { keys = KeySorter(in: place.space) }

    func add(_ name: UnsafeRawBufferPointer, _ stop: UInt32, _ origin: Origin) throws {
        normalizer.normalize(name, into: &normalized)
        try normalized.withUnsafeBytes { name in
            try splitter.forEachDistinctWord(in: name) { try add(word: $0, stop, origin) }
        }
        // Most names are ASCII and have no other spelling: nothing is allocated for them.
        guard name.contains(where: { $0 >= 0x80 }) else { return }
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
        guard let number = texts.number(of: word) else { return }
        try keys.append(SortKey(high: UInt64(number + 1) << 32 | UInt64(stop), low: origin.rawValue))
    }
}
