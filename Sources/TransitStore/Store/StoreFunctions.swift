import SQLite

/// The SQL functions that every connection is taught; the writer writes calls of them where SQLite has no like.
enum StoreFunctions {
    static func register(on connection: Connection) throws(SQLiteError) {
        try connection.createFunction("fold", argumentCount: 1) { $0.text(0).map { .text($0.folded) } ?? .null }
        try connection.createFunction("fold_case", argumentCount: 1) {
            $0.text(0).map { .text($0.lowercased()) } ?? .null
        }
        try connection.createNumberFunction("distance", argumentCount: 4, distance)
        try connection.createNumberFunction("is_within", argumentCount: 5, isWithin)
        try connection.createFunction("fold_diacritics", argumentCount: 1) {
            $0.text(0).map { .text($0.withoutDiacritics) } ?? .null
        }
        for op in TextOperator.allCases {
            try connection.createFunction(op.functionName, argumentCount: 2) { arguments in
                guard let subject = arguments.text(0), let pattern = arguments.text(1) else { return .null }
                return .integer(try op.holds(subject, pattern) ? 1 : 0)
            }
        }
    }

    /// `distance(latitude, longitude, latitude, longitude)` in metres.
    private static func distance(_ arguments: NumberArguments) -> Double? {
        guard let (one, other) = places(arguments) else { return nil }
        return one.distance(to: other)
    }

    /// `is_within(latitude, longitude, latitude, longitude, metres)`
    private static func isWithin(_ arguments: NumberArguments) -> Double? {
        guard let (one, other) = places(arguments), let meters = arguments[4] else { return nil }
        return one.isWithin(meters, of: other) ? 1 : 0
    }

    private static func places(_ arguments: NumberArguments) -> (Coordinate, Coordinate)? {
        guard let latitude = arguments[0], let longitude = arguments[1], let otherLatitude = arguments[2],
            let otherLongitude = arguments[3]
        else { return nil }
        return (
            Coordinate(latitude: latitude, longitude: longitude),
            Coordinate(latitude: otherLatitude, longitude: otherLongitude)
        )
    }
}

extension [SQLiteValue] {
    fileprivate func text(_ position: Int) -> String? {
        if case .text(let text) = self[position] { text } else { nil }
    }
}
