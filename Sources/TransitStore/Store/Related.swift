/// The many rows that refer to one object: a collection that is read when it is used.
///
///     stop.stopTimes.count            // SELECT count(*) FROM stop_time WHERE stop = ?
///     for time in stop.stopTimes {}   // SELECT … FROM stop_time WHERE stop = ? ORDER BY departure_time
///     trip.stopTimes[0].stop.name
///
/// Once read, the objects stay with their owner until it is refreshed. In a predicate it is never read: `contains`,
/// `allSatisfy`, `filter { }.count`, `count` and `isEmpty` become SQL.
public struct Related<Element: StoreObject>: RandomAccessCollection {
    let owner: StoreObject
    let position: Int

    /// The objects; runs a statement the first time.
    public var objects: [Element] { owner.origin.objects(of: owner, toMany: position).compactMap { $0 as? Element } }

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }
    /// How many rows there are; counts in the store unless the objects have been read.
    public var count: Int { owner.origin.count(of: owner, toMany: position) }
    public var isEmpty: Bool { count == 0 }

    public subscript(index: Int) -> Element {
        guard let element = owner.origin.objects(of: owner, toMany: position)[index] as? Element else {
            preconditionFailure("A relationship holds objects of one entity")
        }
        return element
    }

    public func makeIterator() -> IndexingIterator<[Element]> { objects.makeIterator() }
}

/// A collection of objects that predicates may ask for its count.
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
