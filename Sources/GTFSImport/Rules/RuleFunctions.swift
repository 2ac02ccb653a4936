// Unsafe: reads texts where SQLite holds them, so that no row allocates.

import SQLite
import SystemFiles

/// What the SQL of schema/rules.tsv knows beyond SQLite: the collation `any_case`, and functions.
struct RuleFunctions {
    var stops = StopPlaces()
    /// What was seen of calls and points while they passed.
    var calls = SequenceStates()
    var points = SequenceStates()
    /// By the stop's id.
    var isCalled: [Bool] = []

    func register(on connection: Connection) throws(SQLiteError) {
        try connection.createCollation("any_case", Self.compareInAnyCase)
        try connection.createTextFunction("luma", Self.luma)
        try connection.createFunction("clock", argumentCount: 1) { arguments in
            if case .integer(let seconds) = arguments[0] { .text(TimeCell.text(seconds)) } else { .null }
        }
        try connection.createFunction("kind_of_stop", argumentCount: 1) { .text(Self.kindOfStop($0[0])) }
        try connection.createFunction("top_speed", argumentCount: 1) { arguments in
            guard case .integer(let type) = arguments[0] else { return .null }
            return .integer(Int64(TopSpeed.of(TopSpeed.kind(ofRouteType: type))))
        }
        try stops.register(on: connection)
        try registerStates(on: connection)
    }

    /// Registers `calls(trip)` and `points(shape)`, where 2 means two or more, and `is_called(stop)`.
    private func registerStates(on connection: Connection) throws(SQLiteError) {
        func register(_ name: String, _ value: @escaping @Sendable (Int) -> Int) throws(SQLiteError) {
            try connection.createNumberFunction(name, argumentCount: 1) { arguments in
                arguments[0].flatMap { Int(exactly: $0) }.map { Double(value($0)) }
            }
        }
        try register("calls") { [calls] in calls.rows(of: Int64($0)) }
        try register("points") { [points] in points.rows(of: Int64($0)) }
        try register("is_called") { [isCalled] in isCalled.indices.contains($0) && isCalled[$0] ? 1 : 0 }
    }

    /// The kind of place that a `location_type` means, as notices call it.
    private static func kindOfStop(_ locationType: SQLiteValue) -> String {
        switch locationType {
        case .null, .integer(0): "stop"
        case .integer(1): "station"
        case .integer(2): "entrance"
        case .integer(3): "node"
        case .integer(4): "boarding area"
        default: "place of another kind"
        }
    }

    /// Orders texts by their small letters. Case is changed letter by letter: ß does not equal SS.
    static func compareInAnyCase(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
        for (a, b) in zip(first, second) {
            if (a | b) & 0x80 != 0 { return compareScalars(first, second) }
            let (a, b) = (a.asciiLowercased, b.asciiLowercased)
            if a != b { return Int(a) - Int(b) }
        }
        return first.count - second.count
    }

    private static func compareScalars(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
        let (a, b) = (String(decoding: first, as: UTF8.self), String(decoding: second, as: UTF8.self))
        for (a, b) in zip(a.unicodeScalars, b.unicodeScalars) {
            let (a, b) = (small(a), small(b))
            if a != b { return a < b ? -1 : 1 }
        }
        return a.unicodeScalars.count - b.unicodeScalars.count
    }

    /// The letter that stands for it and for its capital form when texts are compared.
    static func small(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        // İ, whose small form is two letters: i and a dot.
        if scalar == "\u{130}" { return "i" }
        func single(_ text: String, else scalar: Unicode.Scalar) -> Unicode.Scalar {
            text.unicodeScalars.count == 1 ? text.unicodeScalars.first ?? scalar : scalar
        }
        let capital = single(scalar.properties.uppercaseMapping, else: scalar)
        return single(capital.properties.lowercaseMapping, else: capital)
    }

    /// How bright a color of six hexadecimal digits is, from 0 to 255 (ITU-R BT.601, rounded down); nil for others.
    static func luma(_ color: UnsafeRawBufferPointer) -> Int64? {
        guard color.count == 6 else { return nil }
        var rgb = 0
        for digit in color {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
            rgb = rgb << 4 | value
        }
        let (red, green, blue) = (Double(rgb >> 16), Double(rgb >> 8 & 0xFF), Double(rgb & 0xFF))
        let luma: Double = 0.30 * red + 0.59 * green + 0.11 * blue
        return Int64(luma)
    }
}
