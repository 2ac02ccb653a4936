import FoundationEssentials
import TransitStore

extension Samples {
    static var places: [Sample] {
        [
            ("within", { try $0.within() }), ("byDistance", { try $0.byDistance() }), ("box", { try $0.box() }),
            ("search", { try $0.search() }), ("searchStops", { try $0.searchStops() }),
            ("nearestStops", { try $0.nearestStops() }), ("article", { try $0.article() }),
        ]
    }

    private func within() throws {
        // snippet: within
        let station = Coordinate(latitude: 53.43120, longitude: 12.62150)
        let request = FetchRequest<Stop>(where: .within(meters: 80, of: station))
        print(try context.fetch(request).map(\.stopID))
        let calls = FetchRequest<StopTime>(where: .within(meters: 80, of: station, at: \.stop))
        print(try context.fetchCount(calls))
        // end
    }

    private func byDistance() throws {
        // snippet: byDistance
        let station = Coordinate(latitude: 53.43120, longitude: 12.62150)
        let request = FetchRequest<Stop>(
            where: .within(meters: 800, of: station), sortedBy: .distance(from: station))
        for stop in try context.fetch(request).suffix(2) {
            print(stop.name, Int(stop.coordinate?.distance(to: station) ?? .nan))
        }
        // end
    }

    private func box() throws {
        // snippet: box
        let (west, east, south, north) = (12.60, 12.63, 53.42, 53.44)
        let request = FetchRequest<Stop>(
            where: #Predicate<Stop> { south <= $0.latitude! && $0.latitude! <= north }
                && #Predicate<Stop> { west <= $0.longitude! && $0.longitude! <= east })
        print(try context.fetch(request).map(\.stopID))
        // end
    }

    private func search() throws {
        // snippet: search
        print(try context.fetch(FetchRequest<Stop>(where: .name(beginsWith: "STRAẞE DER"))).map(\.name))
        print(try context.fetch(FetchRequest<Stop>(where: .name(hasWords: "wett dt"))).map(\.name))
        // end
    }

    private func searchStops() throws {
        // snippet: searchStops
        for text in ["mohnstadt", "yizhak"] {
            print(text, "→", try context.searchStops(text, limit: 1).map(\.name))
        }
        // end
    }

    private func nearestStops() throws {
        // snippet: nearestStops
        let onTheLake = Coordinate(latitude: 53.50, longitude: 12.70)
        for stop in try context.nearestStops(to: onTheLake, limit: 2) {
            print(stop.name, Int(stop.coordinate?.distance(to: onTheLake) ?? .nan))
        }
        let isStation = Condition<Stop>(#Predicate { $0.locationType.isStation })
        print(try context.nearestStops(to: onTheLake, limit: 1, where: isStation).map(\.name))
        // end
    }

    private func article() throws {
        let berlin = try TestStore.berlin()
        let path = berlin.path
        defer { withExtendedLifetime(berlin) {} }
        // snippet: article
        let store = try TransitStore(path: path)
        let context = store.makeContext()
        let kottbusserTor = Coordinate(latitude: 52.4992490, longitude: 13.4181670)
        let (eight, halfPastEight) = (ServiceTime(hours: 8), ServiceTime(hours: 8, minutes: 30))
        let departsThen: Predicate<Stop> = #Predicate {
            $0.stopTimes.contains { eight <= $0.departureTime && $0.departureTime <= halfPastEight }
        }

        for meters in [80.0, 800] {
            let reachable = FetchRequest<Stop>(where: .within(meters: meters, of: kottbusserTor))
            print("within \(Int(meters)) m:", try context.fetchCount(reachable))
            let leaving = reachable.filter(departsThen).limit(200)
            for stop in try context.fetch(leaving) { print(stop.name, stop.stopTimes.count) }
        }

        let search = FetchRequest<Stop>(where: .name(beginsWith: "u gorli"))
        for stop in try context.fetch(search) { print(stop.name) }
        // end
    }
}
