import TransitStore

/// Contests about single objects and about very many.
extension Contests {
    /// Looks up objects that the context does not hold but whose rows are in the store's row cache.
    var cachedObject: Contest {
        get throws {
            let stops = raw.count(of: "stop")
            _ = try context.fetch(FetchRequest<Stop>())
            return lookups(upTo: min(stops, store.configuration.rowCacheCapacity))
        }
    }

    /// Looks up objects that the program holds, so the context returns the same objects.
    var livingObject: Contest {
        get throws {
            let stops = try context.fetch(FetchRequest<Stop>())
            return lookups(upTo: stops.count, keeping: stops)
        }
    }

    /// Compares lookups of objects with lookups in a dictionary of as many keys.
    ///
    /// Turns are repeated because a lookup in the dictionary is a few reads of memory: it took 0.011 µs if the
    /// dictionary was in a core's own cache, and 0.015 to 0.021 after a turn of ours.
    private func lookups(upTo bound: Int, keeping stops: [Stop] = []) -> Contest {
        let ids = Workload.numbers(100_000, upTo: bound)
        let dictionary = [Int64: Int](uniqueKeysWithValues: (1...bound).map { (Int64($0), $0) })
        return Contest(
            iterations: ids.count, turn: 25_000, isRepeated: true,
            ours: Contest.Side("TransitStore") { range in
                defer { withExtendedLifetime(stops) {} }
                return try ids[range].reduce(into: Tally()) { tally, id in
                    guard let stop = try context.object(Stop.self, id: id) else { return }
                    tally += Tally(rows: 1, sum: stop.id)
                }
            },
            other: Contest.Side("Dictionary") { range in
                ids[range].reduce(into: Tally()) { tally, id in
                    guard let value = dictionary[Int64(id)] else { return }
                    tally += Tally(rows: 1, sum: value)
                }
            })
    }

    /// Fetches every stop time, 50 at a time.
    var walk: Contest {
        var request = FetchRequest<StopTime>()
        request.fetchBatchSize = 50
        return Contest(
            iterations: 1,
            ours: Contest.Side("TransitStore") { range in
                var tally = Tally()
                for _ in range {
                    for time in try context.fetchBatches(request) {
                        tally += Tally(rows: 1, sum: time.departureTime?.seconds ?? 0)
                    }
                    if let error = context.lastError { throw error }
                }
                return tally
            },
            other: Contest.Side("C") { range in
                try range.reduce(into: Tally()) { tally, _ in tally += try raw.walk() }
            })
    }
}
