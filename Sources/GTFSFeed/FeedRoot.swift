import SystemFiles

/// Finds the folder in which a feed's files lie.
///
/// It is the folder that holds files with GTFS names. Folders inside it are not feeds of their own, so a feed that
/// contains a folder of old files is still one feed. The names are used only for this search.
enum FeedRoot: Equatable {
    /// Empty for the top, otherwise ending in `/`.
    case folder(String)
    case several([String])
    case none

    static func find(in paths: [String]) -> FeedRoot {
        var folders: [[UInt8]: String] = [:]
        for path in paths {
            let (folder, file) = split(path)
            if isKnown(file) { folders[Array(folder.utf8)] = folder }
        }
        let tops = tops(of: folders.values)
        return switch tops.count {
        case 0: .none
        case 1: .folder(tops[0])
        default: .several(tops)
        }
    }

    /// Whether it is the name of a GTFS file, in upper or lower case.
    static func isKnown(_ file: String) -> Bool { fileNames.contains(file.lowercased()) }

    /// Splits a path after its last `/`.
    static func split(_ path: String) -> (folder: String, file: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
        let start = path.utf8.index(after: slash)
        return (String(path[..<start]), String(path[start...]))
    }

    /// The folders that lie in none of the others. Sorting puts a folder right before all folders inside it.
    private static func tops(of folders: some Collection<String>) -> [String] {
        var tops: [String] = []
        for folder in folders.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            if let top = tops.last, folder.without(prefix: top) != nil { continue }
            tops.append(folder)
        }
        return tops
    }

    /// The files of the GTFS Schedule reference; a test compares them with the declaration in `schema/gtfs.tsv`.
    static let fileNames: Set<String> = [
        "agency.txt", "areas.txt", "attributions.txt", "booking_rules.txt", "calendar.txt", "calendar_dates.txt",
        "fare_attributes.txt", "fare_leg_join_rules.txt", "fare_leg_rules.txt", "fare_media.txt", "fare_products.txt",
        "fare_rules.txt", "fare_transfer_rules.txt", "feed_info.txt", "frequencies.txt", "levels.txt",
        "location_group_stops.txt", "location_groups.txt", "locations.geojson", "networks.txt", "pathways.txt",
        "rider_categories.txt", "route_networks.txt", "routes.txt", "shapes.txt", "stop_areas.txt", "stop_times.txt",
        "stops.txt", "timeframes.txt", "transfers.txt", "translations.txt", "trips.txt",
    ]
}
