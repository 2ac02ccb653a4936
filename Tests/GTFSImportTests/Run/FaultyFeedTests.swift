import Foundation
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// Faulty feeds, most of them with one named fault. Each is published with the right notice or refused with a message
/// that names the fault.
@Suite struct FaultyFeedTests {
    private struct Outcome: Equatable {
        var refusal: String?
        var notices: [String] = []
    }

    private static let outcomes: [String: Outcome] = {
        var outcomes: [String: Outcome] = [:]
        for line in FaultyFeedOutcomes.table.split(separator: "\n") {
            let parts = line.components(separatedBy: " | ")
            switch parts[1] {
            case "refused": outcomes[parts[0], default: Outcome()].refusal = parts[2]
            case "published": outcomes[parts[0], default: Outcome()].refusal = nil
            default: outcomes[parts[0], default: Outcome()].notices.append("\(parts[1]) \(parts[2])")
            }
        }
        return outcomes
    }()

    @Test(
        .enabled(if: RealFeeds.folder != nil, Comment(rawValue: RealFeeds.absent)),
        arguments: RealFeeds.zips(in: "faulty"))
    func endsAsPromised(feed: String) throws {
        let folder = try TemporaryFolder()
        let store = folder.path("store.sqlite")
        let (report, error) = Importer(ImportOptions(feed: feed, store: store)).run()
        let name = URL(filePath: feed).deletingPathExtension().lastPathComponent
        let outcome = try #require(Self.outcomes[name], "\(name) is not in the table")
        if let refusal = outcome.refusal {
            let message = try #require(error).message.replacing(RealFeeds.path + "/faulty/", with: "")
            #expect(error?.code == .feedRefused)
            #expect(message.hasPrefix("\(name).zip: \(refusal)"), "\(message)")
            #expect(try folder.contents().isEmpty)
        } else {
            #expect(error == nil)
            #expect(report.status == .published)
            let notices = try Self.notices(store)
            for notice in outcome.notices { #expect(notices.contains(notice), "\(notices.sorted())") }
            #expect(try Connection.faults(of: store) == [])
        }
    }

    /// Code, file and row of each notice in a store.
    private static func notices(_ store: String) throws -> Set<String> {
        let connection = try Connection(path: store, mode: .readOnly)
        let rows = try connection.prepare("SELECT code, COALESCE(file, '-'), COALESCE(row_number, '-') FROM notice")
        var notices: Set<String> = []
        while try rows.step() {
            notices.insert((0..<3).map { rows.text($0) ?? "" }.joined(separator: " "))
        }
        return notices
    }
}
