import SQLite

/// A row of a dictionary result: values by name.
///
///     for row in try context.fetchRows(request) { print(row["stop.name"], row["departures"]) }
///
/// Texts are decoded on access; all rows of a result share their names.
public struct ResultRow: Sendable {
    /// The names of a result's columns.
    final class Names: Sendable {
        let list: [String]
        let positions: [ExactText: Int]

        init(_ list: [String]) {
            self.list = list
            let named = list.enumerated().map { (ExactText($1), $0) }
            positions = Dictionary(named, uniquingKeysWith: { first, _ in first })
        }
    }

    let shared: Names
    let row: PackedRow

    /// The names, in the order of the request.
    public var names: [String] { shared.list }

    /// The value under a name.
    ///
    ///     for row in try context.fetchRows(request) { print(try row.value(of: "name")) }
    ///
    /// Throws `StoreError.unknownProperty`, listing the existing names, if there is no such name.
    public func value(of name: String) throws(StoreError) -> QueryValue {
        try StoreError.only {
            guard let position = shared.positions[ExactText(name)] else {
                throw StoreError(
                    .unknownProperty, "The result has no column \(name); it has \(names.joined(separator: ", "))")
            }
            return self[position]
        }
    }

    /// The value under a name; NULL when there is no such name. `value(of:)` throws instead.
    public subscript(name: String) -> QueryValue {
        shared.positions[ExactText(name)].map { QueryValue(row.value($0)) } ?? .null
    }

    /// The value at a position.
    public subscript(position: Int) -> QueryValue { QueryValue(row.value(position)) }

    /// The row as a dictionary. Of names that Swift takes for equal, such as é in one code point and in two, it has the
    /// first; `row[name]` goes by the bytes of the name and reads each of them.
    public var dictionary: [String: QueryValue] {
        Dictionary(names.enumerated().map { ($1, self[$0]) }, uniquingKeysWith: { first, _ in first })
    }
}

extension ResultRow: Equatable {
    /// Whether both rows have the same names and values. Names are compared by their bytes, as when reading a value.
    public static func == (one: ResultRow, other: ResultRow) -> Bool {
        one.names.elementsEqual(other.names) { $0.hasSameBytes(as: $1) }
            && one.names.indices.allSatisfy { one[$0] == other[$0] }
    }
}
