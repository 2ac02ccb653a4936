/// Several stores that are read as one, such as one for each feed.
///
///     let coordinator = StoreCoordinator([berlin, brandenburg])
///     let context = coordinator.makeContext()
///     request.affectedStores = [berlin]       // or nil for both
///
/// Rows are sorted, limited, counted and grouped across the stores as if they were in one. References stay within a
/// store. Each store is asked with one statement, for at most `fetchOffset + fetchLimit` rows.
public struct StoreCoordinator: Sendable {
    /// The stores, each once.
    public let stores: [TransitStore]

    /// A store that is given twice counts once. Without any store, fetches find only inserted objects.
    public init(_ stores: [TransitStore]) {
        var known = Set<TransitStore>()
        self.stores = stores.filter { known.insert($0).inserted }
    }

    /// A context over all stores.
    public func makeContext() -> StoreContext { StoreContext(stores: stores) }
}
