import Foundation
import Testing
import TransitStore

/// Errors have one shape: code, message, place and cause. Functions that throw nothing else say so, which the `catch`
/// clauses here need in order to compile.
@Suite struct StoreErrorTests {
    @Test func aFaultInATextHasItsLineAndColumn() {
        do {
            _ = try Condition<Stop>(format: "id > 1\n  AND nam = 'Zoo'")
            Issue.record("the condition was understood")
        } catch {
            #expect(error.code == .unknownProperty)
            #expect(error.place == StoreError.Place("predicate", line: 2, column: 7))
            #expect(error.cause == nil)
        }
    }

    @Test func aFaultInATemplateFileHasItsLine() {
        do {
            _ = try TemplateFile(text: "[near]\nentity = Stop\nthere = 1\n", name: "near.ini")
            Issue.record("the file was understood")
        } catch {
            #expect(error.code == .syntax)
            #expect(error.place == StoreError.Place("near.ini", line: 3))
        }
    }

    @Test func aStoreThatCannotBeOpenedIsThePlace() {
        let path = NSTemporaryDirectory() + UUID().uuidString + ".sqlite"
        do {
            _ = try TransitStore(path: path)
            Issue.record("there is a store at \(path)")
        } catch {
            #expect(error.code == .missing)
            #expect(error.place?.source == path)
        }
    }

    @Test func whatSQLiteRefusesIsTheCause() throws {
        let context = try TestStore.berlin().context()
        do {
            _ = try context.fetchRows(sql: "SELECT nowhere FROM stop")
            Issue.record("SQLite knows the column")
        } catch {
            #expect(error.cause?.code == 1)
            #expect(error.cause?.message == "no such column: nowhere")
            #expect(error.place?.source == context.stores[0].path)
        }
    }

    /// Errors that say the same are equal, wherever they come from.
    @Test func equalErrors() {
        #expect(StoreError(.failed, "x") == StoreError(.failed, "x"))
        #expect(StoreError(.failed, "x") != StoreError(.syntax, "x"))
        #expect(StoreError(.failed, "x").hashValue == StoreError(.failed, "x").hashValue)
    }
}
