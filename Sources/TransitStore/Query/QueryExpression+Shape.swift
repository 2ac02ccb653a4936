extension QueryExpression {
    /// Whether the SQL of both is the same; appends this one's values in the order of that SQL.
    func hasShape(of other: QueryExpression, _ collected: inout ShapeBindings) -> Bool {
        switch (self, other) {
        case (.all(let parts), .all(let others)):
            guard parts.count == others.count else { return false }
            for (part, other) in zip(parts, others) {
                guard part.hasShape(of: other, &collected) else { return false }
            }
            return true
        case (.box(let variable, let path, let box), .box(let otherVariable, let otherPath, let otherBox)):
            guard variable == otherVariable, path == otherPath else { return false }
            return box.hasShape(of: otherBox, isDriving: variable == .root && path.isEmpty, &collected)
        case (.comparison(let op, let left, let right), .comparison(let otherOp, let otherLeft, let otherRight)):
            guard op == otherOp else { return false }
            return Self.compare(left, right, otherLeft, otherRight, &collected.bindings)
        case (
            .text(.beginsWith, let options, let left, let right),
            .text(.beginsWith, let otherOptions, let otherLeft, let otherRight)
        ):
            guard options == otherOptions, options == .folded || options.isEmpty, left == otherLeft,
                case .property = left, case .value(.text(let prefix)) = right, case .value(.text) = otherRight
            else { return false }
            return Self.bindPrefix(options == .folded ? prefix.folded : prefix, &collected.bindings)
        case (.searchTerm(let variable, let path, let prefix), .searchTerm(let otherVariable, let otherPath, _)):
            return variable == otherVariable && path == otherPath && Self.bindPrefix(prefix, &collected.bindings)
        case (.related(let rows), .related(let others)):
            guard rows.yields == .exists, others.yields == .exists, rows.owner == others.owner,
                rows.path == others.path, rows.variable == others.variable
            else { return false }
            return rows.condition.hasShape(of: others.condition, &collected)
        default: return false
        }
    }

    /// `column >= ?`, `? <= column`, and distances.
    private static func compare(
        _ left: QueryExpression, _ right: QueryExpression, _ otherLeft: QueryExpression,
        _ otherRight: QueryExpression, _ bindings: inout [QueryValue]
    ) -> Bool {
        switch (left, right, otherLeft, otherRight) {
        case (.property, .value(let value), .property, .value(let otherValue)):
            guard value.isAlike(otherValue), left == otherLeft else { return false }
            bindings.append(value)
        case (.value(let value), .property, .value(let otherValue), .property):
            guard value.isAlike(otherValue), right == otherRight else { return false }
            bindings.append(value)
        case (
            .distance(let variable, let path, let from), .value(let value),
            .distance(let otherVariable, let otherPath, _),
            .value(let otherValue)
        ):
            guard variable == otherVariable, path == otherPath, value.isAlike(otherValue) else { return false }
            bindings.append(.double(from.latitude))
            bindings.append(.double(from.longitude))
            bindings.append(value)
        default: return false
        }
        return true
    }

    /// The two ends of a range of texts; false for a prefix that has no such range.
    private static func bindPrefix(_ prefix: String, _ bindings: inout [QueryValue]) -> Bool {
        guard !prefix.isEmpty, let end = prefix.endOfPrefixRange else { return false }
        bindings.append(.text(prefix))
        bindings.append(.text(end))
        return true
    }
}

/// What is bound for a condition, in the order of its SQL.
struct ShapeBindings {
    let indexes: StoreIndexes
    fileprivate(set) var bindings: [QueryValue] = []
    private let drivingBox: BoundingBox?
    private let otherDrivingBox: BoundingBox?

    /// Begins with what stands before the condition: the cells of its box.
    init(
        _ condition: QueryExpression, of other: QueryExpression, for entity: EntityDescription, _ indexes: StoreIndexes
    ) {
        self.indexes = indexes
        let driving = DrivingBox(of: condition, for: entity, indexes)
        drivingBox = driving?.box
        otherDrivingBox = DrivingBox(of: other, for: entity, indexes)?.box
        bindings = driving?.cells.map { .integer($0) } ?? []
    }

    mutating func append(_ value: QueryValue) { bindings.append(value) }

    /// Whether the box's cells stand before the table; nil when they do so for one of the two boxes only.
    fileprivate func areDriving(_ box: BoundingBox, _ other: BoundingBox) -> Bool? {
        (drivingBox == box) == (otherDrivingBox == other) ? drivingBox == box : nil
    }
}

extension BoundingBox {
    fileprivate func hasShape(of other: BoundingBox, isDriving: Bool, _ collected: inout ShapeBindings) -> Bool {
        guard !crossesAntimeridian, !other.crossesAntimeridian else { return false }
        if collected.indexes.hasLongitudeCells {
            let (cells, otherCells) = (LongitudeCell.range(of: self), LongitudeCell.range(of: other))
            guard cells?.count == otherCells?.count, let areDriving = collected.areDriving(self, other) else {
                return false
            }
            if let cells, !(isDriving && areDriving) {
                for cell in cells { collected.append(.integer(cell)) }
            }
        }
        collected.append(.double(minLongitude))
        collected.append(.double(maxLongitude))
        collected.append(.double(minLatitude))
        collected.append(.double(maxLatitude))
        return true
    }
}

extension QueryValue {
    /// Whether SQL is the same for both: of one kind, and to the same side of what an empty column reads as, 0 or "".
    fileprivate func isAlike(_ other: QueryValue) -> Bool {
        switch (self, other) {
        case (.integer(let one), .integer(let two)): one.signum() == two.signum()
        case (.double(let one), .double(let two)): (one > 0) == (two > 0) && (one < 0) == (two < 0)
        case (.text(let one), .text(let two)): one.isEmpty == two.isEmpty
        default: false
        }
    }
}
