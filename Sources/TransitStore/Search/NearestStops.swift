import FoundationEssentials
import Glibc
import SQLite

/// A search for the nearest stops, without a radius.
extension StoreContext {
    /// The stops nearest to a place, the nearest first, however far they are.
    ///
    ///     try context.nearestStops(to: Coordinate(latitude: 52.4993, longitude: 13.4182), limit: 5)
    ///     try context.nearestStops(to: goerlitzerBahnhof, limit: 1, where: .name(hasWords: "bahn"))
    ///
    /// With a condition, returns the nearest stops that meet it. A limit below 1 finds all.
    ///
    /// Uses the exact distance over the ellipsoid (`Coordinate.distance(to:)`), also across the 180th meridian and
    /// around the poles. At equal distances, stops come in the order of stores, then of ids. Stops without coordinates
    /// are left out. Unsaved changes are included.
    ///
    /// Walks through cells of longitude, a hundredth of a degree wide, to the east and to the west of the place until
    /// no cell can hold a nearer stop. Cells without stops cost nothing, so the cost is about the same in a city and in
    /// the countryside: tens of microseconds for the first stop, and one for each further stop.
    ///
    /// Throws `StoreError`: `unsuitableValue` for coordinates out of range; `corrupt`, `readFailed` or `timedOut` if a
    /// store cannot be read; for the condition, as `fetch(_:)` does.
    public func nearestStops(
        to place: Coordinate, limit: Int = 10, where condition: Condition<Stop> = .all
    ) throws(StoreError) -> [Stop] {
        try StoreError.only { try evaluating { try nearest(to: place, limit: limit, where: condition) } }
    }

    /// The stops nearest to a place that meet a predicate, like `nearestStops(to:limit:where:)` with a condition.
    ///
    ///     try context.nearestStops(to: goerlitzerBahnhof, limit: 1, where: #Predicate { $0.locationType == 1 })
    ///
    /// Throws `StoreError`: `unsuitableValue` for coordinates out of range; `corrupt`, `readFailed` or `timedOut` if a
    /// store cannot be read; for the predicate, as `fetch(_:)` does.
    public func nearestStops(
        to place: Coordinate, limit: Int = 10, where predicate: Predicate<Stop>
    ) throws(StoreError) -> [Stop] {
        try nearestStops(to: place, limit: limit, where: Condition(predicate))
    }

    /// If fewer than the wanted stops are among so many nearest ones, all stops that meet the condition are looked up:
    /// they are few, or far away.
    private static let mostTested = 1_000

    private func nearest(to place: Coordinate, limit: Int, where condition: Condition<Stop>) throws -> [Stop] {
        if let refusal = place.refusal { throw refusal }
        let limit = limit > 0 ? limit : .max
        let nearest =
            condition == .all
            ? try nearestIDs(to: place, limit: limit) : try nearestIDs(to: place, limit: limit, where: condition)
        return nearest.compactMap { object(with: $0) as? Stop }
    }

    private func nearestIDs(
        to place: Coordinate, limit: Int, where condition: Condition<Stop>
    ) throws -> [ObjectID] {
        var reach = limit
        while reach <= Self.mostTested {
            let nearest = try nearestIDs(to: place, limit: reach)
            let isNear = Condition<Stop>(.membership(.property(.root, ["id"]), nearest.flatMap(\.keyValues)))
            let matching = try Set(fetchIDs(FetchRequest<Stop>(where: isNear && condition)))
            let found = nearest.filter(matching.contains)
            if found.count >= limit || nearest.count < reach { return Array(found.prefix(limit)) }
            reach *= 4
        }
        var request = FetchRequest<Stop>(where: condition)
        request.returnsObjectsAsFaults = false
        var nearest = NearestList(limit: limit)
        for stop in try fetch(request) {
            guard let there = stop.coordinate else { continue }
            nearest.insert(stop.objectID, store: storeRank(of: stop.objectID), at: there, from: place)
        }
        return nearest.sorted.map(\.id)
    }

    private func nearestIDs(to place: Coordinate, limit: Int) throws -> [ObjectID] {
        var nearest = NearestList(limit: limit)
        // First, because the walks skip changed stops: without any stop they would know no distance at which to end.
        addChanged(near: place, to: &nearest)
        for store in stores.indices { try NearestWalk(context: self, store: store, place: place).run(&nearest) }
        return nearest.sorted.map(\.id)
    }

    /// Adds changed and inserted stops, from the place's latitude to the north and to the south until they are too far
    /// away.
    private func addChanged(near place: Coordinate, to nearest: inout NearestList) {
        guard changes.concern(Stop.entity.table) else { return }
        let changed = changes.places(of: Stop.entity.table)
        func add(_ places: some Sequence<ChangedPlaces.Place>) {
            for there in places {
                if place.leastDistance(toLatitude: there.coordinate.latitude) > nearest.farthest { return }
                nearest.insert(there.id, store: storeRank(of: there.id), at: there.coordinate, from: place)
            }
        }
        add(changed.northward(from: place.latitude))
        add(changed.southward(from: place.latitude))
    }
}

