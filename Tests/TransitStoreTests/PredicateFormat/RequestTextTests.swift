import FoundationEssentials
import Glibc
import Testing

@testable import TransitStore

@Suite struct RequestTextTests {
    let fixture = Result { try TestStore.berlin() }

    /// The SQL after FROM, with values in place.
    private func sql(_ text: RequestText, _ variables: [String: Any] = [:]) throws -> String {
        let request: FetchRequest<StoreObject> = try text.request(in: fixture.get().open(), variables)
        return request.description
    }

    @Test func everyPartOfATextBecomesSQL() throws {
        var text = RequestText(entity: "stop_time")
        text.predicate = "stop.name BEGINSWITH[cd] $NAME AND departureTime >= $TIME"
        text.sort = "departureTime DESC NULLS LAST, stop.name[cd], trip.headsign LOCALE de ASC, id"
        text.sort = "departureTime DESC NULLS LAST, stop.name[cd], trip.headsign LOCALE 'de-AT' ASC"
        text.limit = 3
        text.offset = 1
        text.properties = "departureTime, stop.name AS where, trip.headsign AS 'to ', stopSequence * 2, $X AS x"
        text.isDistinct = true
        let found = try sql(text, ["NAME": "U KOTT", "TIME": "8:00", "X": "y"])
        #expect(
            found
                == "SELECT DISTINCT t0.departure_time, t1.name, t2.headsign, (t0.stop_sequence * 2), 'y' FROM "
                + "stop_time AS t0 "
                + "JOIN stop AS t1 ON t1.id = t0.stop LEFT JOIN trip AS t2 ON t2.id = t0.trip "
                + "WHERE t0.departure_time >= 28800 AND t1.normalized_name >= 'u kott' AND t1.normalized_name < 'u kotu' "
                + "ORDER BY t0.departure_time DESC NULLS LAST, t1.normalized_name, "
                + "t2.headsign COLLATE \"locale_de-AT\" LIMIT 3 OFFSET 1")
        let store = try fixture.get().open()
        let request: FetchRequest<StopTime> = try text.request(in: store, ["NAME": "u kott", "TIME": "8:00", "X": 1])
        let rows = try store.makeContext().fetchRows(request)
        #expect(rows.first?.names == ["departureTime", "where", "to ", "stopSequence * 2", "x"])
        #expect(rows.map { $0["departureTime"] } == [36_000, 30_660])
    }

    @Test func groupsInWordsBecomeSQL() throws {
        var text = RequestText(entity: "StopTime")
        text.groupBy = "stop.name"
        text.having = "@count > 2 AND @min.departureTime < '8:00'"
        #expect(
            try sql(text)
                == "SELECT t1.name, count(*) FROM stop_time AS t0 LEFT JOIN stop AS t1 ON t1.id = t0.stop GROUP BY t1.name "
                + "HAVING count(*) > 2 AND min(t0.departure_time) < 28800")
        text.properties = "stop.name, @count AS calls, @min.departureTime, @avg.stopSequence"
        let store = try fixture.get().open()
        let request: FetchRequest<StopTime> = try text.request(in: store)
        let rows = try store.makeContext().fetchRows(request)
        #expect(rows.map(\.names) == [["stop.name", "calls", "min(departureTime)", "average(stopSequence)"]])
        #expect(rows.map { $0["calls"] } == [5])
        var streamed: [ResultRow] = []
        try store.makeContext().forEachRow(of: request) { streamed.append($0) }
        #expect(streamed == rows)
        // The names of columns, and Core Data's variables for them.
        for having in ["calls > 2 AND @min.departureTime < '8:00'", "$calls > 2 AND @min.departureTime < '8:00'"] {
            text.having = having
            let named: FetchRequest<StopTime> = try text.request(in: store)
            #expect(named == request)
        }
        text.having = "$calls > 2 AND @min.departureTime < '8:00'"
        let given: FetchRequest<StopTime> = try text.request(in: store, ["calls": 9])
        #expect(given != request, "a value that is given to the variable counts")
    }

    @Test(
        arguments: [
            (.sort, "name ASCENDING", "sort: expected a comma or the end\n  name ASCENDING\n       ^~~~~~~~~"),
            (.sort, "id[cd]", "sort: a sort takes [cd], for texts\n  id[cd]\n     ^~"),
            (
                .sort, "name LOCALE 3",
                "sort: expected a locale, such as de or 'de-AT'\n  name LOCALE 3\n              ^"
            ),
            (.sort, "name NULLS ALL", "sort: expected FIRST or LAST\n  name NULLS ALL\n             ^~~"),
            (
                .sort, "stopTimes",
                "sort: stopTimes stands for many rows (a to-many relationship), which cannot be sorted by, fetched or "
                    + "grouped by; ask for stopTimes.@count, or for another aggregate such as stopTimes.@min.NAME\n"
                    + "  stopTimes\n  ^~~~~~~~~"
            ),
            (.properties, "name AS 3", "properties: expected a name for the column\n  name AS 3\n          ^"),
            (
                .properties, "name,",
                "properties: expected a value: a property, a number, a text in quotes, $NAME or (\n  name,\n       ^"
            ),
            (.properties, "nmae", "properties: Stop has no property nmae; did you mean name?\n  nmae\n  ^~~~"),
            (
                .properties, "stop_name",
                "properties: Stop has no property stop_name; stop_name is called name here\n  stop_name\n  ^~~~~~~~~"
            ),
            (
                .properties, "stop_nme",
                "properties: Stop has no property stop_nme; did you mean name?\n  stop_nme\n  ^~~~~~~~"
            ),
            (
                .sort, "name LOCALE deutsch",
                "sort: there is no locale deutsch; one is written as a language tag: de, sv, 'de-AT'\n"
                    + "  name LOCALE deutsch\n              ^~~~~~~"
            ),
            (
                .sort, "name LOCALE 'xx-YY'",
                "sort: there is no locale xx-YY; one is written as a language tag: de, sv, 'de-AT'\n"
                    + "  name LOCALE 'xx-YY'\n              ^~~~~~~"
            ),
            (.properties, "nme", "properties: Stop has no property nme; did you mean name?\n  nme\n  ^~~"),
            (.groupBy, "nam", "group-by: Stop has no property nam; did you mean name?\n  nam\n  ^~~"),
            (.having, "@count > 'x'", "having: expected a number such as 3\n  @count > 'x'\n           ^~~"),
        ] as [(RequestText.Part, String, String)]) func aFaultyPartIsNamedAndShown(
            part: RequestText.Part, value: String, message: String
        ) throws
    {
        var text = RequestText(entity: "Stop")
        switch part {
        case .sort: text.sort = value
        case .properties: text.properties = value
        case .groupBy: text.groupBy = value
        default: text.having = value
        }
        let error = try #require(throws: StoreError.self) { try sql(text) }
        #expect(error.message == message)
    }

    @Test func anUnknownEntityIsRefusedWithAHint() throws {
        for (name, message) in [
            ("stops", "entity: The store has no entity stops; stops.txt is Stop here"),
            ("Stops.txt", "entity: The store has no entity Stops.txt; stops.txt is Stop here"),
            ("gtfs_stop_times", "entity: The store has no entity gtfs_stop_times; stop_times.txt is StopTime here"),
            ("calendar", "entity: The store has no entity calendar; calendar.txt is Service here"),
            ("trips.txt", "entity: The store has no entity trips.txt; trips.txt is Trip here"),
            ("fare_rules", "entity: The store has no entity fare_rules; fare_rules.txt is fare_rule here"),
            ("ship", "entity: The store has no entity ship"),
            ("Stpo", "entity: The store has no entity Stpo; did you mean Stop?"),
            ("StopTimes", "entity: The store has no entity StopTimes; did you mean StopTime?"),
        ] {
            #expect(throws: StoreError(.unknownEntity, message)) { try sql(RequestText(entity: name)) }
        }
        #expect(try sql(RequestText(entity: "Station")).hasSuffix("FROM stop AS t0 WHERE t0.location_type = 1"))
    }
}

