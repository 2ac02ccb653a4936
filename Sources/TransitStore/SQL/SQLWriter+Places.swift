extension SQLWriter {
    /// Writes that a row lies in a box. Longitude comes first, as in the compound index.
    mutating func writeBox(
        _ variable: QueryVariable, _ path: [String], _ box: BoundingBox, to sql: inout SQLFragment
    ) throws {
        let longitude = try resolve(variable, path + ["longitude"])
        let latitude = try resolve(variable, path + ["latitude"])
        if box.crossesAntimeridian {
            sql.append("(")
            append(longitude, to: &sql)
            sql.append(" >= ")
            sql.bind(.double(box.minLongitude))
            sql.append(" OR ")
            append(longitude, to: &sql)
            sql.append(" <= ")
            sql.bind(.double(box.maxLongitude))
            sql.append(") AND ")
        } else {
            if path.isEmpty, try scope(of: variable).drivingBox?.box == box {
                sql.append("\(LongitudeCell.expression(alias: longitude.alias)) = \(DrivingBox.column) AND ")
            } else {
                writeLongitudeCells(longitude, box, to: &sql)
            }
            writeRange(longitude, box.minLongitude, box.maxLongitude, to: &sql)
            sql.append(" AND ")
        }
        writeRange(latitude, box.minLatitude, box.maxLatitude, to: &sql)
    }

    private func writeRange(_ column: ResolvedColumn, _ low: Double, _ high: Double, to sql: inout SQLFragment) {
        append(column, to: &sql)
        sql.append(" >= ")
        sql.bind(.double(low))
        sql.append(" AND ")
        append(column, to: &sql)
        sql.append(" <= ")
        sql.bind(.double(high))
    }

    /// With an index on cells of longitude: `CAST(longitude * 100 AS INTEGER) IN (…)`, and the range stays exact.
    private func writeLongitudeCells(_ column: ResolvedColumn, _ box: BoundingBox, to sql: inout SQLFragment) {
        guard indexes.hasLongitudeCells, column.entity.table == "stop", let cells = LongitudeCell.range(of: box) else {
            return
        }
        sql.append(LongitudeCell.expression(alias: column.alias))
        if cells.count == 1 {
            sql.append(" = ")
            sql.bind(.integer(cells.lowerBound))
            return sql.append(" AND ")
        }
        sql.append(" IN (")
        sql.append(cells, separator: ", ") { $0.bind(.integer($1)) }
        sql.append(") AND ")
    }

    /// `is_within(t0.latitude, t0.longitude, ?, ?, ?)`: a distance that is only compared need not be exact.
    mutating func writeWithin(
        _ variable: QueryVariable, _ path: [String], _ from: Coordinate, _ meters: QueryValue,
        to sql: inout SQLFragment
    ) throws {
        sql.append("is_within(")
        try writePlaces(variable, path, from, to: &sql)
        sql.append(", ")
        sql.bind(meters)
        sql.append(")")
    }

    /// Metres on the ellipsoid; a function that every connection is taught.
    mutating func writeDistance(
        _ variable: QueryVariable, _ path: [String], _ from: Coordinate, to sql: inout SQLFragment
    ) throws {
        sql.append("distance(")
        try writePlaces(variable, path, from, to: &sql)
        sql.append(")")
    }

    private mutating func writePlaces(
        _ variable: QueryVariable, _ path: [String], _ from: Coordinate, to sql: inout SQLFragment
    ) throws {
        append(try resolve(variable, path + ["latitude"]), to: &sql)
        sql.append(", ")
        append(try resolve(variable, path + ["longitude"]), to: &sql)
        sql.append(", ")
        sql.bind(.double(from.latitude))
        sql.append(", ")
        sql.bind(.double(from.longitude))
    }
}

/// Hundredths of a degree of longitude, by which an index may order stops before their latitude.
enum LongitudeCell {
    /// A box over more cells is searched by the compound index.
    static let mostCells: Int64 = 64

    /// The cells that a box reaches over; nil when they are too many, or none as its edges are no numbers.
    static func range(of box: BoundingBox) -> ClosedRange<Int64>? {
        guard box.minLongitude <= box.maxLongitude else { return nil }
        let (first, last) = (number(box.minLongitude), number(box.maxLongitude))
        return last - first < mostCells ? first...last : nil
    }

    private static func number(_ longitude: Double) -> Int64 { Int64((min(max(longitude, -180), 180) + 180) * 100) }

    /// The expression as the index has it; SQLite uses the index only for the very same.
    static func expression(alias: String) -> String { "CAST((\(alias).longitude + 180) * 100 AS INTEGER)" }

    /// The beginning of the index's declaration, by which an open store is found to have it.
    static let indexColumns = "stop(CAST((longitude + 180) * 100 AS INTEGER), latitude"
}
