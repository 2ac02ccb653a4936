/// The many rows that refer to one object: a sequence that is read when it is used.
///
///     stop.stopTimes.count            // SELECT count(*) FROM stop_time WHERE stop = ?
///     for time in stop.stopTimes {}   // SELECT … FROM stop_time WHERE stop = ? ORDER BY departure_time
///     trip.stopTimes[0]?.stop.name
///
/// Once read, the objects stay with their owner until it is refreshed. In a predicate it is never read: `contains`,
/// `allSatisfy`, `filter { }.count`, `count` and `isEmpty` become SQL.
///
/// It is a sequence and not a collection. Counting and reading are two statements. On a damaged store they could
/// disagree, and then algorithms over collections would trap. `objects` is an array.
public struct Related<Element: StoreObject>: Sequence {
    let owner: StoreObject
    let position: Int

    /// The objects; runs a statement the first time. If the store fails, there are none and `context.lastError` tells
    /// why.
    public var objects: [Element] { owner.origin.objects(of: owner, toMany: position).compactMap { $0 as? Element } }

    /// How many rows there are; counts in the store unless the objects have been read.
    public var count: Int { owner.origin.count(of: owner, toMany: position) }
    /// Whether there are no rows; counts as `count` does.
    public var isEmpty: Bool { count == 0 }
    /// The first object. Reads all of them; to read one, fetch it with a limit.
    public var first: Element? { objects.first }
    /// The last object. Reads all of them; to read one, fetch it in descending order with a limit.
    public var last: Element? { objects.last }

    /// The object at a position from 0; nil past the end.
    public subscript(index: Int) -> Element? {
        let objects = owner.origin.objects(of: owner, toMany: position)
        return objects.indices.contains(index) ? objects[index] as? Element : nil
    }

    public func makeIterator() -> IndexingIterator<[Element]> { objects.makeIterator() }
    /// 0, because counting would run a statement.
    public var underestimatedCount: Int { 0 }
}

/// A collection of objects. Predicates may use its `count` and `isEmpty`.
protocol QueryCollection {
    static var countPath: AnyKeyPath { get }
    static var isEmptyPath: AnyKeyPath { get }
}

extension Related: QueryCollection {
    static var countPath: AnyKeyPath { \Related<Element>.count }
    static var isEmptyPath: AnyKeyPath { \Related<Element>.isEmpty }
}

extension Array: QueryCollection where Element: StoreObject {
    static var countPath: AnyKeyPath { \[Element].count }
    static var isEmptyPath: AnyKeyPath { \[Element].isEmpty }
}
