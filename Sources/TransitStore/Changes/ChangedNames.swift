import SQLite
import SearchText

/// The words, ids and codes by which searches find new stops and stops with another id, code, name or parent.
struct ChangedNames {
    struct Term: Comparable {
        let text: String
        /// Whether it is an id or a code, of which the whole text must match.
        let isIdentifier: Bool
        let id: ObjectID

        static func < (one: Term, other: Term) -> Bool {
            if one.isIdentifier != other.isIdentifier { return other.isIdentifier }
            if one.text.hasSameBytes(as: other.text) { return one.id.isOrderedBefore(other.id) }
            return one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
        }
    }

    private(set) var terms: ChangedEntries<Term>

    init(_ ids: [ObjectID], in context: StoreContext) {
        terms = ChangedEntries(ids) { Self.terms($0, in: context) }
    }

    /// Notes that a stop was changed.
    mutating func note(_ id: ObjectID) { terms.note(id) }

    /// Takes up the names that noted stops have now.
    mutating func update(in context: StoreContext) {
        terms.update { Self.terms($0, in: context) }
    }

    private static func terms(_ id: ObjectID, in context: StoreContext) -> [Term] {
        guard context.changes.isPresent(id),
            id.isTemporary || context.changes.haveChanged(id, in: HitCollection.searchedColumns),
            let stop = context.object(with: id) as? Stop
        else { return [] }
        let words = SearchText.words(stop.name)
        let runs = UnbrokenText(SearchText.normalize(stop.name)).runs
        return (words + words.flatMap(WordParts.parts) + runs).eachOnceInOrder.map {
            Term(text: $0, isIdentifier: false, id: id)
        } + [stop.stopID, stop.code ?? ""].eachOnceInOrder.map { Term(text: $0, isIdentifier: true, id: id) }
    }

    /// The stops that a text may find: those that its rarest word finds, in each manner of search. Each must still be
    /// compared with the whole text.
    func stops(mayMatch search: SearchedText) -> Set<ObjectID> {
        let manners = [search.words, search.unbroken, search.parts.map(\.written)]
        let named = manners.map { stops(withRarest: $0) } + search.identifiers.map { stops(identifiedBy: $0) }
        return named.reduce([]) { $0.union($1) }
    }

    /// The stops with a word that begins with that one of the beginnings which the fewest words have. Goes through the
    /// words of all beginnings in step, until one ends.
    private func stops(withRarest beginnings: [String]) -> Set<ObjectID> {
        var found = beginnings.map { (ids: Set<ObjectID>(), terms: terms(withBeginning: $0)) }
        while !found.isEmpty {
            for place in found.indices {
                guard let term = found[place].terms.next() else { return found[place].ids }
                found[place].ids.insert(term.id)
            }
        }
        return []
    }

    private func terms(withBeginning beginning: String) -> some IteratorProtocol<Term> {
        let (start, end) = (PrefixRange.start(of: beginning, .folded), PrefixRange.end(of: beginning, .folded))
        return terms.sorted.upward { $0.isIdentifier || !$0.text.utf8.lexicographicallyPrecedes(start.utf8) }
            .lazy.prefix { term in
                !term.isIdentifier && (end.map { term.text.utf8.lexicographicallyPrecedes($0.utf8) } ?? true)
            }.makeIterator()
    }

    private func stops(identifiedBy text: String) -> Set<ObjectID> {
        let found = terms.sorted.upward { $0.isIdentifier && !$0.text.utf8.lexicographicallyPrecedes(text.utf8) }
        return Set(found.lazy.prefix { $0.text.hasSameBytes(as: text) }.map(\.id))
    }
}
