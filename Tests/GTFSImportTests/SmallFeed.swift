import Foundation
import GTFSFeed
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// A valid feed of two stops and two trips. Each test changes the files that it needs.
enum SmallFeed {
    static let files = [
        "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\na,A,http://a.example,Europe/Berlin\n",
        "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns1,One,50.1,8.1\ns2,Two,50.2,8.2\n",
        "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\n",
        "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
            + "w,1,1,1,1,1,0,0,20260101,20261231\n",
        "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nx,50.1,8.1,1\nx,50.2,8.2,2\n",
        "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nr,w,u,x\n",
        "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
            + "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,2\n",
        "feed_info.txt": feedInfo("A,http://a.example,de"),
    ]

    /// feed_info.txt with all its recommended columns. Each row begins with the publisher, its URL and a language.
    static func feedInfo(_ rows: String...) -> String {
        "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version,feed_contact_url\n"
            + rows.map { "\($0),20260101,20261231,1,http://a.example/contact\n" }.joined()
    }

    /// Selects notices, without those about what no trip uses and no pathway reaches, about a shape without distances,
    /// about vehicles that are too fast and about stops off their shape: the small feed's second trip has no calls, its
    /// shape has no distances and goes from one stop to the other, which are 13 km apart, and tests add stops that
    /// stand for themselves.
    static let withoutUnused = """
        code NOT IN ('stop_without_stop_time', 'unused_trip', 'unusable_trip', 'pathway_unreachable_location',
            'trip_with_shape_dist_traveled_but_no_shape_distances', 'fast_travel_between_consecutive_stops',
            'fast_travel_between_far_stops', 'stop_too_far_from_shape',
            'stop_too_far_from_shape_using_user_distance', 'stops_match_shape_out_of_order')
        """

    /// Imports the small feed with some files replaced. Returns the open store and its folder.
    static func store(
        _ changed: [String: String], encoding: String.Encoding = .utf8, bytes: [String: Data] = [:]
    ) throws -> (Connection, TemporaryFolder) {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("feed"), withIntermediateDirectories: true)
        for (name, text) in files.merging(changed, uniquingKeysWith: { $1 }) {
            try #require(text.data(using: encoding)).write(to: URL(filePath: folder.path("feed/\(name)")))
        }
        for (name, bytes) in bytes { try bytes.write(to: URL(filePath: folder.path("feed/\(name)"))) }
        let store = folder.path("store.sqlite")
        let (_, error) = Importer(ImportOptions(feed: folder.path("feed"), store: store)).run()
        #expect(error == nil)
        return (try Connection(path: store, mode: .readOnly), folder)
    }

    /// Each row's columns joined by spaces, rows by semicolons.
    static func all(_ sql: String, _ connection: Connection) throws -> String {
        let rows = try connection.prepare(sql)
        var lines: [String] = []
        while try rows.step() {
            lines.append((0..<rows.columnCount).map { rows.text($0) ?? "-" }.joined(separator: " "))
        }
        return lines.joined(separator: "; ")
    }
}

/// Gives out bytes like a file.
struct FileBytes: ByteSource {
    var rest: ArraySlice<UInt8>

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = rest.prefix(buffer.count)
        buffer.copyBytes(from: part)
        rest = rest.dropFirst(part.count)
        return part.count
    }
}
