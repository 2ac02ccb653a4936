extension QueryExpression {
    /// Whether both expressions are lowered to the same tree, except for values. Appends the values of this one in the
    /// order of their slots.
    func fits(_ other: QueryExpression, _ values: inout SlotValues) -> Bool {
        switch (self, other) {
        case (.value(let one), .value(let two)): return one.fits(two, &values)
        case (.property(let variable, let path), .property(let otherVariable, let otherPath)):
            return variable == otherVariable && path == otherPath
        case (.object(let one), .object(let two)): return one == two
        case (.inStore(let one), .inStore(let two)): return values.store.has(one) == values.store.has(two)
        case (.all(let one), .all(let two)), (.any(let one), .any(let two)):
            return one.count == two.count && zip(one, two).allSatisfy { $0.fits($1, &values) }
        case (.not(let one), .not(let two)), (.negative(let one), .negative(let two)),
            (.folded(let one), .folded(let two)), (.length(let one), .length(let two)):
            return one.fits(two, &values)
        case (.comparison(let op, let left, let right), .comparison(let otherOp, let otherLeft, let otherRight)):
            return op == otherOp && left.fits(otherLeft, &values) && right.fits(otherRight, &values)
        case (.arithmetic(let op, let left, let right), .arithmetic(let otherOp, let otherLeft, let otherRight)):
            return op == otherOp && left.fits(otherLeft, &values) && right.fits(otherRight, &values)
        case (
            .text(let op, let options, let left, let right),
            .text(let otherOp, let otherOptions, let otherLeft, let otherRight)
        ):
            return op == otherOp && options == otherOptions && left.fits(otherLeft, &values)
                && right.fits(otherRight, &values)
        case (.membership(let one, let list), .membership(let two, let otherList)):
            guard list.count == otherList.count, list.count <= Membership.mostSlots, one.fits(two, &values) else {
                return false
            }
            return zip(list, otherList).allSatisfy { $0.fits($1, &values) }
        case (.conditional(let test, let yes, let no), .conditional(let otherTest, let otherYes, let otherNo)):
            return test.fits(otherTest, &values) && yes.fits(otherYes, &values) && no.fits(otherNo, &values)
        case (.coalesce(let one, let otherwise), .coalesce(let two, let other)):
            return one.fits(two, &values) && otherwise.fits(other, &values)
        case (.related(let one), .related(let two)): return one.fits(two, &values)
        default: return fitsPlaceOrName(other, &values)
        }
    }

    /// As `fits`, for conditions on places and on the words of names.
    private func fitsPlaceOrName(_ other: QueryExpression, _ values: inout SlotValues) -> Bool {
        switch (self, other) {
        case (.distance(let variable, let path, let place), .distance(let otherVariable, let otherPath, _)):
            values.append(.double(place.latitude))
            values.append(.double(place.longitude))
            return variable == otherVariable && path == otherPath
        case (.box(let variable, let path, let one), .box(let otherVariable, let otherPath, let two)):
            return variable == otherVariable && path == otherPath && one.fits(two, &values)
        case (.searchTerm(let variable, let path, let prefix), .searchTerm(let otherVariable, let otherPath, let other)):
            return variable == otherVariable && path == otherPath
                && QueryValue.text(prefix).fits(.text(other), &values)
        default: return false
        }
    }
}

extension RelatedRows {
    fileprivate func fits(_ other: RelatedRows, _ values: inout SlotValues) -> Bool {
        guard owner == other.owner, path == other.path, variable == other.variable,
            condition.fits(other.condition, &values)
        else { return false }
        switch (yields, other.yields) {
        case (.exists, .exists), (.count, .count): return true
        case (.aggregate(let function, let part), .aggregate(let otherFunction, let otherPart)):
            return function == otherFunction && part.fits(otherPart, &values)
        default: return false
        }
    }
}

extension BoundingBox {
    /// Whether two boxes are lowered to the same tree. Both or neither must cross the antimeridian, and both or neither
    /// must equal the first box of their condition, which drives the search. In a store with longitude cells, they must
    /// cover the same number of cells.
    fileprivate func fits(_ other: BoundingBox, _ values: inout SlotValues) -> Bool {
        values.append(.double(minLongitude))
        values.append(.double(maxLongitude))
        values.append(.double(minLatitude))
        values.append(.double(maxLatitude))
        return crossesAntimeridian == other.crossesAntimeridian
            && (!values.hasLongitudeCells
                || LongitudeCell.range(of: self)?.count == LongitudeCell.range(of: other)?.count)
            && values.isLikeFirstBox(self, other)
    }
}

extension QueryValue {
    /// Whether both values give the same SQL. They must be of one kind, and compare in the same way with the values
    /// that an empty column reads as: 0, "", and -1 for the id of a missing reference. Whole numbers must also compare
    /// in the same way with 1, which flags are tested for. Texts must agree in three more points: whether they have a
    /// sigma, whether a text comes after all texts that begin with them, and whether they are long.
    fileprivate func fits(_ other: QueryValue, _ values: inout SlotValues) -> Bool {
        values.append(self)
        switch (self, other) {
        case (.null, .null): return true
        case (.integer(let one), .integer(let two)): return min(max(one, -2), 2) == min(max(two, -2), 2)
        case (.double(let one), .double(let two)):
            return one.isNaN == two.isNaN
                && [0, -1].allSatisfy { (one > $0) == (two > $0) && (one < $0) == (two < $0) }
        case (.text(let one), .text(let two)):
            return one.isEmpty == two.isEmpty && one.hasSigma == two.hasSigma
                && one.hasEndOfPrefixRange == two.hasEndOfPrefixRange
                && (one.utf8.count > String.mostPlainBytes) == (two.utf8.count > String.mostPlainBytes)
        default: return false
        }
    }
}

/// The values of a condition in the order of their slots.
struct SlotValues {
    private(set) var values: [QueryValue] = []
    /// Whether the store has an index by which boxes are searched cell by cell.
    let hasLongitudeCells: Bool
    let store: StoreNumber
    private var firstBoxes: (BoundingBox, BoundingBox)?

    init(_ traits: StoreTraits) {
        hasLongitudeCells = traits.hasLongitudeCells
        store = traits.store
        values.reserveCapacity(12)
    }

    mutating func append(_ value: QueryValue) { values.append(value) }

    /// Whether both or neither of two boxes at the same place equal the first box of their condition.
    mutating func isLikeFirstBox(_ one: BoundingBox, _ other: BoundingBox) -> Bool {
        let first = firstBoxes ?? (one, other)
        firstBoxes = first
        return (one == first.0) == (other == first.1)
    }
}

extension Condition {
    /// A hash that is equal for conditions with the same meaning and values, whatever their order and wording.
    var hashOfValues: Int {
        guard let query = try? translation.get() else { return 0 }
        var slots = SlotValues(.none)
        _ = query.fits(query, &slots)
        return slots.values.reduce(0) { sum, value in
            if let text = value.text {
                return text.isEmpty ? sum : sum &+ QueryValue.text(text.withPlainSigma).hashValue
            }
            return value.isNull ? sum : sum &+ value.hashValue
        }
    }
}
