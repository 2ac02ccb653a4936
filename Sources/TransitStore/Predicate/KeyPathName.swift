/// What a key path is called in messages.
///
/// The runtime has no names for computed properties, so those are told by their type and by the columns they read.
enum KeyPathName {
    static func of(_ keyPath: AnyKeyPath) -> String {
        if let name = known[keyPath] { return "key path \(name)" }
        let root = shortName(type(of: keyPath).rootType)
        let value = shortName(type(of: keyPath).valueType)
        let reads = columns(keyPath).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return "key path \\\(root).<computed \(value)>"
            + (reads.isEmpty ? "" : " that reads \(reads.joined(separator: ", "))")
    }

    /// Properties of the standard library that predicates are tempted to use.
    nonisolated(unsafe) private static let known: [AnyKeyPath: String] = [
        // nonisolated(unsafe): key paths are immutable, and so is the dictionary.
        \String.count: "\\String.count", \String.first: "\\String.first", \String.last: "\\String.last",
        \String.utf8: "\\String.utf8", \String.unicodeScalars: "\\String.unicodeScalars",
        \String.description: "\\String.description", \Double.magnitude: "\\Double.magnitude",
        \Int.magnitude: "\\Int.magnitude", \Int.description: "\\Int.description",
    ]

    private static func columns(_ keyPath: AnyKeyPath) -> [String] {
        guard let type = type(of: keyPath).rootType as? any StoreEntity.Type else { return [] }
        return reads(type, keyPath)
    }

    private static func reads<Entity: StoreEntity>(_ type: Entity.Type, _ keyPath: AnyKeyPath) -> [String] {
        (keyPath as? PartialKeyPath<Entity>).map { PathRecorder.reads($0, entity: Entity.entity) } ?? []
    }

    /// `Optional<StopKind>` as `StopKind?`.
    private static func shortName(_ type: Any.Type) -> String {
        let name = String(describing: type)
        return name.hasPrefix("Optional<") ? name.dropFirst("Optional<".count).dropLast() + "?" : name
    }
}
