import FoundationEssentials
import TransitStore

/// Fetches of rows and tables. A unit is a row that the operation has to read.
extension Operation {
    static let reading: [Operation] =
        [
            .doing("count by part of a text") { ground in
                let request = FetchRequest<Trip>(where: #Predicate { $0.headsign?.contains("platz") == true })
                _ = try ground.context.fetchCount(request)
                return ground.trips
            },
            .doing("all stops") { ground in try ground.context.fetch(FetchRequest<Stop>()).count },
            .doing("ids of all stop times") { ground in try ground.context.fetchIDs(FetchRequest<StopTime>()).count },
            .doing("batches of stop times, sorted") { ground in
                var request = FetchRequest<StopTime>().sorted(by: .ascending(\.departureTime), .ascending(\.trip.id))
                request.fetchBatchSize = 50
                let batches = try ground.context.fetchBatches(request)
                for position in Ground.spread(ground.size, over: batches.count - 1) {
                    _ = try batches.object(at: position)
                }
                return ground.stopTimes
            },
            .doing("values of all stop times") { ground in
                let request = FetchRequest<StopTime>().selecting(.attribute(\.departureTime), .attribute(\.stop.name))
                var rows = 0
                try ground.context.forEachRow(of: request) { _ in rows += 1 }
                return rows
            },
            .doing("first stop times by time") { ground in
                let request = FetchRequest<StopTime>().sorted(by: .descending(\.arrivalTime)).limit(20)
                _ = try ground.context.fetch(request)
                return ground.stopTimes
            },
            .doing("first stop times by name of stop") { ground in
                let request = FetchRequest<StopTime>().sorted(by: .ascending(\.stop.name)).limit(20)
                _ = try ground.context.fetch(request)
                return ground.stopTimes
            },
            .doing("page in the middle") { ground in
                let request = FetchRequest<StopTime>().limit(20, offset: ground.stopTimes / 2)
                _ = try ground.context.fetch(request)
                return ground.stopTimes
            },
            .doing("groups by line") { ground in
                let line = FetchedProperty<StopTime>.attribute(\.trip.route.shortName)
                _ = try ground.context.fetchRows(FetchRequest().selecting(line, .count()).groups(by: line))
                return ground.stopTimes
            },
            .doing("distinct headsigns") { ground in
                var request = FetchRequest<Trip>().selecting(.attribute(\.headsign))
                request.returnsDistinctResults = true
                _ = try ground.context.fetchRows(request)
                return ground.trips
            },
            .doing("least and greatest time") { ground in
                _ = try ground.context.fetchRows(
                    FetchRequest<StopTime>().selecting(.min(\.departureTime), .max(\.departureTime)))
                return ground.stopTimes
            },
            .doing("stops with many calls") { ground in
                _ = try ground.context.fetchCount(FetchRequest<Stop>(where: #Predicate { $0.stopTimes.count > 30 }))
                return ground.stopTimes
            },
            .doing("stops with a late call") { ground in
                let late = ServiceTime(hours: 26)
                let request = FetchRequest<Stop>(
                    where: #Predicate { $0.stopTimes.contains { $0.departureTime > late } })
                _ = try ground.context.fetchCount(request)
                return ground.stops
            },
        ] + several

    /// Questions about many rows at once, and many questions about single rows. A unit is a row that is found.
    private static let several: [Operation] = [
        .doing("stops by a list of ids") { ground in
            let ids = ground.someStops
            return try ground.context.fetch(FetchRequest<Stop>(where: #Predicate { ids.contains($0.id) })).count
        },
        .doing("stops by a list of their ids in the feed") { ground in
            let known = Set(ground.someStops)
            let ids = try ground.context.fetch(FetchRequest<Stop>(where: #Predicate { known.contains($0.id) })).map(
                \.stopID)
            return try ground.context.fetch(FetchRequest<Stop>(where: #Predicate { ids.contains($0.stopID) })).count
        },
        .doing("stop times of a list of stops") { ground in
            let ids = ground.someStops
            return try ground.context.fetch(FetchRequest<StopTime>(where: #Predicate { ids.contains($0.stop.id) }))
                .count
        },
        .doing("a long list in words") { ground in
            let list = ground.someStops.map { "\($0)" }.joined(separator: ", ")
            return try ground.context.fetch(FetchRequest<Stop>(where: Condition(format: "id IN {\(list)}"))).count
        },
        .doing("many conditions joined by or") { ground in
            // No more than the depth of expressions allows.
            let words = ground.someStops.prefix(900).map { "id == \($0)" }.joined(separator: " OR ")
            return try ground.context.fetch(FetchRequest<Stop>(where: Condition(format: words))).count
        },
        .doing("trips with stop times prefetched") { ground in
            let ids = ground.someTrips
            var request = FetchRequest<Trip>(where: #Predicate { ids.contains($0.id) })
            request.relationshipNamesForPrefetching = ["stopTimes.stop", "route"]
            return try ground.context.fetch(request).reduce(0) { $0 + $1.stopTimes.count }
        },
        .doing("stop times of a stop, one by one") { ground in
            try ground.someStops.reduce(0) { sum, id in
                try sum + (ground.context.object(Stop.self, id: id)?.stopTimes.objects.count ?? 0)
            }
        },
        .doing("from stop times to lines") { ground in
            try ground.someStopTimes().reduce(0) { $0 + ($1.trip.route.shortName.isEmpty == true ? 0 : 1) }
        },
        .doing("objects by id") { ground in
            let all = Ground.spread(ground.stops, over: ground.stops)
            return try all.reduce(0) {
                try $0 + (ground.context.object(Stop.self, id: $1)?.name.isEmpty == false ? 1 : 0)
            }
        },
        .doing("all stops in the background") { ground in
            try await ground.context.fetchInBackground(FetchRequest<Stop>()).count
        },
        .doing("batches of trips in the background") { ground in
            var trips = 0
            for try await batch in ground.context.batchesInBackground(FetchRequest<Trip>()) { trips += batch.count }
            return trips
        },
    ]
}
