import Testing
import TransitStore

/// A table without a class whose columns differ from store to store, because one feed has a column of its own.
@Suite struct OwnColumnsTests {
    private static let header = "fare_id,price,currency_type,payment_method,transfers"
    private let stores = Result {
        let feed = ImportedStore.packageRoot + "/pipelines/sample-feed"
        let plain = ["fare_attributes.txt": "\(header)\nshort,1.80,EUR,0,0\nlong,2.80,EUR,0,0"]
        let noted = ["fare_attributes.txt": "\(header),note\nboat,9.00,EUR,0,0,wet\nslow,4.00,EUR,0,0,dry"]
        return try [plain, noted].map { try ImportedStore(files: $0, over: feed) }
    }

    private func contexts() throws -> [StoreContext] {
        let stores = try stores.get().map { try $0.open() }
        return [stores, stores.reversed()].map { StoreCoordinator($0).makeContext() }
    }

    private let request = FetchRequest<StoredRow>(entity: "fare_attribute")

    private func notes(_ rows: some Sequence<StoredRow>) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: rows.map { row in
                let note = row.value(of: "note")?.description ?? "no column"
                return (row.value(of: "fare_id")?.description ?? "", note)
            })
    }

    private let expected = ["'short'": "no column", "'long'": "no column", "'boat'": "'wet'", "'slow'": "'dry'"]

    @Test func `batches have the columns of each store`() async throws {
        for context in try contexts() {
            let objects = try context.fetch(request)
            #expect(notes(objects) == expected)
            let batches = try context.fetchBatches(request)
            #expect(notes(batches) == expected)
            #expect(Array(batches).elementsEqual(objects) { $0 === $1 })
            #expect(try context.fetchIDs(request) == objects.map(\.objectID))
            #expect(context.lastError == nil)
        }
    }

    @Test func `a changed row of either store is listed once`() throws {
        for context in try contexts() {
            for row in try context.fetch(request) { try row.setValue(1.5, for: "price") }
            var sorted = request
            sorted.sortDescriptors = [.by(.property(.root, ["fare_id"]))]
            for request in [request, sorted] {
                let batches = try context.fetchBatches(request)
                #expect(batches.count == 4)
                #expect(batches.map { $0.value(of: "price") } == [1.5, 1.5, 1.5, 1.5])
                #expect(notes(batches) == expected)
            }
            #expect(try context.fetchCount(request) == 4)
        }
    }
}
