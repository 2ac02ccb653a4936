import Foundation
import Testing
import TransitStore

/// Rows as values of types that decode themselves, and as JSON.
@Suite struct RowDecoderTests {
    private let fixture = Result { try TestStore.berlin() }

    private func row(_ columns: FetchedProperty<StopTime>...) throws -> ResultRow {
        var request = FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 1 && $0.stopSequence == 2 })
        request.propertiesToFetch = columns
        return try #require(try fixture.get().context().fetchRows(request).first)
    }

    private struct Call: Decodable, Equatable {
        enum CodingKeys: String, CodingKey { case name = "stop.name", departureTime, sequence, pickup, missing, bound }
        let name: String
        let departureTime: ServiceTime
        let sequence: UInt8
        let pickup: BoardingType?
        let missing: Int?
        let bound: QueryValue
    }

    @Test func aRowBecomesAValue() throws {
        let row = try row(
            .attribute(\.stop.name), .attribute(\.departureTime), .attribute(\.stopSequence, as: "sequence"),
            .attribute(\.pickupType, as: "pickup"), .attribute(\.stop, as: "bound"))
        #expect(
            try row.decoded(as: Call.self)
                == Call(
                    name: "U Görlitzer Bahnhof (Berlin)", departureTime: ServiceTime(seconds: 30_360), sequence: 2,
                    pickup: nil,
                    missing: nil, bound: 0))
    }

    private struct One<Value: Decodable & Sendable>: Decodable, Sendable { let v: Value }

    private func value<Value: Decodable & Sendable>(_ type: Value.Type, of sql: String) throws -> Value {
        let rows = try fixture.get().context().fetchRows(sql: "SELECT \(sql) AS v")
        return try #require(rows.first).decoded(as: One<Value>.self).v
    }

    @Test func numbersConvertIfTheyStayTheSame() throws {
        #expect(try value(Int.self, of: "7") == 7 && value(Int8.self, of: "-128") == -128)
        #expect(try value(Int.self, of: "7.0") == 7 && value(Double.self, of: "7") == 7)
        #expect(try value(Float.self, of: "0.5") == 0.5 && value(UInt64.self, of: "9223372036854775807") == .max / 2)
        #expect(try value(Bool.self, of: "1") && !value(Bool.self, of: "0"))
        #expect(try value(Int?.self, of: "NULL") == nil && value(Int?.self, of: "3") == 3)
        #expect(try value(String.self, of: "'x'") == "x" && value(QueryValue.self, of: "NULL") == .null)
        #expect(try value(ServiceDate.self, of: "20260731") == ServiceDate(20_260_731))
        #expect(try value(ServiceTime?.self, of: "90600") == ServiceTime(hours: 25, minutes: 10))
    }

    /// The message of an error, with the names of the places that lead to the value.
    private func message(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "no error"
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context)
        {
            return context.debugDescription
        } catch {
            return "\(error)"
        }
    }

    @Test func whatDoesNotFitThrows() throws {
        #expect(message { _ = try value(Int.self, of: "'x'") } == "The column v is 'x', not Int.")
        #expect(message { _ = try value(Int.self, of: "7.5") } == "The column v is 7.5, not Int.")
        #expect(message { _ = try value(Int8.self, of: "128") } == "The column v is 128, not Int8.")
        #expect(message { _ = try value(Double.self, of: "9007199254740993") }.hasSuffix(", not Double."))
        #expect(message { _ = try value(Int.self, of: "1e300") } == "The column v is 1e+300, not Int.")
        #expect(message { _ = try value(Bool.self, of: "2") } == "The column v is 2, not Bool.")
        #expect(message { _ = try value(String.self, of: "1") } == "The column v is 1, not String.")
        #expect(message { _ = try value(String.self, of: "NULL") } == "The column v is NULL.")
        #expect(message { _ = try value([Int].self, of: "1") } == "The column v is 1, not Array<Any>.")
        let row = try row(.attribute(\.stopSequence), .attribute(\.stop))
        #expect(message { _ = try row.decoded(as: One<Int>.self) } == "The row has no column v but stopSequence, stop.")
        #expect(message { _ = try row.decoded(as: Int.self) } == "A row has values by name.")
    }

    @Test func aRowEncodesItsValues() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let row = try row(
            .attribute(\.departureTime), .attribute(\.stop.name, as: "name"), .attribute(\.stop.latitude, as: "lat"),
            .attribute(\.pickupType))
        let json = String(decoding: try encoder.encode([row]), as: UTF8.self)
        let latitude = try #require(row["lat"].double)
        #expect(
            json
                == #"[{"departureTime":30360,"lat":\#(latitude),"name":"U Görlitzer Bahnhof (Berlin)","pickupType":null}]"#
        )
    }

    /// As in `row["a"]` and `dictionary`.
    @Test func ofColumnsWithOneNameTheFirstIsEncoded() throws {
        let row = try #require(
            try fixture.get().context().fetchRows(sql: "SELECT 1 AS a, 2 AS b, 3 AS a").first)
        #expect(try JSONDecoder().decode([String: Int].self, from: JSONEncoder().encode(row)) == ["a": 1, "b": 2])
    }
}
