extension QueryExpression {
    /// Combines four conditions that bound longitude and latitude on both sides into one box.
    ///
    /// This way a box uses the best index that the store has, however it was written.
    static func recognizingBoxes(_ parts: [QueryExpression]) -> [QueryExpression] {
        var parts = parts
        var tried: Set<BoundedRow> = []
        for case .comparison(_, .property(let variable, let path), _) in parts where path.last == "longitude" {
            let row = PropertyPath(path.dropLast())
            guard tried.insert(BoundedRow(variable: variable, path: row)).inserted else { continue }
            if parts.contains(where: { if case .box(variable, row, _) = $0 { true } else { false } }) { continue }
            if let box = takeBox(variable, row, from: &parts) { parts.insert(box, at: 0) }
        }
        return parts
    }

    private struct BoundedRow: Hashable {
        let variable: QueryVariable
        let path: PropertyPath
    }

    /// The box that four of the conditions bound. Conditions that exclude an edge (`<`, `>`) also stay beside the box.
    private static func takeBox(
        _ variable: QueryVariable, _ path: PropertyPath, from parts: inout [QueryExpression]
    ) -> QueryExpression? {
        var replaced: [Int] = []
        func bound(_ name: String, _ op: ComparisonOperator, _ strict: ComparisonOperator) -> Double? {
            let property = QueryExpression.property(variable, path + [name])
            for (position, part) in parts.enumerated() {
                guard case .comparison(let written, let left, let right) = part else { continue }
                let isFlipped = right == property
                guard isFlipped || left == property, case .value(let value) = isFlipped ? left : right,
                    let edge = value.exactDouble
                else { continue }
                let own = isFlipped ? written.flipped : written
                guard own == op || own == strict else { continue }
                if own == op { replaced.append(position) }
                return edge
            }
            return nil
        }
        guard let west = bound("longitude", .greaterOrEqual, .greater),
            let east = bound("longitude", .lessOrEqual, .less),
            let south = bound("latitude", .greaterOrEqual, .greater),
            let north = bound("latitude", .lessOrEqual, .less),
            west <= east
        else { return nil }
        for position in replaced.sorted(by: >) { parts.remove(at: position) }
        let box = BoundingBox(minLatitude: south, maxLatitude: north, minLongitude: west, maxLongitude: east)
        return .box(variable, path, box)
    }
}

extension QueryValue {
    /// The number as a double, if that is exactly the same number; nil for NaN.
    fileprivate var exactDouble: Double? {
        switch self {
        case .integer(let value): Double(exactly: value)
        case .double(let value): value.isNaN ? nil : value
        case .null, .text: nil
        }
    }
}
