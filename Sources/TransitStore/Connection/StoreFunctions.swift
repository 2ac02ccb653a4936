import SQLite
import Synchronization

/// The SQL functions that every connection registers, because our statements need them and SQLite lacks them.
enum StoreFunctions {
    static func register(
        on connection: Connection, _ dates: KnownServiceDates, _ failure: FunctionFailure
    ) throws(SQLiteError) {
        try connection.createNumberFunction("service_runs", argumentCount: 2) { arguments in
            // A damaged store may have other numbers than keys. No service has them.
            guard let service = arguments[0].flatMap(Int.init(exactly:)),
                let date = arguments[1].flatMap(Int64.init(exactly:))
            else { return nil }
            return dates.runs(service, on: date).map { $0 ? 1 : 0 }
        }
        try connection.createNumberFunction("distance", argumentCount: 4, distance)
        try connection.createNumberFunction("is_within", argumentCount: 5, isWithin)
        for function in TextFunction.registered {
            let last = function.operandCount - 1
            try connection.createFunction(function.name, argumentCount: function.operandCount) { arguments in
                guard case .text(let text) = arguments[0], case .text(let other) = arguments[last] else { return .null }
                return try failure.noting { try function.apply(text, other).sqliteValue }
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

/// The error with which one of our SQL functions ended a statement. SQLite passes on only its text.
final class FunctionFailure: Sendable {
    private let error = Mutex<StoreError?>(nil)

    func noting<Value>(_ work: () throws -> Value) throws -> Value {
        do { return try work() } catch {
            self.error.withLock { $0 = StoreError(any: error) }
            throw error
        }
    }

    /// Returns the error and forgets it.
    func take() -> StoreError? {
        error.withLock { error in
            defer { error = nil }
            return error
        }
    }
}
