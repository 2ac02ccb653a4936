/// What a request yields, by its `resultType`.
public enum FetchResult<Entity: StoreObject> {
    case objects([Entity])
    case objectIDs([ObjectID])
    case dictionaries([ResultRow])
    case count(Int)
}
