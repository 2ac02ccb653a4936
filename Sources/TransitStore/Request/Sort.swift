/// A sort descriptor: how the rows of a request are ordered.
///
///     request.sortDescriptors = [.ascending(\.name, .locale("de")), .descending(\.id)]
///     request.sortDescriptors = [.distance(from: goerlitzerBahnhof)]
///     request.sortDescriptors = [.ascending(\.parentStation?.name, nulls: .last)]
///
/// A key path may go through to-one relationships, and may end in the count of a to-many relationship
/// (`\.stopTimes.count`), which costs a subquery for each row. A key path that is not a column is kept as an error,
/// which the fetch throws.
public struct Sort<Entity: StoreObject>: Sendable, Hashable {
    /// How texts are compared.
    public enum Comparison: Sendable, Hashable {
        /// By their bytes, which is the order of code points. If the store has an index on the column, SQLite can use
        /// it.
        case bytes
        /// Without case and diacritics ([cd]); for texts only. For a stop's name, SQLite can use the index on
        /// `normalized_name`.
        case folded
        /// In the order of a locale ("de", "sv"), by ICU's collation. Sorts in memory. A fetch throws `unsuitableValue`
        /// for a locale that ICU does not know, and for an empty text.
        case locale(String)
    }

    let term: Result<SortTerm, StoreError>

    static func make(
        _ keyPath: PartialKeyPath<Entity>, _ comparison: Comparison, _ nulls: NullOrder, ascending: Bool
    ) -> Sort {
        Sort(
            term: Result {
                var expression = try QueryExpression.property(of: keyPath)
                var collation: String?
                switch comparison {
                case .bytes: break
                case .folded:
                    guard expression.isText(of: Entity.self) else {
                        throw StoreError.untranslatable(
                            KeyPathName.of(keyPath),
                            "it is not a text, and only texts have case and diacritics to ignore")
                    }
                    expression = .folded(expression)
                case .locale(let locale): collation = LocaleCollation.tag(of: locale)
                }
                return SortTerm(expression: expression, isAscending: ascending, nulls: nulls, collation: collation)
            }.mapError { StoreError(any: $0) })
    }

    /// From small to great, from A to Z.
    public static func ascending<Value>(
        _ keyPath: KeyPath<Entity, Value>, _ comparison: Comparison = .bytes, nulls: NullOrder = .standard
    ) -> Sort { make(keyPath, comparison, nulls, ascending: true) }

    /// From great to small, from Z to A.
    public static func descending<Value>(
        _ keyPath: KeyPath<Entity, Value>, _ comparison: Comparison = .bytes, nulls: NullOrder = .standard
    ) -> Sort { make(keyPath, comparison, nulls, ascending: false) }

    /// By any expression, such as one of a textual sort.
    package static func by(_ expression: QueryExpression, ascending: Bool = true) -> Sort {
        Sort(term: .success(SortTerm(expression: expression, isAscending: ascending)))
    }

    /// By a fetched property of a row or of a group.
    ///
    ///     let busiest = FetchRequest<Trip>(sortedBy: .by(.count(), ascending: false)).groups(by: .attribute(\.route))
    public static func by(_ property: FetchedProperty<Entity>, ascending: Bool = true) -> Sort {
        Sort(term: property.expression.map { SortTerm(expression: $0, isAscending: ascending) })
    }
}

extension Sort where Entity: StoreEntity {
    /// By geodesic distance from a place, nearest first; for entities with `latitude` and `longitude`.
    ///
    ///     let request = FetchRequest<Stop>(
    ///         where: .within(meters: 500, of: goerlitzerBahnhof), sortedBy: .distance(from: goerlitzerBahnhof))
    ///
    /// Computes the distance of each row that meets the condition; `nearestStops(to:)` looks at near stops only. The
    /// fetch throws `unsuitableValue` for coordinates out of range.
    public static func distance(from place: Coordinate, ascending: Bool = true) -> Sort {
        if let refusal = place.refusal { return Sort(term: .failure(refusal)) }
        return .by(.distance(.root, [], place), ascending: ascending)
    }
}

/// Where a sort puts rows without a value.
public enum NullOrder: Sendable, Hashable {
    case first, last
    /// First when ascending, last when descending: SQLite's own order.
    case standard
}

/// A term of ORDER BY.
struct SortTerm: Sendable, Hashable {
    var expression: QueryExpression
    var isAscending = true
    var nulls = NullOrder.standard
    /// The locale by which texts are compared.
    var collation: String?
}

extension QueryExpression {
    /// Whether a property is a text. Other expressions, such as a count, are not.
    fileprivate func isText<Entity: StoreObject>(of type: Entity.Type) -> Bool {
        if case .folded = self { return true }
        guard case .property(.root, let path) = self, let last = path.last,
            let owner = (type as? any StoreEntity.Type)?.entity.followed(path.dropLast())?.entity,
            let column = owner.columnIndex(last)
        else { return false }
        return owner.columns[column].storage == .text
    }

    /// The property that a key path reads. Throws `StoreError.untranslatable` if it is not one column.
    static func property<Entity: StoreObject>(of keyPath: PartialKeyPath<Entity>) throws -> QueryExpression {
        guard let entity = (Entity.self as? any StoreEntity.Type)?.entity,
            let path = PathRecorder.path(of: keyPath, entity: entity), !path.names.isEmpty
        else { throw StoreError.untranslatable(KeyPathName.of(keyPath), "it is not one column of \(Entity.self)") }
        if path.isCount {
            let rows = RelatedRows(of: .root, path: path.names, variable: QueryVariable(-1), yields: .count)
            // `parentStation?.stopTimes.count` is nil where there is no station.
            guard let optional = entity.followed(path.names.dropLast())?.optional else { return .related(rows) }
            return .conditional(
                .comparison(.notEqual, .property(.root, optional), .value(.null)), .related(rows), .value(.null))
        }
        guard !path.isToMany else { throw StoreError.manyRows(behind: path.names) }
        let property = QueryExpression.property(.root, path.names)
        return path.isFolded ? .folded(property) : property
    }
}
