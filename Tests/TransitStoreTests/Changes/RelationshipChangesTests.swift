import SQLite
import Testing
import TransitStore

/// To-many relationships with unsaved changes. Their owner keeps them until the next change.
@Suite struct RelationshipChangesTests {
    /// Each way of reading, after each kind of change.
    @Test func eachChangeIsSeenByTheNextRead() throws {
        let context = try TestStore.berlin().context()
        let trip = try #require(try context.object(Trip.self, id: 0))
        let later = try #require(try context.object(Trip.self, id: 1))
        func sequences() -> [Int] {
            let read = trip.stopTimes.map(\.stopSequence)
            #expect(trip.stopTimes.map(\.stopSequence) == read && trip.stopTimes.count == read.count)
            return read
        }
        let stored = sequences()
        try #require(stored.count == 3)

        let extra = context.insert(StopTime.self)
        #expect(sequences() == stored)
        try extra.setValue(trip, for: "trip")
        try extra.setValue(90, for: "stopSequence")
        #expect(sequences() == stored + [90])
        try extra.setValue(-1, for: "stopSequence")
        #expect(sequences() == [-1] + stored)
        try extra.setValue(later, for: "trip")
        #expect(sequences() == stored)

        let first = try #require(trip.stopTimes.first)
        try first.setValue(later, for: "trip")
        #expect(sequences() == Array(stored.dropFirst()))
        try first.setValue(trip, for: "trip")
        #expect(sequences() == stored)
        context.delete(first)
        #expect(sequences() == Array(stored.dropFirst()))
        context.rollback()
        #expect(sequences() == stored)
    }

    /// The ids of inserted objects count down.
    @Test func insertedObjectsFollowStoredOnesInOrder() throws {
        let context = try TestStore.berlin { connection in
            try connection.insert("frequency", "id, trip, headway_secs", ["8, 0, 300", "9, 0, 200"])
        }.context()
        let stored = try #require(try context.object(Trip.self, id: 0))
        for (trip, headways) in [(stored, [300, 200]), (context.insert(Trip.self), [])] {
            for headway in [600, 120, 900] {
                let frequency = context.insert(Frequency.self)
                try frequency.setValue(headway, for: "headwaySecs")
                try frequency.setValue(trip, for: "trip")
            }
            let expected = headways + [600, 120, 900]
            #expect(trip.frequencies.map(\.headwaySecs) == expected)
            try #require(trip.frequencies.first).setValue(250, for: "headwaySecs")
            #expect(trip.frequencies.map(\.headwaySecs) == [250] + expected.dropFirst())
        }
    }

    /// A stop that is its own parent keeps ids, so it is freed with its context.
    @Test func aStopThatIsItsOwnParentIsFreed() throws {
        let test = try TestStore { try $0.insertStop(1, "Zoo", 52, 13, parent: 1) }
        weak var freed: StoreContext?
        do {
            let context = try test.context()
            freed = context
            let stop = try #require(try context.object(Stop.self, id: 1))
            try context.insert(Stop.self).setValue(stop, for: "parentStation")
            #expect(stop.childStops.count == 2 && stop.childStops.contains(stop))
        }
        #expect(freed == nil)
    }

    /// Each of a stop's 5,000 calls asks for all of them.
    @Test func conditionsOverABusyStopAgreeWithSQL() throws {
        let test = try TestStore { connection in
            try connection.insertStop(0, "Stop", 52, 13)
            try connection.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)
                INSERT INTO stop_time(trip, stop_sequence, stop, departure_time) SELECT i, 1, 0, i FROM n
                """)
        }
        let request = FetchRequest<StopTime>(
            where: try Condition(format: "stop.stopTimes.@count > 4999 AND departureTime < 100"))
        let stored = try test.context()
        #expect(try stored.fetchCount(request) == 100)
        let context = try test.context()
        let extra = context.insert(StopTime.self)
        try extra.setValue(0, for: "stop")
        try extra.setValue(50, for: "departureTime")
        #expect(try context.fetchCount(request) == 101)
        let all = FetchRequest<StopTime>(where: try Condition(format: "stop.stopTimes.@count > 5000"))
        #expect(try [stored.fetchCount(all), context.fetchCount(all)] == [0, 5_001])
    }
}
