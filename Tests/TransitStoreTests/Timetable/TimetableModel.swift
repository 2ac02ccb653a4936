import Foundation

@testable import TransitStore

/// A small feed as values. It can be written as files, and it answers a `DepartureQuestion` the slow, obvious way.
struct TimetableModel {
    struct Agency { var id: String, zone: String }
    struct Route { var id: String, agency: String }
    struct Stop {
        var id: String, kind = 0, parent = "", zone = "", platform = ""
        /// Degrees; nil for a stop without coordinates.
        var place: (latitude: Double, longitude: Double)? = (52.5, 13.4)
    }
    struct Service {
        var id: String
        /// Monday to Sunday; nil for a service without a row in calendar.txt.
        var weekdays: [Bool]? = [true, true, true, true, true, true, true]
        var start = 20_261_001
        var end = 20_261_130
        var exceptions: [(date: Int, type: Int)] = []
    }
    struct Trip {
        var id: String, route = "r0", service = "s0", headsign = "", direction = ""
        var calls: [Call] = []
        var bands: [Band] = []
    }
    struct Call {
        var sequence: Int
        var stop: String
        var arrival: Int?
        var departure: Int?
        var pickup = 0
        var dropOff = 0
        var headsign = ""
        var distance: Double?
        var window = false
    }
    struct Band { var start: Int, end: Int, headway: Int, exact = 0 }

    var agencies = [Agency(id: "a0", zone: "Europe/Berlin")]
    var routes = [Route(id: "r0", agency: "a0")]
    var stops: [Stop] = []
    var services = [Service(id: "s0")]
    /// Names that stops were given.
    var names: [String: String] = [:]
    var trips: [Trip] = []
    /// The services run on days around this one.
    var middle = 20_261_025
    func name(ofStop id: String) -> String { names[id] ?? "Name of \(id)" }

    // MARK: Files

    /// Writes the feed into a new folder.
    func write(to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, lines) in files {
            try (lines.joined(separator: "\n") + "\n").write(
                toFile: folder + "/" + name, atomically: true, encoding: .utf8)
        }
    }

    private var files: [String: [String]] {
        let calendar = services.compactMap { service -> String? in
            guard let days = service.weekdays else { return nil }
            return "\(service.id),\(days.map { $0 ? "1" : "0" }.joined(separator: ",")),\(service.start),\(service.end)"
        }
        let exceptions = services.flatMap { service in
            service.exceptions.map { "\(service.id),\($0.date),\($0.type)" }
        }
        let bands = trips.flatMap { trip in
            trip.bands.map { "\(trip.id),\(Self.text($0.start)),\(Self.text($0.end)),\($0.headway),\($0.exact)" }
        }
        let calls = trips.flatMap { trip in trip.calls.map { "\(trip.id),\(Self.row($0))" } }
        return [
            "agency.txt": ["agency_id,agency_name,agency_url,agency_timezone"]
                + agencies.map { "\($0.id),A,https://a.example,\($0.zone)" },
            "routes.txt": ["route_id,agency_id,route_short_name,route_type"]
                + routes.map { "\($0.id),\($0.agency),\($0.id.uppercased()),3" },
            "stops.txt": [
                "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,stop_timezone,platform_code"
            ]
                + stops.map {
                    let place = $0.place.map { "\($0.latitude),\($0.longitude)" } ?? ","
                    return "\($0.id),\(name(ofStop: $0.id)),\(place),\($0.kind),\($0.parent),\($0.zone),\($0.platform)"
                },
            "calendar.txt": ["service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date"]
                + calendar,
            "calendar_dates.txt": ["service_id,date,exception_type"] + exceptions,
            "trips.txt": ["route_id,service_id,trip_id,trip_headsign,direction_id"]
                + trips.map { "\($0.route),\($0.service),\($0.id),\($0.headsign),\($0.direction)" },
            "stop_times.txt": [
                "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,pickup_type,drop_off_type,"
                    + "shape_dist_traveled,start_pickup_drop_off_window,end_pickup_drop_off_window"
            ] + calls,
            "frequencies.txt": ["trip_id,start_time,end_time,headway_secs,exact_times"] + bands,
        ]
    }

    private static func row(_ call: Call) -> String {
        [
            call.arrival.map(text) ?? "", call.departure.map(text) ?? "", call.stop, "\(call.sequence)", call.headsign,
            "\(call.pickup)", "\(call.dropOff)", call.distance.map { "\($0)" } ?? "",
            call.window ? "08:00:00" : "", call.window ? "20:00:00" : "",
        ].joined(separator: ",")
    }

    static func text(_ seconds: Int) -> String { ServiceTime(seconds: seconds).description }
}
