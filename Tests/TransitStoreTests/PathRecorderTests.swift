import Testing

@testable import TransitStore

/// What following a key path leaves behind.
@Suite struct PathRecorderTests {
    private func expectFreed<Root: StoreEntity>(_ keyPath: PartialKeyPath<Root>) {
        weak var recorder: PathRecorder?
        do {
            let made = PathRecorder()
            recorder = made
            _ = made.follow(keyPath, Root.entity)
        }
        #expect(recorder == nil, "\(keyPath)")
    }

    /// The object at the end of a path that ends in a relationship holds the recorder that made it.
    @Test func recordersAreFreed() {
        expectFreed(\StopTime.trip as PartialKeyPath<StopTime>)
        expectFreed(\StopTime.stop.name as PartialKeyPath<StopTime>)
        expectFreed(\Stop.stopTimes as PartialKeyPath<Stop>)
        expectFreed(\Stop.name as PartialKeyPath<Stop>)
    }
}
