// Unsafe: SQLite calls back with pointers to arguments and boxes.

import CSQLite

extension Connection {
    /// An SQL function: arguments in, one value out. It must be pure, because SQLite may skip calls. An error that it
    /// throws ends the statement and becomes the statement's error message.
    package typealias Function = @Sendable ([SQLiteValue]) throws -> SQLiteValue

    /// Gives this connection a deterministic function (<https://sqlite.org/c3ref/create_function.html>).
    ///
    ///     try connection.createFunction("normalize", argumentCount: 1) { .text(normalize($0[0])) }
    package func createFunction(
        _ name: String, argumentCount: Int, _ function: @escaping Function
    ) throws(SQLiteError) {
        let box = Unmanaged.passRetained(FunctionBox(function))
        let code = sqlite3_create_function_v2(
            handle, name, Int32(argumentCount), SQLITE_UTF8 | SQLITE_DETERMINISTIC, box.toOpaque(), callFunction, nil,
            nil, { if let box = $0 { Unmanaged<FunctionBox>.fromOpaque(box).release() } })
        if code != SQLITE_OK { throw error(code, context: name) }
    }

    /// A function over numbers. It returns nil for NULL; arguments that are NULL or text read as nil.
    package typealias NumberFunction = @Sendable (NumberArguments) -> Double?

    /// Gives this connection a deterministic function over numbers. Unlike `createFunction`, a call allocates
    /// nothing.
    package func createNumberFunction(
        _ name: String, argumentCount: Int, _ function: @escaping NumberFunction
    ) throws(SQLiteError) {
        let box = Unmanaged.passRetained(NumberFunctionBox(function))
        let code = sqlite3_create_function_v2(
            handle, name, Int32(argumentCount), SQLITE_UTF8 | SQLITE_DETERMINISTIC, box.toOpaque(), callNumberFunction,
            nil, nil, { if let box = $0 { Unmanaged<NumberFunctionBox>.fromOpaque(box).release() } })
        if code != SQLITE_OK { throw error(code, context: name) }
    }

    /// A function over one text. It returns nil for NULL, and is not called with NULL.
    package typealias TextFunction = @Sendable (UnsafeRawBufferPointer) -> Int64?

    /// Gives this connection a deterministic function from a text to an integer. A call allocates nothing.
    package func createTextFunction(_ name: String, _ function: @escaping TextFunction) throws(SQLiteError) {
        let box = Unmanaged.passRetained(TextFunctionBox(function))
        let code = sqlite3_create_function_v2(
            handle, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, box.toOpaque(), callTextFunction, nil, nil,
            { if let box = $0 { Unmanaged<TextFunctionBox>.fromOpaque(box).release() } })
        if code != SQLITE_OK { throw error(code, context: name) }
    }

    /// An order of texts: negative when the first comes before the second, 0 when neither does.
    package typealias Collation = @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int

    /// Makes collations when statements name them (<https://sqlite.org/c3ref/collation_needed.html>). A statement does
    /// not compile if `make` returns nil for its collation. A later call replaces `make`.
    package func provideCollations(_ make: @escaping (String) -> Collation?) {
        let box = CollationSource(self, make)
        collations = box
        sqlite3_collation_needed(handle, Unmanaged.passUnretained(box).toOpaque()) { box, _, _, name in
            guard let box, let name else { return }
            Unmanaged<CollationSource>.fromOpaque(box).takeUnretainedValue().register(String(cString: name))
        }
    }

    /// Gives this connection an order of texts (<https://sqlite.org/c3ref/create_collation.html>).
    package func createCollation(_ name: String, _ compare: @escaping Collation) throws(SQLiteError) {
        let box = Unmanaged.passRetained(CollationBox(compare))
        let code = sqlite3_create_collation_v2(
            handle, name, SQLITE_UTF8, box.toOpaque(), callCollation,
            { if let box = $0 { Unmanaged<CollationBox>.fromOpaque(box).release() } })
        if code != SQLITE_OK {
            // SQLite releases the box of a refused function, but not that of a refused collation.
            box.release()
            throw error(code, context: name)
        }
    }
}

