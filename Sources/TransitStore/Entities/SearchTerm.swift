/// A word of a stop’s normalized name, for searching by prefix.
public final class SearchTerm: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case normalized_word, stop
    }

    public static let entity = EntityDescription(
        SearchTerm.self, name: "SearchTerm", table: "search_term",
        key: .values([Column.normalized_word.rawValue, Column.stop.rawValue]),
        columns: [
            .text("normalized_word"), .reference("stop", to: "stop", required: true),
        ])

    /// One word, normalized.
    public var normalizedWord: String { text(Column.normalized_word.rawValue) }
    /// The stop whose name has the word.
    public var stop: Stop { toOne(Column.stop.rawValue) }
}
