import SQLite
import Testing

@testable import TransitStore

/// A feed may call a column of its own as a relationship is called here.
@Suite struct HiddenRelationshipTests {
    private let fixture = Result {
        try TestStore { connection in
            for name in ["fare_rules", "fareRules"] {
                try connection.execute("ALTER TABLE fare_attribute ADD COLUMN \(name) TEXT")
            }
            try connection.execute(
                "INSERT INTO fare_attribute(id, fare_id, price, fare_rules, fareRules) VALUES (0, 'f', 2.5, 'a', 'b')")
            try connection.execute("INSERT INTO fare_attribute(id, fare_id) VALUES (1, 'g')")
            try connection.execute("INSERT INTO fare_rule(id, fare, origin_id) VALUES (0, 0, 'zone'), (1, 0, NULL)")
        }
    }

    private static let names = ["fareRules", "fare_rules"]

    @Test(arguments: names) func `the relationship takes precedence`(name: String) throws {
        let store = try fixture.get().open()
        let context = store.makeContext()
        let fares = try context.fetch(FetchRequest<StoredRow>(entity: "fare_attribute"))
        #expect(try fares.map { try $0.objects(of: name).count } == [2, 0])
        for isChanged in [false, true] {
            if isChanged { try fares[1].setValue(1, for: "price") }
            for (format, count) in [
                ("\(name).@count = 2", 1), ("ANY \(name).originID = 'zone'", 1), ("NONE \(name).id = 1", 1),
            ] {
                let condition = try Condition<StoredRow>(format: format, entity: "fare_attribute", in: store)
                let request = FetchRequest<StoredRow>(entity: "fare_attribute", where: condition)
                #expect(try context.fetchCount(request) == count, "\(format)")
            }
        }
        var request = FetchRequest<StoredRow>(entity: "fare_attribute")
        request.relationshipNamesForPrefetching = [name]
        #expect(try store.makeContext().fetch(request).map { try $0.objects(of: name).count } == [2, 0])
    }

    @Test func `the column stays readable`() throws {
        let context = try fixture.get().context()
        let request = FetchRequest<StoredRow>(entity: "fare_attribute")
        let fare = try context.fetch(request)[0]
        #expect(fare["fare_rules"] == "a" && fare["fareRules"] == "b")
        #expect(try fare.feedColumns() == ["fare_rules": "a", "fareRules": "b"])
        for isChanged in [false, true] {
            if isChanged { try fare.setValue("c", for: "fare_rules") }
            let row = try context.fetchRows(request)[0]
            #expect(row["fare_rules"] == (isChanged ? "c" : "a") && row["fareRules"] == "b")
        }
        #expect(fare["fare_rules"] == "c")
    }
}
