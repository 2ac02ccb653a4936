import RequestGrammar

extension Condition where Entity: StoreEntity {
    /// The condition that a text in NSPredicate's format language describes.
    ///
    ///     let condition = try Condition<Stop>(
    ///         format: "name BEGINSWITH[cd] %@ AND SUBQUERY(stopTimes, $x, $x.departureTime >= %@).@count != 0",
    ///         "u gorli", ServiceTime(hours: 8))
    ///
    /// It gives the same SQL and the same values as the `#Predicate` with the same meaning. Every value is bound,
    /// whether it is written in the text or is an argument.
    ///
    /// Arguments are numbers, texts, times, dates, objects, ids, nil, and lists or sets of them: `%@` takes any, `%d` a
    /// whole number, `%f` a number, `%K` a key path as text. `$NAME` stays open until `substituting` gives it a value.
    /// An object or id means the row of its own store, as in a `#Predicate`.
    /// Compared with a time, `'8:30'` and `'25:10:00'` are times. Compared with a date, `'2026-04-27'` and `'20260427'`
    /// are dates.
    ///
    /// Costs some microseconds. Throws `StoreError` that shows the place in the text: `syntax`, also for arguments that
    /// do not fit their placeholders; `unknownProperty`; `unsuitableValue` for coordinates of `distance` out of range.
    public init(format: String, _ arguments: Any?...) throws(StoreError) {
        try self.init(format: format, arguments: arguments, of: Entity.entity, model: .declared)
    }

    /// The condition on groups that a text describes, for `havingPredicate`. Its aggregates stand alone, as in
    /// `RequestText.having`.
    ///
    ///     var request = FetchRequest<StopTime>()
    ///     request.havingPredicate = try Condition(having: "@count > %@ AND @max.departureTime >= '22:00'", 4)
    ///
    /// Throws the same errors as `init(format:_:)`.
    public init(having format: String, _ arguments: Any?...) throws(StoreError) {
        self.init(
            try StoreError.only {
                var reading = try FormatReading(entity: Entity.entity, model: .declared, variables: [:])
                return try reading.read(format, called: "having", arguments: arguments) { try $0.groupPredicate() }
            })
    }

    /// As `init(format:_:)`, with values for `$NAME`; a name without one stays open.
    ///
    ///     try Condition<Stop>(format: "platformCode IN $CODES", arguments: [], variables: ["CODES": ["1", "2"]])
    ///
    /// Throws the same errors, and `unsuitableValue` for a variable's value that cannot stand there.
    public init(format: String, arguments: [Any?], variables: [String: Any] = [:]) throws(StoreError) {
        try self.init(format: format, arguments: arguments, variables: variables, of: Entity.entity, model: .declared)
    }
}

extension Condition {
    /// The condition over an entity or table of a store by name, for `FetchRequest<StoredRow>` and other requests by
    /// name.
    ///
    ///     try Condition<StoredRow>(format: "price > %f", arguments: [2.5], entity: "fare_attribute", in: store)
    ///
    /// Throws the same errors as `init(format:arguments:variables:)`; `unknownEntity` if the store has no such table or
    /// its rows are not of the type `Entity`; `corrupt`, `readFailed` or `timedOut` if the schema cannot be read.
    public init(
        format: String, arguments: [Any?] = [], variables: [String: Any] = [:], entity name: String,
        in store: TransitStore
    ) throws(StoreError) {
        let model = try StoreError.only { try store.model(for: name) }
        let entity = try StoreError.only { try FetchRequest<Entity>(entity: name).entity(in: model) }
        try self.init(format: format, arguments: arguments, variables: variables, of: entity, model: model)
    }

    init(
        format: String, arguments: [Any?], variables: [String: Any] = [:], of entity: EntityDescription,
        model: StoreModel
    ) throws(StoreError) {
        self.init(
            try StoreError.only {
                var reading = try FormatReading(entity: entity, model: model, variables: variables)
                return try reading.read(format, called: "predicate", arguments: arguments) { try $0.predicate() }
            })
    }

    /// The condition with its variables (`$NAME`) replaced by values of the types that arguments may have. A text is
    /// read as the kind of value it is compared with: "8:00" as a time. After IN stands a list or a single value. A
    /// condition on a table without a class does not know its table, so its texts stay texts: replace the variables of
    /// the request instead.
    ///
    ///     try open.substituting(["LINES": ["U1", "U8"], "AFTER": "8:00"])
    ///
    /// Throws `StoreError`: `missingVariable`, `unknownVariable` or `unsuitableValue`, naming variable and value; for
    /// an invalid condition, the error that `validate()` throws.
    public func substituting(_ values: [String: Any]) throws(StoreError) -> Condition {
        try StoreError.only {
            let entity = (Entity.self as? any StoreEntity.Type)?.entity
            var binding = try ParameterBinding(values, subject: "The request", entity: entity, model: .declared)
            let bound = try binding.bind(query())
            try binding.finish()
            return Condition(bound)
        }
    }
}

/// Reads the texts of a request for an entity, with values for their variables.
struct FormatReading {
    let entity: EntityDescription
    let model: StoreModel
    private let variables: [String: FormatArgument]
    private let computed: [String: ReadProperty]
    /// The names of the variables in what has been read.
    private(set) var variableNames: Set<String> = []

    /// Throws `StoreError` for a value that cannot be bound.
    init(
        entity: EntityDescription, model: StoreModel, variables: [String: Any], computed: [ReadProperty] = []
    ) throws {
        self.entity = entity
        self.model = model
        self.computed = Dictionary(computed.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        self.variables = try FormatArgument.named(variables) { "A \($1) cannot be bound to the variable $\($0)" }
    }

    /// Reads a text by a rule of the grammar. Throws `StoreError` that shows the place of a fault.
    mutating func read<Result>(
        _ text: String, called subject: String, arguments: [Any?] = [],
        _ rule: (inout FormatBinder) throws -> Result
    ) throws -> Result {
        do {
            var binder = try FormatBinder(
                text, arguments: arguments, variables: variables, computed: computed, entity: entity, model: model)
            defer { variableNames.formUnion(binder.variableNames) }
            return try rule(&binder)
        } catch let problem as FormatProblem {
            throw StoreError(problem, in: text, called: subject)
        } catch let problem as SyntaxProblem {
            throw StoreError(FormatProblem(problem), in: text, called: subject)
        }
    }
}

extension FetchedProperty where Entity: StoreEntity {
    /// A computed column. The text is in the language of `Condition(format:)` and may use arithmetic, functions and
    /// aggregates.
    ///
    ///     let line = try FetchedProperty<Trip>(format: "id + %d", 2, as: "line")
    ///     let spread = try FetchedProperty<StopTime>(format: "@max.departureTime - @min.departureTime", as: "spread")
    ///
    /// Throws `StoreError` as `Condition(format:)` does; `syntax` also for more than one expression, `untranslatable`
    /// for a to-many relationship.
    public init(format: String, _ arguments: Any?..., as name: String) throws(StoreError) {
        let read = try StoreError.only {
            var reading = try FormatReading(entity: Entity.entity, model: .declared, variables: [:])
            return try reading.read(format, called: "property", arguments: arguments) {
                try $0.properties(groups: true)
            }
        }
        guard let property = read.first, read.count == 1 else {
            throw StoreError(.syntax, "A property is one expression, not \(read.count): \(format)")
        }
        self.init(name: name, expression: .success(property.expression))
    }
}
