import SQLite

/// Setting properties in memory: unsaved changes, which fetches of the object's context see unless their request says
/// otherwise.
///
///     try stopTime.set(\.departureTime, to: ServiceTime(hours: 8))       // the compiler checks the value's type
///     try stopTime.setValue(ServiceTime(hours: 8), for: "departureTime")  // by name, for any entity
///     try stopTime.setValue(market, for: "stop")                          // an object, for a to-one relationship
///     try stop.setValue(nil, for: "platformCode")
///
/// A value may be what the property holds: a text, a number, a time or its seconds, a date or YYYYMMDD. For a to-one
/// relationship it is an object or its id. nil is allowed where a value may be missing. An empty text counts as nil, as
/// an empty cell of a feed does: `platformCode` reads nil afterwards, `name` reads "", and `name = NIL` in words finds
/// the object. 5 becomes 5.0 for a fraction, and 5.0 becomes 5 for a whole number. Throws `StoreError`:
/// `unknownProperty` for an unknown name; `unsuitableValue` with the entity, the property, the expected and the given
/// value, also for a day that does not exist.
extension StoreObject {
    /// Sets a property in memory, by its name.
    ///
    ///     try stopTime.setValue(.integer(28_800), for: "departureTime")
    ///
    /// Throws `StoreError`: `unknownProperty` for an unknown name; `unsuitableValue` for a value that the property
    /// cannot hold, for the row's key, for a to-many relationship and for what the import computes
    /// (`Stop.normalizedName`, `Route.timezone`, `Service.daySet`, `StopTime.filledTimes`); `detached` for an object
    /// that was inserted and then deleted or rolled back, and for the placeholder of a missing reference. Setting a
    /// fault fills it first and throws what `StoreContext.fill(_:)` throws.
    public final func setValue(_ value: QueryValue, for name: String) throws(StoreError) {
        try StoreError.only {
            try set(GivenValue(value: value, kind: nil, description: value.noun), for: name)
        }
    }

    /// Sets a Swift value, or an optional one.
    ///
    ///     try stopTime.setValue(ServiceTime(hours: 8), for: "departureTime")
    ///
    /// Throws the same errors as for a `QueryValue`, and `unsuitableValue` for the id of a row in another store.
    public final func setValue<Value: QueryValueConvertible>(_ value: Value, for name: String) throws(StoreError) {
        try StoreError.only {
            guard case .value(let expression, let kind) = FormatArgument(value), let plain = expression.constant else {
                return try setValue(value.queryValue, for: name)
            }
            // The cast takes a time or date out of its optional.
            let text = (value as? any ServiceMoment).map { "\($0)" } ?? "\(value)"
            switch kind {
            case .time: try set(GivenValue(value: plain, kind: kind, description: "the time \(text)"), for: name)
            case .date: try set(GivenValue(value: plain, kind: kind, description: "the date \(text)"), for: name)
            case .reference:
                if let id = value as? ObjectID, !mayRefer(to: id, by: name) {
                    throw unsuitable(name, "\(id) of another store")
                }
                try set(GivenValue(value: plain, kind: kind, description: "\(value)"), for: name)
                if let id = value as? ObjectID { move(to: id) }
            default: try set(GivenValue(value: plain, kind: nil, description: plain.noun), for: name)
            }
        }
    }

    /// Sets the object that a to-one relationship refers to; nil for none. An inserted object must be of the same
    /// context, a stored one of the same store.
    ///
    ///     try stopTime.setValue(market, for: "stop")
    ///
    /// Throws the same errors as for a `QueryValue`, and `unsuitableValue` for an object of another context or store.
    public final func setValue<Object: StoreObject>(_ object: Object?, for name: String) throws(StoreError) {
        try StoreError.only {
            guard let object else { return try setValue(QueryValue.null, for: name) }
            let id = object.objectID
            guard case .row(let row) = id.key else { throw unsuitable(name, "\(id)") }
            guard id.isTemporary ? object.context === context : mayRefer(to: id, by: name) else {
                throw unsuitable(name, "\(id) of another \(id.isTemporary ? "context" : "store")")
            }
            try set(
                GivenValue(value: .integer(row), kind: .reference(id.entity.table), description: "\(id)"), for: name)
            move(to: id)
        }
    }

