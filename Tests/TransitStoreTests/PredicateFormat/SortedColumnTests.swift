import Testing

@testable import TransitStore

/// Sorting and grouping by the names that AS gives to columns.
@Suite struct SortedColumnTests {
    private let fixture = Result { try TestStore.berlin() }

    private func request(
        _ entity: String, _ properties: String, groupBy: String = "", sort: String
    ) throws -> FetchRequest<StoreObject> {
        var text = RequestText(entity: entity)
        (text.properties, text.groupBy, text.sort) = (properties, groupBy, sort)
        return try text.request(in: fixture.get().open())
    }

    private func order(_ request: FetchRequest<StoreObject>) -> String {
        let sql = request.description
        return sql.firstRange(of: " ORDER BY ").map { String(sql[$0.upperBound...]) } ?? ""
    }

    @Test func groupsAreSortedByTheNamesOfTheirColumns() throws {
        let busiest = try request(
            "StopTime", "stop.name AS place, @count AS n", groupBy: "stop.name", sort: "n DESC, place[cd]")
        #expect(order(busiest) == "count(*) DESC, t1.normalized_name")
        let rows = try fixture.get().context().fetchRows(busiest)
        #expect(rows.map { $0["n"] } == [5, 3, 2, 2, 2])
        let grouped = try request("StopTime", "", groupBy: "stop.name AS place", sort: "count DESC, place")
        #expect(order(grouped) == "count(*) DESC, t1.name")
        #expect(try fixture.get().context().fetchRows(grouped).map { $0["count"] } == [5, 3, 2, 2, 2])
    }

    @Test func `groups are made by the names of their columns`() throws {
        let byHour = try request(
            "StopTime", "departureTime / 3600 AS hour, @count AS n", groupBy: "hour", sort: "n DESC, hour")
        let written = try request(
            "StopTime", "departureTime / 3600 AS hour, @count AS n", groupBy: "departureTime / 3600",
            sort: "n DESC, hour")
        #expect(byHour.description == written.description)
        let context = try fixture.get().context()
        #expect(try context.fetchRows(byHour) == context.fetchRows(written))
        // A property of that name comes first, as in SQLite; an aggregate is no name here.
        let property = try request("StopTime", "stop.name AS trip, @count AS n", groupBy: "trip, stop.name", sort: "n")
        #expect(property.propertiesToGroupBy.map(\.name) == ["trip", "stop.name"])
        #expect(throws: StoreError.self) { try request("StopTime", "@count AS n", groupBy: "n", sort: "") }
    }

    @Test func `columns of one property keep their own names as groups`() throws {
        let renamed = try request("Stop", "id AS k0, id AS k1, @count AS n", groupBy: "k0, k1", sort: "k0 DESC, k1")
        #expect(renamed.propertiesToGroupBy.map(\.name) == ["k0", "k1"])
        #expect(try fixture.get().context().fetchRows(renamed).map { $0["k1"] } == [7, 6, 5, 4, 3, 2, 1, 0])
        let twice = #expect(throws: StoreError.self) { try request("Stop", "id AS k", groupBy: "k, k", sort: "") }
        #expect(twice?.message.contains("k and k would both be called k") == true)
    }

    @Test func rowsAreSortedByTheNamesOfTheirColumns() throws {
        let context = try fixture.get().context()
        for isChanged in [false, true] {
            if isChanged { try context.object(Stop.self, id: 7)?.set(\.name, to: "Zoologischer Garten") }
            let rows = try context.fetchRows(
                request("Stop", "id, latitude * 1000 AS north", sort: "north DESC NULLS LAST, id"))
            #expect(rows.map { $0["id"] } == [6, 7, 3, 4, 2, 1, 0, 5])
        }
        #expect(order(try request("Stop", "name AS n", sort: "n LOCALE de")) == "t0.name COLLATE locale_de")
    }

    /// As in SQL: https://sqlite.org/lang_select.html#orderby.
    @Test func `a name that is also a property's means the column`() throws {
        #expect(order(try request("Stop", "id AS name, name AS id", sort: "name")) == "t0.id")
        #expect(order(try request("Stop", "id AS name", sort: "name DESC, #name")) == "t0.id DESC, t0.name")
        #expect(order(try request("Stop", "platformCode AS id", sort: "id * 2")) == "(t0.id * 2)")
        #expect(order(try request("Stop", "latitude AS id, id AS n", sort: "n * 2")) == "(t0.id * 2)")
        #expect(
            order(try request("Trip", "route.shortName AS route", sort: "route.longName, route"))
                == "t1.long_name, t1.short_name")
    }

    /// A name that needs `#` is a column's if no property has it.
    @Test func `a marked name is a column's if no property has it`() throws {
        #expect(order(try request("Stop", "name AS #\"my col\"", sort: "#\"my col\" DESC")) == "t0.name DESC")
        #expect(
            order(try request("Stop", "name AS #any", sort: "length(#any), #any"))
                == "length(COALESCE(t0.name, '')), t0.name")
    }

    @Test func `names of groups beside other columns`() throws {
        let sorted = try request("StopTime", "stop.name, @count AS n", groupBy: "stop.name AS s", sort: "s DESC")
        #expect(order(sorted) == "t1.name DESC")
    }

    @Test func `names do not stand in other columns`() throws {
        let error = #expect(throws: StoreError.self) { try request("Stop", "name AS n", sort: "m") }
        #expect(error?.message.contains("it has id, stopID") == true && error?.message.contains(", n\n") == true)
        let other = #expect(throws: StoreError.self) { try request("Stop", "name AS n, n AS m", sort: "") }
        #expect(other?.code == .unknownProperty)
    }
}
