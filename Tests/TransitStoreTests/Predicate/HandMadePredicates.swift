import Foundation
import TransitStore

/// Predicates as people write them, about values that feeds leave out: chains, ternaries, flags, missing times and
/// dates, empty texts, and relationships behind optional ones.
enum HandMadePredicates {
    private static let none: String? = nil
    private static let empty: String? = ""
    private static let morning = ServiceTime(hours: 9)
    private static let noDate: ServiceDate? = nil
    private static let noTime: ServiceTime? = nil
    private static let infinity = Double.infinity
    private static let early = ServiceTime(hours: 0)...ServiceTime(hours: 9)
    private static let north = 0.0..<90.0
    private static let west = -180.0...0.0
    private static let (noNumber, north90) = (Double.nan, 90.0)

    static let ofStops: [Predicate<Stop>] = [
        #Predicate { ($0.parentStation?.code ?? "x") == ($0.code ?? "x") },
        #Predicate { ($0.code ?? $0.stopID) == ($0.parentStation?.code ?? $0.stopID) },
        #Predicate { $0.parentStation?.level?.levelIndex == $0.level?.levelIndex },
        #Predicate { ($0.parentStation?.level?.levelIndex ?? $0.level?.levelIndex ?? -1) < 0 },
        #Predicate { ($0.locationType == 1 ? $0.code : $0.platformCode) == none },
        #Predicate { ($0.locationType == 1 ? none : $0.platformCode) != none },
        #Predicate { ($0.locationType == 1 ? none : $0.parentStation?.name) != empty },
        #Predicate { ($0.parentStation == nil ? $0.name : $0.stopID) == $0.name },
        #Predicate { ($0.code == none) != ($0.platformCode == empty) },
        #Predicate { $0.code == empty || $0.description == none },
        #Predicate { $0.description?.contains("") == true },
        #Predicate { $0.parentStation?.name.folded.contains("a") == false },
        #Predicate { ($0.parentStation?.name.isEmpty ?? $0.name.isEmpty) == false },
        #Predicate { $0.parentStation?.name.starts(with: "S") ?? $0.name.starts(with: "S") },
        #Predicate { $0.timezone?.isEmpty ?? ($0.parentStation?.timezone?.isEmpty ?? true) },
        #Predicate { $0.parentStation?.locationType.isStation != true },
        #Predicate { ($0.parentStation?.locationType ?? 0) == $0.locationType },
        #Predicate { ($0.access ?? ($0.parentStation?.access ?? 0)) != 1 },
        #Predicate { ($0.access?.rawValue ?? -1) * 2 < $0.wheelchairBoarding.rawValue },
        #Predicate { $0.latitude ?? noNumber < infinity && $0.latitude ?? infinity > -infinity },
        #Predicate { (($0.latitude ?? noNumber) - ($0.longitude ?? 0)).isNaN },
        #Predicate { ($0.latitude ?? noNumber) * 1e308 * 10 == infinity },
        #Predicate { !(($0.latitude ?? noNumber) * infinity <= $0.longitude ?? 0) },
        #Predicate { $0.parentStation?.latitude?.isNaN == nil },
        #Predicate { -($0.parentStation?.latitude ?? 0.5) < 1.5 },
        #Predicate { ($0.id - 5) % 3 == 0 && ($0.id - 5) / 3 < 2 },
        #Predicate { -$0.id / 2 == -($0.id / 2) },
        #Predicate { $0.stopTimes.count * 2 - $0.childStops.count > 5 },
        #Predicate { $0.parentStation?.childStops.contains { $0.code == nil } == nil },
        #Predicate { !($0.parentStation?.childStops.contains { $0.platformCode == nil } ?? false) },
        #Predicate { $0.parentStation?.childStops.allSatisfy { $0.code == $0.parentStation?.code } ?? true },
        #Predicate { ($0.parentStation?.childStops.filter { $0.locationType == 0 }.count ?? 0) > 1 },
        #Predicate { $0.parentStation?.childStops.filter { $0.locationType == 0 }.isEmpty != false },
        #Predicate { $0.childStops.filter { $0.locationType == 0 }.filter { $0.code == nil }.count > 0 },
        #Predicate { $0.childStops.filter { $0.locationType == 0 }.allSatisfy { $0.platformCode != nil } },
        #Predicate { stop in stop.childStops.contains { $0.name == stop.name && $0.code != stop.code } },
        #Predicate { stop in stop.childStops.count == (stop.parentStation?.childStops.count ?? 0) },
        #Predicate { stop in
            if let parent = stop.parentStation {
                if let level = parent.level { level.levelIndex < 0 } else { parent.code == stop.code }
            } else {
                stop.code == nil
            }
        },
        #Predicate { stop in
            if let code = stop.code {
                code == stop.platformCode ?? "" || code.contains("1")
            } else {
                stop.childStops.isEmpty
            }
        },
        #Predicate { stop in
            if let code = stop.platformCode { code.isEmpty ? stop.id > 3 : stop.id < 30 } else { stop.id % 2 == 0 }
        },
        #Predicate { ($0.parentStation != nil) == ($0.locationType == 0) },
        #Predicate { ($0.locationType == 0 ? 1 : 0) + ($0.parentStation == nil ? 1 : 0) == 1 },
        #Predicate { north.contains($0.latitude ?? north90) != west.contains($0.longitude ?? noNumber) },
        #Predicate { $0.stopTimes.contains { ($0.stopHeadsign ?? "x") == ($0.trip.headsign ?? "x") } },
        #Predicate { $0.stopTimes.allSatisfy { $0.departureTime == $0.arrivalTime } && !$0.stopTimes.isEmpty },
        #Predicate { $0.transfersFrom.contains { $0.toStop == $0.fromStop } },
        #Predicate { stop in stop.transfersTo.contains { ($0.minTransferTime ?? 0) > 0 } || stop.pathwaysFrom.isEmpty },
    ]

    static let ofTimes: [Predicate<StopTime>] = [
        #Predicate { !($0.departureTime < morning) },
        #Predicate { $0.departureTime == nil ? $0.arrivalTime < morning : $0.departureTime > morning },
        #Predicate { ($0.departureTime == nil ? noTime : $0.arrivalTime) < morning },
        #Predicate { ($0.departureTime?.seconds ?? -1) % 3_600 < 60 },
        #Predicate { $0.departureTime.flatMap { $0.seconds / 3_600 <= 8 } ?? false },
        #Predicate { ($0.departureTime?.seconds ?? 0) - ($0.arrivalTime?.seconds ?? 9) == 0 },
        #Predicate { !$0.pickupType.isRegular || $0.timepoint?.isKnown != true },
        #Predicate { early.contains($0.departureTime) },
        #Predicate { ($0.startPickupDropOffWindow == nil) == ($0.departureTime == nil) },
        #Predicate { $0.shapeDistTraveled == nil || ($0.shapeDistTraveled ?? 0) * 2 > 3 },
        #Predicate { ($0.stop.parentStation?.name ?? $0.stop.name) < ($0.trip.headsign ?? "M") },
        #Predicate { ($0.stopSequence > 3 ? $0.stopHeadsign : $0.trip.headsign) != none },
        #Predicate { ($0.stopHeadsign?.isEmpty ?? false) || $0.trip.route.agency?.name == nil },
        #Predicate { $0.trip.shape?.points.isEmpty ?? true },
        #Predicate { ($0.trip.shape?.points.count ?? 0) > 20 },
        #Predicate { time in time.trip.stopTimes.contains { $0.stopSequence > time.stopSequence } == false },
        #Predicate { time in time.trip.stopTimes.allSatisfy { $0.stopSequence <= time.stopSequence } },
        #Predicate { time in
            time.stop.stopTimes.filter { $0.trip.route.id == time.trip.route.id }.count > time.stopSequence
        },
        #Predicate { $0.continuousPickup == $0.trip.route.continuousPickup },
        #Predicate { $0.trip.service.monday && !$0.trip.service.sunday },
    ]

    static let ofTrips: [Predicate<Trip>] = [
        #Predicate { $0.service.monday },
        #Predicate { !$0.service.monday },
        #Predicate { $0.service.monday == $0.service.sunday },
        #Predicate { $0.service.monday != ($0.directionID == 0) },
        #Predicate { $0.service.monday ? $0.directionID == 0 : $0.directionID == nil },
        #Predicate { ($0.service.saturday ? 1 : 0) + ($0.service.sunday ? 1 : 0) > $0.bikesAllowed.rawValue },
        #Predicate { [true].contains($0.service.friday) },
        #Predicate { $0.service.startDate <= noDate },
        #Predicate { ($0.service.startDate?.number ?? 0) < 20_250_601 },
        #Predicate { ($0.service.endDate?.number ?? 0) / 100 > 202_506 },
        #Predicate { $0.service.exceptions.contains { $0.date >= $0.service.startDate } },
        #Predicate { ($0.route.color ?? "FFFFFF") == ($0.route.textColor ?? "000000") },
        #Predicate { ($0.route.sortOrder ?? $0.route.routeType?.rawValue ?? 9) > 2 },
        #Predicate { $0.route.agency?.timezone.contains("/") == true },
        #Predicate { $0.frequencies.isEmpty != ($0.stopTimes.count > 10) },
        #Predicate { $0.frequencies.contains { ($0.endTime?.seconds ?? 0) - ($0.startTime?.seconds ?? 0) > 3_600 } },
    ]

    static let ofTransfers: [Predicate<Transfer>] = [
        #Predicate { $0.fromTrip?.service.monday == true },
        #Predicate { $0.fromTrip?.service.monday == nil },
        #Predicate { $0.fromTrip?.service.monday ?? true },
        #Predicate { !($0.fromTrip?.service.monday ?? false) },
        #Predicate { $0.fromTrip?.service.monday == $0.toTrip?.service.monday },
        #Predicate { $0.fromStop?.stopTimes.count == $0.toStop?.stopTimes.count },
        #Predicate { $0.fromStop?.parentStation == $0.toStop?.parentStation },
        #Predicate { ($0.fromStop?.parentStation?.name ?? "") == ($0.toStop?.name ?? "") },
        #Predicate { ($0.fromStop?.latitude ?? 0.5) > ($0.toStop?.latitude ?? 0.5) },
        #Predicate {
            $0.minTransferTime == nil
                ? $0.transferType.isRecommended : $0.transferType.isMinimumTime
        },
        #Predicate { $0.fromRoute?.routeType?.isBus == true || $0.toRoute?.routeType == nil },
        #Predicate { $0.fromRoute?.trips.contains { $0.directionID == nil } == true },
        #Predicate { ($0.fromRoute?.trips.isEmpty ?? true) && $0.fromTrip?.stopTimes.isEmpty != true },
        #Predicate { $0.fromTrip?.route.agency?.name == $0.fromRoute?.agency?.name },
    ]
}
