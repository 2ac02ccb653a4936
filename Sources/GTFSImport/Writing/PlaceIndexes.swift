// Unsafe: reads cells where the reading stage left them.

import Cells
import GTFSSchema
import SQLite
import SQLitePages

/// The two indexes of stops by place, sorted by their values. SQLite sorts records, which it takes apart for each
/// comparison. That took 9 ms for both indexes of 7,912 stops; this takes 2 ms.
final class PlaceIndexes {
    /// By longitude and latitude.
    static let byLongitude = "stop_longitude_latitude"
    /// By cell (a hundredth of a degree of longitude), latitude and longitude.
    static let byCell = "stop_cell_latitude"
    /// 16 MB, and as much again while the list grows; SQLite sorts them if there are more.
    private static let mostPlaces = 1 << 19

    /// The coordinates of a stop, as numbers that sort like the values.
    private struct Place {
        let longitude: OrderedDouble
        let latitude: OrderedDouble
        /// The cell of the longitude.
        let cell: Int64
        let row: Int64

        static func isBefore(_ a: Place, _ b: Place) -> Bool {
            if a.longitude != b.longitude { return a.longitude < b.longitude }
            return a.latitude == b.latitude ? a.row < b.row : a.latitude < b.latitude
        }

        static func isInCellBefore(_ a: Place, _ b: Place) -> Bool {
            // Places without a longitude are in no cell, and come first.
            let (isA, isB) = (a.longitude.isNull, b.longitude.isNull)
            if isA != isB { return isA }
            if a.cell != b.cell { return a.cell < b.cell }
            if a.latitude != b.latitude { return a.latitude < b.latitude }
            return a.longitude == b.longitude ? a.row < b.row : a.longitude < b.longitude
        }
    }

    private let longitudeCell: Int
    private let latitudeCell: Int
    private let place: StorePlace
    private var places: [Place] = []
    /// False once there were too many.
    private(set) var isComplete = true

    /// Nil for a table without places.
    init?(_ plan: TablePlan, in place: StorePlace) {
        guard plan.table == "stop", let longitude = plan.cell(of: "longitude"),
            let latitude = plan.cell(of: "latitude")
        else { return nil }
        (longitudeCell, latitudeCell) = (longitude, latitude)
        self.place = place
    }

    /// Adds the rows of a block.
    func add(_ batch: CellBatch) {
        guard isComplete, places.count + batch.rowCount <= Self.mostPlaces else {
            places = []
            return isComplete = false
        }
        for row in batch.rows {
            let longitude = OrderedDouble(row.tags[longitudeCell], row.payloads[longitudeCell])
            places.append(
                Place(
                    longitude: longitude, latitude: OrderedDouble(row.tags[latitudeCell], row.payloads[latitudeCell]),
                    cell: Self.cell(longitude.value), row: row.id))
        }
    }

    /// `CAST((longitude + 180) * 100 AS INTEGER)`, which is clamped to the range of 64-bit integers
    /// (<https://sqlite.org/lang_expr.html#castexpr>).
    static func cell(_ longitude: Double) -> Int64 {
        let value = (longitude + 180) * 100
        return Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
    }

    // MARK: Storing

    /// Writes the pages of both indexes behind those of the file, and returns their root pages by name.
    func write(to file: DatabaseFile) throws -> [String: UInt32] {
        places.sort(by: Place.isBefore)
        let longitudes = try write(to: file, columns: 3) { place, tags, payloads in
            (tags[0], payloads[0]) = place.longitude.cell
            (tags[1], payloads[1]) = place.latitude.cell
        }
        places.sort(by: Place.isInCellBefore)
        let cells = try write(to: file, columns: 4) { place, tags, payloads in
            (tags[0], payloads[0]) = (place.longitude.isNull ? CellTag.null : CellTag.integer, place.cell)
            (tags[1], payloads[1]) = place.latitude.cell
            (tags[2], payloads[2]) = place.longitude.cell
        }
        places = []
        return [Self.byLongitude: longitudes, Self.byCell: cells]
    }

    /// Writes one index. Its records are what `fill` puts into the first cells, and the row.
    private func write(
        to file: DatabaseFile, columns: Int, fill: (Place, inout [UInt8], inout [Int64]) -> Void
    ) throws -> UInt32 {
        try file.appendIndex { tree in
            var encoder = RecordEncoder(columns: columns)
            var (tags, payloads) = (
                [UInt8](repeating: CellTag.integer, count: columns), [Int64](repeating: 0, count: columns)
            )
            let none = TextArena()
            var interval = CheckInterval()
            for stop in places {
                if interval.isOver() {
                    Failpoint.reach("places")
                    try place.check()
                }
                fill(stop, &tags, &payloads)
                payloads[columns - 1] = stop.row
                try tree.append(encoder.encode(tags: tags, payloads: payloads, text: none.bytes, otherText: none.bytes))
            }
        }
    }
}

/// A double or NULL as a number that sorts as in SQLite: NULL first.
struct OrderedDouble: Comparable {
    private static let sign: UInt64 = 1 << 63
    private let key: UInt64

    /// The number of a cell's value.
    init(_ tag: UInt8, _ payload: Int64) {
        let number = CellNumber.value(tag, payload)
        guard !number.isNaN else {
            key = 0
            return
        }
        // -0.0 is stored as 0.
        let bits = number == 0 ? 0 : number.bitPattern
        key = bits & Self.sign == 0 ? bits | Self.sign : ~bits
    }

    var isNull: Bool { key == 0 }

    var value: Double { Double(bitPattern: key & Self.sign == 0 ? ~key : key & ~Self.sign) }

    var cell: (tag: UInt8, payload: Int64) {
        isNull ? (CellTag.null, 0) : (CellTag.double, CellNumber.payload(of: value))
    }

    static func < (a: OrderedDouble, b: OrderedDouble) -> Bool { a.key < b.key }
}
