import GTFSSchema
import SQLite

/// How many departures each stop has with the unsaved changes, by which equal hits of a search are ordered.
///
/// The store counts those of a stop together with those of all stops below it. If a platform is put below another
/// station or deleted, its departures move along. Only the counts of a damaged store overflow.
struct MovedDepartures {
    /// Unowned, because the context owns this value.
    private unowned let context: StoreContext
    private var shifts: [ObjectID: Int64] = [:]

    init(_ context: StoreContext) throws {
        self.context = context
        let changes = context.changes
        let moved = changes.ids.filter { id in
            id.entity === Stop.entity && !id.isTemporary
                && changes.haveChanged(id, in: [Stop.Column.parent_station.rawValue])
        }
        guard !moved.isEmpty else { return }
        let before = try Dictionary(uniqueKeysWithValues: moved.map { ($0, try storedAncestors(of: $0)) })
        // A stop moves with all below it, except what moves by itself.
        var own = try Dictionary(uniqueKeysWithValues: moved.map { ($0, try stored($0)) })
        for id in moved {
            guard let nearest = before[id]?.first(where: { before[$0] != nil }) else { continue }
            own[nearest, default: 0] &-= try stored(id)
        }
        for (id, departures) in own {
            for place in before[id] ?? [] { shifts[place, default: 0] &-= departures }
            for place in ancestors(of: id) { shifts[place, default: 0] &+= departures }
        }
    }

    /// How many more a stop has now than the store counts.
    func shift(of id: ObjectID) -> Int64 { shifts[id] ?? 0 }

    /// The store's count of a stop and all below it; 0 for a new stop.
    func stored(_ id: ObjectID) throws -> Int64 {
        guard !id.isTemporary else { return 0 }
        let sql = SQLFragment("SELECT departures FROM stop_departures WHERE stop = ?", bindings: id.keyValues)
        return try context.rows(sql, store: context.storePosition(of: id)).first?.integer(0) ?? 0
    }

    /// The stops above a stop in the store, the nearest first.
    private func storedAncestors(of id: ObjectID) throws -> [ObjectID] {
        let (store, column) = (try context.storePosition(of: id), Stop.Column.parent_station.rawValue)
        return try Self.ancestors(of: id) { id in
            let row = try context.changes.storedRows[id] ?? context.storedRow(of: id, store: store)
            return row?.integer(column).map { ObjectID(Stop.entity, .row($0), store: id.store) }
        }
    }

    /// The stops above a stop now; none for a deleted one.
    private func ancestors(of id: ObjectID) -> [ObjectID] {
        guard !context.changes.haveRemoved(id), let stop = context.object(with: id) as? Stop else { return [] }
        return Self.ancestors(of: stop) { $0.parentStation }.map(\.objectID)
    }

    private static func ancestors<Place>(of place: Place, parent: (Place) throws -> Place?) rethrows -> [Place] {
        var (found, top): ([Place], Place) = ([], place)
        while found.count < StoreSchema.mostParentLevels, let next = try parent(top) {
            found.append(next)
            top = next
        }
        return found
    }
}

extension StoreContext {
    /// How the departures of stops move with the unsaved changes; worked out again if a stop has another parent.
    func movedDepartures() throws -> MovedDepartures {
        if let known = changes.known.movedDepartures { return known }
        let moved = try MovedDepartures(self)
        changes.known.movedDepartures = moved
        return moved
    }
}
