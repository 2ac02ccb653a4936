extension QueryExpression {
    /// Conditions of which four bound longitude and latitude on both sides, with these four as one box.
    ///
    /// So a box gets the best index that the store has, however it was written.
    static func recognizingBoxes(_ parts: [QueryExpression]) -> [QueryExpression] {
        var parts = parts
        for case .comparison(_, .property(let variable, let path), _) in parts where path.last == "longitude" {
            if let box = takeBox(variable, path.dropLast(), from: &parts) { parts.insert(box, at: 0) }
        }
        return parts
    }

    private static func takeBox(
        _ variable: QueryVariable, _ path: [String], from parts: inout [QueryExpression]
    ) -> QueryExpression? {
        var found: [Int] = []
        func bound(_ name: String, _ op: ComparisonOperator) -> Double? {
            let property = QueryExpression.property(variable, path + [name])
            for (position, part) in parts.enumerated() {
                switch part {
                case .comparison(op, property, .value(.double(let value))),
                    .comparison(op.flipped, .value(.double(let value)), property):
                    found.append(position)
                    return value
                default: continue
                }
            }
            return nil
        }
        guard let west = bound("longitude", .greaterOrEqual), let east = bound("longitude", .lessOrEqual),
            let south = bound("latitude", .greaterOrEqual), let north = bound("latitude", .lessOrEqual), west <= east
        else { return nil }
        for position in found.sorted(by: >) { parts.remove(at: position) }
        let box = BoundingBox(minLatitude: south, maxLatitude: north, minLongitude: west, maxLongitude: east)
        return .box(variable, path, box)
    }
}
