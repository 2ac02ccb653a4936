import SQLite

/// The words of a store's names, looked up letter by letter: an index of words is a tree of letters.
struct Vocabulary {
    let context: StoreContext
    let store: Int
    let table: StopSource.Table
    private var looks = 0

    /// A shorter word is too often the beginning of others.
    static let fewestLetters = 5
    /// Words with more letters are compared by so many.
    private static let mostLetters = 40
    /// Bounds the time for scripts with thousands of letters.
    private static let mostLooks = 10_000

    init(context: StoreContext, store: Int, table: StopSource.Table) {
        self.context = context
        self.store = store
        self.table = table
    }

    /// Beginnings of words of the store that become the beginning `word` when one letter is changed, left out, doubled
    /// or swapped with the next.
    ///
    /// For each letter of the word: which letters stand there in the store's words, and do the word's other letters
    /// follow? Costs the number of letters times that of the alphabet, whatever the number of words.
    mutating func beginnings(nearTo word: String) throws -> [String] {
        let letters = Array(word.unicodeScalars.prefix(Self.mostLetters))
        guard letters.count >= Self.fewestLetters else { return [] }
        var found: [String] = []
        func text(_ parts: ArraySlice<Unicode.Scalar>...) -> String {
            String(String.UnicodeScalarView(parts.joined()))
        }
        for position in letters.indices {
            let before = letters[..<position]
            guard try position == 0 || hasWord(text(before)) else { break }
            let after = letters[(position + 1)...]
            // A letter too many; of the last one the next line takes care.
            var candidates = [text(before, after)]
            if let next = after.first, next != letters[position] {
                candidates.append(text(before, [next, letters[position]], after.dropFirst()))
            }
            for candidate in candidates where try hasWord(candidate) { found.append(candidate) }
            // A wrong last letter, or one before it that is missing, leaves a shorter beginning: found above.
            guard !after.isEmpty else { break }
            for letter in try lettersFollowing(text(before)) where letter != letters[position] {
                for candidate in [text(before, [letter], after), text(before, [letter], letters[position...])]
                where try hasWord(candidate) { found.append(candidate) }
            }
        }
        return found
    }

    /// The different letters that follow a beginning in the words of the store.
    private mutating func lettersFollowing(_ beginning: String) throws -> [Unicode.Scalar] {
        var letters: [Unicode.Scalar] = []
        let length = beginning.unicodeScalars.count
        var start: String? = beginning
        while let from = start, let word = try firstWord(from), word.utf8.starts(with: beginning.utf8) {
            guard let letter = word.unicodeScalars.dropFirst(length).first else {
                // The beginning is a word itself: the next one is longer.
                start = beginning + "\u{1}"
                continue
            }
            letters.append(letter)
            start = (beginning + String(letter)).endOfPrefixRange
        }
        return letters
    }

    private mutating func hasWord(_ beginning: String) throws -> Bool {
        try firstWord(beginning)?.utf8.starts(with: beginning.utf8) ?? false
    }

    /// The first word from a text on; nil also when too many were looked for.
    private mutating func firstWord(_ start: String) throws -> String? {
        guard looks < Self.mostLooks else { return nil }
        looks += 1
        var sql = SQLFragment("SELECT normalized_word FROM \(table.rawValue) WHERE normalized_word >= ")
        sql.bind(.text(start))
        sql.append(" ORDER BY normalized_word LIMIT 1")
        var word: String?
        try context.run(sql, store: store) { statement in
            if try statement.step() { word = statement.text(0) }
            return 1
        }
        return word
    }
}