    /// Whether a reference of this object may lead to a row. Both must be in the same store, because only the row's
    /// number is kept. All references of an inserted object lead into one store: that of its first reference.
    private func mayRefer(to id: ObjectID, by name: String) -> Bool {
        let entity = objectID.entity
        let home = context?.changes.home(of: objectID) ?? objectID.store
        if id.store == 0 || id.store == home || id.isTemporary && objectID.isTemporary { return true }
        return objectID.isTemporary
            && !entity.columns.indices.contains { column in
                column != entity.columnIndex(name) && entity.columns[column].target != nil
                    && (values(for: column).integer(column) ?? -1) >= 0
            }
    }

    /// Decides the store of an inserted object: that of a row it refers to.
    private func move(to id: ObjectID) {
        guard objectID.isTemporary, !id.isTemporary, id.store != 0 else { return }
        context?.changes.move(objectID, to: id.store)
    }

    private func set(_ given: GivenValue, for name: String) throws {
        let entity = objectID.entity
        guard let column = entity.columnIndex(name) else { throw notSettable(name) }
        if let reason = entity.reasonAgainstSetting(column) {
            throw StoreError(
                .unsuitableValue, "\(entity.name).\(entity.columns[column].property) \(reason), which cannot be set")
        }
        guard let value = given.value(for: entity, column) else { throw unsuitable(name, given.description) }
        if objectID.isTemporary, context != nil, !isInserted { throw StoreError.detached(self, setting: name) }
        if row == nil { try context?.fill(self) }
        context?.changes.keepStoredRow(of: self)
        var columns = [column]
        replace(column, with: value)
        if let normalized = entity.normalizedColumn(of: column), normalized != column {
            replace(normalized, with: value.text.map { .text($0.folded) } ?? .null)
            columns.append(normalized)
        }
        if let marked = markOwnTime(column) { columns.append(marked) }
        guard !isDeleted else { return }
        context?.changes.update(self, columns: columns)
    }

    private func notSettable(_ name: String) -> StoreError {
        let entity = objectID.entity
        guard case .toMany(let position) = entity.property(named: name) else {
            return StoreError.unknownProperty(name, of: entity, path: [name])
        }
        let many = entity.toMany(at: position)
        let target = StoreModel.typed.entity(named: many.table)?.name ?? many.table
        return StoreError(
            .unsuitableValue,
            "\(entity.name).\(name) is a to-many relationship, which is changed from its other side: set "
                + "\(ColumnDescription.propertyName(ofColumn: many.inverse)) of each \(target)")
    }

    private func unsuitable(_ name: String, _ given: String) -> StoreError {
        let entity = objectID.entity
        guard let column = entity.columnIndex(name) else { return notSettable(name) }
        let nothing = entity.columns[column].absence == .never ? "" : " or nil"
        let expected = entity.expectation(ofColumn: column) + nothing
        return StoreError(
            .unsuitableValue,
            "\(entity.name).\(entity.columns[column].property) takes \(expected)\(expected.hasSuffix(",") ? "" : ",") "
                + "not \(given)")
    }

    /// Puts a value into the object's row, in memory.
    final func replace(_ column: Int, with value: QueryValue) {
        let old = row ?? .empty
        row = PackedRow(
            objectID.entity.columns.indices.map { $0 == column ? value.sqliteValue : old.value($0) })
    }
}

