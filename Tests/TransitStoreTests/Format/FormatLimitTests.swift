import Testing

@testable import TransitStore

/// What a hostile text can cost has an end.
@Suite struct FormatLimitTests {
    @Test func depthAndLengthAreBounded() throws {
        for format in [
            String(repeating: "(", count: 60_000), String(repeating: "NOT ", count: 10_000) + "id = 1",
            "id = " + String(repeating: "-", count: 60_000) + "1", "id IN " + String(repeating: "{", count: 10_000),
            "id = 1" + String(repeating: " + 1", count: 10_000), String(repeating: "x", count: 100_000),
            "id = TERNARY(" + String(repeating: "id = TERNARY(", count: 4_000),
        ] {
            #expect(throws: StoreError.self) { try Condition<Stop>(format: format) }
        }
        let deep = String(repeating: "(", count: 49) + "id = 1" + String(repeating: ")", count: 49)
        #expect(try Condition<Stop>(format: deep) == Condition(format: "id = 1"))
        let wide = "id = 1" + String(repeating: " OR id = 1", count: 900)
        _ = try TestStore.berlin().context().fetch(FetchRequest<Stop>(where: try Condition(format: wide)))
    }

    @Test func aPatternThatTakesForeverIsGivenUp() throws {
        let store = try TestStore { connection in
            try connection.insertStop(0, String(repeating: "a", count: 60) + "!", nil, nil)
        }
        let request = FetchRequest<Stop>(where: try Condition(format: "name MATCHES '(a|a)*b?(a|aa)+'"))
        let context = try store.context()
        let error = #expect(throws: StoreError.self) { try context.fetch(request) }
        #expect(error?.message.contains("MATCHES '(a|a)*b?(a|aa)+': matching takes too long") == true)
        #expect(try context.fetch(FetchRequest<Stop>(where: Condition(format: "name MATCHES 'a+!'"))).count == 1)
    }
}
