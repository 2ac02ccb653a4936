import SQLite

/// A row as an object: one per row and context, empty ("a fault") until a property is read.
///
///     for stop in try context.fetch(request) {
///         print(stop.name)                // takes the row that the fetch has read
///         print(stop.stopTimes.count)     // runs one statement
///     }
///
/// Objects belong to their context's isolation and are not Sendable; pass `objectID` between tasks instead.
/// A property cannot throw: if the store fails, it reads as missing and `context.lastError` tells why.
/// `context.fill(object)` throws instead.
public class StoreObject {
    /// The identity of the row; unlike the object, it may go to other tasks.
    public let objectID: ObjectID
    /// Where values come from: a context, or a recorder of paths.
    let origin: any ObjectSource
    /// The values; nil while the object is a fault.
    @exclusivity(unchecked) final var row: PackedRow?
    /// The row that a fetch read for this fault. It fills the fault even if the row cache has dropped the row since.
    @exclusivity(unchecked) final var heldRow: PackedRow?
    /// Rows that were prefetched for this object and others of its fetch.
    @exclusivity(unchecked) final var prefetchedRows: PrefetchedRows?
    /// To-many relationships that have been read, by position.
    @exclusivity(unchecked) final var relatedRows: [Int: ReadRelationship]?

    required init(objectID: ObjectID, origin: any ObjectSource) {
        self.objectID = objectID
        self.origin = origin
    }

    deinit { leave() }

    /// Tells the origin that the object is being freed. Not inlined: within `deinit`, reading `origin` would count a
    /// reference.
    @inline(never) private final func leave() { origin.forget(self) }

    /// Whether the object's values have not been read yet.
    public final var isFault: Bool { row == nil }

    /// The values, if they are at hand.
    final var knownRow: PackedRow? { row ?? heldRow }

    /// Makes the object a fault and drops everything that was read for it.
    final func forgetValues() {
        row = nil
        heldRow = nil
        relatedRows = nil
        prefetchedRows = nil
    }

    /// The context that the object lives in; the object keeps it alive.
    public final var context: StoreContext? { origin.context }
    /// The description of the object's entity.
    public final var entityDescription: EntityDescription { objectID.entity }
}

/// Where an object's values come from.
protocol ObjectSource: AnyObject {
    /// The context of the objects; nil for a recorder of paths.
    var context: StoreContext? { get }
    /// The values of a fault. The value of `column` is about to be read.
    func values(of object: StoreObject, for column: Int) -> PackedRow
    /// The object that a reference names; nil when it names none.
    func object(of object: StoreObject, reference column: Int, type: StoreObject.Type) -> StoreObject?
    /// A to-many relationship is about to be used.
    func willUse(_ object: StoreObject, toMany position: Int)
    /// The objects of a to-many relationship.
    func objects(of object: StoreObject, toMany position: Int) -> [StoreObject]
    /// The number of objects of a to-many relationship.
    func count(of object: StoreObject, toMany position: Int) -> Int
    /// The object is being freed.
    func forget(_ object: StoreObject)
}

extension StoreObject: Equatable {
    /// Whether both stand for the same row; within a context, whether they are the same object.
    public static func == (one: StoreObject, other: StoreObject) -> Bool {
        one === other || one.objectID == other.objectID
    }
}

extension StoreObject: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(objectID) }
}

extension StoreObject: CustomDebugStringConvertible {
    /// What the object is and the values at hand, without reading any: `Stop(stop/17, fault)`,
    /// `Stop(stop/17, stopID: "s17", name: "Zoo", latitude: 52.5075, longitude: 13.3325)`.
    public var debugDescription: String {
        let entity = objectID.entity
        let values = row == nil ? [isInserted ? "" : "fault"] : entity.columns.indices.compactMap(described)
        return "\(entity.name)(" + (["\(objectID)"] + values.filter { !$0.isEmpty }).joined(separator: ", ") + ")"
    }

    /// `departureTime: 08:00:00`; nil for a missing value and for the key, which the object's id shows.
    private func described(_ column: Int) -> String? {
        let value = value(ofColumn: column)
        guard !value.isNull, objectID.entity.key != .row(column) else { return nil }
        let isTime = objectID.entity.kind(ofColumn: column) == .time
        let time = isTime ? value.integer.map { ServiceTime(seconds: Int($0)).description } : nil
        return "\(objectID.entity.columns[column].property): \(time ?? value.swiftLiteral)"
    }
}

/// A class of objects that stands for a table, such as `Stop` for `stop`.
public protocol StoreEntity: StoreObject {
    /// The description of the table.
    static var entity: EntityDescription { get }
}
