// Unsafe only where the bytes of an id are lent to identifier maps, which also take the bytes of cells.

import GTFSFeed
import GTFSSchema

/// Reads one feature: its members become the columns of a row, or the whole feature goes to `kept_row`.
extension LocationsReader {
    private static let featureMembers = ["type", "id", "properties", "geometry"]
    private static let propertyNames = ["stop_name", "stop_desc"]
    private static let texts: Set<String> = ["text", "integer", "real"]
    private static let objects: Set<String> = ["object"]

    func readFeature(_ bytes: [UInt8]) throws {
        features += 1
        id = nil
        let spelled = text(of: bytes, feature: true)
        let text = withoutFaultyEscapes(spelled, feature: true)
        let kind = try parser.kind(of: text)
        guard kind == "object" else {
            let fault =
                kind.map { "is \(JSONType.words($0)), not a Feature" } ?? "is not JSON that can be read"
            return try refuse(kind == nil ? .malformedJson : .unsupportedFeatureType, spelled, fault)
        }
        let members = try parser.members(of: text, named: Self.featureMembers)
        id = members["id"].flatMap { Self.texts.contains($0.type) ? Self.trimmed($0.text) : nil }
        guard isNeeded else { return featuresLeftOut += 1 }
        if let earlier = enterID() {
            return try refuse(
                .duplicateGeoJsonKey, spelled, "the id is already that of feature \(earlier)", field: "id")
        }
        try send(.location(try record(of: text, members)))
    }

    /// Keeps the feature's text in `kept_row`.
    private func refuse(_ kind: NoticeKind, _ text: String, _ fault: String, field: String? = nil) throws {
        noteFeature(kind, field: field, value: id, "\(fault); not in location but kept in kept_row")
        featuresKept += 1
        try send(.keptRow(file: file, number: features, reason: kind.code.name, text: text))
    }

    private var isNeeded: Bool {
        guard let needed else { return true }
        guard var id else { return false }
        return id.withUTF8 { needed.contains(UnsafeRawBufferPointer($0)) }
    }

    /// Enters the id for references. If an earlier feature has it, returns that feature's number.
    private func enterID() -> Int32? {
        guard var id, !id.isEmpty else { return nil }
        return id.withUTF8 { identifiers.insert(UnsafeRawBufferPointer($0), key: Int32(clamping: features)) }
    }

    private func record(of feature: String, _ members: GeoJSONMembers) throws -> LocationRecord {
        noteType(members["type"])
        noteID(required(members["id"], "id", Self.texts, wanted: "text"))
        let properties = required(members["properties"], "properties", Self.objects, wanted: "an object")
        let known = try properties.map { try parser.members(of: $0, named: Self.propertyNames) } ?? GeoJSONMembers()
        let geometry = required(members["geometry"], "geometry", Self.objects, wanted: "an object")
        let record = LocationRecord(
            number: features, locationID: id, name: optional(known["stop_name"], "properties.stop_name"),
            description: optional(known["stop_desc"], "properties.stop_desc"),
            geometryType: try geometry.flatMap(geometryType), geometry: geometry,
            properties: try properties.flatMap { try unknownProperties(in: $0, known) })
        try keepUnknown(in: feature, members)
        return record
    }

    // MARK: Members

    /// The text of a member that must be there.
    private func required(_ value: GeoJSONValue?, _ path: String, _ types: Set<String>, wanted: String) -> String? {
        guard let value, value.type != "null", Self.trimmed(value.text) != nil else {
            noteFeature(.missingRequiredElement, field: path, "\(Self.lack(of: path, value)); stored without it")
            return nil
        }
        guard types.contains(value.type) else {
            noteFeature(
                .missingRequiredElement, field: path,
                "\(path) is \(value.words), not \(wanted); stored without it, kept in extra_cell")
            return nil
        }
        return value.text
    }

    /// What is wrong with a required member that has no value.
    private static func lack(of path: String, _ value: GeoJSONValue?) -> String {
        switch value?.type {
        case nil: "has no member \(path), which is required"
        case "null": "\(path) is null, but must have a value"
        default: "\(path) is empty, but must have a value"
        }
    }