/// Setting properties by key path.
extension StoreEntity {
    /// Sets a property in memory.
    ///
    ///     try stop.set(\.platformCode, to: nil)
    ///
    /// Throws `StoreError` as `setValue(_:for:)` does; `unknownProperty` for a key path that is not a property of the
    /// object itself, such as `\.level?.name`.
    public func set<Value: QueryValueConvertible>(_ property: KeyPath<Self, Value>, to value: Value) throws(StoreError)
    {
        try StoreError.only {
            try setValue(value, for: name(of: property))
        }
    }

    /// Sets a reference that may be missing.
    ///
    ///     try stop.set(\.parentStation, to: market)
    ///
    /// Throws `StoreError` as `setValue(_:for:)` does; `unsuitableValue` for an object of another context or store.
    public func set<Target: StoreObject>(_ property: KeyPath<Self, Target?>, to object: Target?) throws(StoreError) {
        try StoreError.only {
            try setValue(object, for: name(of: property))
        }
    }

    /// Sets a reference.
    ///
    ///     try stopTime.set(\.stop, to: market)
    ///
    /// Throws the same errors as for a reference that may be missing.
    public func set<Target: StoreObject>(_ property: KeyPath<Self, Target>, to object: Target) throws(StoreError) {
        try StoreError.only {
            try setValue(Optional(object), for: name(of: property))
        }
    }

    private func name(of property: PartialKeyPath<Self>) throws -> String {
        let entity = objectID.entity
        if let path = PathRecorder.path(of: property, entity: entity), path.names.count == 1,
            !path.isFolded, !path.isCount, !path.isID
        {
            return path.names[0]
        }
        let names = PathRecorder.reads(property, entity: entity)
        let name = names.isEmpty ? "\(property)" : names.joined(separator: ".")
        let owner = names.dropLast().joined(separator: ".")
        let hint = owner.isEmpty ? "" : "; set it on the object that \(owner) leads to"
        throw StoreError(.unknownProperty, "\(name) is not a property of \(entity.name) that can be set\(hint)")
    }
}

/// A new value for a property.
private struct GivenValue {
    let value: QueryValue
    /// What the value stands for, if a number alone does not tell: a time, a date, the row of a table.
    let kind: ValueKind?
    let description: String

    /// The value as a column stores it; nil if the column cannot hold it.
    func value(for entity: EntityDescription, _ index: Int) -> QueryValue? {
        let expected = entity.kind(ofColumn: index)
        if let kind, kind != expected { return nil }
        guard let value = value(in: entity.columns[index]) else { return nil }
        if expected == .date, let day = value.integer, ServiceDate(exactly: Int(day)) == nil { return nil }
        return value
    }

    private func value(in column: ColumnDescription) -> QueryValue? {
        switch (value, column.storage) {
        case (.null, _): return column.absence == .never ? nil : .null
        // A store keeps an empty text as NULL, so that there is one kind of missing value.
        case (.text(""), .text) where column.absence != .never: return .null
        // The id of the placeholder for a missing reference.
        case (.integer(ObjectID.missingRow), _) where column.target != nil:
            return column.absence == .never ? nil : .null
        case (.text, .text), (.integer, .integer), (.double, .real): return value
        case (.integer(let number), .real): return Double(exactly: number).map { .double($0) }
        case (.double(let number), .integer) where column.target == nil:
            return Int64(exactly: number).map { .integer($0) }
        default: return nil
        }
    }
}

extension EntityDescription {
    /// What kind of value a column takes, for messages.
    fileprivate func expectation(ofColumn index: Int) -> String {
        switch kind(ofColumn: index) {
        case .text: "a text"
        case .time: "a time, or seconds as a whole number,"
        case .date: "a date, or YYYYMMDD as a whole number,"
        case .reference(let table): "a row of \(table), or its id,"
        case .number, .unknown: columns[index].storage == .real ? "a number" : "a whole number"
        }
    }
}

extension QueryValue {
    fileprivate var noun: String {
        switch self {
        case .null: "nil"
        case .text: "the text \(self)"
        case .integer, .double: "the number \(self)"
        }
    }
}
