/// How deeply an expression is nested. A deep one is refused before anything recurses into it, because each level takes
/// a part of the thread's stack.
extension QueryExpression {
    /// The most levels of a condition, to protect our own recursion. For most kinds of conditions, SQLite allows fewer
    /// levels and refuses more itself.
    static let mostLevels = 200

    /// Whether it has more levels than this; looks no deeper. Lists the most frequent cases one by one, because
    /// `children` would make an array for each node.
    func isDeeper(than levels: Int) -> Bool {
        switch self {
        case .value, .parameter, .object, .property, .distance, .box, .inStore, .searchTerm: false
        case .all(let parts), .any(let parts): levels <= 0 || parts.contains { $0.isDeeper(than: levels - 1) }
        case .comparison(_, let left, let right), .text(_, _, let left, let right):
            levels <= 0 || left.isDeeper(than: levels - 1) || right.isDeeper(than: levels - 1)
        case .membership(let inner, _), .not(let inner): levels <= 0 || inner.isDeeper(than: levels - 1)
        case .related(let rows): levels <= 0 || rows.isDeeper(than: levels - 1)
        default: levels <= 0 || children.contains { $0.isDeeper(than: levels - 1) }
        }
    }

    /// Whether it and its parts are more than this together; counts no further.
    func hasMoreParts(than most: Int) -> Bool {
        var left = most
        return !takeParts(&left)
    }

    private func takeParts(_ left: inout Int) -> Bool {
        left -= 1
        return left >= 0 && children.allSatisfy { $0.takeParts(&left) }
    }

    /// Whether it becomes too large if it is written this many times, as the value before BETWEEN and IN is. Values
    /// within each other multiply, so a short text could become a huge statement. A value that is too small to contain
    /// another test does not count.
    func isTooLarge(forCopies copies: Int) -> Bool {
        copies > 1 && hasMoreParts(than: 3) && hasMoreParts(than: Self.mostCopiedParts / copies)
    }

    static let mostCopiedParts = 10_000

    /// About how many entries it takes on the stack of SQLite's parser, which has 100 in version 3.40.
    var parserDepth: Int {
        let inner = children.reduce(0) { max($0, $1.parserDepth) }
        return switch self {
        case .related: inner + 9
        case .not: inner + 1
        default: inner + 3
        }
    }
}

extension RelatedRows {
    fileprivate func isDeeper(than levels: Int) -> Bool {
        if case .aggregate(_, let part) = yields, part.isDeeper(than: levels) { return true }
        return condition.isDeeper(than: levels)
    }
}

extension StoreError {
    static let tooDeep = StoreError(
        .tooComplex,
        "The condition is more than \(QueryExpression.mostLevels) levels deep; join its parts side by side, as in a || b || c"
    )
}