@Suite struct TemplateFileTests {
    let fixture = Result { try TestStore.berlin() }

    private static let example = """
        # What leaves a stop.
        [departures]
        entity     = StopTime
        where      = stop.stopID IN $STOPS
                     AND departureTime >= $AFTER
        sort       = departureTime
        limit      = 2
        properties = departureTime, trip.route.shortName AS line, trip.headsign AS to

        ; Lines and their trips.
        [lines]
        entity = Trip
        group-by = route.shortName
        having = @count >= $LEAST
        offset = 0
        distinct = no

        [stations]
        entity = Station
        where = name BEGINSWITH[cd] $NAME
        """

    @Test func templatesAreReadFromText() throws {
        let store = try fixture.get().open()
        let file = try TemplateFile(text: Self.example, name: "berlin.ini")
        #expect(file.names == ["departures", "lines", "stations"])
        #expect(try TemplateFile(text: "\u{FEFF}" + Self.example, name: "berlin.ini").requests == file.requests)
        let request: FetchRequest<StopTime> = try file.request(named: "departures")
            .request(in: store, ["STOPS": ["s2", "s4"], "AFTER": "8:00"])
        let rows = try store.makeContext().fetchRows(request)
        #expect(rows.map { $0["departureTime"] } == [29_160, 30_060])
        #expect(rows.map { $0["line"] } == ["U1", "U1"])
        #expect(throws: StoreError(.unknownTemplate, "There is no template departure; did you mean departures?")) {
            try file.request(named: "departure")
        }
        #expect(throws: StoreError(.unknownTemplate, "There is no template x; there are departures, lines, stations")) {
            try file.request(named: "x")
        }
    }

    @Test func templatesAreReadFromAFile() throws {
        let store = try fixture.get()
        let path = store.folder + "/other.sqlite"
        try Data(Self.example.utf8).write(to: URL(filePath: path))
        let templates = try RequestTemplates(contentsOf: path)
        #expect(templates.names == ["departures", "lines", "stations"])
        let context = try store.context()
        let lines: FetchRequest<Trip> = try templates.request("lines", ["LEAST": 3])
        #expect(try context.fetchRows(lines).map { $0["route.shortName"] } == ["U1"])
        let stations: FetchRequest<Stop> = try templates.request("stations", ["NAME": "U K"])
        #expect(try context.fetch(stations).map(\.id) == [1])
        #expect(throws: StoreError(.missingVariable, "The template stations has no value for its variable $NAME")) {
            let _: FetchRequest<Stop> = try templates.request("stations")
        }
        #expect(
            throws: StoreError(
                .unknownTemplate, "The template lines is for Trip, not Stop")
        ) { let _: FetchRequest<Stop> = try templates.request("lines", ["LEAST": 3]) }
        #expect(throws: StoreError(.missing, "\(store.folder)/no.ini cannot be opened: No such file or directory")) {
            try RequestTemplates(contentsOf: store.folder + "/no.ini")
        }
        #expect(throws: StoreError(.unreadable, "\(store.folder) cannot be read: Is a directory")) {
            try TemplateFile(contentsOf: store.folder)
        }
        try Data([0x5B, 0xFF, 0x5D]).write(to: URL(filePath: path))
        #expect(throws: StoreError(.unreadable, "\(path) is not UTF-8")) { try TemplateFile(contentsOf: path) }
        let template = "[stops]\nentity = Stop\n#"
        for (bytes, isRead) in [(1 << 20, true), (1 << 20 + 1, false)] {
            let text = template + String(repeating: ".", count: bytes - template.utf8.count)
            try Data(text.utf8).write(to: URL(filePath: path))
            #expect((try? TemplateFile(contentsOf: path).names) == (isRead ? ["stops"] : nil), "\(bytes) bytes")
        }
    }

    @Test func tablesWithoutAClassNeedTheStore() throws {
        let store = try fixture.get()
        let path = store.folder + "/other.sqlite"
        try Data("[fares]\nentity = fare_attribute\nwhere = price > $PRICE\n".utf8).write(to: URL(filePath: path))
        #expect(throws: StoreError.self) { try RequestTemplates(contentsOf: path) }
        let templates = try RequestTemplates(contentsOf: path, for: store.open())
        let request: FetchRequest<StoredRow> = try templates.request("fares", ["PRICE": 2])
        #expect(try store.context().fetch(request).isEmpty)
    }

    @Test(
        arguments: [
            ("limit = 3", "t.ini:1: expected the name of a template in brackets: [departures]"),
            ("[a\nentity = Stop", "t.ini:1: expected a name in brackets: [departures]"),
            ("[]", "t.ini:1: expected a name in brackets: [departures]"),
            ("[a]\nentity = Stop\n[a]", "t.ini:3: there is a template a before this one"),
            ("\n[a]\nlimit = 3", "t.ini:2: the template a has no entity"),
            ("[a]\nwher = x", "t.ini:2: there is no setting wher; did you mean where?"),
            (
                "[a]\nx = x",
                "t.ini:2: there is no setting x; there are entity, where, sort, limit, offset, properties, distinct, group-by, "
                    + "having, prefetch"
            ),
            ("[a]\nentity = Stop\nlimit = 1\nlimit = 2", "t.ini:4: limit is set before, in line 3"),
            ("[a]\nentity = Stop\nlimit = -1", "t.ini:3: limit takes a whole number, not -1"),
            ("[a]\nentity = Stop\ndistinct = maybe", "t.ini:3: distinct is yes or no, not maybe"),
            ("[a]\nentity", "t.ini:2: expected a setting, as in: limit = 20"),
            ("[a]\n  entity = Stop", "t.ini:2: this line continues a setting, but none is before it"),
        ]) func aFaultOfATemplateFileHasItsLine(text: String, message: String) throws
    {
        let error = try #require(throws: StoreError.self) { try TemplateFile(text: text, name: "t.ini") }
        #expect(error.message == message)
    }

    @Test func faultsInTextsHaveTheirLine() throws {
        let text = "[a]\r\nentity = Stop\r\nwhere = id > 3\r\n  AND nam = 'x'\r\n"
        let request = try TemplateFile(text: text, name: "t.ini").request(named: "a")
        let store = try fixture.get().open()
        let error = try #require(throws: StoreError.self) {
            let _: FetchRequest<Stop> = try request.request(in: store)
        }
        #expect(
            error.message
                == "t.ini:3: [a] where: Stop has no property nam; did you mean name?\n  AND nam = 'x'\n      ^~~")
    }
}
