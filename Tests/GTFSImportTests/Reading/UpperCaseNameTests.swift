import Foundation
import TestSupport
import Testing

@testable import GTFSImport

/// A feed whose files are called STOPS.TXT is read as if they had their right names.
@Suite struct UpperCaseNameTests {
    /// Renames every file of the small feed that a layer does not have.
    private func feed(_ layer: [String: [UInt8]], inUpperCase: Bool) throws -> LayeredFeed {
        let feed = try LayeredFeed(SmallFeed.files.mapValues { _ in nil })
        var files = SmallFeed.files.mapValues { Array($0.utf8) }
        files.merge(layer) { $1 }
        for (name, bytes) in files { try feed.write(inUpperCase ? name.uppercased() : name, bytes) }
        return feed
    }

    /// The names of stops, which come first among the texts of a feed, decide about the encoding.
    @Test func aFileNameInUpperCaseDoesNotChangeTheEncoding() throws {
        let names = ["Zażółć gęślą jaźń", "Święty Krzyż", "Łódź Fabryczna", "Dworzec Główny", "Żółkiewskiego"]
        let rows = names.enumerated().map { "s\($0 + 1),\($1),50.\($0 + 1),8.1\n" }.joined()
        let text = "stop_id,stop_name,stop_lat,stop_lon\n" + rows
        let stops = try #require(text.data(using: .windowsCP1250)).map(\.self)
        for inUpperCase in [false, true] {
            let store = try feed(["stops.txt": stops], inUpperCase: inUpperCase).imported()
            #expect(try store.rows("SELECT name FROM stop ORDER BY id") == names)
            #expect(
                try store.rows("SELECT encoding FROM feed_file WHERE lower(name) = 'stops.txt'") == ["windows-1250"])
        }
    }

    @Test(arguments: [false, true]) func anErrorLimitCountsErrorsOfFilesInUpperCase(inUpperCase: Bool) throws {
        let stops = "stop_id,stop_name,stop_lat,stop_lon\ns1,One,50.1,8.1\ns2,Two,50.2,8.2\ns2,Again,50.2,8.2\n"
        let feed = try feed(["stops.txt": Array(stops.utf8)], inUpperCase: inUpperCase)
        feed.options.policy.errorLimits = [ErrorLimit(.file("stops.txt"), maximum: 0)]
        #expect(feed.run().error?.code == .feedRefused)
        feed.options.policy.errorLimits = [ErrorLimit(.file("stops.txt"), maximum: 1)]
        #expect(feed.run().error == nil)
    }
}
