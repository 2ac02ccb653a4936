/// A text without case and diacritics meets no constant that has them, so constants beside one lose theirs as well:
/// `$0.name.folded == "Fährhafen"` asks for what `$0.name.folded == "fahrhafen"` does.
extension QueryExpression {
    /// Both sides of a comparison, a constant folded where the other side is.
    static func foldedAlike(
        _ left: QueryExpression, _ right: QueryExpression
    ) -> (QueryExpression, QueryExpression) {
        if left.isFolded { return (left, right.foldedConstant) }
        return (right.isFolded ? left.foldedConstant : left, right)
    }

    /// One of the values, these folded where the element is.
    static func membershipFoldedAlike(_ element: QueryExpression, _ values: [QueryValue]) -> QueryExpression {
        guard element.isFolded else { return .membership(element, values) }
        return .membership(element, values.map { value in value.text.map { .text($0.folded) } ?? value })
    }

    /// Whether the text is without case and diacritics wherever it is there at all.
    private var isFolded: Bool {
        switch self {
        case .folded: true
        case .coalesce(let value, _): value.isFolded
        case .conditional(_, let yes, let no): yes.isFolded && no.isFolded
        default: false
        }
    }

    var foldedConstant: QueryExpression {
        if case .value(.text(let text)) = self { .value(.text(text.folded)) } else { self }
    }
}
