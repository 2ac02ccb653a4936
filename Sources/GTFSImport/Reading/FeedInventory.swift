import GTFSFeed
import GTFSSchema
import SystemFiles

/// A feed's files by the way in which they are read. Tables are in an order in which references can be resolved.
struct FeedInventory {
    /// Known tables, parents before children.
    let tables: [(definition: FileDefinition, entry: FeedEntry)]
    /// Tables that the specification does not know.
    private(set) var unknownTables: [FeedEntry] = []
    /// Everything else, kept as it is.
    private(set) var others: [FeedEntry] = []

    /// Each table makes the next one slower to create: 10,000 take minutes. Further files are kept as they are.
    static let mostUnknownTables = 1_000
    /// Each notice about a row has the file's name: in a zip of 131 kB, a name of 65,000 letters made a store of 133
    /// MB. File systems have no longer names than this.
    private static let longestNameOfTable = 255

    /// The order of reading: every table comes after the tables that it refers to.
    static let order = [
        "agency.txt", "levels.txt", "stops.txt", "routes.txt", "calendar.txt", "calendar_dates.txt", "shapes.txt",
        "booking_rules.txt", "location_groups.txt", "locations.geojson", "trips.txt", "stop_times.txt",
        "frequencies.txt", "areas.txt", "networks.txt", "route_networks.txt", "stop_areas.txt",
        "location_group_stops.txt", "fare_attributes.txt", "fare_rules.txt", "timeframes.txt", "rider_categories.txt",
        "fare_media.txt", "fare_products.txt", "fare_leg_rules.txt", "fare_leg_join_rules.txt",
        "fare_transfer_rules.txt", "transfers.txt", "pathways.txt", "attributions.txt",
        "translations.txt", "feed_info.txt",
    ]

    init(_ entries: [FeedEntry], notices: inout NoticeLog) {
        var known: [String: FeedEntry] = [:]
        var inFolders: [String] = []
        let names = Set(entries.map(\.name))
        for entry in entries {
            let name = entry.name.lowercased()
            // If a feed has a file in two spellings, the correct spelling counts.
            let isMeant = name == entry.name || !names.contains(name)
            if isMeant, Specification.gtfs.file(named: name) != nil, known[name] == nil {
                known[name] = entry
                if name != entry.name {
                    notices.add(
                        .unknownFile, file: entry.name, "\(entry.name): read as \(name), which is how GTFS spells it")
                }
            } else {
                let isTable =
                    entry.isTable && entry.name.utf8.count <= Self.longestNameOfTable
                    && unknownTables.count < Self.mostUnknownTables
                if isTable { unknownTables.append(entry) } else { others.append(entry) }
                if Self.isFileInFolder(entry.name) {
                    inFolders.append(entry.name)
                } else {
                    notices.add(
                        .unknownFile, file: entry.name,
                        "\(entry.name): not a file of GTFS; kept as \(isTable ? "a table of texts" : "it is in extra_file")"
                    )
                }
            }
        }
        Self.note(inFolders, &notices)
        tables = Self.order.compactMap { name in
            guard let entry = known[name], let definition = Specification.gtfs.file(named: name) else { return nil }
            return (definition, entry)
        }
    }

    /// Whether a file is named as one of GTFS, but lies in a folder.
    private static func isFileInFolder(_ name: String) -> Bool {
        let folders = name.lowercased().parts(at: "/")
        guard let last = folders.last, folders.count > 1 else { return false }
        return Specification.gtfs.file(named: last) != nil
    }

    /// One notice for all files in folders, as the validator gives.
    private static func note(_ inFolders: [String], _ notices: inout NoticeLog) {
        guard let first = inFolders.first, let name = first.lowercased().parts(at: "/").last else { return }
        let text =
            inFolders.count == 1
            ? "\(name) must not be in a folder; kept as it is in extra_file"
            : "this and \(inFolders.count - 1) more files of GTFS must not be in a folder; kept as they are in extra_file"
        notices.add(.invalidInputFilesInSubfolder, file: first, "\(first): \(text)")
    }

    func has(_ name: String) -> Bool { tables.contains { $0.definition.name == name } }

    /// Whether a required file is missing. stops.txt may be missing if there is a locations.geojson.
    private func isMissing(_ name: String) -> Bool {
        guard !has(name), let file = Specification.gtfs.file(named: name) else { return false }
        return file.presence == .required || name == "stops.txt" && !has("locations.geojson")
    }

    /// The feed's files for a message. Unknown tables come first, as one may be the missing file under another name.
    private var description: String {
        let names = unknownTables.map(\.name) + tables.map(\.entry.name) + others.map(\.name)
        let rest = names.count > 12 ? " and \(names.count - 12) more" : ""
        return names.prefix(12).map(Notice.shortened).joined(separator: ", ") + rest
    }

    /// Throws `feedRefused` if a required file is missing; notes other missing files. `anomalies` may say why.
    func requireFiles(feed: String, anomalies: [String], notices: inout NoticeLog) throws(ImportError) {
        let missing = Specification.gtfs.files.map(\.name).filter(isMissing)
        for name in missing {
            notices.add(.missingRequiredFile, file: name, "\(name): the file is missing and required")
        }
        guard missing.isEmpty else {
            throw ImportError(
                .feedRefused, at: feed,
                ": required file\(missing.count == 1 ? "" : "s") \(missing.joined(separator: ", ")) "
                    + "\(missing.count == 1 ? "is" : "are") missing; the feed has \(description)"
                    + anomalies.map { "; it \($0)" }.joined())
        }
        if !has("calendar.txt"), !has("calendar_dates.txt") {
            notices.add(
                .missingCalendarAndCalendarDateFiles, file: nil,
                "calendar.txt, calendar_dates.txt: both are missing, so no trip has a day of service")
        }
        if !has("feed_info.txt") {
            let isRequired = has("translations.txt")
            notices.add(
                isRequired ? .missingRequiredFile : .missingRecommendedFile, file: "feed_info.txt",
                "feed_info.txt: the file is missing and \(isRequired ? "required with translations.txt" : "recommended")"
            )
        }
    }
}
