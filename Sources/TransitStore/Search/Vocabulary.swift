import SQLite

/// The words of a store's names, looked up letter by letter: an index of words is a tree of letters.
struct Vocabulary {
    let context: StoreContext
    let store: Int
    let table: StopSource.Table
    /// How many looks into the index a word may cost.
    let mostLooks: Int

    /// Of all words of a search, in one table. Bounds the time for scripts with thousands of letters.
    static let mostLooks = 10_000
    /// A shorter word is too often the beginning of others.
    private static let fewestLetters = 5
    /// Words with more letters are compared by so many.
    private static let mostLetters = 40

    /// Beginnings of words of the store that become one of the beginnings `words` when one letter is changed, left out,
    /// doubled or swapped with the next. Both have five letters and more, but for the letter that is left out.
    ///
    /// For each letter of a word: which letters stand there in the store's words, and do the word's other letters
    /// follow? Costs the number of letters times that of the alphabet, whatever the number of words.
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
            // A letter too many; of the last one the next line takes care.
            var candidates = [before + String(after)]
            if let next = after.first, next != letters[position] {
                candidates.append(before + String(next) + String(letters[position]) + String(after.dropFirst()))
            }
            for candidate in candidates where try tree.hasWord(candidate) { found.append(candidate) }
            // A wrong last letter, or one before it that is missing, leaves a shorter beginning: found above.
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

/// Words as a tree of letters, which a prepared statement looks into: the first word from a text on.
private struct LetterTree {
    let statement: Statement
    let mostLooks: Int
    private(set) var looks = 0

    init(statement: Statement, mostLooks: Int) {
        self.statement = statement
        self.mostLooks = mostLooks
    }

    /// Whether any word begins so.
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

    /// Steps to the first word from a text on; false also when too many were looked for.
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
