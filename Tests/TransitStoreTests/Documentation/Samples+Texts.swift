import Foundation
import TransitStore

extension Samples {
    static var texts: [Sample] {
        [
            ("format", { try $0.format() }), ("formatDifferently", { try $0.formatDifferently() }),
            ("formatRelationships", { try $0.formatRelationships() }),
            ("formatVariables", { try $0.formatVariables() }),
            ("formatTables", { try $0.formatTables() }), ("formatErrors", { try $0.formatErrors() }),
            ("requestText", { try $0.requestText() }), ("templateFile", { try $0.templateFile() }),
        ]
    }

    private func format() throws {
        // snippet: format
        let request = FetchRequest<Stop>(
            where: try Condition(
                format:
                    "name BEGINSWITH[cd] %@ AND SUBQUERY(stopTimes, $x, $x.departureTime BETWEEN {%@, %@}).@count != 0",
                "gorli", ServiceTime(hours: 6), ServiceTime(hours: 6, minutes: 30)))
        print(try context.fetch(request).map(\.name))
        // end
    }

    private func formatDifferently() throws {
        // snippet: formatDifferently
        let ofText = FetchRequest<StopTime>(
            where: try Condition(format: "stop.stopID = 'markt' AND departureTime >= '8:00'"))
        let eight = ServiceTime(hours: 8)
        let typed = FetchRequest<StopTime>(
            where: #Predicate { $0.stop.stopID == "markt" && $0.departureTime >= eight })
        print(ofText == typed, try context.fetchCount(ofText))
        // end
    }

    private func formatRelationships() throws {
        // snippet: formatRelationships
        for format in [
            "ANY trips.stopTimes.stop.stopID = 'sad'", "trips.@count > 4",
            "SUBQUERY(trips, $t, $t.service.saturday = TRUE).@count = 0",
        ] {
            let request = FetchRequest<Route>(where: try Condition(format: format))
            print(try context.fetch(request).map(\.shortName))
        }
        // end
    }

    private func formatVariables() throws {
        // snippet: formatVariables
        let onDay = try Condition<ServiceException>(format: "date = $DAY AND exceptionType = $TYPE")
        let heiligabend = try onDay.substituting(["DAY": 20_261_224, "TYPE": 2])
        print(try context.fetch(FetchRequest(where: heiligabend)).map(\.service.serviceID))
        // end
    }

    private func formatTables() throws {
        // snippet: formatTables
        let condition = try Condition<StoredRow>(
            format: "fareID IN %@ AND price > %f", arguments: [["stadt", "umland"], 3.0], entity: "fare_attribute",
            in: store)
        let fares = try context.fetch(FetchRequest<StoredRow>(entity: "fare_attribute", where: condition))
        print(fares.map { $0["fare_id"] })
        // end
    }

    private func formatErrors() throws {
        // snippet: formatErrors
        for format in [
            "nmae = 'Markt'", "stop_name = 'Markt'", "name BEGINS 'M'", "departureTime > '8:00'",
            "stopTimes.departureTime > '8:00'",
        ] {
            do { _ = try Condition<Stop>(format: format) } catch { print(error) }
        }
        // end
    }

    private func requestText() throws {
        // snippet: requestText
        var text = RequestText(entity: "StopTime")
        text.predicate = "stop.stopID = $STOP AND departureTime >= '20:00'"
        text.sort = "departureTime, trip.headsign[cd] DESC"
        text.properties = "departureTime, trip.route.shortName AS line, trip.headsign AS to"
        let request: FetchRequest<StopTime> = try text.request(in: store, ["STOP": "markt"])
        try context.forEachRow(of: request) { row in
            print(ServiceTime(seconds: Int(row["departureTime"].integer ?? 0)), row["line"], row["to"])
        }
        // end
    }

    private func templateFile() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        // snippet: templateFile
        try """
        # Lines that call at a stop.
        [lines]
        entity   = StopTime
        where    = stop.stopID = $STOP
                   AND departureTime >= $AFTER
        group-by = trip.route.shortName
        having   = @count >= 2
        """.write(toFile: path, atomically: true, encoding: .utf8)
        let templates = try RequestTemplates(contentsOf: path)
        let lines: FetchRequest<StopTime> = try templates.request("lines", ["STOP": "markt", "AFTER": "8:00"])
        for row in try context.fetchRows(lines) { print(row["trip.route.shortName"], row["count"]) }
        // end
    }
}
