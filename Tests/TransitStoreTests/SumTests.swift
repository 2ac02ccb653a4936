import FoundationEssentials
import Testing
import TransitStore

@Suite struct SumTests {
    @Test func sumsThatOverflowAreRefusedAlike() throws {
        let test = try TestStore.berlin()
        var request = FetchRequest<Stop>()
        request.propertiesToFetch = [.expression(.aggregate(.sum, .value(.integer(.max))), as: "sum")]
        let changed = try test.context()
        try #require(try changed.object(Stop.self, id: 7)).setValue("Zoo 2", for: "name")
        let several = StoreCoordinator([try test.open(), try test.open()]).makeContext()
        for context in [try test.context(), changed, several] {
            #expect(
                throws: StoreError(
                    .overflow,
                    "A sum of whole numbers does not fit into 64 bits; sum up fractions, or ask for the average")
            ) { try context.fetchRows(request) }
        }
        request.propertiesToFetch = [.expression(.aggregate(.sum, .value(.integer(2))), as: "sum")]
        #expect(try several.fetchRows(request).map { $0["sum"] } == [32])
        request.propertiesToFetch = [.expression(.aggregate(.sum, .value(.double(1e300))), as: "sum")]
        #expect(try changed.fetchRows(request).map { $0["sum"] } == [.double(8e300)])
    }
}
