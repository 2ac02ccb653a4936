extension StoreContext {
    /// The departures or arrivals of a request, in the order of their instants.
    ///
    ///     let request = DepartureRequest(.stops(["bahnhof"]), from: .now, within: .seconds(1_200))
    ///     for departure in try context.departures(request) { print(departure.localTime, departure.headsign ?? "") }
    ///
    /// Runs one statement for up to 32 service days and 64 stops, and one more in stores with frequencies. Reads a day
    /// of the window at a time; with a limit, first an hour, then twice as much each time.
    ///
    /// Throws `StoreError`: `unknownRow` for a stop that none of the stores has, or for the object id of a stop that no
    /// row has (that of a line finds nothing); `unknownStore` for a store that the context does not have, or an object
    /// id of one; `unsuitableValue` for a place or distance out of range, for an object id of another table, and for
    /// `.anywhere` without `routes`; `tooComplex` if frequencies repeat trips more than two million times in what one
    /// statement reads; `corrupt`, `readFailed` or `timedOut` if a store cannot be read.
    public func departures(_ request: DepartureRequest) throws(StoreError) -> [Departure] {
        try StoreError.only { try check.alone { try cursor(request).all() } }
    }

    /// The departures from a stop, or from a station with all its platforms.
    ///
    ///     let next = try context.departures(at: stop, within: .seconds(1_800), limit: 10)
    ///
    /// Throws `StoreError` as `departures(_:)` does.
    public func departures(
        at stop: Stop, from: Instant = .now, within duration: Duration, limit: Int = 0
    ) throws(StoreError) -> [Departure] {
        try departures(DepartureRequest(at: stop, from: from, within: duration, limit: limit))
    }

    /// The departures or arrivals of a request, read stretch by stretch when the loop gets there.
    ///
    ///     let request = DepartureRequest(.stops(["bahnhof"]), from: .now, within: .seconds(86_400))
    ///     for departure in context.departures(lazily: request) where departure.headsign == "Fährhafen" {
    ///         print(departure.localTime)
    ///     }
    ///
    /// If the request or the store fails, the loop ends and `lastError` holds the error.
    /// The loop may miss unsaved changes that are made inside of it.
    public func departures(lazily request: DepartureRequest) -> LazyDepartures {
        LazyDepartures(context: self, request: request)
    }

    func cursor(_ request: DepartureRequest) throws -> DepartureCursor {
        let affected = try positions(of: request.affectedStores)
        // A stop_id means the stops of all stores that have it.
        let mayLackStops = affected.count > 1
        let readers = try affected.map { store in
            let request = stores.count == 1 ? request : try request.asked { try storePosition(of: $0) == store }
            let changes = request.includesPendingChanges ? try changedTimetable(store: store) : nil
            return try DepartureReader(
                request, stores[store], session(store), changes: changes, mayLackStops: mayLackStops
            ) {
                [unowned self] sql, prepared, body in
                try run(sql, store: store, prepared: prepared, body)
            }
        }
        return try DepartureCursor(request, readers: readers)
    }
}

extension DepartureRequest {
    /// The request limited to the lines and stops of one store. An inserted object may belong to any store, so it
    /// stays.
    fileprivate func asked(where isAsked: (ObjectID) throws -> Bool) rethrows -> DepartureRequest {
        var request = self
        request.routes = try routes?.filter { try $0.isTemporary || isAsked($0) }
        if case .objects(let ids) = place {
            request.place = .objects(try ids.filter { try $0.isTemporary || isAsked($0) })
        }
        return request
    }
}

/// Departures that are read while a loop goes through them: `StoreContext.departures(lazily:)`.
public struct LazyDepartures: Sequence {
    fileprivate let context: StoreContext
    fileprivate let request: DepartureRequest

    public func makeIterator() -> Iterator { Iterator(context: context, request: request) }

    public struct Iterator: IteratorProtocol {
        private let context: StoreContext
        private let request: DepartureRequest
        private var cursor: DepartureCursor?
        private var found: ArraySlice<Departure> = []
        private var isAtEnd = false

        fileprivate init(context: StoreContext, request: DepartureRequest) {
            self.context = context
            self.request = request
        }

        /// The next departure; nil at the end, and after an error, which `lastError` of the context holds.
        public mutating func next() -> Departure? {
            if let departure = found.popFirst() { return departure }
            guard !isAtEnd else { return nil }
            do {
                let cursor = try self.cursor ?? context.cursor(request)
                self.cursor = cursor
                found = try cursor.next()?[...] ?? []
            } catch {
                context.lastError = StoreError(any: error)
                found = []
            }
            isAtEnd = found.isEmpty
            return found.popFirst()
        }
    }
}

extension TransitStore {
    /// The departures or arrivals of a request, read over a separate connection; any thread may call this.
    ///
    ///     let day = try store.departures(DepartureRequest(.stops(["bahnhof"]), on: ServiceDate(20_260_731)))
    ///
    /// Costs and throws the same as `StoreContext.departures(_:)`; `unknownStore` for an object id of another store,
    /// and if `affectedStores` has another store.
    public func departures(_ request: DepartureRequest) throws(StoreError) -> [Departure] {
        try withSession { try departures(request, $0) }
    }

    /// Reads departures or arrivals in the background, on a thread of the store. If the task is cancelled, the
    /// statement ends.
    ///
    ///     let request = DepartureRequest(.stops(["bahnhof"]), from: .now, within: .seconds(3_600))
    ///     for departure in try await store.departuresInBackground(request) { print(departure.localTime) }
    ///
    /// Throws `StoreError` as `departures(_:)` does, and `CancellationError` when the task is cancelled.
    public func departuresInBackground(_ request: DepartureRequest) async throws -> [Departure] {
        try await inBackground { try self.departures(request, $0) }
    }

    private func departures(_ request: DepartureRequest, _ session: StoreSession) throws -> [Departure] {
        if let strange = request.affectedStores?.first(where: { $0 != self }) {
            throw StoreError(
                .unknownStore, "\(strange.path) is another store than \(path), which is asked for departures")
        }
        let reader = try DepartureReader(request, self, session) { sql, prepared, body in
            try session.run(sql, prepared: prepared, body)
        }
        return try DepartureCursor(request, readers: [reader]).all()
    }
}
