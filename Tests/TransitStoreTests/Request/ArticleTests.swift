import FoundationEssentials
import Testing
import TransitStore

/// The program of the article "Fetch Requests" (objc.io, issue 4), in today's Swift.
@Suite struct ArticleTests {
    @Test func theProgramOfTheArticleFindsTheStopWithItsDepartures() throws {
        let fixture = try TestStore.berlin()
        let (eight, halfPastEight) = (ServiceTime(hours: 8), ServiceTime(hours: 8, minutes: 30))
        let store = try TransitStore(path: fixture.path)
        let context = store.makeContext()

        var request = FetchRequest<Stop>(
            where: .within(meters: 800, of: Coordinate(latitude: 52.4992490, longitude: 13.4181670)))
        request.predicate =
            request.predicate
            && #Predicate { $0.stopTimes.contains { eight <= $0.departureTime && $0.departureTime <= halfPastEight } }
        request.fetchLimit = 200
        var lines: [String] = []
        for stop in try context.fetch(request) { lines.append("\(stop.name): \(stop.stopTimes.count)") }
        #expect(lines == ["U Görlitzer Bahnhof (Berlin): 2"])
        #expect(
            try request.sql().text.hasSuffix(
                "WHERE (t0.longitude >= ? AND t0.longitude <= ? AND t0.latitude >= ? AND t0.latitude <= ?) AND "
                    + "is_within(t0.latitude, t0.longitude, ?, ?, ?) AND EXISTS (SELECT 1 FROM stop_time AS t1 WHERE "
                    + "t1.stop = t0.id AND t1.departure_time >= ? AND t1.departure_time <= ?) LIMIT ?"))
    }

    @Test func aBoxIsThatOfTheArticlesFormula() {
        let box = BoundingBox(around: Coordinate(latitude: 52.4992490, longitude: 13.4181670), meters: 80)
        // The article: D / R * 180 / pi degrees of latitude, D / (R cos latitude) * 180 / pi of longitude.
        let latitude = 80 * 1.01 / 6_371_009 * 180 / Double.pi
        #expect(abs(box.maxLatitude - 52.4992490 - latitude) < 1e-9)
        #expect(abs(box.maxLongitude - 13.4181670 - latitude / 0.608_770_5) < 1e-8)
    }
}
