/// The names on the way from a row to a property or relationship: `["stop", "name"]`.
///
/// Paths are equal if their names have the same bytes. A feed may call two columns "é", once in one code point and once
/// in two. Swift takes such texts for equal, and a request for one column would get the statement of the other.
package struct PropertyPath: Sendable, ExpressibleByArrayLiteral {
    private var names: [String] = []

    package init() {}
    package init(_ names: some Sequence<String>) { self.names = Array(names) }
    package init(arrayLiteral names: String...) { self.names = names }
}

extension PropertyPath: Hashable {
    package static func == (one: PropertyPath, other: PropertyPath) -> Bool {
        guard one.names.count == other.names.count else { return false }
        for (name, other) in zip(one.names, other.names) where !name.hasSameBytes(as: other) { return false }
        return true
    }

    package func hash(into hasher: inout Hasher) {
        for name in names { hasher.combine(ExactText(name)) }
    }
}

extension PropertyPath: RandomAccessCollection, RangeReplaceableCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { names.count }
    package subscript(position: Int) -> String { names[position] }
    package subscript(positions: Range<Int>) -> ArraySlice<String> { names[positions] }

    /// Joins the arrays at once; the `+` of `RangeReplaceableCollection` would append name by name.
    package static func + (path: PropertyPath, rest: PropertyPath) -> PropertyPath {
        PropertyPath(path.names + rest.names)
    }

    package mutating func replaceSubrange(_ positions: Range<Int>, with new: some Collection<String>) {
        names.replaceSubrange(positions, with: new)
    }
}
