import Foundation
import GTFSFeed
import GTFSSchema
import KeySorting
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// The rules of schema/rules.tsv. `NoticeCases` has a feed for each code.
@Suite struct StoreRulesTests {
    @Test func everyCodeIsDeclared() {
        for rule in FeedRules.all.rules {
            #expect(NoticeKind(code: rule.code) != nil, "\(rule.code)")
            #expect(!NoticeCode(rule.code).meaning.isEmpty, "\(rule.code)")
            #expect(Specification.gtfs.file(named: rule.file) != nil, "\(rule.code): \(rule.file)")
        }
    }

    /// Rules of one table stand together, as they are checked in one pass.
    @Test func rulesOfATableStandTogether() {
        let tables = FeedRules.all.rules.map(\.table)
        let changes = zip(tables, tables.dropFirst()).count { $0 != $1 }
        #expect(changes + 1 == Set(tables).count)
    }

    /// Each word in schema/rules.tsv belongs to one part of `ComparedRules`, and no part has another word.
    @Test func everyComparisonIsKnown() throws {
        let words = FeedRules.all.rules.compactMap(\.comparison)
        #expect(Set(words).count == words.count)
        let small = try LayeredFeed([:])
        let file = small.folder.path("private")
        try Data().write(to: URL(filePath: file))
        let place = try StorePlace(
            at: file, for: try OpenedFeed.open(small.options.feed),
            space: SortingSpace(folder: small.folder.path("")), options: small.options,
            cancellation: CancellationFlag())
        let builder = try StoreBuilder(at: place, options: small.options)
        let parts = try builder.comparedRules(Connection(reading: place.file), in: place).parts
        #expect(parts.flatMap { $0.words }.sorted() == words.sorted())
        for part in parts {
            for word in words where !part.words.contains(word) {
                #expect(!part.mayFind(word), "\(type(of: part)): \(word)")
            }
        }
    }

    /// Each thread counts its notices alone, so it must give all notices of a code.
    @Test func aCodeIsGivenByOneThread() {
        let compared = Set(FeedRules.all.rules.filter { $0.comparison != nil }.map(\.code))
        let others = FeedRules.all.rules.filter { $0.comparison == nil }.map(\.code)
        #expect(compared.isDisjoint(with: others))
    }

    /// Terms name columns of their table, and numbers that fit the bits of `RowFacts`.
    @Test func termsNameColumns() throws {
        for (table, facts) in FeedRules.all.facts {
            let file = try #require(Specification.gtfs.file(ofTable: table))
            let columns = StoreSchema.columns(of: file)
            for term in facts.flatMap(\.terms) {
                #expect(columns.contains(term.column), "\(table): \(term)")
                switch term {
                case .among(_, let values), .notAmong(_, let values):
                    #expect(values.allSatisfy { (0..<64).contains($0) }, "\(table): \(term)")
                case .same(_, let other): #expect(columns.contains(other), "\(table): \(term)")
                case .filled, .empty: break
                }
            }
        }
    }

    @Test func everyStatementOfARuleIsValidSQL() throws {
        let (connection, folder) = try SmallFeed.store([:])
        defer { withExtendedLifetime(folder) {} }
        try RuleFunctions().register(on: connection)
        try TripRules.register(on: connection, lengths: [:])
        for rule in FeedRules.all.rules where !rule.isAboutHeader {
            func filled(_ sql: String) -> String {
                let (words, braces) = FeedRule.parts(of: sql)
                return zip(words, braces.map { $0 == "files" ? "'stops'" : $0 } + [""]).map { $0 + $1 }.joined()
            }
            let table = StoreSchema.quoted(rule.table)
            let times = rule.times.isEmpty ? "1" : rule.times
            _ = try connection.prepare(rule.detailsSQL)
            // The import finds the rows of these rules itself; only their messages are SQL.
            guard rule.comparison == nil else { continue }
            _ = try connection.prepare(
                "SELECT t.id, \(filled(rule.broken)), \(times) FROM \(table) AS t NOT INDEXED \(filled(rule.join))")
        }
    }

