/// Conditions on the cells of one row; all must hold. They are simple enough to be tested while rows pass.
///
///     name                    the column has a value
///     !name                   it has none
///     mode=4,5                it has one of these numbers
///     location_type!=0,1      it has another number
///     from_stop=to_stop       both columns have the same number
package struct RowFact: Sendable, Equatable {
    package enum Term: Sendable, Equatable {
        case filled(String)
        case empty(String)
        case among(String, [Int64])
        case notAmong(String, [Int64])
        case same(String, String)
    }

    package let terms: [Term]
    /// The terms as they are declared.
    package let text: String
    /// The fact's number among those of all tables, from 0.
    package let number: Int

    init(_ text: String, number: Int) {
        terms = text.utf8.split(separator: UInt8(ascii: " ")).map { Term(String(Substring($0))) }
        (self.text, self.number) = (text, number)
    }

    /// The terms as SQL over the row `t`.
    package var sql: String { terms.map(\.sql).joined(separator: " AND ") }
}

extension RowFact.Term {
    fileprivate init(_ word: String) {
        let bytes = word.utf8
        guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")) else {
            let isNegated = bytes.first == UInt8(ascii: "!")
            self = isNegated ? .empty(String(Substring(bytes.dropFirst()))) : .filled(word)
            return
        }
        let (column, rest) = (bytes[..<sign], bytes[bytes.index(after: sign)...])
        let values = rest.split(separator: UInt8(ascii: ",")).compactMap { Int64(Substring($0)) }
        if values.isEmpty {
            self = .same(String(Substring(column)), String(Substring(rest)))
        } else if column.last == UInt8(ascii: "!") {
            self = .notAmong(String(Substring(column.dropLast())), values)
        } else {
            self = .among(String(Substring(column)), values)
        }
    }

    /// The column that the term is about; the first of two.
    package var column: String {
        switch self {
        case .filled(let column), .empty(let column), .among(let column, _), .notAmong(let column, _),
            .same(let column, _):
            column
        }
    }

    fileprivate var sql: String {
        func list(_ values: [Int64]) -> String { values.map(String.init).joined(separator: ", ") }
        return switch self {
        case .filled(let column): "t.\(column) IS NOT NULL"
        case .empty(let column): "t.\(column) IS NULL"
        case .among(let column, let values): "t.\(column) IN (\(list(values)))"
        case .notAmong(let column, let values): "t.\(column) NOT IN (\(list(values)))"
        case .same(let column, let other): "t.\(column) = t.\(other)"
        }
    }
}
