import FoundationEssentials
import Testing
import TransitStore

/// Inserted objects: how they are told apart, and what remains of them after a rollback or a deletion.
@Suite struct DetachedObjectTests {
    let fixture = Result { try TestStore.berlin() }
    private func context() throws -> StoreContext { try fixture.get().context() }

    private func expectTwo<Entity: StoreEntity>(_ type: Entity.Type) throws {
        let context = try context()
        let before = try context.fetchCount(FetchRequest<Entity>())
        let (one, other) = (context.insert(type), context.insert(type))
        #expect(one != other && one.objectID.isTemporary && other.objectID.isTemporary)
        #expect(try context.fetchCount(FetchRequest<Entity>()) == before + 2)
        #expect(try context.fetch(FetchRequest<Entity>()).suffix(2) == [one, other])
    }

    @Test func insertedObjectsAreTwoWhateverTheirKey() throws {
        try expectTwo(SearchTerm.self)
        try expectTwo(StopTime.self)
        try expectTwo(Stop.self)
    }

    /// An id may be used in another context, which has inserted objects of its own.
    @Test func noTwoContextsMakeUpTheSameID() throws {
        let one = try context().insert(Stop.self).objectID
        let other = try context()
        let inserted = other.insert(Stop.self)
        #expect(one != inserted.objectID)
        #expect(try other.existingObject(with: one) == nil)
    }

    @Test func aMissingReferenceHasNothingToSet() throws {
        let context = try context()
        let call = context.insert(StopTime.self)
        #expect(
            throws: StoreError(
                .detached, "Stop stands for a missing reference, so there is no row to set its name")
        ) { try call.stop.setValue("Nowhere", for: "name") }
    }

    @Test func objectsTakenBackStayAway() throws {
        let context = try context()
        let rolledBack = context.insert(Stop.self)
        try rolledBack.setValue("Ghost", for: "name")
        context.rollback()
        let deleted = context.insert(Stop.self)
        context.delete(deleted)
        #expect(!context.hasChanges)
        for object in [rolledBack, deleted] {
            #expect(
                throws: StoreError(
                    .detached,
                    "\(object.objectID) was inserted and then deleted or rolled back; insert a new object to set its name"
                )
            ) { try object.setValue("Zombie", for: "name") }
        }
        #expect(!context.hasChanges)
        context.delete(deleted)
        context.delete(rolledBack)
        #expect(!context.hasChanges)
        #expect(try context.fetchCount(FetchRequest<Stop>()) == 8)
        #expect(rolledBack.name == "Ghost")
    }
}
