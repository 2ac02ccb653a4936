import SQLite
import Synchronization

/// Finds out which column a key path stands for, by following it on an object that records what is read.
///
///     PathRecorder.path(of: \StopTime.stop.name, entity: StopTime.entity)?.names      // ["stop", "name"]
///
/// The object returns sentinels. They distinguish a key path that ends at a property from one that computes something
/// from it (`\.name.count`). Costs about a microsecond the first time, a dictionary lookup afterwards.
final class PathRecorder: ObjectSource {
    /// What a key path reads.
    struct Path: Sendable, Hashable {
        var names: PropertyPath
        /// The path ends in a folded text: `\.name.folded`.
        var isFolded = false
        /// The path ends in the count of a to-many relationship: `\.stopTimes.count`.
        var isCount = false
        /// The path ends in the id of an object: `\.stop.objectID`.
        var isID = false
        /// The path ends in a to-many relationship: `\.stopTimes`.
        var isToMany = false
    }

    /// A count that no relationship has.
    private static var countSentinel: Int { 7_340_117 }

    private static let known = Mutex<[SendableKeyPath: Path]>([:])

    private var names = PropertyPath()
    /// The object that the next step must start from; nil when the path has ended or forked.
    private var end: StoreObject?
    private var lastValue: QueryValue?
    private var endedInToMany = false
    private var isForked = false
    private var isCounted = false

    /// The properties that `keyPath` reads, one after the other; nil when it does anything else.
    static func path<Root: StoreObject>(of keyPath: PartialKeyPath<Root>, entity: EntityDescription) -> Path? {
        let key = SendableKeyPath(keyPath: keyPath)
        if let path = known.withLock({ $0[key] }) { return path }
        guard let path = PathRecorder().follow(keyPath, entity) else { return nil }
        known.withLock { $0[key] = path }
        return path
    }

    /// The properties that a key path reads, in order, whatever it does with them.
    static func reads<Root: StoreObject>(_ keyPath: PartialKeyPath<Root>, entity: EntityDescription) -> [String] {
        let recorder = PathRecorder()
        _ = recorder.follow(keyPath, entity)
        return Array(recorder.names)
    }

    func follow<Root: StoreObject>(_ keyPath: PartialKeyPath<Root>, _ entity: EntityDescription) -> Path? {
        guard let start = probe(entity, type: Root.self) as? Root else { return nil }
        end = start
        // Breaks the reference cycle: the object holds the recorder.
        defer { end = nil }
        let result = unwrapped(start[keyPath: keyPath])
        guard !isForked else { return nil }
        if let end, result as? ObjectID == end.objectID { return Path(names: names, isID: true) }
        guard !names.isEmpty else { return nil }
        if let object = result as? StoreObject { return object === end ? Path(names: names) : nil }
        if isCounted { return result as? Int == Self.countSentinel ? Path(names: names, isCount: true) : nil }
        if endedInToMany { return result is any QueryCollection ? Path(names: names, isToMany: true) : nil }
        guard let value = (result as? any QueryValueConvertible)?.queryValue else { return nil }
        if value == lastValue { return Path(names: names) }
        if let text = lastValue?.text, value == .text(text.folded) { return Path(names: names, isFolded: true) }
        return nil
    }

    private func unwrapped(_ value: Any) -> Any? {
        guard let optional = value as? any OptionalValue else { return value }
        return optional.anyValue
    }

    private func record(_ name: String, on object: StoreObject) {
        if object !== end { isForked = true }
        names.append(name)
        end = nil
    }

    private func probe(_ entity: EntityDescription, type: StoreObject.Type) -> StoreObject {
        type.init(objectID: ObjectID(entity, row: -1), origin: self)
    }

    func values(of object: StoreObject, for column: Int) -> PackedRow {
        let entity = object.objectID.entity
        record(entity.columns[column].property, on: object)
        let row = entity.sentinels
        lastValue = QueryValue(row.value(column))
        return row
    }

    func object(of object: StoreObject, reference column: Int, type: StoreObject.Type) -> StoreObject? {
        let description = object.objectID.entity.columns[column]
        record(description.property, on: object)
        guard let table = description.target,
            let entity = StoreModel.typed.entity(named: table) ?? StoreModel.declared.entity(named: table)
        else { return nil }
        let target = probe(entity, type: type)
        end = target
        return target
    }

    func willUse(_ object: StoreObject, toMany position: Int) {
        record(object.objectID.entity.toMany(at: position).name, on: object)
        endedInToMany = true
    }

    func objects(of object: StoreObject, toMany position: Int) -> [StoreObject] {
        isForked = true
        return []
    }

    func count(of object: StoreObject, toMany position: Int) -> Int {
        isCounted = true
        return Self.countSentinel
    }

    func forget(_ object: StoreObject) {}
}

extension EntityDescription {
    /// A row of values that do not occur in feeds.
    fileprivate var sentinels: PackedRow {
        PackedRow(
            columns.map { column in
                switch column.storage {
                case .integer: .integer(column.isFlag ? 1 : 7_340_113)
                case .real: .double(-7.340_113e-99)
                case .text: .text("\u{C9}T\u{C9} 7340113")
                }
            })
    }
}

private protocol OptionalValue { var anyValue: Any? { get } }
extension Optional: OptionalValue { fileprivate var anyValue: Any? { map { $0 as Any } } }

/// A key path as a dictionary's key.
private struct SendableKeyPath: @unchecked Sendable, Hashable {
    // @unchecked: key paths are immutable; those of properties capture nothing.
    let keyPath: AnyKeyPath
}
