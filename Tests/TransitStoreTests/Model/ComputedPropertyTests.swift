import Foundation
import Testing

@testable import TransitStore

extension Stop {
    fileprivate var station: Stop { parentStation ?? self }
}

extension StopTime {
    fileprivate var shownHeadsign: String? { stopHeadsign ?? trip.headsign }
    fileprivate var headsignOrNone: String { stopHeadsign ?? "none" }
}

extension Route {
    fileprivate var label: String { shortName.isEmpty ? longName : shortName }
}

extension Service {
    fileprivate var runsOnWeekends: Bool { saturday || sunday }
}

extension LocationType {
    fileprivate var isOfSome: Bool { rawValue == 3 || (700...799).contains(rawValue) }
    fileprivate var isExtended: Bool { rawValue >= 100 }
    fileprivate var isNegative: Bool { rawValue < 0 }
    fileprivate var isNotNegative: Bool { rawValue >= 0 }
    fileprivate var isHigh: Bool { rawValue > 7_000 }
    fileprivate var fromZero: Int { max(rawValue, 0) }
    fileprivate var extended: Int { rawValue < 100 ? rawValue * 100 : rawValue }
}

extension Stop {
    fileprivate var capitals: String { name.uppercased() }
    fileprivate var first20: String { String(name.prefix(20)) }
    fileprivate var town: String { name.components(separatedBy: ",")[0] }
    fileprivate var withoutS: String { name.hasPrefix("S ") ? String(name.dropFirst(2)) : name }
    fileprivate var nameOrNil: String? { name.isEmpty ? nil : name }
    fileprivate var codeOrEmpty: String { code ?? "" }
    fileprivate var forcedCode: String { code! }
    fileprivate var clamped: Double? { latitude.map { min($0, 60) } }
    fileprivate var typeOrNil: LocationType? { locationType }
    fileprivate var idFrom5: Int { max(id, 5) }
    fileprivate var title: String { name }
    fileprivate var foldedTitle: String { name.folded }
    fileprivate var stationTitle: String? { parentStation?.name }
    fileprivate var root: Stop { parentStation?.root ?? self }
    fileprivate var stripped: String {
        let name = name
        return name.hasPrefix("S ") ? String(name.dropFirst(2)) : name
    }
    fileprivate var number: UInt32 { UInt32(id) }
    fileprivate var code1: QueryValue { value(of: "code") ?? .null }
    fileprivate var stationCode: String? { parentStation.map { $0.code ?? "-" } }
    fileprivate var stationLevel: String? { parentStation.map { $0.level?.levelID ?? "0" } }
    fileprivate var topStation: Stop? { parentStation.map { $0.parentStation ?? $0 } }
    fileprivate var secure: String? { url.map { $0.replacingOccurrences(of: "http://", with: "https://") } }
    fileprivate var unescaped: String { name.replacingOccurrences(of: "&amp;", with: "&") }
    fileprivate var codeOfStored: String? { isInserted ? nil : code }
    fileprivate var codeInContext: String? { context == nil ? code : code.map { "*" + $0 } }
    fileprivate var callsOrOne: Int { max(stopTimes.count, 1) }
}

extension StopTime {
    fileprivate var place: String? { stop.name }
    fileprivate var afterMidnight: ServiceTime? { departureTime.flatMap { $0.seconds >= 86_400 ? $0 : nil } }
    fileprivate var notEarly: ServiceTime? {
        departureTime.flatMap { (4 * 3_600..<6 * 3_600).contains($0.seconds) ? nil : $0 }
    }
    fileprivate var language: String? { trip.route.agency.map { $0.language ?? "de" } }
    fileprivate var levelOfStation: String? { stop.parentStation?.level?.levelID }
    fileprivate var bumped: Int { stopSequence == 1 ? 10 : stopSequence }
    fileprivate var stopTitle: String { stop.title }
}

extension Trip {
    fileprivate var way: Direction { directionID ?? .outbound }
    fileprivate var monday: Bool? { service.monday }
}

extension Route {
    fileprivate var order: Int { sortOrder ?? 0 }
    fileprivate var noBus: RouteType? { routeType == .bus ? nil : routeType }
}

/// Properties that a program adds. A request refuses them if they compute anything else than the value of one column.
@Suite struct ComputedPropertyTests {
    private let fixture = Result { try TestStore.berlin() }

    private func expectRefused<Entity: StoreObject>(_ predicate: Predicate<Entity>) {
        #expect(#expect(throws: StoreError.self) { try Condition(predicate).validate() }?.code == .untranslatable)
    }