    /// The text of a property, nil if there is none.
    private func optional(_ value: GeoJSONValue?, _ path: String) -> String? {
        guard let value, Self.texts.contains(value.type) else { return nil }
        return trimmed(value.text, path)
    }

    private func isTaken(_ value: GeoJSONValue?, _ types: Set<String>) -> Bool {
        value.map { $0.type == "null" || types.contains($0.type) } ?? true
    }

    /// Sends the members that no column can store to `extra_cell`.
    private func keepUnknown(in feature: String, _ members: GeoJSONMembers) throws {
        let isFeature = members["type"]?.text == "Feature"
        let taken = Self.featureMembers.filter { name in
            name == "type" ? isFeature : isTaken(members[name], name == "id" ? Self.texts : Self.objects)
        }
        guard members.hasOthers || taken.count < Self.featureMembers.count else { return }
        try noteRepetitions(in: feature, path: "", kept: "extra_cell")
        guard let rest = try parser.rest(of: feature, without: taken) else { return }
        try noteUnknown(in: rest, known: Self.featureMembers, path: "", kept: "extra_cell")
        try send(.extraCell(file: file, row: features, position: 1, value: rest))
    }

    private func unknownProperties(in properties: String, _ known: GeoJSONMembers) throws -> String? {
        let taken = Self.propertyNames.filter { isTaken(known[$0], Self.texts) }
        guard known.hasOthers || taken.count < Self.propertyNames.count else { return nil }
        try noteRepetitions(in: properties, path: "properties.", kept: "location.properties")
        for name in Self.propertyNames where !taken.contains(name) {
            noteFeature(
                .geoJsonUnknownElement, field: "properties.\(name)",
                "properties.\(name) is \(known[name]?.words ?? ""), not text; kept in location.properties")
        }
        let rest = try parser.rest(of: properties, without: taken)
        if let rest {
            try noteUnknown(in: rest, known: Self.propertyNames, path: "properties.", kept: "location.properties")
        }
        return rest
    }

    // MARK: Geometry

    /// The geometry's type; also checks its coordinates.
    private func geometryType(_ geometry: String) throws -> String? {
        let names = ["type", "coordinates"]
        let members = try parser.members(of: geometry, named: names)
        if members.hasOthers {
            try noteRepetitions(in: geometry, path: "geometry.", kept: "location.geometry")
            if let rest = try parser.rest(of: geometry, without: names) {
                try noteUnknown(in: rest, known: names, path: "geometry.", kept: "location.geometry")
            }
        }
        guard let type = typeText(members["type"]) else { return nil }
        check(members["coordinates"], of: type)
        return type
    }

    /// The text of the geometry's type; notes if it has none.
    private func typeText(_ type: GeoJSONValue?) -> String? {
        if let type, type.type == "text" { return type.text }
        let field = "geometry.type"
        var fault = Self.lack(of: field, type)
        if let type, type.type != "null" { fault = "\(field) is \(type.words), not text" }
        noteFeature(.missingRequiredElement, field: field, "\(fault); stored without it")
        return nil
    }

    private func check(_ coordinates: GeoJSONValue?, of type: String) {
        guard var rules = GeoJSONGeometryRules(geometryType: type) else { return noteGeometryType(type) }
        guard let coordinates, coordinates.type != "null" else {
            let field = "geometry.coordinates"
            return noteFeature(
                .missingRequiredElement, field: field, Self.lack(of: field, coordinates), .storedAsItIs)
        }
        rules.check(coordinates)
        noteCoordinates(rules, type: type)
    }
}

/// One zone of locations.geojson as it is stored.
struct LocationRecord: Sendable, Equatable {
    /// The feature's place in the file, from 1.
    let number: Int
    let locationID: String?
    let name: String?
    let description: String?
    let geometryType: String?
    /// The GeoJSON geometry object (RFC 7946, section 3.1), minified.
    let geometry: String?
    /// A JSON object of the properties that GTFS does not know, minified; nil when there are none.
    let properties: String?
}
