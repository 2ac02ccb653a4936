import FoundationEssentials
import TransitStore

/// Random values of each type, for both sides of conditions.
extension RandomPredicates {
    mutating func integer(_ stop: Erased<Stop>, _ depth: Int) -> Erased<Int> {
        switch roll(depth > 0 ? 12 : 5) {
        case 11: return Erased<Int>(Nodes.build_UnaryMinus(integer(stop, 0)))
        case 0: return stop.path(\.id)
        case 1: return stop.path(\.locationType).path(\.rawValue)
        case 2: return stop.path(\.wheelchairBoarding).path(\.rawValue)
        case 3, 4: return .value(roll(7) - 1)
        case 5: return stop.path(\.stopTimes).path(\.count)
        case 6:
            let many = Erased<[StopTime]>(Nodes.build_filter(stop.path(\.stopTimes)) { ofTime(Erased($0)) })
            return many.path(\.count)
        case 7: return optionalInteger(stop, depth - 1).otherwise(.value(pick([0, 7, 99])))
        case 8:
            return Erased<Int>(
                Nodes.build_Arithmetic(
                    lhs: integer(stop, 0), rhs: integer(stop, 0), op: pick([.add, .subtract, .multiply])))
        case 9: return Erased<Int>(Nodes.build_Division(lhs: integer(stop, 0), rhs: Erased.value(pick([2, 3, -2]))))
        default: return Erased<Int>(Nodes.build_Remainder(lhs: integer(stop, 0), rhs: Erased.value(pick([2, 3]))))
        }
    }

    /// A division or remainder whose divisor is sometimes 0.
    mutating func quotient(_ stop: Erased<Stop>) -> Erased<Int> {
        let divisor: Erased<Int> =
            switch roll(4) {
            case 0: .value(0)
            case 1: stop.path(\.locationType).path(\.rawValue)
            case 2: stop.path(\.stopTimes).path(\.count)
            default: optionalInteger(stop, 0).otherwise(.value(0))
            }
        let dividend = integer(stop, 0)
        return roll(2) == 0
            ? Erased<Int>(Nodes.build_Division(lhs: dividend, rhs: divisor))
            : Erased<Int>(Nodes.build_Remainder(lhs: dividend, rhs: divisor))
    }

    /// Arithmetic with seconds of times that may be missing.
    mutating func duration(_ time: Erased<StopTime>) -> Erased<Int> {
        let (one, other) = (seconds(time.path(\.departureTime)), seconds(time.path(\.arrivalTime)))
        switch roll(3) {
        case 0:
            return Erased<Int>(Nodes.build_Arithmetic(lhs: one, rhs: other, op: pick([.add, .subtract, .multiply])))
        case 1:
            return Erased<Int>(Nodes.build_Arithmetic(lhs: one, rhs: Erased.value(60), op: pick([.add, .subtract])))
        default: return Erased<Int>(Nodes.build_Remainder(lhs: one, rhs: Erased.value(pick([3_600, 0]))))
        }
    }

    mutating func optionalInteger(_ stop: Erased<Stop>, _ depth: Int) -> Erased<Int?> {
        switch roll(6) {
        case 0: access(stop).then { $0.path(\.rawValue) }
        case 1: stop.path(\.parentStation).then { $0.path(\.locationType).path(\.rawValue) }
        case 2: .value(pick([nil, 0, 1, 2]))
        case 3: stop.path(\.parentStation).then { $0.path(\.childStops).path(\.count) }
        case 4: stop.path(\.parentStation).thenOptional { $0.path(\.access).then { $0.path(\.rawValue) } }
        default: stop.path(\.parentStation).then { integer($0, min(depth, 1)) }
        }
    }

