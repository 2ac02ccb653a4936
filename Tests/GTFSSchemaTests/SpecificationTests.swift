import Foundation
import Testing

@testable import GTFSSchema

/// Checks that the declaration in schema/gtfs.tsv is complete and consistent.
@Suite struct SpecificationTests {
    private static let files = Specification.gtfs.files
    private static let textFiles = files.filter { $0.name.hasSuffix(".txt") }

    @Test func thereAre31TextFilesWith218ColumnsAndTheLocations() {
        #expect(Self.textFiles.count == 31)
        #expect(Self.textFiles.reduce(0) { $0 + $1.fields.count } == 218)
        #expect(Self.files.map(\.name).filter { !$0.hasSuffix(".txt") } == ["locations.geojson"])
        #expect(Specification.gtfs.file(named: "locations.geojson")?.fields.count == 5)
    }

    /// A field whose type is not understood would be left out silently.
    @Test func everyRowOfTheDeclarationIsUnderstood() {
        let rows = TabSeparatedTable(PackageResources.gtfs_tsv, of: "gtfs.tsv", columns: 12).rows
        #expect(rows.count == Self.files.count + Self.files.reduce(0) { $0 + $1.fields.count })
        for row in rows {
            #expect(Presence(rawValue: String(row[5])) != nil, "\(row[0]) \(row[1])")
            if row[1].isEmpty {
                #expect(row[4] == "file", "\(row[0])")
            } else {
                #expect(FieldType(row[4], values: row[8]) != nil, "\(row[0]) \(row[1])")
                #expect(["", "yes"].contains(row[9]), "\(row[0]) \(row[1])")
                #expect(FieldConditions(row[10]) != nil, "\(row[0]) \(row[1])")
                #expect(row[6].isEmpty || Int(row[6]) != nil, "\(row[0]) \(row[1])")
            }
        }
    }

    /// So other texts need not be remembered while a feed is read.
    @Test func `references lead to IDs and to groups of rows`() {
        for field in Self.files.flatMap(\.fields) {
            for target in field.targets {
                let file = Self.files.first { $0.table == target.table }
                let type = file?.fields.first { $0.column == target.column }?.type
                // The table of shapes has no file of its own.
                #expect(type == .id || type == .group || target.table == "shape", "\(field.name)")
            }
        }
    }

    @Test func conditionsNameFieldsOfTheirFile() {
        for file in Self.files {
            for test in file.fields.flatMap(\.conditions).map(\.test) {
                let names: [String] =
                    switch test {
                    case .oneOf(_, let field), .otherThan(_, let field), .filled(let field): [field]
                    case .allEmpty(let first, let second): [first, second]
                    case .severalAgencies, .oneAgency, .always: []
                    }
                for name in names { #expect(file.field(named: name) != nil, "\(file.name) \(name)") }
            }
            for end in file.fields {
                guard let start = end.rangeStart else { continue }
                #expect(file.field(named: start.field)?.type == end.type, "\(file.name) \(end.name)")
            }
        }
    }

    @Test(arguments: [
        ("required: transfer_type=4,5", "with transfer_type 4 or 5"),
        ("required: transfer_type!=4,5", "with a transfer_type other than 4 or 5"),
        ("recommended: to_stop_id", "with to_stop_id"),
        ("required: no location_id,area_id", "without location_id or area_id"),
        ("required: several agencies; recommended: one agency", "in a feed with several agencies"),
    ])
    func conditionsAreReadAndDescribed(text: String, words: String) {
        let conditions = FieldConditions(text)?.presence ?? []
        #expect(conditions.map(\.isRequired) == text.split(separator: "; ").map { $0.hasPrefix("required") })
        #expect(conditions.first?.description == words)
    }

    @Test func rangesAreReadAndDescribed() throws {
        let conditions = try #require(FieldConditions("recommended: to_stop_id; after: start_time"))
        #expect(conditions.presence.map(\.description) == ["with to_stop_id"])
        #expect(conditions.rangeStart?.description == "after start_time")
        #expect(conditions.rangeStart?.allowsEqual == false)
        let days = FieldConditions("not before: start_date")?.rangeStart
        #expect(days?.description == "not before start_date")
        #expect(days?.allowsEqual == true)
    }

    @Test func theRangesOfTheDeclaration() {
        let ranges = Self.files.flatMap { file in
            file.fields.compactMap { end in end.rangeStart.map { "\(file.stem).\(end.name) \($0.description)" } }
        }
        #expect(
            ranges == [
                "stop_times.departure_time not before arrival_time", "calendar.end_date not before start_date",
                "timeframes.end_time after start_time", "frequencies.end_time after start_time",
                "feed_info.feed_end_date not before feed_start_date",
            ])
    }