/// Makes collations for a connection, which keeps this object alive.
final class CollationSource {
    private unowned let connection: Connection
    private let make: (String) -> Connection.Collation?

    fileprivate init(_ connection: Connection, _ make: @escaping (String) -> Connection.Collation?) {
        (self.connection, self.make) = (connection, make)
    }

    /// An error here is ignored: SQLite reports it again when it prepares the statement.
    fileprivate func register(_ name: String) {
        guard let collation = make(name) else { return }
        try? connection.createCollation(name, collation)
    }
}

private final class FunctionBox {
    let function: Connection.Function
    init(_ function: @escaping Connection.Function) { self.function = function }
}

private final class NumberFunctionBox {
    let function: Connection.NumberFunction
    init(_ function: @escaping Connection.NumberFunction) { self.function = function }
}

/// The arguments of one call of a function over numbers, valid during that call.
package struct NumberArguments {
    fileprivate let values: UnsafeMutablePointer<OpaquePointer?>?
    fileprivate let count: Int

    /// The argument at a position from 0; nil for NULL, text, and past the end.
    package subscript(position: Int) -> Double? {
        guard position >= 0, position < count, let value = values?[position] else { return nil }
        switch sqlite3_value_type(value) {
        case SQLITE_FLOAT, SQLITE_INTEGER: return sqlite3_value_double(value)
        default: return nil
        }
    }
}

private func callNumberFunction(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let data = sqlite3_user_data(context) else { return }
    let result = Unmanaged<NumberFunctionBox>.fromOpaque(data)._withUnsafeGuaranteedRef {
        $0.function(NumberArguments(values: arguments, count: Int(count)))
    }
    if let result { sqlite3_result_double(context, result) } else { sqlite3_result_null(context) }
}

private final class TextFunctionBox {
    let function: Connection.TextFunction
    init(_ function: @escaping Connection.TextFunction) { self.function = function }
}

private func callTextFunction(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let data = sqlite3_user_data(context), let value = arguments?[0] else { return }
    guard let start = sqlite3_value_text(value) else { return sqlite3_result_null(context) }
    let text = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    let result = Unmanaged<TextFunctionBox>.fromOpaque(data)._withUnsafeGuaranteedRef { $0.function(text) }
    if let result { sqlite3_result_int64(context, result) } else { sqlite3_result_null(context) }
}

private final class CollationBox {
    let compare: Connection.Collation
    init(_ compare: @escaping Connection.Collation) { self.compare = compare }
}

private func callFunction(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let data = sqlite3_user_data(context) else { return }
    let box = Unmanaged<FunctionBox>.fromOpaque(data).takeUnretainedValue()
    let values = (0..<Int(count)).map { argumentValue(arguments?[$0]) }
    let result: SQLiteValue
    do { result = try box.function(values) } catch { return sqlite3_result_error(context, "\(error)", -1) }
    switch result {
    case .null: sqlite3_result_null(context)
    case .integer(let value): sqlite3_result_int64(context, value)
    case .double(let value): sqlite3_result_double(context, value)
    case .text(var text):
        text.withUTF8 { bytes in
            let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            sqlite3_result_text64(
                context, start, UInt64(bytes.count), csqlite_transient(), UInt8(SQLITE_UTF8))
        }
    }
}

private func argumentValue(_ value: OpaquePointer?) -> SQLiteValue {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .double(sqlite3_value_double(value))
    case SQLITE_NULL: return .null
    default:
        guard let start = sqlite3_value_text(value) else { return .null }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
        return .text(String(decoding: bytes, as: UTF8.self))
    }
}

private func callCollation(
    _ data: UnsafeMutableRawPointer?, _ firstCount: Int32, _ first: UnsafeRawPointer?, _ secondCount: Int32,
    _ second: UnsafeRawPointer?
) -> Int32 {
    guard let data else { return 0 }
    let box = Unmanaged<CollationBox>.fromOpaque(data).takeUnretainedValue()
    let order = box.compare(
        UnsafeRawBufferPointer(start: first, count: Int(firstCount)),
        UnsafeRawBufferPointer(start: second, count: Int(secondCount)))
    return Int32(order.signum())
}
