import SQLite
import Synchronization

/// Finds out which column a key path stands for, by following it on an object that records what is read.
///
///     PathRecorder.path(of: \StopTime.stop.name, entity: StopTime.entity)?.names      // ["stop", "name"]
///
/// The object returns sentinels. They distinguish a key path that ends at a property from one that computes something
/// from it (`\.name.count`). A second object lacks every value that may be missing: a property that goes on to another
/// one there, such as `stopHeadsign ?? trip.headsign`, is no column. Costs some microseconds the first time, a
/// dictionary lookup afterwards.
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
    /// Whether the objects lack every value that may be missing.
    private let lacksValues: Bool

    init(lacksValues: Bool = false) { self.lacksValues = lacksValues }

    /// The properties that `keyPath` reads, one after the other; nil when it does anything else.
    static func path<Root: StoreObject>(of keyPath: PartialKeyPath<Root>, entity: EntityDescription) -> Path? {
        let key = SendableKeyPath(keyPath: keyPath)
        if let path = known.withLock({ $0[key] }) { return path }
        guard let path = PathRecorder().follow(keyPath, entity),
            PathRecorder(lacksValues: true).confirms(path, keyPath, entity)
        else { return nil }
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

    /// Whether a key path reads the same properties of an object without values, as far as there are any, and gives
    /// what a missing value reads as.
    private func confirms<Root: StoreObject>(
        _ path: Path, _ keyPath: PartialKeyPath<Root>, _ entity: EntityDescription
    ) -> Bool {
        guard let start = probe(entity, type: Root.self) as? Root else { return false }
        end = start
        defer { end = nil }
        let result = unwrapped(start[keyPath: keyPath])
        guard !isForked, path.names.starts(with: names) else { return false }
        if names.count < path.names.count { return result == nil }
        if let object = result as? StoreObject { return object === end }
        guard let value = (result as? any QueryValueConvertible)?.queryValue else { return true }
        return path.isID || path.isCount || value == lastValue || [.null, "", 0, 0.0].contains(value)
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
        let row = lacksValues ? entity.keySentinels : entity.sentinels
        lastValue = QueryValue(row.value(column))
        return row
    }

    func object(of object: StoreObject, reference column: Int, type: StoreObject.Type) -> StoreObject? {
        let description = object.objectID.entity.columns[column]
        record(description.property, on: object)
        if lacksValues, !description.isRequiredReference { return nil }
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
    fileprivate var sentinels: PackedRow { PackedRow(columns.map(\.sentinel)) }

    /// A row of such values in the columns that are never empty, and of none in the others.
    fileprivate var keySentinels: PackedRow {
        PackedRow(columns.map { $0.absence == .never ? $0.sentinel : .null })
    }
}

extension ColumnDescription {
    fileprivate var sentinel: SQLiteValue {
        switch storage {
        case .integer: .integer(isFlag ? 1 : 7_340_113)
        case .real: .double(-7.340_113e-99)
        case .text: .text("\u{C9}T\u{C9} 7340113")
        }
    }
}

private protocol OptionalValue { var anyValue: Any? { get } }
extension Optional: OptionalValue { fileprivate var anyValue: Any? { map { $0 as Any } } }

/// A key path as a dictionary's key.
struct SendableKeyPath: @unchecked Sendable, Hashable {
    // @unchecked: key paths are immutable; those of properties capture nothing.
    let keyPath: AnyKeyPath
}
