extension ResultRow {
    /// The row as a value of a type whose properties have the names of the columns.
    ///
    ///     struct Line: Decodable { let shortName: String?, trips: Int }
    ///     for row in try context.fetchRows(request) { print(try row.decoded(as: Line.self).trips) }
    ///
    /// A column becomes a property of any number type that holds its value exactly (`Float` is rounded), `String`,
    /// `Bool` (from 0 and 1), `ServiceDate`, `ServiceTime`, an enumeration of GTFS, `QueryValue` or another type that
    /// decodes itself from a single value. NULL needs an optional property. Columns without a property are left out.
    ///
    /// Throws `DecodingError`: `keyNotFound` for a property without a column, `valueNotFound` for NULL, `typeMismatch`
    /// for a value of another type; and what the type throws.
    public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try Value(from: RowDecoder(row: self))
    }
}

extension ResultRow: Encodable {
    /// Encodes the values under their names, in the order of the request: `{"name":"Markt","departures":12}`.
    ///
    /// NULL is written as null. Of columns with one name, the first is written, as in `dictionary`. Throws what the
    /// encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ColumnKey.self)
        var written: Set<String> = []
        for (position, name) in names.enumerated() where written.insert(name).inserted {
            let key = ColumnKey(stringValue: name)
            switch self[position] {
            case .null: try container.encodeNil(forKey: key)
            case .integer(let value): try container.encode(value, forKey: key)
            case .double(let value): try container.encode(value, forKey: key)
            case .text(let value): try container.encode(value, forKey: key)
            }
        }
    }
}

private struct ColumnKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// Decodes a row: an object whose keys are the names of the columns.
private struct RowDecoder: Decoder {
    let row: ResultRow
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RowContainer(row: row))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw isRow([Any].self) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw isRow(Any.self) }

    private func isRow(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: [], debugDescription: "A row has values by name."))
    }
}

private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let row: ResultRow
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { row.names.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { row.shared.positions[ExactText(key.stringValue)] != nil }

    private func cell(_ key: Key) throws -> CellDecoder {
        guard let position = row.shared.positions[ExactText(key.stringValue)] else {
            let names = row.names.joined(separator: ", ")
            throw DecodingError.keyNotFound(
                key, .init(codingPath: [], debugDescription: "The row has no column \(key.stringValue) but \(names)."))
        }
        return CellDecoder(value: row[position], codingPath: [key])
    }

    func decodeNil(forKey key: Key) throws -> Bool { try cell(key).decodeNil() }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try cell(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try cell(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try cell(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try cell(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try cell(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try cell(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try cell(key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try cell(key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try cell(key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try cell(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try cell(key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try cell(key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try cell(key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try cell(key).decode(type) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try cell(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try cell(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try cell(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { RowDecoder(row: row) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try cell(key) }
}

/// Decodes the value of one column.
private struct CellDecoder: Decoder, SingleValueDecodingContainer {
    let value: QueryValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw mismatch([String: Any].self)
    }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw mismatch([Any].self) }

    func decodeNil() -> Bool { value.isNull }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let value = value as? Value { return value }
        // A time decodes itself from an object such as {"seconds":90600}, but a column has the number alone.
        if type == ServiceTime.self, let time = ServiceTime(seconds: try decode(Int.self)) as? Value { return time }
        return try Value(from: self)
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .text(let text) = value else { throw mismatch(type) }
        return text
    }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .integer(let number) = value, number == 0 || number == 1 else { throw mismatch(type) }
        return number == 1
    }

    func decode(_ type: Double.Type) throws -> Double {
        switch value {
        case .double(let number): return number
        case .integer(let number): if let exact = Double(exactly: number) { return exact }
        case .text, .null: break
        }
        throw mismatch(type)
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode(_ type: Int.Type) throws -> Int { try number(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try number(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try number(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try number(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try number(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try number(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try number(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try number(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try number(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try number(type) }

    private func number<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        switch value {
        case .integer(let number): if let exact = Number(exactly: number) { return exact }
        case .double(let number): if let exact = Number(exactly: number) { return exact }
        case .text, .null: break
        }
        throw mismatch(type)
    }

    private func mismatch(_ type: Any.Type) -> DecodingError {
        let column = codingPath.last?.stringValue ?? ""
        guard !value.isNull else {
            return .valueNotFound(
                type, .init(codingPath: codingPath, debugDescription: "The column \(column) is NULL."))
        }
        return .typeMismatch(
            type, .init(codingPath: codingPath, debugDescription: "The column \(column) is \(value), not \(type)."))
    }
}
