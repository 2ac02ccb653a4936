import FoundationEssentials
import TestSupport
import TransitStore

/// Makes random `#Predicate` trees over stops, with every node that a store understands and values that may be missing.
struct RandomPredicates {
    var generator: SeededGenerator
    /// Also divides by values that may be 0 and calculates with missing times. Swift traps there or differs.
    let mayTrap: Bool
    typealias Nodes = PredicateExpressions

    init(generator: SeededGenerator, mayTrap: Bool = false) {
        self.generator = generator
        self.mayTrap = mayTrap
    }

    mutating func predicate() -> Predicate<Stop> {
        Predicate<Stop> { condition(Erased($0), 3) }
    }

    /// The same over stop times. Some of them have no stop, or a trip without a route or a service.
    mutating func predicateOfTimes() -> Predicate<StopTime> {
        Predicate<StopTime> { ofCall(Erased($0), 2) }
    }

    mutating func ofCall(_ time: Erased<StopTime>, _ depth: Int) -> Erased<Bool> {
        switch depth > 0 ? roll(8) : 3 + roll(5) {
        case 0: return ofCall(time, depth - 1).and(ofCall(time, depth - 1))
        case 1: return ofCall(time, depth - 1).or(ofCall(time, depth - 1))
        case 2: return ofCall(time, depth - 1).not
        case 3, 4: return condition(time.path(\.stop), 1)
        case 5: return comparison(reference(time), reference(time))
        case 6: return comparison(reference(time), integer(time.path(\.stop), 0))
        default: return ofTime(time)
        }
    }

    /// An id behind references that may be missing.
    mutating func reference(_ time: Erased<StopTime>) -> Erased<Int> {
        switch roll(5) {
        case 0, 1: time.path(\.stop).path(\.id)
        case 2: time.path(\.trip).path(\.route).path(\.id)
        case 3: time.path(\.trip).path(\.service).path(\.id)
        default: .value(roll(4) - 2)
        }
    }

    mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &generator) }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[roll(elements.count)] }

    // MARK: Conditions

    mutating func condition(_ stop: Erased<Stop>, _ depth: Int) -> Erased<Bool> {
        if mayTrap, roll(4) == 0 { return comparison(quotient(stop), integer(stop, depth)) }
        switch depth > 0 ? roll(24) : 7 + roll(17) {
        case 0: return condition(stop, depth - 1).and(condition(stop, depth - 1))
        case 1: return condition(stop, depth - 1).or(condition(stop, depth - 1))
        case 2: return condition(stop, depth - 1).not
        case 3: return condition(stop, depth - 1).choose(condition(stop, depth - 1), condition(stop, depth - 1))
        case 4: return equality(condition(stop, depth - 1), condition(stop, depth - 1))
        case 5: return chained(stop, depth - 1)
        case 6: return related(stop, depth - 1)
        case 7: return comparison(integer(stop, depth), integer(stop, depth))
        case 8: return comparison(number(stop), number(stop))
        case 9: return comparison(text(stop), text(stop))
        case 10: return operation(text(stop))
        case 11: return equality(optionalText(stop), optionalText(stop))
        case 12: return equality(optionalInteger(stop, depth), optionalInteger(stop, depth))
        case 13: return equality(optionalNumber(stop), optionalNumber(stop))
        case 14: return equality(access(stop), access(stop))
        case 15: return membership(stop)
        case 16: return box(stop)
        case 17: return missing(stop)
        case 18: return comparison(number(stop), .value(pick([52.5, 0, -1, .nan, 13.5])))
        case 19: return sameness(stop)
        case 20: return ranged(stop)
        case 21: return ofLevel(stop)
        case 22: return comparison(condition(stop, 0).choose(integer(stop, 0), integer(stop, 0)), integer(stop, 0))
        default: return optionalCondition(stop)
        }
    }

    mutating func comparison<Value: Comparable>(_ one: Erased<Value>, _ other: Erased<Value>) -> Erased<Bool> {
        switch roll(6) {
        case 0: one.equals(other)
        case 1: one.differs(other)
        case 2: one.compared(.lessThan, other)
        case 3: one.compared(.lessThanOrEqual, other)
        case 4: one.compared(.greaterThan, other)
        default: one.compared(.greaterThanOrEqual, other)
        }
    }

    mutating func equality<Value: Equatable>(_ one: Erased<Value>, _ other: Erased<Value>) -> Erased<Bool> {
        roll(2) == 0 ? one.equals(other) : one.differs(other)
    }

    /// `if let p = parentStation { … } else { … }`, and a chain compared with true, false and nil.
    mutating func chained(_ stop: Erased<Stop>, _ depth: Int) -> Erased<Bool> {
        let result = stop.path(\.parentStation).then { condition($0, depth) }
        switch roll(4) {
        case 0: return result.otherwise(condition(stop, depth))
        case 1: return result.otherwise(.value(pick([true, false])))
        default: return equality(result, .value(pick([true, false, nil])))
        }
    }

    /// A chain over an optional text: `code?.isEmpty == false`, `headsign?.starts(with: "Z") ?? true`
    mutating func optionalCondition(_ stop: Erased<Stop>) -> Erased<Bool> {
        let text = optionalText(stop)
        return optionally(text.then { operation($0) })
    }

    mutating func operation(_ text: Erased<String>) -> Erased<Bool> {
        let part = Erased<String>.value(pick(["Zoo", "", "Z", "u", "ö", "Ölmühle"]))
        switch roll(5) {
        case 0: return text.path(\.isEmpty)
        case 1: return Erased<Bool>(Nodes.build_starts(text, with: part))
        case 2: return Erased<Bool>(Nodes.build_contains(text, part))
        case 3: return Erased<Bool>(Nodes.build_starts(text.path(\.folded), with: Erased.value("Zo".folded)))
        default: return comparison(text.path(\.folded), .value(pick(["zoo", "", "u bahn"])))
        }
    }

    /// Rows compared with each other: `parentStation == parentStation?.parentStation`
    mutating func sameness(_ stop: Erased<Stop>) -> Erased<Bool> {
        let grandparent = stop.path(\.parentStation).thenOptional { $0.path(\.parentStation) }
        let own = Erased<Stop?>.optional(stop)
        return equality(stop.path(\.parentStation), pick([grandparent, own, stop.path(\.parentStation)]))
    }

    /// Ranges of every kind, and sets.
    mutating func ranged(_ stop: Erased<Stop>) -> Erased<Bool> {
        let low = Double(roll(3)) + 51
        switch roll(7) {
        case 0: return Erased<Bool>(Nodes.build_contains(Nodes.build_Arg(low..<53.5), number(stop)))
        case 1: return Erased<Bool>(Nodes.build_contains(Nodes.build_Arg(low...53.5), number(stop)))
        case 2: return Erased<Bool>(Nodes.build_contains(Nodes.build_Arg(low...), number(stop)))
        case 3: return Erased<Bool>(Nodes.build_contains(Nodes.build_Arg(...roll(3)), integer(stop, 1)))
        case 4: return Erased<Bool>(Nodes.build_contains(Nodes.build_Arg(..<"Zoo"), text(stop)))
        case 5: return Erased<Bool>(Nodes.build_contains(Nodes.build_Arg(Set(["Zoo", nil, ""])), optionalText(stop)))
        default:
            // Foundation traps if the lower bound is greater than the upper one. Inserted rows have ids below 0.
            let range = Nodes.build_ClosedRange(lower: Erased.value(-1_000_000), upper: integer(stop, 0))
            return Erased<Bool>(Nodes.build_contains(range, integer(stop, 1)))
        }
    }

    /// `if let level { … }` of the stop or of its station, and of both.
    mutating func ofLevel(_ stop: Erased<Stop>) -> Erased<Bool> {
        func index(_ stop: Erased<Stop>) -> Erased<Double?> { stop.path(\.level).then { $0.path(\.levelIndex) } }
        switch roll(4) {
        case 0: return equality(index(stop), .value(pick([nil, 0, 1])))
        case 1: return comparison(index(stop).otherwise(.value(pick([0, -1, 9]))), .value(0))
        case 2: return equality(stop.path(\.parentStation).thenOptional { index($0) }, index(stop))
        default:
            let both = stop.path(\.level).thenOptional { level in
                stop.path(\.parentStation).then { comparison(level.path(\.id), integer($0, 0)) }
            }
            return roll(2) == 0 ? both.otherwise(condition(stop, 0)) : equality(both, .value(pick([true, false, nil])))
        }
    }

    mutating func membership(_ stop: Erased<Stop>) -> Erased<Bool> {
        func contains<Value: Equatable & Codable & Sendable>(_ list: [Value], _ value: Erased<Value>) -> Erased<Bool> {
            Erased<Bool>(Nodes.build_contains(Nodes.build_Arg(list), value))
        }
        switch roll(8) {
        case 0: return contains([.fromStreet, nil], access(stop))
        case 1: return contains([.platform, .entrance], stop.path(\.locationType))
        case 2: return contains(["", "Zoo"], text(stop))
        case 3: return contains([nil, "Zoo", ""], optionalText(stop))
        case 4: return contains([52.5, .nan, 0], number(stop))
        case 5: return contains([nil, 52.5], optionalNumber(stop))
        case 6: return Erased<Bool>(Nodes.build_contains(Nodes.build_Arg(0...pick([1, 3])), integer(stop, 1)))
        default: return contains([nil, 0, 1, 3], optionalInteger(stop, 1))
        }
    }

    mutating func box(_ stop: Erased<Stop>) -> Erased<Bool> {
        let isOpen = roll(2) == 0
        func edge(_ value: Erased<Double>, _ low: Double, _ high: Double) -> Erased<Bool> {
            value.compared(isOpen ? .greaterThan : .greaterThanOrEqual, .value(low))
                .and(value.compared(isOpen ? .lessThan : .lessThanOrEqual, .value(high)))
        }
        return edge(degrees(stop, \.longitude), 13.1, 13.7).and(edge(degrees(stop, \.latitude), 52.2, 52.8))
    }

    mutating func missing(_ stop: Erased<Stop>) -> Erased<Bool> {
        switch roll(6) {
        case 0: number(stop).path(\.isNaN)
        case 1: equality(optionalText(stop), .value(nil))
        case 2: equality(optionalInteger(stop, 1), .value(nil))
        case 3: equality(optionalNumber(stop), .value(nil))
        case 4: equality(access(stop), .value(nil))
        default:
            equality(
                stop.path(\.parentStation).thenOptional { $0.path(\.parentStation).then { $0.path(\.id) } }, .value(nil)
            )
        }
    }

    /// `stopTimes.contains { … }` and similar conditions.
    mutating func related(_ stop: Erased<Stop>, _ depth: Int) -> Erased<Bool> {
        switch roll(5) {
        case 0:
            return Erased<Bool>(
                Nodes.build_contains(stop.path(\.childStops)) { condition(Erased($0), min(depth, 1)) })
        case 1:
            return Erased<Bool>(
                Nodes.build_allSatisfy(stop.path(\.childStops)) { condition(Erased($0), min(depth, 1)) })
        case 2: return Erased<Bool>(Nodes.build_contains(stop.path(\.stopTimes)) { ofTime(Erased($0)) })
        case 3: return Erased<Bool>(Nodes.build_allSatisfy(stop.path(\.stopTimes)) { ofTime(Erased($0)) })
        default:
            let found = stop.path(\.parentStation).then { $0.path(\.stopTimes).path(\.isEmpty) }
            return equality(found, .value(pick([true, false, nil])))
        }
    }

    mutating func ofTime(_ time: Erased<StopTime>) -> Erased<Bool> {
        let moment = ServiceTime(hours: roll(20))
        if mayTrap, roll(2) == 0 { return comparison(duration(time), .value(pick([0, 60, moment.seconds]))) }
        switch roll(13) {
        case 11: return ofService(time.path(\.trip).path(\.service))
        case 12:
            let agency = time.path(\.trip).path(\.route).path(\.agency)
            return optionally(agency.then { $0.path(\.timezone).path(\.isEmpty) })
        case 7: return equality(time.path(\.trip).path(\.headsign), .value(pick([nil, "Zoo", ""])))
        case 8: return comparison(time.path(\.trip).path(\.route).path(\.shortName), text(time.path(\.stop)))
        case 9:
            return equality(time.path(\.trip).path(\.directionID), .value(pick([nil, .outbound, .inbound])))
                .or(equality(time.path(\.trip).path(\.route).path(\.routeType), .value(pick([nil, .other(roll(4))]))))
        case 10:
            // Calls of the same trip, at the same stop or at another one.
            return Erased<Bool>(
                Nodes.build_contains(time.path(\.trip).path(\.stopTimes)) { other in
                    comparison(Erased(other).path(\.stopSequence), time.path(\.stopSequence))
                        .and(equality(Erased(other).path(\.stop).path(\.id), time.path(\.stop).path(\.id)))
                })
        case 0: return ordered(time.path(\.departureTime), .value(pick([moment, nil])))
        case 1: return ordered(time.path(\.departureTime), time.path(\.arrivalTime))
        case 2: return comparison(seconds(time.path(\.departureTime)), .value(moment.seconds))
        case 3: return equality(time.path(\.departureTime), .value(nil))
        case 4: return comparison(time.path(\.stopSequence), .value(roll(5)))
        case 5: return comparison(time.path(\.stop).path(\.name), text(time.path(\.stop)))
        default:
            return roll(2) == 0
                ? Erased<Bool>(Nodes.build_contains(Nodes.build_Arg([moment, nil]), time.path(\.departureTime)))
                : Erased<Bool>(Nodes.build_contains(Nodes.build_Arg(moment...), time.path(\.departureTime)))
        }
    }

    /// Flags and dates, of a service that may be missing.
    mutating func ofService(_ service: Erased<Service>) -> Erased<Bool> {
        let (monday, day) = (service.path(\.monday), ServiceDate(20_260_101 + roll(2)))
        switch roll(6) {
        case 0: return monday
        case 1: return equality(monday, service.path(\.inCalendar))
        case 2: return comparison(monday.choose(.value(1), service.path(\.id)), .value(roll(3) - 1))
        case 3: return ordered(service.path(\.startDate), pick([.value(day), service.path(\.endDate)]))
        case 4:
            let number = service.path(\.startDate).then { $0.path(\.number) }
            return comparison(number.otherwise(.value(pick([0, day.number]))), .value(day.number))
        default: return optionally(service.path(\.daySet).then { comparison($0, .value(roll(2))) })
        }
    }

    /// An optional condition, compared with true, false and nil.
    mutating func optionally(_ result: Erased<Bool?>) -> Erased<Bool> {
        roll(2) == 0
            ? result.otherwise(.value(pick([true, false]))) : equality(result, .value(pick([true, false, nil])))
    }
}
