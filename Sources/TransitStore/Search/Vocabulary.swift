import SQLite

/// The words of a store's names, looked up letter by letter: the index of words serves as a tree of letters.
struct Vocabulary {
    let context: StoreContext
    let store: Int
    let table: StopSource.Table
    /// The most index lookups that a word may cost.
    let mostLooks: Int

    /// The most lookups for all words of a search, in one table. Bounds the time for scripts with thousands of letters.
    static let mostLooks = 10_000
    /// A shorter word is too often the beginning of other words.
    private static let fewestLetters = 5
    /// Longer words are cut to this many letters.
    private static let mostLetters = 40

    /// Beginnings of words of the store that differ from one of `words` by one letter: wrong, missing, extra, or
    /// swapped with the next one. Words need at least five letters; for words of four letters, only a missing letter is
    /// tried.
    ///
    /// For each position in a word, looks up which letters the store's words have there, and whether the rest of the
    /// word follows. The cost is the number of letters times the size of the alphabet, however many words the store
    /// has.
    func beginnings(nearTo words: [String]) throws -> [String] {
        let long = words.map { $0.unicodeScalars.prefix(Self.mostLetters) }
            .filter { $0.count >= Self.fewestLetters - 1 }
        guard !long.isEmpty else { return [] }
        let sql = SQLFragment(
            "SELECT normalized_word FROM \(table.rawValue) WHERE normalized_word >= ? ORDER BY normalized_word LIMIT 1",
            bindings: [.null])
        var found: [String] = []
        try context.run(sql, store: store) { statement in
            var tree = LetterTree(statement: statement, mostLooks: mostLooks)
            for word in long {
                if word.count >= Self.fewestLetters {
                    try Self.addBeginnings(nearTo: word, of: &tree, to: &found)
                } else {
                    try Self.addBeginnings(withOneLetterMoreThan: word, of: &tree, to: &found)
                }
            }
            return tree.looks
        }
        return found
    }

    private static func addBeginnings(
        withOneLetterMoreThan letters: Substring.UnicodeScalarView, of tree: inout LetterTree,
        to found: inout [String]
    ) throws {
        for position in letters.indices {
            let before = String(letters[..<position])
            guard try before.isEmpty || tree.hasWord(before) else { return }
            let rest = String(letters[position...])
            for letter in try tree.letters(following: before) {
                let candidate = before + String(letter) + rest
                if try tree.hasWord(candidate) { found.append(candidate) }
            }
        }
    }

    private static func addBeginnings(
        nearTo letters: Substring.UnicodeScalarView, of tree: inout LetterTree, to found: inout [String]
    ) throws {
        for position in letters.indices {
            let before = String(letters[..<position])
            guard try before.isEmpty || tree.hasWord(before) else { return }
            let after = letters[letters.index(after: position)...]
            // An extra letter, then two swapped letters.
            var candidates = [before + String(after)]
            if let next = after.first, next != letters[position] {
                candidates.append(before + String(next) + String(letters[position]) + String(after.dropFirst()))
            }
            for candidate in candidates where try tree.hasWord(candidate) { found.append(candidate) }
            // For the last letter, the beginning without it was tried above. It also covers a wrong last letter and a
            // letter missing before it.
            guard !after.isEmpty else { return }
            let (rest, all) = (String(after), String(letters[position...]))
            for letter in try tree.letters(following: before) where letter != letters[position] {
                let start = before + String(letter)
                for candidate in [start + rest, start + all] where try tree.hasWord(candidate) {
                    found.append(candidate)
                }
            }
        }
    }
}

/// The words as a tree of letters. A prepared statement finds the first word at or after a text.
private struct LetterTree {
    let statement: Statement
    let mostLooks: Int
    private(set) var looks = 0

    init(statement: Statement, mostLooks: Int) {
        self.statement = statement
        self.mostLooks = mostLooks
    }

    /// Whether any word begins with a text.
    mutating func hasWord(_ beginning: String) throws -> Bool {
        guard try find(beginning) else { return false }
        return statement.withText(0) { $0.starts(with: beginning.utf8) }
    }

    /// The different letters that follow a beginning in the words.
    mutating func letters(following beginning: String) throws -> [Unicode.Scalar] {
        var letters: [Unicode.Scalar] = []
        let count = beginning.utf8.count
        var start = beginning
        while try find(start) {
            let rest: Substring? = statement.withText(0) { word in
                guard word.starts(with: beginning.utf8) else { return nil }
                return Substring(decoding: word.dropFirst(count).prefix(4), as: UTF8.self)
            }
            guard let rest else { break }
            start = beginning
            if let letter = rest.unicodeScalars.first {
                letters.append(letter)
                guard let next = letter.next else { break }
                start.unicodeScalars.append(next)
            } else {
                // The beginning is a word itself: the next one is longer.
                start.unicodeScalars.append("\u{1}")
            }
        }
        return letters
    }

    /// Steps to the first word at or after a text; false if there is none or no more lookups are allowed.
    private mutating func find(_ start: String) throws -> Bool {
        guard looks < mostLooks else { return false }
        looks += 1
        statement.reset()
        statement.bind(1, start)
        return try statement.step()
    }
}

extension Unicode.Scalar {
    /// The next code point that is a character; nil after the last.
    fileprivate var next: Unicode.Scalar? {
        Unicode.Scalar(value + 1) ?? (value < 0xE000 ? "\u{E000}" : nil)
    }
}
