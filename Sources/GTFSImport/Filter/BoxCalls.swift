// Unsafe only for IDs: they are bytes in the reader's block.

import GTFSFeed
import GTFSSchema

/// Finds the trips that call in a box, and all stops of these trips, in one pass through stop_times.txt.
///
/// A trip's calls are read before it is known whether the trip calls in the box. So each call is remembered as two
/// numbers (8 bytes); reading the file twice took a third of the import's time. The file is read again only if there
/// are more than eight million calls, or if calls name location groups, locations or booking rules.
///
/// If calls of a trip repeat a stop_sequence, only the first counts, as in the store. The file is also read again if it
/// is not clear whether a trip's calls in the box are such first ones (`TripCalls`).
struct BoxCalls {
    /// The trips that call at one of the places.
    private(set) var trips = IdentifierMap()
    /// The stops of these trips; nil if the file must be read again to find them.
    private(set) var stops: IdentifierMap?
    private let candidates: IdentifierMap
    private let places: BoxPlaces
    /// By key of the candidate trip.
    private var tripCalls: [TripCalls]
    /// Calls at one of the places that may not be the first of their trip with their stop_sequence. There are many only
    /// if many trips have their calls in no order and sequences from 64 on.
    private var callsInDoubt: Set<Call> = []
    /// Stops in the order in which they first occur, and whether each is one of the places.
    private let names = IdentifierMap()
    private var isPlace: [Bool] = []
    /// The trip's key in the upper half, the stop's in the lower; nil if calls are not remembered.
    private var calls: [UInt64]? = []

    private struct Call: Hashable {
        let trip: Int32
        let sequence: Int64
    }

    private static let mostCalls = 8 << 20
    private static let sequence = 6
    private static let fields = [
        "trip_id", "stop_id", "location_group_id", "location_id", "pickup_booking_rule_id", "drop_off_booking_rule_id",
        "stop_sequence",
    ]

    init(of candidates: IdentifierMap, in places: BoxPlaces) {
        self.candidates = candidates
        self.places = places
        tripCalls = [TripCalls](repeating: TripCalls(), count: candidates.count)
    }

    mutating func read(_ scan: FileScan) throws {
        try scan.rows(of: "stop_times.txt", Self.fields, owners: candidates) { add($0) }
        try decideCallsInDoubt(scan)
        candidates.forEach { id, key in
            if tripCalls[Int(key)].hasCallInBox { trips.add(id) }
        }
        guard let calls else { return }
        var isCalled = [Bool](repeating: false, count: names.count)
        for call in calls where tripCalls[Int(call >> 32)].hasCallInBox { isCalled[Int(call & 0xFFFF_FFFF)] = true }
        let stops = IdentifierMap()
        names.forEach { name, key in
            if isCalled[Int(key)] { stops.add(name) }
        }
        self.stops = stops
    }

    private mutating func add(_ row: ScannedRow) {
        guard let trip = row.key(in: candidates) else { return }
        var isThere = false
        if row.has(2) || row.has(3) || row.has(4) || row.has(5) {
            calls = nil
            isThere = row.isIn(places.groups, field: 2) || row.isIn(places.locations, field: 3)
        }
        if let stop = remember(row, trip), isPlace[stop] { isThere = true }
        // Without a stop_sequence, the row is no call.
        guard !tripCalls[Int(trip)].hasCallInBox, let sequence = row.integer(Self.sequence) else { return }
        let isFirst = tripCalls[Int(trip)].isFirst(sequence)
        guard isThere else { return }
        if let isFirst {
            tripCalls[Int(trip)].hasCallInBox = isFirst
        } else {
            callsInDoubt.insert(Call(trip: trip, sequence: sequence))
        }
    }

    /// Remembers a call; returns the number of its stop.
    private mutating func remember(_ row: ScannedRow, _ trip: Int32) -> Int? {
        let name = row.text(1)
        guard !name.isEmpty else { return nil }
        let next = Int32(clamping: names.count)
        let stop = names.insert(name, key: next) ?? next
        if stop == next { isPlace.append(places.stops.contains(row.text(1))) }
        if (calls?.count ?? 0) >= Self.mostCalls { calls = nil }
        calls?.append(UInt64(trip) << 32 | UInt64(stop))
        return Int(stop)
    }

    /// Reads the file again for trips that are in question; for each sequence, the first row decides.
    private mutating func decideCallsInDoubt(_ scan: FileScan) throws {
        callsInDoubt = callsInDoubt.filter { !tripCalls[Int($0.trip)].hasCallInBox }
        guard !callsInDoubt.isEmpty else { return }
        try scan.rows(of: "stop_times.txt", Self.fields, owners: candidates) { row in
            guard let trip = row.key(in: candidates), let sequence = row.integer(Self.sequence),
                callsInDoubt.remove(Call(trip: trip, sequence: sequence)) != nil
            else { return }
            if places.contain(row) { tripCalls[Int(trip)].hasCallInBox = true }
        }
    }
}

/// What is known of a trip's calls.
private struct TripCalls {
    /// Whether one of them is at one of the places. Then the rest need not be known.
    var hasCallInBox = false
    /// Bit N stands for the stop_sequence N.
    private var short: UInt64 = 0
    private var greatestOther = Int64.min

    /// Takes the next call's stop_sequence; returns whether no earlier call has it. Nil if in doubt: the sequence is
    /// not below 64, and a greater one came before.
    mutating func isFirst(_ sequence: Int64) -> Bool? {
        guard 0..<64 ~= sequence else {
            defer { greatestOther = max(greatestOther, sequence) }
            return sequence > greatestOther ? true : nil
        }
        defer { short |= 1 << sequence }
        return short & 1 << sequence == 0
    }
}

/// The places in a box: stops, location groups with a stop in the box, and areas that overlap the box.
struct BoxPlaces {
    let stops = IdentifierMap()
    let groups = IdentifierMap()
    let locations = IdentifierMap()
    private let box: FilterBox

    init(_ box: FilterBox) { self.box = box }

    /// Whether a row of stop_times.txt is a call at one of the places.
    fileprivate func contain(_ call: ScannedRow) -> Bool {
        call.isIn(stops, field: 1) || call.isIn(groups, field: 2) || call.isIn(locations, field: 3)
    }

    func read(_ scan: FileScan) throws -> BoxPlaces {
        let seen = IdentifierMap()
        try scan.rows(of: "stops.txt", ["stop_id", "stop_lat", "stop_lon"]) { row in
            guard seen.add(row.text(0)), let latitude = Numbers.parseFloat(row.text(1).bytes),
                let longitude = Numbers.parseFloat(row.text(2).bytes),
                box.contains(latitude: latitude, longitude: longitude)
            else { return }
            stops.add(row.text(0))
        }
        try scan.rows(of: "location_group_stops.txt", ["location_group_id", "stop_id"]) { row in
            if row.isIn(stops, field: 1) { groups.add(row.text(0)) }
        }
        guard let (_, entry) = scan.inventory.tables.first(where: { $0.definition.table == "location" }) else {
            return self
        }
        let reader = try LocationsReader(file: entry.name, state: scan.state) { event in
            guard case .location(let location) = event, var id = location.locationID,
                box.meets(outline: location.geometry ?? "")
            else { return }
            _ = id.withUTF8 { locations.add(UnsafeRawBufferPointer($0)) }
        }
        scan.state.beginFile(entry.name)
        try reader.read(scan.feed.source(of: entry))
        return self
    }
}
