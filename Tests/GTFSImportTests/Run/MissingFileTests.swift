import Foundation
import GTFSSchema
import TestSupport
import Testing

@testable import GTFSImport

/// Feeds without some of the files that GTFS allows them to lack.
@Suite struct MissingFileTests {
    private static let sample = URL(filePath: CommandLineProgram.sampleFeed)

    /// The files of the sample feed, which has every file of GTFS.
    private static let files = Specification.gtfs.files.map(\.name)

    /// Zones of locations.geojson may take the place of stops.txt, so stops.txt is among them.
    static let optional = Specification.gtfs.files.filter { $0.presence != .required }.map(\.name)

    /// Imports the sample feed with only these files, or says what went wrong. A refusal is no fault.
    private func fault(with kept: Set<String>) throws -> String? {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("feed"), withIntermediateDirectories: true)
        for file in kept {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("feed/\(file)"), withDestinationPath: Self.sample.appending(path: file).path)
        }
        var options = ImportOptions(feed: folder.path("feed"), store: folder.path("store.sqlite"))
        options.gathersDetails = true
        let (report, error) = Importer(options).run()
        let isRefused = !kept.contains("stops.txt") && !kept.contains("locations.geojson")
        if isRefused { return error?.code == .feedRefused ? nil : "\(report.status), not refused" }
        return error.map { "\($0.code): \($0.message)" }
    }

    @Test func theSampleFeedHasAllFiles() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.sample.path)
        #expect(Set(names) == Set(Self.files))
    }

    /// The file is there for whoever looks at the folder, but its link leads nowhere.
    @Test func theRefusalSaysWhichFilesAreLeftOut() throws {
        let folder = try TemporaryFolder()
        for (name, text) in SmallFeed.files where name != "agency.txt" { try folder.write("feed/\(name)", text) }
        let link = folder.path("feed/agency.txt")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/nowhere")
        let options = ImportOptions(feed: folder.path("feed"), store: folder.path("store.sqlite"))
        let message = try #require(Importer(options).run().error?.message)
        #expect(message.contains("feed: required file agency.txt is missing; the feed has stops.txt, "))
        #expect(message.hasSuffix("; it leaves out entries that are not readable files: \"agency.txt\""))
    }

    @Test(arguments: optional) func aFeedMayLackAnyTwoFiles(first: String) throws {
        for second in Self.optional where second >= first {
            let left = Set(Self.files).subtracting([first, second])
            #expect(try fault(with: left) == nil, "without \(first), \(second)")
        }
    }

    @Test(arguments: ["stops.txt", "locations.geojson"]) func aFeedMayHaveAnyOneFileOnly(places: String) throws {
        for only in Self.optional {
            let kept = Set(Self.files).subtracting(Self.optional).union([places, only])
            #expect(try fault(with: kept) == nil, "with only \(places), \(only)")
        }
    }

    /// A name is translated by its text, but no stop has a name.
    @Test func translationsWithoutStops() throws {
        let zone = """
            {"type": "FeatureCollection", "features": [{"type": "Feature", "id": "z", "properties": {}, "geometry":
            {"type": "Polygon", "coordinates": [[[8, 50], [8.1, 50], [8.1, 50.1], [8, 50.1], [8, 50]]]}}]}
            """
        let store = try LayeredFeed([
            "stops.txt": nil, "locations.geojson": zone,
            "stop_times.txt": "trip_id,location_id,stop_sequence,start_pickup_drop_off_window,"
                + "end_pickup_drop_off_window\nt,z,1,06:00:00,07:00:00\nt,z,2,06:00:00,07:00:00\n",
            "translations.txt": "table_name,field_name,language,translation,field_value\nstops,stop_name,en,One,Eins\n",
        ]).imported()
        #expect(try store.rows("SELECT field_value, translation FROM gtfs_translations") == ["Eins|One"])
        #expect(try store.rows("SELECT count(*) FROM gtfs_stops") == ["0"])
        #expect(try store.rows("SELECT count(*) FROM search_term") == ["0"])
        #expect(try store.rows("SELECT count(*) FROM gtfs_stop_times WHERE location_id = 'z'") == ["2"])
        try store.expectSound()
    }
}
