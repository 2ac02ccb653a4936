import TestSupport
import Testing

@testable import GTFSImport

/// Compares the rules for coordinates, which go through the bytes of a geometry, with a check of the whole tree.
@Suite("Coordinates in locations.geojson")
struct LocationsGeometryTests {
    /// A JSON value, as the tests make it.
    private indirect enum Value {
        case number(String)
        case other(type: String, json: String)
        case array([Value])

        var json: String {
            switch self {
            case .number(let text): text
            case .other(_, let json): json
            case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
            }
        }

        var type: String {
            switch self {
            case .number: "real"
            case .other(let type, _): type
            case .array: "array"
            }
        }
    }

    /// What the rules should find, from the tree: slow and obvious.
    private struct Expected {
        let levels: [String]
        var fault: String?
        var nearOrigin: String?
        var nearPole: String?

        init(_ geometryType: String, _ coordinates: Value) {
            levels =
                ["coordinates"] + (geometryType == "MultiPolygon" ? ["polygon"] : []) + ["ring", "position", "number"]
            fault = visit(coordinates, at: [])
        }

        private func place(_ path: [Int]) -> String {
            let names = path.indices.map { "\(levels[$0 + 1]) \(path[$0])" }
            return names.isEmpty ? "coordinates" : names.joined(separator: ", ")
        }

        private mutating func visit(_ value: Value, at path: [Int]) -> String? {
            let isNumberWanted = path.count == levels.count - 1
            if isNumberWanted, case .number = value { return nil }
            guard !isNumberWanted, case .array(let elements) = value else {
                let wanted = isNumberWanted ? "a number" : "an array"
                return "\(place(path)) is \(JSONType.words(value.type)), not \(wanted)"
            }
            for (index, element) in elements.enumerated() {
                if let fault = visit(element, at: path + [index + 1]) { return fault }
            }
            switch levels[path.count] {
            case "position": return position(elements, at: path)
            case "ring": return ring(elements, at: path)
            default: return elements.isEmpty ? "\(place(path)) has no \(levels[path.count + 1])" : nil
            }
        }

        private func numbers(_ value: Value) -> [Double] {
            guard case .array(let elements) = value else { return [] }
            return elements.map { Double($0.json) ?? .nan }
        }

        private mutating func position(_ elements: [Value], at path: [Int]) -> String? {
            let numbers = numbers(.array(elements))
            guard numbers.count >= 2 else { return "\(place(path)) lacks longitude or latitude" }
            let (longitude, latitude) = (numbers[0], numbers[1])
            if !(-180...180).contains(longitude) || !(-90...90).contains(latitude) {
                let position = "\(longitude), \(latitude)"
                return "\(place(path)) is \(position), beyond longitude -180 to 180 and latitude -90 to 90"
            }
            if abs(longitude) <= 1, abs(latitude) <= 1 {
                nearOrigin = nearOrigin ?? place(path)
            } else if abs(latitude) >= 89 {
                nearPole = nearPole ?? place(path)
            }
            return nil
        }

        private func ring(_ elements: [Value], at path: [Int]) -> String? {
            if elements.count < 4 {
                return "\(place(path)) has \(elements.count) positions where at least 4 are needed"
            }
            let (first, last) = (numbers(elements[0]), numbers(elements[elements.count - 1]))
            if first.prefix(2) == last.prefix(2) { return nil }
            let (begin, end) = ("\(first[0]), \(first[1])", "\(last[0]), \(last[1])")
            return "\(place(path)) begins at \(begin) and ends at \(end), so it is not closed"
        }
    }