    mutating func number(_ stop: Erased<Stop>) -> Erased<Double> {
        switch roll(mayTrap ? 8 : 6) {
        case 6, 7:
            Erased<Double>(
                Nodes.build_Division(
                    lhs: degrees(stop, \.latitude),
                    rhs: pick([Erased.value(0), Erased.value(-0.0), degrees(stop, \.longitude)])))
        case 0: degrees(stop, \.latitude)
        case 1: degrees(stop, \.longitude)
        case 2: optionalNumber(stop).otherwise(.value(pick([0, 52.5])))
        case 3:
            Erased<Double>(
                Nodes.build_Arithmetic(
                    lhs: degrees(stop, \.latitude), rhs: degrees(stop, \.longitude),
                    op: pick([.add, .subtract, .multiply])))
        case 4: Erased<Double>(Nodes.build_Division(lhs: degrees(stop, \.latitude), rhs: Erased.value(4.0)))
        default: .value(pick([52.5, 13.4, 0]))
        }
    }

    mutating func optionalNumber(_ stop: Erased<Stop>) -> Erased<Double?> {
        switch roll(5) {
        case 4: stop.path(\.latitude)
        case 0: stop.path(\.parentStation).thenOptional { $0.path(\.latitude) }
        case 1: stop.path(\.parentStation).thenOptional { $0.path(\.longitude) }
        case 2: .value(pick([nil, 52.5]))
        default: stop.path(\.parentStation).then { number($0) }
        }
    }

    mutating func text(_ stop: Erased<Stop>) -> Erased<String> {
        switch roll(5) {
        case 0, 1: stop.path(\.name)
        case 2: stop.path(\.stopID)
        case 3: optionalText(stop).otherwise(.value(pick(["", "Zoo"])))
        default: .value(pick(["Zoo", "", "u bahn", "A"]))
        }
    }

    mutating func optionalText(_ stop: Erased<Stop>) -> Erased<String?> {
        switch roll(5) {
        case 0, 1: stop.path(\.platformCode)
        case 2: stop.path(\.parentStation).then { $0.path(\.name) }
        case 3: stop.path(\.parentStation).thenOptional { $0.path(\.platformCode) }
        default: .value(pick([nil, "", "Zoo"]))
        }
    }

    mutating func access(_ stop: Erased<Stop>) -> Erased<StopAccess?> {
        switch roll(4) {
        case 0: stop.path(\.access)
        case 1: stop.path(\.parentStation).thenOptional { $0.path(\.access) }
        case 2: .value(pick([nil, .throughStation, .fromStreet]))
        default: Erased<StopAccess?>.optional(stop.path(\.access).otherwise(.value(.other(7))))
        }
    }

    /// A latitude or longitude; NaN, 0 or 99 if it is missing.
    mutating func degrees(
        _ stop: Erased<Stop>, _ keyPath: any KeyPath<Stop, Double?> & Sendable
    ) -> Erased<Double> {
        stop.path(keyPath).otherwise(.value(pick([.nan, 0, 99])))
    }

    mutating func seconds(_ time: Erased<ServiceTime?>) -> Erased<Int> {
        time.then { $0.path(\.seconds) }.otherwise(.value(pick([-1, 100_000])))
    }

    /// Compares two values of which either may be missing, by order or for equality.
    mutating func ordered<Moment: ServiceMoment>(
        _ one: Erased<Moment?>, _ other: Erased<Moment?>
    ) -> Erased<Bool> {
        let order: Order = pick([.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual])
        switch roll(5) {
        case 0: return equality(one, other)
        case 1:
            return one.then { one in other.then { one.compared(order, $0) }.otherwise(.value(false)) }
                .otherwise(.value(roll(2) == 0))
        default: return one.compared(order, other)
        }
    }
}

extension Erased {
    /// A value where an optional is wanted: `a ? b : nil` with a test that holds.
    static func optional<Wrapped>(_ value: Erased<Wrapped>) -> Erased where Output == Wrapped? {
        Erased<Int?>(PredicateExpressions.build_Arg(Int?.some(1))).then { _ in value }
    }
}