    /// Each reads one property of an object that lacks nothing, and then another one of an object without values.
    @Test func propertiesThatFallBackToOthersAreNoColumns() throws {
        expectRefused(#Predicate<StopTime> { $0.shownHeadsign == "Zoo" })
        expectRefused(#Predicate<StopTime> { $0.headsignOrNone == "none" })
        expectRefused(#Predicate<Route> { $0.label == "U1" })
        expectRefused(#Predicate<Service> { $0.runsOnWeekends })
        expectRefused(#Predicate<Stop> { $0.station.name == "Zoo" })
        let context = try fixture.get().context()
        #expect(throws: StoreError.self) {
            try context.fetch(FetchRequest<StopTime>(sortedBy: .ascending(\.shownHeadsign)))
        }
        let call = try #require(try context.fetchFirst(FetchRequest<StopTime>()))
        #expect(throws: StoreError.self) { try call.set(\.shownHeadsign, to: "Zoo") }
    }

    /// Each changes only some values, so it may look like the column itself.
    @Test func propertiesThatChangeSomeValuesAreNoColumns() throws {
        expectRefused(#Predicate<Stop> { $0.capitals == "ZOO" })
        expectRefused(#Predicate<Stop> { $0.first20 == "Zoo" })
        expectRefused(#Predicate<Stop> { $0.town == "Zoo" })
        expectRefused(#Predicate<Stop> { $0.withoutS == "Zoo" })
        expectRefused(#Predicate<Stop> { $0.clamped == 60 })
        expectRefused(#Predicate<Stop> { $0.idFrom5 == 5 })
        expectRefused(#Predicate<StopTime> { $0.afterMidnight == nil })
        expectRefused(#Predicate<StopTime> { $0.bumped == 10 })
        expectRefused(#Predicate<Route> { $0.noBus == nil })
        expectRefused(#Predicate<StopTime> { $0.notEarly == nil })
        expectRefused(#Predicate<Stop> { $0.secure == "https://a.example" })
        expectRefused(#Predicate<Stop> { $0.unescaped == "A & B" })
        expectRefused(#Predicate<Stop> { $0.stripped == "Zoo" })
        let stop = try #require(try fixture.get().context().fetchFirst(FetchRequest<Stop>()))
        #expect(throws: StoreError.self) { try stop.set(\.capitals, to: "ZOO") }
        // A property that asks for its context, which a request does not have, may give anything.
        expectRefused(#Predicate<Stop> { $0.codeOfStored == "Z" })
        expectRefused(#Predicate<Stop> { $0.codeInContext == "Z" })
        expectRefused(#Predicate<Route> { $0.operatingAgency == nil })
        let rows = FetchRequest<Stop>().selecting(.attribute(\.callsOrOne))
        #expect(throws: StoreError.self) { try fixture.get().context().fetchRows(rows) }
    }

    /// Each may be nil where its column may not, or the other way round. None is called on an object without values.
    @Test func propertiesThatAddOrDropNilAreNoColumns() {
        let outbound = Direction.outbound
        expectRefused(#Predicate<Stop> { $0.nameOrNil == "" })
        expectRefused(#Predicate<Stop> { $0.codeOrEmpty == "" })
        expectRefused(#Predicate<Stop> { $0.forcedCode == "1" })
        expectRefused(#Predicate<Stop> { $0.typeOrNil == nil })
        expectRefused(#Predicate<StopTime> { $0.place == nil })
        expectRefused(#Predicate<Trip> { $0.way == outbound })
        expectRefused(#Predicate<Trip> { $0.monday == nil })
        expectRefused(#Predicate<Route> { $0.order == 0 })
        expectRefused(#Predicate<Stop> { $0.stationCode == "-" })
        expectRefused(#Predicate<Stop> { $0.stationLevel == "0" })
        expectRefused(#Predicate<Stop> { $0.topStation?.name == "Zoo" })
        expectRefused(#Predicate<StopTime> { $0.language == "de" })
        expectRefused(#Predicate<Stop> { $0.root.name == "Zoo" })
    }

    @Test func otherNamesOfColumnsAreColumns() throws {
        let context = try fixture.get().context()
        let all = try context.fetch(FetchRequest<Stop>())
        for name in Set(all.map(\.name)) {
            let folded = name.folded
            let named = try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.title == name }))
            #expect(Set(named) == Set(all.filter { $0.name == name }))
            let alike = try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.foldedTitle == folded }))
            #expect(Set(alike) == Set(all.filter { $0.name.folded == folded }))
            let below = try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.stationTitle == name }))
            #expect(Set(below) == Set(all.filter { $0.parentStation?.name == name }))
            try Condition<StopTime>(#Predicate { $0.levelOfStation == name }).validate()
            let calls = try context.fetchCount(FetchRequest<StopTime>(where: #Predicate { $0.stopTitle == name }))
            #expect(calls == named.reduce(0) { $0 + $1.stopTimes.count })
        }
    }

    @Test func valuesOfAnyKindAndUnsignedKeysAreColumns() throws {
        let context = try fixture.get().context()
        let rows = try context.fetchRows(
            FetchRequest<Stop>(sortedBy: .ascending(\.id)).selecting(.attribute(\.number), .attribute(\.code1)))
        let stops = try context.fetch(FetchRequest<Stop>(sortedBy: .ascending(\.id)))
        #expect(rows.map { $0[0].integer } == stops.map { Int64($0.id) })
        #expect(rows.map { $0[1].text } == stops.map(\.code))
    }

    /// Mapping a captured optional that has a value never gives nil, even if the column in the closure is empty.
    @Test func mappingACapturedValueGivesNoNil() throws {
        let context = try fixture.get().context()
        let (some, none): (String?, String?) = ("x", nil)
        let all = try context.fetch(FetchRequest<Route>())
        let isNil = #Predicate<Route> { route in some.flatMap { _ in route.longName } == nil }
        let orNone = #Predicate<Route> { route in (some.flatMap { _ in route.longName } ?? "none") == "none" }
        let ofNone = #Predicate<Route> { route in none.flatMap { _ in route.longName } == nil }
        for predicate in [isNil, orNone, ofNone] {
            let found = try context.fetchCount(FetchRequest<Route>(where: predicate))
            #expect(try found == all.filter { try predicate.evaluate($0) }.count)
        }
    }

    @Test func idsOfCallsAreListedByTrip() throws {
        let context = try fixture.get().context()
        let calls = try context.fetch(FetchRequest<StopTime>())
        let ids = calls.enumerated().filter { $0.offset % 3 != 1 }.map(\.element.objectID)
        let request = FetchRequest<StopTime>(where: #Predicate { ids.contains($0.objectID) })
        #expect(Set(try context.fetch(request).map(\.objectID)) == Set(ids))
        #expect(try request.sql().text.components(separatedBy: " OR ").count == Set(ids.map { $0.keyValues[0] }).count)
        try calls[0].set(\.stopHeadsign, to: "Zoo")
        #expect(Set(try context.fetch(request).map(\.objectID)) == Set(ids))
        #expect(try context.fetch(FetchRequest<StopTime>(where: #Predicate { [].contains($0.objectID) })).isEmpty)
    }

    /// The first part of the key of a search term is a text.
    @Test func idsOfSearchTermsAreListedByWord() throws {
        let context = try fixture.get().context()
        let terms = try context.fetch(FetchRequest<SearchTerm>())
        for count in [1, 2, 5, terms.count] {
            let ids = terms.prefix(count).map(\.objectID)
            let found = try context.fetch(FetchRequest<SearchTerm>(where: #Predicate { ids.contains($0.objectID) }))
            #expect(Set(found.map(\.objectID)) == Set(ids))
        }
    }

    @Test func propertiesOfEnumerationsAreAskedForEveryNumber() throws {
        let context = try fixture.get().context()
        for type in [0, 3, 8, 99, 100, 700, 717, 799, 800, 1_799, -1, -5, 5_000, 9_999] {
            try context.insert(Stop.self).set(\.locationType, to: LocationType(rawValue: type))
        }
        let all = try context.fetch(FetchRequest<Stop>())
        let some = try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.locationType.isOfSome }))
        #expect(Set(some) == Set(all.filter(\.locationType.isOfSome)))
        let extended = try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.locationType.isExtended }))
        #expect(Set(extended) == Set(all.filter(\.locationType.isExtended)))
        expectRefused(#Predicate<Stop> { $0.locationType.extended == 300 })
        expectRefused(#Predicate<Stop> { $0.locationType.fromZero == 0 })
        expectRefused(#Predicate<Stop> { $0.locationType.isHigh })
        let negative = try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.locationType.isNegative }))
        #expect(Set(negative) == Set(all.filter(\.locationType.isNegative)) && negative.count == 2)
        let others = try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.locationType.isNotNegative }))
        #expect(Set(others) == Set(all.filter(\.locationType.isNotNegative)))
    }
}

/// Conditions whose simplified form, values or stores made a difference.
@Suite struct ConditionMeaningTests {
    private let fixture = Result { try TestStore.berlin() }

    private func count(_ words: String) throws -> Int {
        try fixture.get().context().fetchCount(FetchRequest<Stop>(where: Condition(format: words)))
    }

    /// A missing number reads as 0, which is less than 9: the test for a value stays.
    @Test func aTestForAValueIsDroppedOnlyIfItFollows() throws {
        for column in ["locationType", "wheelchairBoarding"] {
            let choice = "TERNARY(\(column) != NIL, TERNARY(\(column) < 9, TRUE, FALSE), FALSE) = TRUE"
            #expect(try count(choice) == count("\(column) != NIL AND \(column) < 9"))
        }
        let named = "TERNARY(platformCode != NIL, TERNARY(platformCode < 'z', TRUE, FALSE), FALSE) = TRUE"
        #expect(try count(named) == count("platformCode != NIL AND platformCode < 'z'"))
    }

    @Test func aConstantInPlaceOfAFoldedTextStaysAsItIs() throws {
        let context = try fixture.get().context()
        let without = try context.fetch(FetchRequest<Stop>()).filter { $0.platformCode == nil }.count
        #expect(without > 0)
        #expect(try count("coalesce(folded(platformCode), 'A') = 'A'") == without)
        #expect(try count("coalesce(folded(platformCode), 'A') IN {'A'}") == without)
        #expect(try count("coalesce(folded(platformCode), 'A') BEGINSWITH 'A'") == without)
        #expect(try count("coalesce(folded(platformCode), 'a') = 'A'") == without)
    }

    @Test func conditionsOnGroupsKeepTheStoreOfAnID() throws {
        let (one, two) = (try TestStore.berlin(), try TestStore.berlin())
        let coordinator = StoreCoordinator([try one.open(), try two.open()])
        let context = coordinator.makeContext()
        let trip = try #require(try context.fetchFirst(FetchRequest<Trip>(where: #Predicate { $0.id == 3 })))
        let line = trip.route.objectID
        let groups = FetchRequest<Trip>().selecting(.attribute(\.route), .count())
            .groups(by: .attribute(\.route), having: .attribute(\.route) == line)
        #expect(try context.fetchRows(groups).count == 1)
    }

    @Test func nilAmongIDsIsAMissingReference() throws {
        let (one, two) = (try TestStore.berlin(), try TestStore.berlin())
        let context = StoreCoordinator([try one.open(), try two.open()]).makeContext()
        let stops = try context.fetch(FetchRequest<Stop>())
        let child = try #require(stops.first { $0.parentStation != nil } ?? stops.first)
        if child.parentStation == nil { try child.set(\.parentStation, to: stops[1]) }
        let ids: [ObjectID?] = [child.parentStation?.objectID, nil]
        let found = try context.fetch(
            FetchRequest<Stop>(where: #Predicate { ids.contains($0.parentStation.flatMap { $0.objectID }) }))
        #expect(Set(found) == Set(stops.filter { ids.contains($0.parentStation?.objectID) }))
    }

    @Test func requestsWithIDsInOtherPlacesDiffer() throws {
        let context = try fixture.get().context()
        let market = try #require(try context.object(Stop.self, id: 1)), marketID = market.id
        let trip = try #require(try context.object(Trip.self, id: 6) ?? context.object(Trip.self, id: 5)),
            tripID = trip.id
        let one = FetchRequest<StopTime>(where: #Predicate { $0.stop == market || $0.trip.id == tripID })
        let other = FetchRequest<StopTime>(where: #Predicate { $0.stop.id == marketID || $0.trip == trip })
        #expect(one != other && one == one)
    }

    @Test func textsOfTablesWithoutAClassBecomeTimes() throws {
        let open = try Condition<StopTime>(format: "pickupBookingRule.priorNoticeLastTime <= $T")
        let direct = try Condition<StopTime>(format: "pickupBookingRule.priorNoticeLastTime <= 28800")
        #expect(try open.substituting(["T": "8:00"]) == direct)
    }

    @Test func templatesDoNotKeepTheirStoreOpen() throws {
        let path = NSTemporaryDirectory() + "templates-\(UUID().uuidString).ini"
        try "[stops]\nentity = Stop\nwhere = name = $NAME\n".write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        weak var kept: TransitStore?
        let templates = try {
            let store = try fixture.get().open()
            kept = store
            return try RequestTemplates(contentsOf: path, for: store)
        }()
        #expect(kept == nil && templates.names == ["stops"])
    }

    @Test func aQuestionMarkInANameIsNoValue() {
        let sql = SQLFragment("SELECT t0.\"open?\" FROM t WHERE t0.\"a\"\"?\" = ? AND b = '?'", bindings: [.integer(3)])
        #expect(sql.description == "SELECT t0.\"open?\" FROM t WHERE t0.\"a\"\"?\" = 3 AND b = '?'")
    }
}
