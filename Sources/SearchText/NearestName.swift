/// Finds the known name that was probably meant by an unknown one.
///
///     NearestName.find("departuretime", among: ["arrivalTime", "departureTime"])     // "departureTime"
package enum NearestName {
    /// The first name that begins with `word`, if that has four letters or more. Otherwise the name with the fewest
    /// letters to change, or nil if these are more than a third of its letters. Ignores upper and lower case.
    ///
    /// Costs the product of the lengths of `word`, cut at 100 letters, and all names.
    package static func find(_ word: String, among names: some Sequence<String>) -> String? {
        let wanted = word.lowercased()
        if wanted.count > 3, let longer = names.first(where: { $0.lowercased().hasPrefix(wanted) }) { return longer }
        let distances = names.map { (name: $0, distance: distance($0.lowercased(), wanted)) }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance * 3 <= best.name.count ? best.name : nil
    }

    /// The number of letters to insert, delete or replace and of neighbours to swap (Damerau and Levenshtein, each
    /// letter changed at most once).
    package static func distance(_ first: String, _ second: String) -> Int {
        let first = Array(first)
        let second = Array(second.prefix(100))
        var rowBefore: [Int] = []
        var row = Array(0...second.count)
        for i in first.indices {
            var next = [i + 1]
            for j in second.indices {
                var best = min(row[j] + (first[i] == second[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
                    best = min(best, rowBefore[j - 1] + 1)
                }
                next.append(best)
            }
            (rowBefore, row) = (row, next)
        }
        return row[second.count]
    }
}
