/// A folded text never equals a constant that has case or diacritics. So a constant beside a folded text is folded too:
/// `$0.name.folded == "Fährhafen"` means the same as `$0.name.folded == "fahrhafen"`.
extension QueryExpression {
    /// Both sides of a comparison. A constant is folded if the other side is.
    static func foldedAlike(
        _ left: QueryExpression, _ right: QueryExpression
    ) -> (QueryExpression, QueryExpression) {
        if left.isFolded { return (left, right.foldedConstant) }
        return (right.isFolded ? left.foldedConstant : left, right)
    }

    /// A comparison of texts. If both sides are folded, it becomes a comparison with [cd]: there, a sigma at the end of
    /// a constant also matches one inside a word.
    static func textFoldedAlike(
        _ op: TextOperator, _ left: QueryExpression, _ right: QueryExpression
    ) -> QueryExpression {
        let (one, other) = foldedAlike(left, right)
        switch (one, other) {
        case (.folded(let subject), .value(.text)): return .text(op, .folded, subject, other)
        case (.folded(let subject), .folded(let pattern)): return .text(op, .folded, subject, pattern)
        default: return .text(op, [], one, other)
        }
    }

    /// A test for one of the values, which are folded if the element is.
    static func membershipFoldedAlike(_ element: QueryExpression, _ values: [QueryValue]) -> QueryExpression {
        guard element.isFolded else { return .membership(element, values) }
        return .membership(element, values.map { value in value.text.map { .text($0.folded) } ?? value })
    }

    /// Whether the text, if there is one, never has case or diacritics.
    private var isFolded: Bool {
        switch self {
        case .folded: true
        case .coalesce(let value, let otherwise): value.isFolded && otherwise.staysFolded
        case .conditional(_, let yes, let no): yes.isFolded && no.isFolded
        default: false
        }
    }

    /// Whether it is folded, or a constant that folding leaves as it is.
    private var staysFolded: Bool {
        if case .value(let value) = self { value.text.map { $0.folded.hasSameBytes(as: $0) } ?? true } else { isFolded }
    }

    var foldedConstant: QueryExpression {
        if case .value(.text(let text)) = self { .value(.text(text.folded)) } else { self }
    }

    /// The text without case and diacritics; a constant is folded now, not by SQL.
    var foldedText: QueryExpression {
        if case .value(.text(let text)) = self { .value(.text(text.folded)) } else { .folded(self) }
    }
}