    @Test func `random coordinates have the fault that a check of the whole tree finds first`() throws {
        var random = SeededGenerator(seed: 7946)
        var faults: [String: Int] = [:]
        for _ in 0..<20_000 {
            let type = Bool.random(using: &random) ? "Polygon" : "MultiPolygon"
            let value = Self.value(depth: type == "Polygon" ? 3 : 4, &random)
            let text: String? = if case .other("text", _) = value { "x" } else { nil }
            var rules = try #require(GeoJSONGeometryRules(geometryType: type))
            rules.check(GeoJSONValue(type: value.type, text: text ?? value.json))
            let expected = Expected(type, value)
            #expect(rules.fault == expected.fault, "\(type) \(value.json)")
            #expect(rules.nearOrigin?.place == expected.nearOrigin, "\(type) \(value.json)")
            #expect(rules.nearPole?.place == expected.nearPole, "\(type) \(value.json)")
            faults[(rules.fault ?? "none").filter { !"0123456789.-".contains($0) }, default: 0] += 1
        }
        #expect(faults["none", default: 0] > 1_000 && faults.count > 60, "\(faults.count) kinds of faults")
    }

    /// Mostly what a geometry of this depth should have; now and then something else.
    private static func value(depth: Int, _ random: inout SeededGenerator) -> Value {
        let others: [Value] = [
            .other(type: "text", json: "\"]\\\"[,\""), .other(type: "object", json: "{\"a\":[1,2]}"),
            .other(type: "true", json: "true"), .other(type: "false", json: "false"),
            .other(type: "null", json: "null"), .number("-1.5e+3"), .array([]),
        ]
        if Int.random(in: 0..<60, using: &random) == 0, let other = others.randomElement(using: &random) {
            return other
        }
        switch depth {
        case 0: return .number(number(&random))
        case 1: return .array((0..<count(2, &random)).map { _ in value(depth: 0, &random) })
        case 2:
            var positions = (0..<count(4, &random)).map { _ in value(depth: 1, &random) }
            if let first = positions.first, Int.random(in: 0..<12, using: &random) > 0 { positions.append(first) }
            return .array(positions)
        default: return .array((0..<count(1, &random)).map { _ in value(depth: depth - 1, &random) })
        }
    }

    private static func count(_ usual: Int, _ random: inout SeededGenerator) -> Int {
        Int.random(in: 0..<30, using: &random) == 0 ? usual - 1 : Int.random(in: usual...usual + 1, using: &random)
    }

    private static let odd = [
        "0", "-0", "0.25", "1e0", "89.5", "-89.999", "90", "-90.000001", "180", "181", "1e400", "-1e400", "2E1",
    ]

    private static func number(_ random: inout SeededGenerator) -> String {
        if Int.random(in: 0..<25, using: &random) == 0, let odd = odd.randomElement(using: &random) { return odd }
        return "\(Double(Int.random(in: -8_000...8_000, using: &random)) / 100)"
    }

    /// SQLite returns an array without white space and with its numbers as spelled, which the rules rely on.
    @Test func `coordinates are checked as the parser returns them`() throws {
        let geometry = "{ \"coordinates\" :\t[ [ [1.50, 2e0 ]\r\n, [ 0.1e400 ,2 ] ] ] , \"type\" : \"Polygon\" }"
        let members = try GeoJSONParser().members(of: geometry, named: ["type", "coordinates"])
        #expect(members["coordinates"] == GeoJSONValue(type: "array", text: "[[[1.50,2e0],[0.1e400,2]]]"))
        #expect(!members.hasOthers)
        var rules = try #require(GeoJSONGeometryRules(geometryType: "Polygon"))
        try rules.check(#require(members["coordinates"]))
        #expect(
            rules.fault == "ring 1, position 2 is inf, 2.0, beyond longitude -180 to 180 and latitude -90 to 90")
    }

    @Test func `further members and repeated ones are known`() throws {
        let parser = try GeoJSONParser()
        func hasOthers(_ object: String) throws -> Bool {
            try parser.members(of: object, named: ["type", "coordinates"]).hasOthers
        }
        #expect(try !hasOthers(#"{}"#) && !hasOthers(#"{"type":1}"#) && !hasOthers(#"{"coordinates":{},"type":null}"#))
        #expect(try hasOthers(#"{"type":1,"type":1}"#) && hasOthers(#"{"Type":1}"#) && hasOthers(#"{"":1}"#))
        #expect(try hasOthers(#"{"type":1,"coordinates":[],"x":[1]}"#))
    }
}
