/// How fast the vehicles of a line can go, as in the reference validator. Lines of one class have the same top speed.
enum TopSpeed {
    /// In km/h, by the class. Class 0 is for trips without a line, which no rule looks at.
    private static let speeds: [Double] = [0, 30, 50, 80, 100, 150, 200, 500]

    /// The class of a route_type; an empty one counts as 0, for trams.
    static func kind(ofRouteType type: Int64?) -> UInt8 {
        switch type ?? 0 {
        case 0: 4
        case 1, 3, 11, 12: 5
        case 2: 7
        case 4: 3
        case 5: 1
        case 6, 7: 2
        // Among them are the extended types, such as 700 for a bus.
        default: 6
        }
    }

    /// Whether this is the class of railways, whose stations are large.
    static func isOfRails(_ kind: UInt8) -> Bool { kind == Self.kind(ofRouteType: 2) }

    /// In km/h.
    static func of(_ kind: UInt8) -> Double { speeds.indices.contains(Int(kind)) ? speeds[Int(kind)] : 0 }
}
