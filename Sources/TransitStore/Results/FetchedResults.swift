/// The objects of a request in sections, for a table with headings.
///
///     let trips = FetchRequest<Trip>()
///     let results = try FetchedResults(trips, sectionedBy: \.route.shortName, in: context)
///     for section in results.sections { print(section.name, section.count, results[section.range.lowerBound]) }
///
/// With a key path, one grouped statement reads the sections' names and counts; objects are loaded in batches on
/// access. If the request's first sort descriptor is for the same key path, it orders the sections, for example in
/// descending order or by a locale; otherwise they ascend. The other descriptors order the rows within a section.
///
/// With a closure, every object is read once, in batches; sections are in the order of their first objects.
public struct FetchedResults<Entity: StoreEntity> {
    /// A run of rows with the same name.
    public struct Section: Sendable, Hashable {
        /// The value that the rows share, as the key path reads it: `''` or 0 for an empty column of a property that is
        /// not optional, NULL only for nil.
        public let name: QueryValue
        /// The positions of the section's rows among all rows.
        public let range: Range<Int>
        /// How many rows the section has.
        public var count: Int { range.count }
    }

    /// The sections, in the order of their rows.
    public let sections: [Section]
    /// All objects, section after section.
    public let objects: BatchedResults<Entity>

    /// Makes sections of the rows that share the value of a key path.
    ///
    /// Throws `StoreError`: `failed` for a request with a limit or offset, which would cut sections; `untranslatable`
    /// for a key path that is not one column; otherwise as `fetch(_:)` and `fetchRows(_:)` do.
    public init<Value>(
        _ request: FetchRequest<Entity>, sectionedBy keyPath: KeyPath<Entity, Value>, in context: StoreContext
    ) throws(StoreError) {
        guard request.fetchLimit <= 0, request.fetchOffset <= 0 else {
            throw StoreError(
                .failed, "A request for sections cannot have a limit or an offset, because they would cut sections")
        }
        let property = try StoreError.only { try QueryExpression.property(of: keyPath) }
        let name = property.asRead(of: Entity.entity)
        var rows = request
        // Values that a locale or folding treats as equal are still separate sections: sorting by bytes separates them.
        var order: [Sort<Entity>] = [.by(name)]
        let first = try StoreError.only { try request.sortDescriptors.first?.replacing(property, by: name) }
        if let first {
            order.insert(first, at: 0)
            rows.sortDescriptors.removeFirst()
        }
        order += try StoreError.only { try Self.storeOrder(of: name, request, context) }
        rows.sortDescriptors = order + rows.sortDescriptors
        objects = try context.fetchBatches(rows)
        var counts = request
        let section = FetchedProperty<Entity>.expression(name, as: "section")
        counts.propertiesToFetch = [section, .count()]
        counts.propertiesToGroupBy = [section]
        counts.sortDescriptors = order
        let found = try context.fetchRows(counts).map { (name: $0[0], count: Int($0[1].integer ?? 0)) }
        sections = Self.sections(found)
    }

    /// Makes sections by a name that a closure computes for each object.
    ///
    ///     let letters = try FetchedResults(request, in: context) { String($0.name.prefix(1)) }
    ///
    /// Costs a walk over all objects, and 8 bytes for each object. Throws `StoreError` as `fetch(_:)` does, and what
    /// `name` throws.
    public init<Name: QueryValueConvertible>(
        _ request: FetchRequest<Entity>, in context: StoreContext, sectionName name: (Entity) throws -> Name
    ) throws {
        let all = try context.fetchBatches(request)
        var positions: [QueryValue: Int] = [:]
        var found: [(name: QueryValue, rows: [Int])] = []
        for index in all.indices {
            let value = try name(try all.object(at: index)).queryValue
            if let position = positions[value] {
                found[position].rows.append(index)
            } else {
                positions[value] = found.count
                found.append((value, [index]))
            }
        }
        sections = Self.sections(found.map { ($0.name, $0.rows.count) })
        let rows = found.flatMap(\.rows)
        objects = rows.elementsEqual(all.indices) ? all : try all.reordered(rows)
    }

    /// Terms that keep sections of several stores apart if section names are row numbers, because each store has other
    /// rows under the same numbers. Rows without a number form one section of all stores, so the terms leave them as
    /// they are.
    private static func storeOrder(
        of name: QueryExpression, _ request: FetchRequest<Entity>, _ context: StoreContext
    ) throws -> [Sort<Entity>] {
        let stores = try context.affectedStores(request)
        let entity = try context.entity(of: request)
        guard stores.count > 1, name.namesRows(of: entity, try context.stores[stores[0]].model(for: entity.table))
        else {
            return []
        }
        let namesRow: QueryExpression = .comparison(.greaterOrEqual, name, .value(0))
        return stores.dropLast().map { position in
            let isFirst: QueryExpression = .conjunction([namesRow, .inStore(context.stores[position].number)])
            return .by(.conditional(isFirst, .value(0), .value(1)))
        }
    }

    private static func sections(_ found: [(name: QueryValue, count: Int)]) -> [Section] {
        var start = 0
        return found.map { name, count in
            defer { start += count }
            return Section(name: name, range: start..<start + count)
        }
    }

    /// The object at a position among all rows.
    public subscript(index: Int) -> Entity { objects[index] }

    /// The object at a position in a section; both indices must be in range, as in arrays.
    ///
    ///     let results = try FetchedResults(FetchRequest<Trip>(), sectionedBy: \.route.shortName, in: context)
    ///     print(results[0, 2].tripID)     // the third trip of the first section
    public subscript(section: Int, row: Int) -> Entity {
        precondition(
            sections.indices.contains(section), "Section \(section) is out of range 0..<\(sections.count)")
        let range = sections[section].range
        precondition(
            row >= 0 && row < range.count, "Index \(row) is out of range 0..<\(range.count) of section \(section)")
        return objects[range.lowerBound + row]
    }
}

extension Sort {
    /// The same order by `name`, if this sorts by a property, no matter how its texts are compared; nil if it does not.
    fileprivate func replacing(_ property: QueryExpression, by name: QueryExpression) throws -> Sort? {
        var term = try term.get()
        switch term.expression {
        case property: term.expression = name
        case .folded(property): term.expression = .folded(name)
        default: return nil
        }
        return Sort(term: .success(term))
    }
}

extension QueryExpression {
    /// The property of a row as Swift reads it. The column alone is not enough: it is NULL where a property that is not
    /// optional reads '', 0 or -1. At the end of an optional chain, it is NULL both for nil and for an empty text.
    fileprivate func asRead(of entity: EntityDescription) -> QueryExpression {
        if case .folded(let text) = self { return .folded(text.asRead(of: entity)) }
        guard case .property(.root, let path) = self, let last = path.last,
            let (owner, optional) = entity.followed(path.dropLast()), let index = owner.columnIndex(last)
        else { return self }
        let empty: QueryValue
        switch owner.columns[index].absence {
        case .emptyText: empty = ""
        case .zero: empty = owner.columns[index].zero
        case .never where path.count > 1 && optional == nil && owner.isRowKey(index):
            empty = .integer(ObjectID.missingRow)
        case .never, .null: return self
        }
        guard let optional else { return .coalesce(self, .value(empty)) }
        return .conditional(.comparison(.notEqual, .property(.root, optional), .value(.null)), self, .value(.null))
    }
}
