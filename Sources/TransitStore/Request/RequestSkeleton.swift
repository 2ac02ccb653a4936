/// A request without its values. Requests that differ only in their values share a skeleton, and so the same SQL; the
/// values become its bindings.
///
/// Writing SQL takes about ten microseconds, comparing skeletons a tenth of one. The lowered tree depends only on the
/// condition and the kinds of its values, so conditions that differ only in their values have equal trees.
/// `RequestSkeletonTests` checks with random requests that both ways give the same SQL and bindings.
struct RequestSkeleton {
    /// The kind of statement that is written for a request.
    enum Form: Sendable, Hashable {
        case objects, keys, count
        /// The stop columns that departures show.
        case stopFacts
    }

    private let form: Form
    private let entityName: String
    /// The class that the request was for. Another class may not be valid for the entity.
    private let objectType: ObjectIdentifier
    private let predicate: QueryExpression
    private let hasLimit: Bool
    private let hasOffset: Bool
    private let includesSubentities: Bool
    /// The store that the select was written for.
    private let store: StoreNumber
    let select: SelectStatement
    private static let mostKeptBytes = 65_536
    private var sources: [SlotSource] { select.sql.sources }

    /// The skeleton of a request that has been written as `select`; nil if it has parts that skeletons do not support.
    init?<Entity>(_ request: FetchRequest<Entity>, _ form: Form, _ select: SelectStatement, traits: StoreTraits) {
        // A skeleton keeps the values that it was made with. Compared with long values, writing SQL costs little.
        guard Self.isSupported(request, form), let predicate = try? request.predicate.query(),
            !select.sql.bindings.contains(where: { $0.isLonger(than: Self.mostKeptBytes) })
        else { return nil }
        self.form = form
        entityName = request.entityName
        objectType = ObjectIdentifier(Entity.self)
        self.predicate = predicate
        hasLimit = request.fetchLimit > 0
        hasOffset = request.fetchOffset > 0
        includesSubentities = request.includesSubentities
        store = traits.store
        self.select = select
        // Checks once that this request's own values give the bindings that were just written.
        guard sources.count == select.sql.bindings.count,
            bindings(of: request, form, traits: traits) == select.sql.bindings
        else { return nil }
    }

    private static func isSupported<Entity>(_ request: FetchRequest<Entity>, _ form: Form) -> Bool {
        guard request.selected.terms.isEmpty else { return false }
        guard form == .count else { return true }
        return request.fetchLimit <= 0 && request.fetchOffset <= 0 && request.selected.grouping.isEmpty
            && request.selected.columns.isEmpty && !request.returnsDistinctResults
            && request.selected.having == .success(.always)
    }

    /// The values to bind for a request of this skeleton; nil for one of another skeleton.
    func bindings<Entity>(of request: FetchRequest<Entity>, _ form: Form, traits: StoreTraits) -> [QueryValue]? {
        guard form == self.form, traits.store == store, Self.isSupported(request, form),
            request.includesSubentities == includesSubentities,
            (request.fetchLimit > 0) == hasLimit, (request.fetchOffset > 0) == hasOffset,
            request.entityName.hasSameBytes(as: entityName), ObjectIdentifier(Entity.self) == objectType,
            let predicate = try? request.predicate.translation.get()
        else { return nil }
        var slots = SlotValues(traits)
        guard predicate.fits(self.predicate, &slots) else { return nil }
        var bindings: [QueryValue] = []
        bindings.reserveCapacity(sources.count)
        for source in sources {
            let value = source.value(of: slots.values, limit: request.fetchLimit, offset: request.fetchOffset)
            guard let value else { return nil }
            bindings.append(value)
        }
        return bindings
    }
}
