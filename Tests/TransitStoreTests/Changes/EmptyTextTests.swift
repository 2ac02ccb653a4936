import FoundationEssentials
import Testing
import TransitStore

/// A text that was set to "" reads like an empty cell after an import: the store keeps NULL.
@Suite struct EmptyTextTests {
    private static let inWords = [
        "name = NIL", "name != NIL", "name = ''", "name != ''", "name BEGINSWITH ''", "name.length = 0",
        "name IN {'', 'x'}",
        "coalesce(name, 'x') = 'x'", "platformCode = NIL", "platformCode != NIL", "platformCode = ''",
        "platformCode != ''", "platformCode LIKE '*'", "coalesce(platformCode, 'x') = 'x'", "normalizedName = NIL",
        "ANY childStops.platformCode = NIL", "parentStation.name = ''",
        "SUBQUERY(childStops, $x, $x.name = '').@count > 0",
    ]
    private static let typed: [Predicate<Stop>] = [
        #Predicate { $0.name == "" }, #Predicate { $0.name.isEmpty }, #Predicate { $0.platformCode == nil },
        #Predicate { $0.platformCode == "" }, #Predicate { $0.platformCode?.isEmpty == true },
        #Predicate { ($0.platformCode ?? "x") == "x" }, #Predicate { $0.normalizedName == "" },
        #Predicate { $0.parentStation?.name == "" },
        #Predicate { $0.childStops.contains { $0.platformCode == nil } },
    ]

    /// A station, and stops with and without a name and a platform. `empty` is what stands in two cells of stop 2.
    private func store(_ empty: String) throws -> TestStore {
        try TestStore { connection in
            try connection.insertStop(0, "Bahnhof", 52, 13, type: 1)
            try connection.insertStop(1, nil, 52, 13, parent: 0, platform: "1")
            try connection.insertStop(
                2, empty.isEmpty ? nil : empty, 52, 13, parent: 0, platform: empty.isEmpty ? nil : empty)
            try connection.insertStop(3, "Hafen", 52, 13, parent: 2)
        }
    }

    @Test func `unsaved changes give the answers of a store that has them`() throws {
        let (imported, edited) = (try store("").context(), try store("3").context())
        let stop = try #require(try edited.object(Stop.self, id: 2))
        try stop.set(\.name, to: "")
        try stop.setValue("", for: "platformCode")
        let twin = try #require(try imported.object(Stop.self, id: 2))
        #expect(stop.name == "" && stop.platformCode == nil)
        #expect(stop.value(of: "name") == .null && twin.value(of: "name") == .null)
        var conditions: [(String, Condition<Stop>)] = []
        for text in Self.inWords { conditions.append((text, try Condition(format: text))) }
        for predicate in Self.typed { conditions.append(("\(predicate)", Condition(predicate))) }
        for (text, condition) in conditions {
            let request = FetchRequest<Stop>(where: condition)
            let wanted = try imported.fetch(request).map(\.id).sorted()
            #expect(try edited.fetch(request).map(\.id).sorted() == wanted, "\(text)")
            #expect(try edited.fetchCount(request) == wanted.count, "\(text)")
        }
        for predicate in Self.typed {
            let wanted = try imported.fetch(FetchRequest<Stop>(where: predicate)).map(\.id).sorted()
            let evaluated = try edited.fetch(FetchRequest<Stop>()).filter { try predicate.evaluate($0) }
            #expect(evaluated.map(\.id).sorted() == wanted, "\(predicate)")
        }
        var table = FetchRequest<Stop>(sortedBy: .ascending(\.id))
        table.propertiesToFetch = [.attribute(\.name), .attribute(\.platformCode)]
        #expect(try edited.fetchRows(table) == imported.fetchRows(table))
    }

    @Test func `an empty text set in inserted objects and tables without a class is missing`() throws {
        let test = try TestStore { connection in
            try connection.insertStop(0, nil, 52, 13)
            try connection.insert("fare_attribute", "id, fare_id, currency_type", ["0, 'kurz', 'EUR'"])
        }
        let context = try test.context()
        let stop = context.insert(Stop.self)
        try stop.setValue(QueryValue.text(""), for: "name")
        #expect(try context.fetchCount(FetchRequest<Stop>(where: try Condition(format: "name = NIL"))) == 2)
        let fares = FetchRequest<StoredRow>(entity: "fare_attribute")
        let fare = try #require(try context.fetchFirst(fares))
        try fare.setValue("", for: "currencyType")
        #expect(fare.value(of: "currencyType") == .null)
    }
}
