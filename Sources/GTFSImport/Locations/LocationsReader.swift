import GTFSFeed
import GTFSSchema
import SQLite

/// Reads locations.geojson, the zones of on-demand services (GTFS reference, locations.geojson). Each RFC 7946 feature
/// becomes a row.
///
/// Nothing is lost: a feature that cannot be stored goes to `kept_row` under its number. Members that no column can
/// store go to `extra_cell` (those of the collection under row 0). From the place where the file stops being JSON, the
/// rest goes to `extra_file`. Used by the reading stage.
final class LocationsReader {
    let file: String
    /// Where its findings are counted.
    let place: NoticeLog.FilePlace
    let state: ReadingState
    let parser: GeoJSONParser
    let send: (ReadingEvent) throws -> Void
    let identifiers: IdentifierMap
    /// Features read so far, and how many of them went to `kept_row`.
    var features = 0
    var featuresKept = 0
    /// The ids of the features that a filter keeps; nil for all. Others are left out without a notice.
    var needed: IdentifierMap?
    var featuresLeftOut = 0
    /// The id of the feature at hand, for messages.
    var id: String?
    /// What the first bytes say about the encoding.
    private(set) var encoding = TextEncoding.utf8
    private let limits: GeoJSONFeatureScanner.Limits
    /// Members of the collection by name, and how many went to `extra_cell`.
    private var collectionNames: Set<String> = []
    private var collectionCells = 0
    private static let requiredNames: Set = ["type", "features"]

    /// Making a parser takes a tenth of a millisecond or more, so several files may share one.
    init(
        file: String, state: ReadingState, parser: GeoJSONParser? = nil, limits: GeoJSONFeatureScanner.Limits = .init(),
        send: @escaping (ReadingEvent) throws -> Void
    ) throws(SQLiteError) {
        self.file = file
        place = NoticeLog.FilePlace(file)
        self.state = state
        self.send = send
        self.limits = limits
        if let parser { self.parser = parser } else { self.parser = try GeoJSONParser() }
        identifiers = state.namespaces.map(of: ColumnReference(table: "location", column: "location_id"))
    }

    /// Reads to the end. Faulty data gives notices; throws what the source, SQLite and `send` throw.
    func read(_ source: any ByteSource, bufferBytes: Int = 64 << 10) throws {
        let text = try TextSource(source)
        encoding = text.encoding
        if encoding.name != TextEncoding.utf8.name {
            note(.invalidCharacter, "is \(encoding.name) where JSON is UTF-8; converted")
        }
        var scanner = GeoJSONFeatureScanner(text, bufferBytes: bufferBytes, limits: limits)
        do {
            while try readPiece(scanner.next()) {}
        } catch let fault as GeoJSONFeatureScanner.Fault {
            try keepRest(of: &scanner, after: fault)
        }
    }

    /// Handles one piece; returns false after the last one.
    private func readPiece(_ piece: GeoJSONFeatureScanner.Piece) throws -> Bool {
        switch piece {
        case .feature(let bytes): try readFeature(bytes)
        case .member(let name, let value): try readMember(name, value)
        case .features: noteRepetition(of: "features", "all of them are read")
        case .end:
            noteMissingMembers()
            return false
        case .empty:
            note(.emptyFile, "the file is empty; its table has no rows")
            return false
        }
        return true
    }

    private func keepRest(of scanner: inout GeoJSONFeatureScanner, after fault: GeoJSONFeatureScanner.Fault) throws {
        var rest = try scanner.rest()
        let before =
            switch features {
            case 0: "no feature was"
            case 1: "the feature before it was"
            default: "the \(features) features before it were"
            }
        note(
            .malformedJson,
            "\(fault.message) after \(fault.offset) bytes; \(before) read, "
                + (rest.isEmpty ? "nothing follows" : "the rest of the file is kept in extra_file"))
        var part = 0
        while !rest.isEmpty {
            try send(.bytes(file: file, part: part, bytes: rest))
            part += 1
            rest = try scanner.rest()
        }
    }

    // MARK: The collection

    private func readMember(_ name: [UInt8], _ value: [UInt8]) throws {
        let cell = withoutFaultyEscapes(text(of: Array("{".utf8) + name + Array(":".utf8) + value + Array("}".utf8)))
        guard try parser.kind(of: cell) == "object" else {
            let member = Notice.shortened(cell)
            note(.malformedJson, value: member, "\(member) is not JSON that can be read; kept in extra_cell")
            return try keepMember(cell)
        }
        var known = ""
        try parser.forEachName(in: cell) { known = $0 }
        // By bytes: Swift takes quadratic time to compare a letter with endless marks.
        let required = Self.requiredNames.first { $0.utf8.elementsEqual(known.utf8) }
        let members = try required.map { try parser.members(of: cell, named: [$0]) }
        guard noteRepetition(of: known, "this one is kept in extra_cell") else { return try keepMember(cell) }
        if required == "type", noteCollectionType(members?["type"]) { return }
        if required == "features", let value = members?["features"] {
            note(
                .missingRequiredElement, field: required, "features is \(value.words), not an array; kept in extra_cell"
            )
        } else if required != "type" {
            let name = Notice.shortened(known)
            note(.geoJsonUnknownElement, field: name, "\(name) is not known to GTFS; kept in extra_cell")
        }
        try keepMember(cell)
    }

    private func keepMember(_ cell: String) throws {
        collectionCells += 1
        try send(.extraCell(file: file, row: 0, position: collectionCells, value: cell))
    }

    /// Whether the type is FeatureCollection; notes any other type.
    private func noteCollectionType(_ type: GeoJSONValue?) -> Bool {
        guard type != GeoJSONValue(type: "text", text: "FeatureCollection") else { return true }
        let value = Notice.shortened(type?.text ?? "")
        note(
            .unsupportedGeoJsonType, field: "type", value: value,
            "type is \"\(value)\", not \"FeatureCollection\"; read as a FeatureCollection")
        return false
    }

    /// Returns false and notes it if the name occurred before. To bound memory, remembers at most 10,000 names beside
    /// the required ones, and none of more than 1,000 bytes.
    @discardableResult
    private func noteRepetition(of name: String, _ done: String) -> Bool {
        // Not even looked up: Swift takes quadratic time for endless marks on a letter.
        if name.utf8.count > 1_000 { return true }
        guard collectionNames.contains(name) else {
            if collectionNames.count < 10_000 || Self.requiredNames.contains(name) { collectionNames.insert(name) }
            return true
        }
        let name = Notice.shortened(name)
        note(.geoJsonDuplicatedElement, field: name, "\(name) is there more than once; \(done)")
        return false
    }

    private func noteMissingMembers() {
        if !collectionNames.contains("type") {
            note(
                .missingRequiredElement, field: "type",
                "has no member type, which is required; read as a FeatureCollection")
        }
        if !collectionNames.contains("features") {
            note(
                .missingRequiredElement, field: "features",
                "has no member features, which is required; no row is stored")
        }
    }
}
