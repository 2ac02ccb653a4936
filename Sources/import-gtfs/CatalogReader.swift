// Unsafe only where bytes are passed to the CSV reader; everything else is bounds-checked.

import GTFSFeed
import SystemFiles

/// The Mobility Database's lists (<https://github.com/MobilityData/mobility-database-catalogs>): `feeds_v2.csv`, and
/// the older one without `id`.
enum CatalogReader {
    /// The states of feeds that can be used. In any other state, a feed has ended or has not begun.
    private static let usable: Set<String> = ["", "active"]

    /// Nil if the bytes are no such list.
    static func entries(in bytes: [UInt8]) throws -> [FeedList.Entry]? {
        let reader = try CSVReader(source: ByteArray(bytes: bytes))
        var columns: [String: Int] = [:]
        for column in reader.header.columns where columns[column.name] == nil { columns[column.name] = column.index }
        guard let address = columns["urls.direct_download"] else { return nil }
        var entries: [FeedList.Entry] = []
        while let block = try reader.nextBlock() {
            for row in 0..<block.rowCount {
                let fields = block.fields(of: row)
                func text(_ column: Int?) -> String {
                    guard let column, column < fields.count else { return "" }
                    return String(decoding: block.field(fields.lowerBound + column), as: UTF8.self).trimmingBlanks
                }
                entries.append(entry(address: text(address)) { text(columns[$0]) })
            }
        }
        return entries
    }

    private static func entry(address: String, _ text: (String) -> String) -> FeedList.Entry {
        var entry = FeedList.Entry()
        let number = text("mdb_source_id")
        entry.id = number.isEmpty ? text("id") : "mdb-" + number
        entry.address = address
        let (kind, state) = (text("data_type"), text("status"))
        if kind != "gtfs", !kind.isEmpty {
            entry.reason = "is \(kind), not a timetable"
        } else if !usable.contains(state) {
            entry.reason = "is \(state)"
        }
        let parameter = text("urls.api_key_parameter_name")
        switch text("urls.authentication_type") {
        // Programs that filter the list may write numbers with a decimal.
        case "", "0", "0.0": break
        case "1", "1.0": entry.expect(.query(parameter))
        case "2", "2.0": entry.expect(.header(parameter))
        case let type: entry.reason = entry.reason ?? FeedList.Entry.unknownKey(type)
        }
        return entry
    }
}

/// Bytes in memory, as a source for the CSV reader.
private struct ByteArray: ByteSource {
    let bytes: [UInt8]
    private var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = min(buffer.count, bytes.count - place)
        buffer.copyBytes(from: bytes[place..<place + count])
        place += count
        return count
    }
}
