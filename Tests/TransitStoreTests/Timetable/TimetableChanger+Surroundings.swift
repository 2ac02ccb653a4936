import Foundation
import TestSupport

@testable import TransitStore

/// Changes of what trips refer to: services, lines, agencies and stops.
extension TimetableChanger {
    mutating func changeSurroundings() throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: try changeException()
        case 1: try changeCalendar()
        case 2: try deleteService()
        case 3: try changeAgency()
        case 4: try deleteAgency()
        case 5: try changeLine()
        case 6: try deleteLine()
        case 7, 8: try changeStop()
        case 9: try moveStop()
        case 10: try deleteStop()
        default: try renameStop()
        }
    }

    // MARK: Services

    private mutating func changeException() throws {
        guard let index = model.services.indices.randomElement(using: &random),
            let object = try service(model.services[index].id), let date = model.days.randomElement(using: &random)
        else { return }
        if let place = model.services[index].exceptions.firstIndex(where: { $0.date == date }) {
            model.services[index].exceptions.remove(at: place)
            object.exceptions.objects.filter { $0.date == ServiceDate(date) }.forEach(context.delete)
            return
        }
        let type = Int.random(in: 1...2, using: &random)
        model.services[index].exceptions.append((date, type))
        let exception = context.insert(ServiceException.self)
        try exception.setValue(object, for: "service")
        try exception.setValue(ServiceDate(date), for: "date")
        try exception.setValue(type, for: "exceptionType")
    }

    /// Other weekdays and dates, also for a service that had only exceptions.
    private mutating func changeCalendar() throws {
        guard let index = model.services.indices.randomElement(using: &random),
            let object = try service(model.services[index].id)
        else { return }
        let weekdays = (0..<7).map { _ in Bool.random(using: &random) }
        model.services[index].weekdays = weekdays
        model.services[index].start = TimetableModel.date(Int.random(in: -20...3, using: &random), after: model.middle)
        model.services[index].end = TimetableModel.date(Int.random(in: 0...20, using: &random), after: model.middle)
        let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        for (name, runs) in zip(names, weekdays) { try object.setValue(runs, for: name) }
        try object.setValue(true, for: "inCalendar")
        try object.setValue(ServiceDate(model.services[index].start), for: "startDate")
        try object.setValue(ServiceDate(model.services[index].end), for: "endDate")
    }

    private mutating func deleteService() throws {
        guard model.services.count > 2, let index = model.services.indices.randomElement(using: &random),
            let object = try service(model.services[index].id)
        else { return }
        object.exceptions.objects.forEach(context.delete)
        context.delete(object)
        model.services.remove(at: index)
    }

    // MARK: Lines and agencies

    private func agency(_ id: String) throws -> Agency? { try found(Agency.self, #Predicate { $0.agencyID == id }) }

    private mutating func changeAgency() throws {
        guard let index = model.agencies.indices.randomElement(using: &random),
            let object = try agency(model.agencies[index].id)
        else { return }
        let zone = ["Asia/Kathmandu", "Pacific/Apia", "America/St_Johns"].randomElement(using: &random) ?? ""
        model.agencies[index].zone = zone
        try object.setValue(.text(zone), for: "timezone")
    }

    private mutating func deleteAgency() throws {
        guard model.agencies.count > 1, let index = model.agencies.indices.randomElement(using: &random),
            let object = try agency(model.agencies[index].id)
        else { return }
        context.delete(object)
        model.agencies.remove(at: index)
    }

    /// Another agency or another name.
    private mutating func changeLine() throws {
        guard let index = model.routes.indices.randomElement(using: &random),
            let object = try route(model.routes[index].id)
        else { return }
        if Bool.random(using: &random), let id = model.agencies.randomElement(using: &random)?.id {
            model.routes[index].agency = id
            return try object.setValue(try agency(id), for: "agency")
        }
        inserted += 1
        let (old, id) = (model.routes[index].id, "line\(inserted)")
        model.routes[index].id = id
        for trip in model.trips.indices where model.trips[trip].route == old { model.trips[trip].route = id }
        try object.setValue(.text(id), for: "routeID")
    }

    private mutating func deleteLine() throws {
        guard model.routes.count > 2, let index = model.routes.indices.randomElement(using: &random),
            let object = try route(model.routes[index].id)
        else { return }
        context.delete(object)
        model.routes.remove(at: index)
    }

    // MARK: Stops

    /// Another name. Trips without a headsign show the name of their last stop.
    private mutating func renameStop() throws {
        guard let id = model.stops.randomElement(using: &random)?.id else { return }
        let name = "Renamed \(Int.random(in: 0...9, using: &random))"
        model.names[id] = name
        try stop(id)?.setValue(.text(name), for: "name")
    }

    /// Another id, zone, or kind of place.
    private mutating func changeStop() throws {
        guard let index = model.stops.indices.randomElement(using: &random),
            let object = try stop(model.stops[index].id)
        else { return }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: try object.setValue(.text(giveNewID(toStop: index)), for: "stopID")
        case 1:
            model.stops[index].zone = ["", "America/New_York"].randomElement(using: &random) ?? ""
            try object.setValue(
                model.stops[index].zone.isEmpty ? .null : .text(model.stops[index].zone), for: "timezone")
        default:
            model.stops[index].kind = [0, 1, 4].randomElement(using: &random) ?? 0
            try object.setValue(.integer(Int64(model.stops[index].kind)), for: "locationType")
        }
    }

    private mutating func giveNewID(toStop index: Int) -> String {
        inserted += 1
        let (old, id) = (model.stops[index].id, "stop\(inserted)")
        model.names[id] = model.name(ofStop: old)
        model.stops[index].id = id
        for stop in model.stops.indices where model.stops[stop].parent == old { model.stops[stop].parent = id }
        for trip in model.trips.indices {
            for call in model.trips[trip].calls.indices where model.trips[trip].calls[call].stop == old {
                model.trips[trip].calls[call].stop = id
            }
        }
        return id
    }

    /// Another place on earth, or in another station. Only to stops before it in the feed, so that no circle arises.
    private mutating func moveStop() throws {
        guard let index = model.stops.indices.randomElement(using: &random),
            let object = try stop(model.stops[index].id)
        else { return }
        if Bool.random(using: &random) {
            model.stops[index].place = (52.51, 13.41)
            try object.setValue(.double(52.51), for: "latitude")
            return try object.setValue(.double(13.41), for: "longitude")
        }
        let parent = model.stops[..<index].randomElement(using: &random)?.id ?? ""
        model.stops[index].parent = parent
        try object.setValue(try stop(parent), for: "parentStation")
    }

    private mutating func deleteStop() throws {
        guard model.stops.count > 3, let index = model.stops.indices.randomElement(using: &random),
            let object = try stop(model.stops[index].id)
        else { return }
        context.delete(object)
        model.stops.remove(at: index)
    }
}
