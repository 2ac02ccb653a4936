import SQLite

/// The changed and inserted rows of a table that have coordinates, by latitude.
///
/// A program may change thousands of stops and then ask for many places. Looking at each changed stop for each of them
/// would take a time that grows with both.
struct ChangedPlaces {
    struct Place {
        let id: ObjectID
        let coordinate: Coordinate
    }

    private let places: [Place]
    /// How many rows of the table were changed or deleted.
    let taken: Int

    /// Places that are not on earth stay: a box that is written as four bounds may contain them.
    init(_ ids: [ObjectID], taken: Int, row: (ObjectID) -> PackedRow?) {
        self.taken = taken
        places = ids.compactMap { id in
            guard let latitude = id.entity.columnIndex("latitude"), let longitude = id.entity.columnIndex("longitude"),
                let row = row(id), let north = row.double(latitude), let east = row.double(longitude)
            else { return nil }
            return Place(id: id, coordinate: Coordinate(latitude: north, longitude: east))
        }.sorted { $0.coordinate.latitude < $1.coordinate.latitude }
    }

    /// The rows in a box, edges included.
    func ids(in box: BoundingBox) -> [ObjectID] {
        northward(from: box.minLatitude).prefix { $0.coordinate.latitude <= box.maxLatitude }
            .filter { box.contains(latitude: $0.coordinate.latitude, longitude: $0.coordinate.longitude) }.map(\.id)
    }

    /// The places at a latitude or north of it, the nearest latitude first.
    func northward(from latitude: Double) -> ArraySlice<Place> { places[index(of: latitude)...] }

    /// The places south of a latitude, the nearest latitude first.
    func southward(from latitude: Double) -> ReversedCollection<ArraySlice<Place>> {
        places[..<index(of: latitude)].reversed()
    }

    /// The index of the first place at a latitude or north of it.
    private func index(of latitude: Double) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].coordinate.latitude < latitude { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
