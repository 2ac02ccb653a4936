/// What may be wrong with a call, as the rules about stop_times.txt name it in schema/rules.tsv.
struct CallFaults: OptionSet {
    let rawValue: UInt32

    static let arrivalBeforeDeparture = Self(rawValue: 1 << 0)
    static let onlyArrival = Self(rawValue: 1 << 1)
    static let onlyDeparture = Self(rawValue: 1 << 2)
    static let edgeWithoutArrival = Self(rawValue: 1 << 3)
    static let edgeWithoutDeparture = Self(rawValue: 1 << 4)
    static let distanceNotGreater = Self(rawValue: 1 << 5)
    static let exactWithoutArrival = Self(rawValue: 1 << 6)
    static let exactWithoutDeparture = Self(rawValue: 1 << 7)
    static let withoutTimepoint = Self(rawValue: 1 << 8)
    static let pickupInWindow = Self(rawValue: 1 << 9)
    static let dropOffInWindow = Self(rawValue: 1 << 10)
    static let pickupWithoutBookingRule = Self(rawValue: 1 << 11)
    static let dropOffWithoutBookingRule = Self(rawValue: 1 << 12)
    static let timeInWindow = Self(rawValue: 1 << 13)
    static let windowWithoutStart = Self(rawValue: 1 << 14)
    static let windowWithoutEnd = Self(rawValue: 1 << 15)
    static let windowNotOpen = Self(rawValue: 1 << 16)
    static let severalPlaces = Self(rawValue: 1 << 17)
    static let distanceWithoutStop = Self(rawValue: 1 << 18)
    static let windowOnContinuousPickup = Self(rawValue: 1 << 19)
    static let windowOnContinuousDropOff = Self(rawValue: 1 << 20)

    static let onlyCallOnDemand = Self(rawValue: 1 << 21)

    /// The words of the rules, in the order of their bits.
    static let words = [
        "arrival_before_departure", "only_arrival", "only_departure", "edge_without_arrival", "edge_without_departure",
        "distance_not_greater", "exact_without_arrival", "exact_without_departure", "without_timepoint",
        "pickup_in_window", "drop_off_in_window", "pickup_without_booking_rule", "drop_off_without_booking_rule",
        "time_in_window", "window_without_start", "window_without_end", "window_not_open", "several_places",
        "distance_without_stop", "window_on_continuous_pickup", "window_on_continuous_drop_off",
        "only_call_on_demand",
    ]

    /// Faults of a call with a window that depend on its trip's route.
    static let ofContinuousRoutes: Self = [windowOnContinuousPickup, windowOnContinuousDropOff]

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Nil for a word that is not about calls.
    init?(word: String) {
        guard let place = Self.words.firstIndex(of: word) else { return nil }
        self.init(rawValue: 1 << UInt32(place))
    }
}
