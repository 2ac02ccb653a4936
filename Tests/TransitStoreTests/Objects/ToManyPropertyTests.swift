import Testing
import TransitStore

/// A to-many relationship where a request needs one value.
@Suite struct ToManyPropertyTests {
    private static func refusal(_ name: String) -> String {
        "\(name) leads to many rows, so it cannot be sorted by, fetched or grouped by. Use their number: .count in a key "
            + "path, \(name).@count in words"
    }

    private static let requests: [FetchRequest<Stop>] = [
        FetchRequest(sortedBy: .ascending(\.stopTimes)),
        FetchRequest().selecting(.attribute(\.stopTimes)),
        FetchRequest().selecting(.max(\.stopTimes)),
        FetchRequest().groups(by: .attribute(\.stopTimes)),
        FetchRequest(sortedBy: .ascending(\.stopTimes)).groups(by: .attribute(\.name)),
    ]

    @Test(arguments: requests) func `a key path to many rows is refused`(request: FetchRequest<Stop>) throws {
        let context = try TestStore.berlin().context()
        let error = #expect(throws: StoreError.self) {
            if request.propertiesToFetch.isEmpty, request.propertiesToGroupBy.isEmpty {
                _ = try context.fetch(request)
            } else {
                _ = try context.fetchRows(request)
            }
        }
        #expect(error?.code == .untranslatable)
        #expect(error?.message == Self.refusal("stopTimes"))
    }

    @Test func `a key path to many rows behind an optional one is refused`() throws {
        let context = try TestStore.berlin().context()
        var request = FetchRequest<Stop>(sortedBy: .ascending(\.parentStation?.stopTimes))
        let error = #expect(throws: StoreError.self) { try context.fetch(request) }
        #expect(error?.code == .untranslatable)
        #expect(
            error?.message
                == Self.refusal("parentStation.stopTimes"))
        request.sortDescriptors = [.descending(\.parentStation?.stopTimes.count), .ascending(\.id)]
        #expect(try context.fetch(request).map(\.id) == [2, 5, 0, 1, 3, 4, 6, 7])
    }

    @Test func `sections of many rows are refused`() throws {
        let context = try TestStore.berlin().context()
        let error = #expect(throws: StoreError.self) {
            try FetchedResults(FetchRequest<Stop>(), sectionedBy: \.stopTimes, in: context)
        }
        #expect(error?.code == .untranslatable)
    }

    @Test(arguments: [RequestText.Part.sort, .properties, .groupBy])
    func `words for many rows are refused with an example`(
        part: RequestText.Part
    ) throws {
        let store = try TestStore.berlin()
        func read(_ words: String) throws -> FetchRequest<Stop> {
            var text = RequestText(entity: "Stop")
            switch part {
            case .sort: text.sort = words
            case .properties: text.properties = words
            default: text.groupBy = words
            }
            return try text.request(in: store.open())
        }
        let error = #expect(throws: StoreError.self) { try read("name, stopTimes.departureTime") }
        #expect(error?.code == .untranslatable)
        #expect(
            error?.message == """
                \(part.rawValue): stopTimes stands for many rows (a to-many relationship), which cannot be sorted by, \
                fetched or grouped by; ask for stopTimes.@count, or for another aggregate such as stopTimes.@min.NAME
                  name, stopTimes.departureTime
                        ^~~~~~~~~
                """)
        for words in ["name, stopTimes.@count", "name, stopTimes.@min.departureTime"] {
            _ = try store.context().fetchRows(try read(words))
        }
        let path = #expect(throws: StoreError.self) { try read("name, parentStation.stopTimes") }
        #expect(path?.message.contains("ask for parentStation.stopTimes.@count, or") == true)
        _ = try read("parentStation.stopTimes.@count")
        let condition = #expect(throws: StoreError.self) { try read("TERNARY(stopTimes.stopSequence > 3, 1, 2)") }
        #expect(condition?.message.contains("put ANY, ALL or NONE before the comparison") == true)
    }
}
