import SQLite

/// The changed and inserted rows of a table that have coordinates, by latitude.
///
/// A program may change thousands of stops and then ask for many places, or change one and ask in turn. Looking at each
/// changed stop for each question would take a time that grows with both.
struct ChangedPlaces {
    struct Place: Comparable {
        let id: ObjectID
        let coordinate: Coordinate

        static func < (one: Place, other: Place) -> Bool {
            let (north, otherNorth) = (one.coordinate.latitude, other.coordinate.latitude)
            return north == otherNorth ? one.id.isOrderedBefore(other.id) : north < otherNorth
        }
    }

    private(set) var places: ChangedEntries<Place>
    /// The rows of the stores that were changed or deleted.
    private(set) var taken: Set<ObjectID>

    /// `ids` are the changed rows of the table.
    init(_ ids: [ObjectID], in changes: PendingChanges) {
        places = ChangedEntries(ids) { Self.places($0, in: changes) }
        taken = Set(ids.filter(changes.haveChanged))
    }

    /// Notes that a row was changed.
    mutating func note(_ id: ObjectID) { places.note(id) }

    /// Takes the noted rows to where they are now.
    mutating func update(in changes: PendingChanges) {
        for id in places.touched {
            if changes.haveChanged(id) { taken.insert(id) } else { taken.remove(id) }
        }
        places.update { Self.places($0, in: changes) }
    }

    /// The place of a row; none without coordinates. A place that is not on earth stays: a box that is written as four
    /// bounds may contain it.
    private static func places(_ id: ObjectID, in changes: PendingChanges) -> [Place] {
        guard let latitude = id.entity.columnIndex("latitude"), let longitude = id.entity.columnIndex("longitude"),
            changes.isPresent(id), let row = changes.row(of: id), let north = row.double(latitude),
            let east = row.double(longitude), !north.isNaN
        else { return [] }
        return [Place(id: id, coordinate: Coordinate(latitude: north, longitude: east))]
    }

    /// The rows in a box, edges included.
    func ids(in box: BoundingBox) -> [ObjectID] {
        northward(from: box.minLatitude).lazy.prefix { $0.coordinate.latitude <= box.maxLatitude }
            .filter { box.contains(latitude: $0.coordinate.latitude, longitude: $0.coordinate.longitude) }.map(\.id)
    }

    /// The places at a latitude or north of it, the nearest latitude first.
    func northward(from latitude: Double) -> some Sequence<Place> {
        places.sorted.upward { $0.coordinate.latitude >= latitude }
    }

    /// The places south of a latitude, the nearest latitude first.
    func southward(from latitude: Double) -> some Sequence<Place> {
        places.sorted.downward { $0.coordinate.latitude >= latitude }
    }
}
