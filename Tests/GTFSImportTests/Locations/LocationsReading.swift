import GTFSFeed
import GTFSSchema

@testable import GTFSImport

/// The complete result of reading one locations.geojson.
struct LocationsReading: Equatable {
    /// Gives out bytes in reads of the given sizes, which repeat.
    struct Source: ByteSource {
        var bytes: [UInt8]
        var sizes: [Int]
        var position = 0
        var reads = 0

        mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(buffer.count, sizes[reads % sizes.count], bytes.count - position)
            reads += 1
            buffer.copyBytes(from: bytes[position..<position + count])
            position += count
            return count
        }
    }

    struct KeptRow: Equatable {
        var number: Int
        var reason: String
        var text: String
    }

    struct Cell: Equatable {
        var row: Int
        var position: Int
        var value: String
    }

    var records: [LocationRecord] = []
    var keptRows: [KeptRow] = []
    var cells: [Cell] = []
    /// The bytes that went to extra_file.
    var rest: [UInt8] = []
    var notices: [Notice] = []
    var features = 0
    var featuresKept = 0
    var resolved: [String: Int32] = [:]

    init(_ text: String) throws { try self.init(Array(text.utf8)) }

    init(
        _ bytes: [UInt8], readSizes: [Int] = [.max], bufferBytes: Int = 64 << 10,
        limits: GeoJSONFeatureScanner.Limits = .init(),
        parser: GeoJSONParser? = nil
    ) throws {
        let state = ReadingState(notices: NoticeLog(keptPerCode: 1_000))
        let log = Log()
        let reader = try LocationsReader(
            file: "locations.geojson", state: state, parser: parser, limits: limits
        ) {
            log.reading.take($0)
        }
        try reader.read(Source(bytes: bytes, sizes: readSizes), bufferBytes: bufferBytes)
        self = log.reading
        notices = state.notices.kept
        features = reader.features
        featuresKept = reader.featuresKept
        let reference = ColumnReference(table: "location", column: "location_id")
        state.namespaces.map(of: reference).forEach { resolved[String(decoding: $0, as: UTF8.self)] = $1 }
    }

    private init() {}

    private final class Log {
        var reading = LocationsReading()
    }

    private mutating func take(_ event: ReadingEvent) {
        switch event {
        case .location(let record): records.append(record)
        case .keptRow(_, let number, let reason, let text):
            keptRows.append(KeptRow(number: number, reason: reason, text: text))
        case .extraCell(_, let row, let position, let value):
            cells.append(Cell(row: row, position: position, value: value))
        case .bytes(_, _, let bytes): rest += bytes
        case .begin, .block, .lastName, .end, .failure: break
        }
    }

    /// Each notice as `code: message`.
    var messages: [String] { notices.map { "\($0.kind.code.name): \($0.message)" } }
}

extension LocationsReading {
    static let ring = "[[12,53],[13,53],[13,54],[12,53]]"

    /// A collection of these features.
    static func collection(_ features: String...) -> String {
        #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}"
    }

    /// A valid feature with some of its members replaced.
    static func feature(
        type: String = #""Feature""#, id: String = #""a""#, properties: String = #"{"stop_name":"Au"}"#,
        geometry: String = #"{"type":"Polygon","coordinates":[\#(ring)]}"#, more: String = ""
    ) -> String {
        #"{"type":\#(type),"id":\#(id),"properties":\#(properties),"geometry":\#(geometry)\#(more)}"#
    }

    /// A feature with a polygon of these rings.
    static func polygon(_ rings: String) -> String {
        feature(geometry: #"{"type":"Polygon","coordinates":\#(rings)}"#)
    }
}
