/// Names of tables or columns that are in use, and new ones beside them.
///
///     var names = TakenNames(["stop_id"])
///     names.distinct("Stop_ID")     // "Stop_ID_2"
///
/// SQLite ignores the case of ASCII letters; here the case of all letters is ignored. SQLite takes é in one code point
/// for another name than é in two. Swift takes these for equal, so names are compared by their bytes.
struct TakenNames {
    private var keys: Set<[UInt8]>
    /// For names that came more than once: the number to try next. All below are in use.
    private var nextNumbers: [[UInt8]: Int] = [:]

    init(_ names: [String]) { keys = Set(names.map(Self.key)) }

    /// The name without U+0000, which SQL cannot hold, and with a number if it is in use.
    mutating func distinct(_ name: String) -> String {
        // By scalars: Swift takes quadratic time to compare a letter with endless marks.
        let name = String(String.UnicodeScalarView(name.unicodeScalars.filter { $0 != "\0" }))
        let key = Self.key(name)
        if keys.insert(key).inserted { return name }
        var number = nextNumbers[key] ?? 2
        while !keys.insert(Self.key("\(name)_\(number)")).inserted { number += 1 }
        nextNumbers[key] = number + 1
        return "\(name)_\(number)"
    }

    private static func key(_ name: String) -> [UInt8] { Array(name.lowercased().utf8) }
}
