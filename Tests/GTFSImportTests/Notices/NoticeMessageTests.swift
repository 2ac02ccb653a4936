import Foundation
import GTFSSchema
import TestSupport
import Testing

@testable import GTFSImport

/// The exact message for each kind of fault. Each has a small feed, made of the valid feed and a layer over it.
@Suite struct NoticeMessageTests {
    @Test func theRightFeedHasNoNotice() throws {
        let store = try LayeredFeed().imported()
        #expect(try store.messages.isEmpty)
        try store.expectSound()
    }

    @Test(arguments: NoticeCases.all)
    func eachMessageIsExactAndNamesItsPlace(of notice: NoticeCase) throws {
        let feed = try LayeredFeed(notice.layer)
        let (report, error) = feed.run()
        #expect(report.notices.contains { $0.code == notice.kind.code.name })
        guard !notice.messages.isEmpty else { return #expect(error?.code == .feedRefused) }
        try #require(report.status == .published, "\(error?.message ?? "")")
        let store = try AskedStore(feed.options.store)
        let found = try messages(of: store, about: notice)
        #expect(found == notice.messages)
        let codes = try store.rows("SELECT DISTINCT code || '|' || severity FROM notice")
        #expect(codes.contains("\(notice.kind.code.name)|\(notice.kind.code.severity.rawValue)"))
        #expect(try store.rows(Self.misplaced).isEmpty)
        try store.expectSound()
    }

    /// A notice names an existing file and row, and its message begins with both. The rows of locations.geojson are its
    /// features.
    private static let misplaced = """
        SELECT message FROM notice WHERE file IS NOT NULL AND message NOT LIKE file || '%'
        OR row_number IS NOT NULL AND message NOT LIKE
            file || CASE file WHEN 'locations.geojson' THEN ', feature ' ELSE ', row ' END || row_number || '%'
        OR row_number < 1
        """

    private func messages(of store: AskedStore, about notice: NoticeCase) throws -> [String] {
        let isAboutUse = [.stopWithoutStopTime, .unusedTrip, .unusableTrip].contains(notice.kind)
        let meant = isAboutUse ? "true" : "\(SmallFeed.withoutUnused) OR code = '\(notice.kind.code.name)'"
        return try store.rows("SELECT message FROM notice WHERE \(meant) ORDER BY id")
    }

    @Test func everyKindHasItsFeed() {
        let tested = Set(NoticeCases.all.map(\.kind))
        #expect(Set(NoticeKind.allCases).subtracting(tested) == NoticeCases.testedElsewhere)
    }
}

/// A fault and the messages about it.
struct NoticeCase: Sendable, CustomTestStringConvertible {
    let kind: NoticeKind
    let layer: [String: String?]
    /// Every message of the store in order; empty if the feed is refused.
    let messages: [String]

    init(_ kind: NoticeKind, _ layer: [String: String?], _ messages: [String]) {
        (self.kind, self.layer, self.messages) = (kind, layer, messages)
    }

    var testDescription: String { kind.stringValue }
}
