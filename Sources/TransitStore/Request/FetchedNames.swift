/// The names of a dictionary result: each stands for one value.
enum FetchedNames {
    /// Throws `StoreError.ambiguousName` naming the first two properties of equal names.
    static func refuseEqual(_ names: [String], called subject: String = "") throws {
        var positions: [String: Int] = [:]
        for (position, name) in names.enumerated() {
            guard let other = positions.updateValue(position, forKey: name) else { continue }
            throw StoreError(
                .ambiguousName,
                "\(subject)the properties \(other + 1) and \(position + 1) to fetch are both called \(name); give one "
                    + "another name")
        }
    }
}
