/// Several stores as one: a store per feed, asked together.
///
///     let coordinator = StoreCoordinator([berlin, brandenburg])
///     let context = coordinator.makeContext()
///     request.affectedStores = [berlin]       // or nil for both
///
/// Rows are sorted, limited, counted and grouped across the stores as if they were in one. References stay within a
/// store. Each store is asked with one statement, for at most `fetchOffset + fetchLimit` rows.
public struct StoreCoordinator: Sendable {
    public let stores: [TransitStore]

    public init(_ stores: [TransitStore]) { self.stores = stores }

    /// A context over all stores.
    public func makeContext() -> StoreContext { StoreContext(stores: stores) }
}
