/// Names of tables or columns that are in use, and new ones beside them.
///
///     var names = TakenNames(["stop_id"])
///     names.distinct("Stop_ID")     // "Stop_ID_2"
///
/// SQLite ignores case, and takes é in one code point for another name than é in two. Swift takes these for equal, so
/// names are compared by their bytes.
struct TakenNames {
    private var keys: Set<[UInt8]>

    init(_ names: [String]) { keys = Set(names.map(Self.key)) }

    /// The name without U+0000, which SQL cannot hold, and with a number if it is in use.
    mutating func distinct(_ name: String) -> String {
        let name = name.filter { $0 != "\0" }
        var candidate = name
        var number = 2
        while !keys.insert(Self.key(candidate)).inserted {
            candidate = "\(name)_\(number)"
            number += 1
        }
        return candidate
    }

    private static func key(_ name: String) -> [UInt8] { Array(name.lowercased().utf8) }
}