/// The walk through the cells of one store.
private struct NearestWalk {
    let context: StoreContext
    let store: Int
    let place: Coordinate

    /// Cells are numbered from 0 to 36,000 and lie on a ring.
    private static let cells: Int64 = 36_001
    private static let cell = LongitudeCell.expression(alias: "s")

    /// One of the two ways around the ring.
    private struct Way {
        let isEast: Bool
        /// The distance of the next cell from the place's own, in cells. Past half the ring the other way is shorter.
        var offset: Int64
    }

    func run(_ nearest: inout NearestList) throws {
        var ways = [Way(isEast: true, offset: 0), Way(isEast: false, offset: 1)]
        while let position = ways.indices.min(by: { ways[$0].offset < ways[$1].offset }) {
            guard let cell = try nextCell(ways[position]), leastDistance(toCell: cell.number) <= nearest.farthest else {
                ways.remove(at: position)
                continue
            }
            try look(into: cell.number, &nearest)
            ways[position].offset = cell.offset + 1
        }
    }

    private var ownCell: Int64 { LongitudeCell.number(place.longitude) }

    /// The next cell with stops on a way, at most half around the ring; nil when there is none.
    private func nextCell(_ way: Way) throws -> (number: Int64, offset: Int64)? {
        guard way.offset <= Self.cells / 2 else { return nil }
        let start = ownCell + (way.isEast ? way.offset : -way.offset)
        let end = ownCell + (way.isEast ? Self.cells / 2 : -(Self.cells / 2))
        // The way may pass the last cell number and continue at the other end: then it has two parts.
        for turn in [Int64(0), way.isEast ? -Self.cells : Self.cells] {
            let (low, high) = (min(start, end) + turn, max(start, end) + turn)
            let range = max(low, 0)...max(max(low, 0), min(high, Self.cells - 1))
            guard low < Self.cells, high >= 0, let number = try firstCell(in: range, isEast: way.isEast) else {
                continue
            }
            return (number, abs(number - turn - ownCell))
        }
        return nil
    }

    private func firstCell(in range: ClosedRange<Int64>, isEast: Bool) throws -> Int64? {
        var sql = SQLFragment("SELECT \(Self.cell) FROM stop AS s WHERE \(Self.cell) BETWEEN ")
        sql.bind(.integer(range.lowerBound))
        sql.append(" AND ")
        sql.bind(.integer(range.upperBound))
        sql.append(" ORDER BY \(Self.cell)\(isEast ? "" : " DESC") LIMIT 1")
        var number: Int64?
        try context.run(sql, store: store) { statement in
            if try statement.step() { number = statement.integer(0) }
            return 1
        }
        return number
    }

    /// Adds the stops of a cell, from the place's latitude to the north and to the south until they are too far away.
    private func look(into cell: Int64, _ nearest: inout NearestList) throws {
        for (comparison, order) in [(">=", ""), ("<", " DESC")] {
            var sql = SQLFragment("SELECT s.id, s.latitude, s.longitude FROM stop AS s WHERE \(Self.cell) = ")
            sql.bind(.integer(cell))
            sql.append(" AND s.latitude \(comparison) ")
            sql.bind(.double(place.latitude))
            sql.append(" ORDER BY s.latitude\(order)")
            let (changes, number) = (context.changes, context.stores[store].number)
            try context.run(sql, store: store) { statement in
                var rows = 0
                while try statement.step() {
                    rows += 1
                    let latitude = statement.double(1)
                    if place.leastDistance(toLatitude: latitude) > nearest.farthest { break }
                    let id = ObjectID(Stop.entity, .row(statement.integer(0)), store: number)
                    if changes.haveChanged(id) { continue }
                    let there = Coordinate(latitude: latitude, longitude: statement.double(2))
                    nearest.insert(id, store: store, at: there, from: place)
                }
                return rows
            }
        }
    }

    /// A lower bound for the distance to any stop of a cell, in metres: the distance to the cell's nearer meridian, or
    /// to the pole if that meridian is 90 degrees away or more.
    private func leastDistance(toCell cell: Int64) -> Double {
        let west = Double(cell) / 100 - 180
        let gaps = [west, west + 0.01].map { abs(remainder($0 - place.longitude, 360)) }
        guard cell != ownCell, let gap = gaps.min() else { return 0 }
        let toPole = (90 - abs(place.latitude)) * .pi / 180
        let angle = gap < 90 ? asin(cos(place.latitude * .pi / 180) * sin(gap * .pi / 180)) : toPole
        // Cell edges have rounding errors: subtract a metre.
        return max(angle * Coordinate.leastRadius - 1, 0)
    }
}

extension Coordinate {
    /// Less than any radius of curvature of the ellipsoid (6,335 km at the equator, along a meridian), in metres.
    fileprivate static let leastRadius = 6_330_000.0

    /// A lower bound for the distance to any place at a latitude, in metres.
    fileprivate func leastDistance(toLatitude other: Double) -> Double {
        abs(other - latitude) * .pi / 180 * Self.leastRadius
    }
}
