import ICU

/// Compares rows in memory as ORDER BY does.
struct SortOrder {
    private let terms: [SortTerm]
    private let collators: [NameCollator?]

    /// Throws `StoreError.unsuitableValue` for a locale that ICU does not know.
    init(_ terms: [SortTerm]) throws {
        self.terms = terms
        collators = try terms.map { term in
            guard let locale = term.collation else { return nil }
            guard let collator = LocaleCollation.collator(of: locale) else {
                throw LocaleCollation.unknown(locale)
            }
            return collator
        }
    }

    /// Negative when `one` comes first, 0 when neither does.
    func compare(_ one: [QueryValue], _ other: [QueryValue]) -> Int {
        for (position, term) in terms.enumerated() {
            let result = compare(one[position], other[position], term, collators[position])
            if result != 0 { return result }
        }
        return 0
    }

    /// The rows in order; equal ones keep theirs. `keys` are the values of a row's terms.
    func sorted<Row>(_ rows: [Row], by keys: (Row) -> [QueryValue]) -> [Row] {
        rows.enumerated().sorted { one, other in
            let result = compare(keys(one.element), keys(other.element))
            return result == 0 ? one.offset < other.offset : result < 0
        }.map(\.element)
    }

    private func compare(
        _ one: QueryValue, _ other: QueryValue, _ term: SortTerm, _ collator: NameCollator?
    ) -> Int {
        if one.isNull || other.isNull {
            guard one.isNull != other.isNull else { return 0 }
            let nullsFirst = term.nulls == .first || term.nulls == .standard && term.isAscending
            return one.isNull == nullsFirst ? -1 : 1
        }
        let result: Int
        if let collator, let one = one.text, let other = other.text {
            result = collator.compare(one, other)
        } else {
            result = one.compare(other)
        }
        return term.isAscending ? result : -result
    }
}