    @Test func thousandsOfFindingsAreCountedAndTheFirstKept() throws {
        let routes = (0..<5_000).map { "q\($0),a,,,3,http://a.example\n" }.joined()
        let feed = try LayeredFeed([
            "routes.txt": "route_id,agency_id,route_short_name,route_long_name,route_type,route_url\nr,a,1,,3,\n"
                + routes,
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,stop_url\ns1,One,50.1,8.1,http://a.example\n"
                + "s2,Two,50.2,8.2,\n",
        ])
        feed.options.noticesKeptPerCode = 7
        let store = try feed.imported()
        #expect(
            try store.rows("SELECT code, count, kept FROM notice_total WHERE \(SmallFeed.withoutUnused) ORDER BY code")
                == [
                    "duplicate_route_name|4999|7", "route_both_short_and_long_name_missing|5000|7",
                    "same_route_and_agency_url|5000|7", "same_stop_and_agency_url|1|1",
                    "same_stop_and_route_url|5000|7",
                ])
        #expect(
            try store.rows("SELECT row_number FROM notice WHERE code = 'route_both_short_and_long_name_missing'")
                == (3...9).map(String.init))
        #expect(
            try store.rows(
                "SELECT message FROM notice WHERE code = 'same_stop_and_route_url' ORDER BY id LIMIT 1 OFFSET 6")
                == [
                    "stops.txt, row 2, stop_url: \"http://a.example\" is also the route_url of row 3 of routes.txt and "
                        + "of others; stored as it is"
                ])
    }

    @Test func longValuesAreShortened() throws {
        let name = String(repeating: "Long name ", count: 500)
        let store = try LayeredFeed([
            "routes.txt": "route_id,agency_id,route_short_name,route_long_name,route_type\nr,a,\(name),\(name)A,3\n"
        ]).imported()
        #expect(try store.rows("SELECT max(length(message)) < 600, max(length(value)) FROM notice") == ["1|201"])
    }

    /// A filter may have removed what makes use of a station, so no rule complains about what is not used.
    @Test func filtersLeaveOutRulesAboutUse() throws {
        let layer = [
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\ns1,One,50.1,8.1,,\n"
                + "s2,Two,50.2,8.2,,\nz,Station,50.3,8.3,1,\n",
            "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nx,50.1,8.1,1\nx,50.2,8.2,2\n"
                + "y,50.1,8.1,1\ny,50.2,8.2,2\n",
        ]
        #expect(
            try LayeredFeed(layer).imported().rows("SELECT code FROM notice_total ORDER BY code") == [
                "unusable_trip", "unused_shape", "unused_station", "unused_trip",
            ])
        let filtered = try LayeredFeed(layer)
        filtered.options.filter.routes = ["r"]
        #expect(try filtered.imported().rows("SELECT code FROM notice_total") == ["unusable_trip", "unused_trip"])
    }

    @Test func `a feed may be valid for one day`() throws {
        let store = try LayeredFeed([
            "feed_info.txt": "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date\n"
                + "A,http://a.example,de,20260105,20260105\n"
        ]).imported()
        #expect(try store.rows("SELECT * FROM notice WHERE code LIKE 'start_and_end_range%'").isEmpty)
    }

    /// The feed is valid from 1 January to 31 December.
    @Test(arguments: [
        ("20260115", "20261217", 0), ("20260116", "20261217", 1), ("20260115", "20261216", 1),
    ])
    func `a feed may be valid for 14 days before and after its services`(first: String, last: String, count: Int)
        throws
    {
        let store = try LayeredFeed([
            "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                + "w,1,1,1,1,1,1,1,\(first),\(last)\n"
        ]).imported()
        let notices = try store.rows(
            "SELECT message FROM notice WHERE code = 'feed_valid_beyond_total_service_window'")
        #expect(notices.count == count)
    }

    /// Rows of files in any order: the parent of a stop comes later, in another block of rows.
    @Test func parentsThatComeLaterCount() throws {
        let others = (0..<20_000).map { "o\($0),Other,50.1,8.1,,\n" }.joined()
        let store = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\ns1,One,50.1,8.1,,p\n"
                + "s2,Two,50.2,8.2,,\n\(others)p,Last,50.3,8.3,,\n"
        ]).imported()
        #expect(
            try store.messages == [
                "stops.txt, row 2, parent_station: \"p\" is not a station, which the parent of a stop must be; stored as "
                    + "it is"
            ])
    }

    @Test(arguments: [
        ("Main", "MAIN", true), ("Öst", "öST", true), ("Öst", "Ost", false), ("Straße", "STRASSE", false),
        ("Main", "Mains", false), ("", "", true), ("ΣΑΣ", "σας", true), ("İst", "ist", true), ("ıst", "IST", true),
    ])
    func textsAreComparedInAnyCase(_ first: String, _ second: String, _ isEqual: Bool) {
        var (first, second) = (first, second)
        let order = first.withUTF8 { a in
            second.withUTF8 { b in
                RuleFunctions.compareInAnyCase(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b))
            }
        }
        #expect((order == 0) == isEqual)
    }

    @Test(arguments: [
        ("000000", 0), ("FFFFFF", 255), ("ffffff", 255), ("ff0000", 76), ("474747", 71), ("FFF", nil), ("GG0000", nil),
    ])
    func lumaIsComputedFromSixDigits(_ color: String, _ luma: Int64?) {
        var color = color
        #expect(color.withUTF8 { RuleFunctions.luma(UnsafeRawBufferPointer($0)) } == luma)
    }
}
