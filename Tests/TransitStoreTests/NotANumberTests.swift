import FoundationEssentials
import Testing
import TransitStore

@Suite struct NotANumberTests {
    let fixture = Result { try TestStore.berlin() }
    private func context() throws -> StoreContext { try fixture.get().context() }

    /// SQLite keeps no NaN: it becomes NULL, with which nothing compares.
    @Test func notANumberIsNoValue() throws {
        let context = try context()
        let zoo = try #require(try context.object(Stop.self, id: 7))
        try zoo.setValue(.double(.nan), for: "longitude")
        #expect(zoo.value(of: "longitude") == .null)
        let east = FetchRequest<Stop>(where: #Predicate { $0.id == 7 && $0.longitude! > 0 })
        #expect(try context.fetchCount(east) == 0)
        let placed = FetchRequest<Stop>(where: try Condition(format: "id = 7 AND longitude != NIL"))
        #expect(try context.fetchCount(placed) == 0)
        // The same answers as from SQL alone.
        let nan = QueryExpression.value(.double(.nan))
        let longitude = QueryExpression.property(.root, ["longitude"])
        for op in [ComparisonOperator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual] {
            let request = FetchRequest<Stop>(where: Condition(.comparison(op, longitude, nan)))
            var unchanged = request
            unchanged.includesPendingChanges = false
            context.rollback()
            try zoo.setValue("Zoo", for: "name")
            #expect(try context.fetchCount(request) == context.fetchCount(unchanged), "\(op)")
        }
    }
}
