import SQLite

/// The SQL functions that every connection is taught; the writer writes calls of them where SQLite has no like.
enum StoreFunctions {
    static func register(on connection: Connection) throws(SQLiteError) {
        try connection.createFunction("fold", argumentCount: 1) { $0.text(0).map { .text($0.folded) } ?? .null }
        try connection.createFunction("fold_case", argumentCount: 1) {
            $0.text(0).map { .text($0.lowercased()) } ?? .null
        }
        try connection.createFunction("distance", argumentCount: 4, distance)
        for op in TextOperator.allCases {
            try connection.createFunction(op.functionName, argumentCount: 2) { arguments in
                guard let subject = arguments.text(0), let pattern = arguments.text(1) else { return .null }
                return .integer(op.holds(subject, pattern) ? 1 : 0)
            }
        }
    }

    private static func distance(_ arguments: [SQLiteValue]) -> SQLiteValue {
        guard let latitude = arguments.double(0), let longitude = arguments.double(1),
            let otherLatitude = arguments.double(2), let otherLongitude = arguments.double(3)
        else { return .null }
        let one = Coordinate(latitude: latitude, longitude: longitude)
        return .double(one.distance(to: Coordinate(latitude: otherLatitude, longitude: otherLongitude)))
    }
}

extension [SQLiteValue] {
    fileprivate func text(_ position: Int) -> String? {
        if case .text(let text) = self[position] { text } else { nil }
    }

    fileprivate func double(_ position: Int) -> Double? {
        switch self[position] {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .null, .text: nil
        }
    }
}