    @Test(arguments: [
        "forbidden: a", "required:", "required: no a", "required: a=1=2", "a", "before: a", "after:",
        "after: a; after: b",
    ])
    func conditionsThatAreNotUnderstood(text: String) { #expect(FieldConditions(text) == nil) }

    @Test func everythingHasAMeaning() {
        for file in Self.files {
            #expect(isSentence(file.meaning), "\(file.name)")
            for field in file.fields { #expect(isSentence(field.meaning), "\(file.name) \(field.name)") }
        }
    }

    private func isSentence(_ text: String) -> Bool {
        text.count > 15 && text.hasSuffix(".") && text.first?.isUppercase == true
    }

    @Test func namesAreUnique() {
        #expect(Set(Self.files.map(\.name)).count == Self.files.count)
        #expect(Set(Self.files.map(\.table)).count == Self.files.count)
        #expect(Set(Self.files.map(\.view)).count == Self.files.count)
        for file in Self.files {
            #expect(Set(file.fields.map { $0.name.lowercased() }).count == file.fields.count, "\(file.name)")
            #expect(Set(file.fields.map { $0.column.lowercased() } + ["id"]).count == file.fields.count + 1)
        }
    }

    /// The names of tables on which other programs rely.
    @Test func tablesHaveTheNamesThatOthersRelyOn() {
        let tables = Set(Self.files.map(\.table))
        let fixed = [
            "agency", "stop", "route", "service", "service_exception", "trip", "stop_time", "shape_point", "frequency",
            "transfer",
        ]
        #expect(tables.isSuperset(of: fixed))
        let stop = Specification.gtfs.file(ofTable: "stop")
        #expect(stop?.field(named: "stop_lat")?.column == "latitude")
        #expect(stop?.field(named: "stop_lon")?.column == "longitude")
        #expect(stop?.field(named: "stop_name")?.column == "name")
        #expect(stop?.view == "gtfs_stops")
    }

    @Test func everyReferenceLeadsSomewhere() {
        for file in Self.files {
            for field in file.fields {
                let isReference = field.type == .reference
                #expect(!isReference || field.targets.count == 1, "\(file.name) \(field.name)")
                #expect(isReference || field.type == .group || field.targets.isEmpty, "\(file.name) \(field.name)")
                for target in field.targets { check(target, isReference: isReference) }
            }
        }
    }

    /// A reference becomes a foreign key, so it must name a unique ID. A group may also name a group column.
    private func check(_ target: ColumnReference, isReference: Bool) {
        // The table of shapes has no file of its own.
        if target == ColumnReference(table: "shape", column: "shape_id") { return }
        let type = Specification.gtfs.file(ofTable: target.table)?.fields.first { $0.column == target.column }?.type
        #expect(type == .id || !isReference && type == .group, "\(target)")
    }

    @Test func referencesSayWhatTheFeedMustHave() {
        func words(_ file: String, _ field: String) -> String? {
            Specification.gtfs.file(named: file)?.field(named: field)?.targetWords
        }
        #expect(words("stop_times.txt", "stop_id") == "a stop_id of stops.txt")
        #expect(words("routes.txt", "agency_id") == "an agency_id of agency.txt")
        #expect(words("trips.txt", "service_id") == "a service_id of calendar.txt or calendar_dates.txt")
        #expect(words("trips.txt", "shape_id") == "a shape_id of shapes.txt")
        #expect(words("stop_times.txt", "location_id") == "an id of locations.geojson")
        #expect(words("fare_leg_rules.txt", "network_id") == "a network_id of routes.txt or networks.txt")
        #expect(words("fare_rules.txt", "origin_id") == "a zone_id of stops.txt")
        #expect(words("stops.txt", "stop_name") == "")
        for file in Self.files {
            for field in file.fields where !field.targets.isEmpty { #expect(field.targetWords != "", "\(field.name)") }
        }
    }

    @Test func keysAreCountedFromOneWithoutGaps() {
        for file in Self.files {
            let positions = file.fields.compactMap(\.keyPosition).sorted()
            #expect(positions == Array(1..<(positions.count + 1)), "\(file.name)")
            #expect(file.keyFields.map(\.keyPosition) == positions)
        }
    }

    @Test func longTablesAreOrderedByTheirKeys() {
        #expect(Self.files.filter { $0.storage == .clustered }.map(\.table) == ["stop_time", "shape_point"])
    }

    @Test func ownIDsAreTheFirstOfTheirKey() {
        for file in Self.files {
            #expect(file.fields.filter { $0.type == .id }.count <= 1, "\(file.name)")
            if let id = file.idField { #expect(file.keyFields.map(\.name) == [id.name], "\(file.name)") }
        }
    }

    @Test func recordsWithTheirOwnIDAndStopTimesCanBeTranslated() {
        let named = Self.files.compactMap { file in file.recordID.map { "\(file.stem) \($0.table).\($0.column)" } }
        #expect(
            named == [
                "agency agency.agency_id", "stops stop.stop_id", "routes route.route_id", "trips trip.trip_id",
                "stop_times trip.trip_id", "calendar service.service_id", "fare_attributes fare_attribute.fare_id",
                "rider_categories rider_category.rider_category_id", "fare_media fare_media.fare_media_id",
                "areas area.area_id", "networks network.network_id", "pathways pathway.pathway_id",
                "levels level.level_id", "location_groups location_group.location_group_id",
                "booking_rules booking_rule.booking_rule_id", "attributions attribution.attribution_id",
            ])
    }

    @Test func everyEnumerationListsItsValues() {
        for file in Self.files {
            for field in file.fields {
                guard case .enumeration(let values) = field.type else { continue }
                #expect(values.all.count >= 2, "\(file.name) \(field.name)")
            }
        }
        let row = TabSeparatedTable(PackageResources.gtfs_tsv, of: "gtfs.tsv", columns: 12).rows.first {
            $0[1] == "route_type"
        }
        #expect(row?[8] == "0,1,2,3,4,5,6,7,11,12")
        guard
            case .enumeration(let values) = Specification.gtfs.file(named: "routes.txt")?.field(named: "route_type")?
                .type
        else { return #expect(Bool(false)) }
        #expect(values.all == [0, 1, 2, 3, 4, 5, 6, 7, 11, 12])
        #expect(!values.contains(8) && !values.contains(-1) && !values.contains(64) && !values.contains(.max))
    }

    @Test func rangesHoldWhatTheySay() {
        let expected: [(NumberRange, [Bool])] = [
            (.any, [true, true, true]), (.nonNegative, [false, true, true]), (.positive, [false, false, true]),
            (.nonZero, [true, false, true]),
        ]
        #expect(NumberRange.allCases.count == expected.count)
        for (range, results) in expected {
            #expect([-1, 0, 1].map { range.contains(Int64($0)) } == results)
            #expect([-0.5, 0, 0.5].map { range.contains($0) } == results)
        }
    }

    @Test func unknownNamesAreUnknown() {
        #expect(Specification.gtfs.file(named: "Stops.txt") == nil)
        #expect(Specification.gtfs.file(ofTable: "stops") == nil)
        #expect(FieldType("enumeration", values: "") == nil)
        #expect(FieldType("integer>1", values: "") == nil)
    }
}

/// The declaration of notices in schema/notices.tsv.
@Suite struct NoticeCodeTests {
    @Test func everyRowIsUnderstoodAndExplained() {
        let rows = TabSeparatedTable(PackageResources.notices_tsv, of: "notices.tsv", columns: 4).rows
        #expect(rows.count == NoticeCode.all.count)
        for row in rows {
            #expect(["row", "key", "semantic"].contains(row[2]), "\(row)")
        }
        for code in NoticeCode.all {
            #expect(code.meaning.hasSuffix(".") && code.meaning.count > 20, "\(code)")
            #expect(code.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" }, "\(code)")
        }
    }

    @Test func codesAreUnique() {
        #expect(Set(NoticeCode.all.map(\.name)).count == NoticeCode.all.count)
    }

    @Test func severitiesAreTheValidators() {
        #expect(NoticeCode("duplicate_key").severity == .error)
        #expect(NoticeCode("empty_row").severity == .warning)
        #expect(NoticeCode("unknown_column").severity == .info)
        #expect(NoticeCode.Severity.allCases.map(\.rawValue) == ["ERROR", "WARNING", "INFO"])
    }

    @Test func aCodeThatIsNotDeclaredIsAnErrorWithoutMeaning() {
        let code = NoticeCode("no_such_code")
        #expect(code.name == "no_such_code" && code.severity == .error && code.meaning.isEmpty)
        #expect("\(code)" == "no_such_code")
    }
}

/// Compares the page of tables and columns with the declaration.
struct SchemaDocumentationTests {
    private let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "schema/tables.md")

    @Test func thePageIsWhatTheDeclarationSays() throws {
        if ProcessInfo.processInfo.environment["UPDATE_SCHEMA_PAGE"] == "1" {
            try Data(SchemaDocumentation.page.utf8).write(to: page)
        }
        let written = try String(decoding: Data(contentsOf: page), as: UTF8.self)
        #expect(
            written == SchemaDocumentation.page,
            "make it anew: UPDATE_SCHEMA_PAGE=1 swift test --filter SchemaDocumentation")
    }

    @Test func everyTableAndColumnIsOnIt() {
        for file in Specification.gtfs.files {
            #expect(SchemaDocumentation.page.contains("## \(file.table)\n"))
            for field in file.fields { #expect(SchemaDocumentation.page.contains("| `\(field.column)` | ")) }
            for column in StoreSchema.derivedColumns[file.table] ?? [] {
                #expect(SchemaDocumentation.page.contains("| `\(column.name)` | "))
            }
        }
    }
}

/// The tables that are embedded as text.
struct DeclarationTests {
    @Test func `every line but the first is a row`() {
        func lines(_ bytes: [UInt8]) -> Int { bytes.split(separator: UInt8(ascii: "\n")).count - 1 }
        let gtfs = Specification.gtfs.files
        #expect(gtfs.count + gtfs.reduce(0) { $0 + $1.fields.count } == lines(PackageResources.gtfs_tsv))
        #expect(FeedRules.all.rules.count == lines(PackageResources.rules_tsv))
        #expect(NoticeCode.all.count == lines(PackageResources.notices_tsv))
    }

    @Test func `a line without all columns ends the program with its place`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = TabSeparatedTable(Array("a\tb\n1\t2\n3\n".utf8), of: "rules.tsv", columns: 2)
        }
        let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(words.contains("rules.tsv:3 has 1 of 2 columns"))
    }

    @Test func `a last line without a line feed ends the program with its place`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = TabSeparatedTable(Array("a\tb\n1\t2".utf8), of: "rules.tsv", columns: 2)
        }
        let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(words.contains("rules.tsv:2 does not end with a line feed"))
    }
}
