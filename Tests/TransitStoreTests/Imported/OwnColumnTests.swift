import Foundation
import Testing

@testable import TransitStore

/// Columns that a feed adds under names that collide: with the Swift name of another column, or only for Swift, which
/// takes é in one code point and in two for the same.
@Suite struct OwnColumnTests {
    private static let (composed, decomposed) = ("\u{E9}", "e\u{301}")

    private static func imported(_ attributions: String) throws -> ImportedStore {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.copyItem(atPath: ImportedStore.packageRoot + "/pipelines/sample-feed", toPath: folder)
        try attributions.write(toFile: folder + "/attributions.txt", atomically: true, encoding: .utf8)
        return try ImportedStore(feed: folder)
    }

    private let imported = Result {
        try Self.imported(
            """
            organization_name,is_producer,note_,note,organizationName,fare__x,\(composed),\(decomposed),normalized_note
            Org,1,below,Plain,own,price,one,two,other

            """)
    }

    private static let names: [(name: String, value: QueryValue)] = [
        ("organization_name", "Org"), ("organizationName", "own"), ("is_producer", 1), ("isProducer", 1),
        ("note", "Plain"), ("note_", "below"), ("fare__x", "price"), ("fareX", "price"), (composed, "one"),
        (decomposed, "two"),
    ]

    private func context() throws -> StoreContext { try imported.get().context() }

    private func found(_ context: StoreContext, _ format: String, _ arguments: Any?...) throws -> Int {
        let condition = try Condition<StoredRow>(
            format: format, arguments: arguments, entity: "attribution", in: context.stores[0])
        return try context.fetch(FetchRequest<StoredRow>(entity: "attribution", where: condition)).count
    }

    @Test func `a decoded id leads to the object with all columns`() throws {
        let context = try context()
        let row = try #require(try context.fetchFirst(FetchRequest<StoredRow>(entity: "attribution")))
        let id = try JSONDecoder().decode(ObjectID.self, from: JSONEncoder().encode(row.objectID))
        #expect(context.object(with: id) === row)
        #expect(context.registeredObject(for: id) === row)
        let other = try self.context().object(with: id) as? StoredRow
        #expect(other?["fare__x"] == "price")
    }

    @Test func `each name stands for its own column`() throws {
        let context = try context()
        let row = try #require(try context.fetchFirst(FetchRequest<StoredRow>(entity: "attribution")))
        for (name, value) in Self.names {
            #expect(row[name] == value, "\(name)")
            #expect(try found(context, "%K = %@", name, value) == 1, "\(name)")
            #expect(try found(context, "%K = %@", name, value == 1 ? QueryValue.integer(7) : "no") == 0, "\(name)")
        }
        try row.setValue("changed", for: "note")
        #expect(row["note"] == "changed" && row["note_"] == "below")
        #expect(try found(context, "note = 'changed' AND note_ = 'below'") == 1)
    }

    @Test func `whole rows have each column once`() throws {
        let context = try context()
        let request = FetchRequest<StoredRow>(entity: "attribution")
        let row = try #require(try context.fetchRows(request).first)
        #expect(Set(row.names.map { ExactText($0) }).count == row.names.count)
        for name in ["note", "note_", "organization_name", "organizationName", Self.composed, Self.decomposed] {
            let expected = try #require(Self.names.first { $0.name.hasSameBytes(as: name) }?.value)
            #expect(try row.value(of: name) == expected, "\(name)")
        }
        try context.fetch(request)[0].setValue("changed", for: "note_")
        let changed = try #require(try context.fetchRows(request).first)
        #expect(changed["note_"] == "changed" && changed["note"] == "Plain" && changed[Self.decomposed] == "two")
    }

    @Test func `requests for columns that Swift takes for equal`() throws {
        let store = try imported.get().open()
        func request(_ name: String) throws -> FetchRequest<StoredRow> {
            FetchRequest(
                entity: "attribution",
                where: try Condition(format: "%K = 'one'", arguments: [name], entity: "attribution", in: store))
        }
        let (one, other) = (try request(Self.composed), try request(Self.decomposed))
        #expect(one != other && one == one)
        let context = store.makeContext()
        for _ in 0..<3 { #expect(try [one, other].map { try context.fetchCount($0) } == [1, 0]) }
        let row = try #require(try context.fetchFirst(one))
        #expect(row[Self.composed] == "one" && row[Self.decomposed] == "two")
    }

    /// A column of a feed is not the folded form of another, whatever it is called.
    @Test func `a feed's own column called normalized is not the folded text of another`() throws {
        let context = try context()
        #expect(try found(context, "note BEGINSWITH[cd] 'PLA'") == 1)
        #expect(try found(context, "note =[cd] 'other'") == 0)
        #expect(try found(context, "normalized_note =[cd] 'OTHER'") == 1)
    }

    @Test func `two stores whose columns Swift takes for equal`() throws {
        let stores = try [Self.composed, Self.decomposed].map {
            try Self.imported("organization_name,is_producer,\($0)\nOrg,1,value\n")
        }
        for (store, own, other) in [
            (stores[0], Self.composed, Self.decomposed), (stores[1], Self.decomposed, Self.composed),
        ] {
            let context = try store.context()
            let row = try #require(try context.fetchFirst(FetchRequest<StoredRow>(entity: "attribution")))
            #expect(row[own] == "value" && row[other] == .null)
            #expect(try found(context, "%K = 'value'", own) == 1)
            #expect(throws: StoreError.self) { try found(context, "%K = 'value'", other) }
        }
    }
}
