import SQLite
import Synchronization

/// Finds out which column a key path stands for, by following it on an object that records what is read.
///
///     PathRecorder.path(of: \StopTime.stop.name, entity: StopTime.entity)?.names      // ["stop", "name"]
///
/// A key path does not tell what it computes. So it is followed on several objects with values of all kinds, and must
/// give each of these values as it is: `\.name.count`, `\.name.uppercased()` and `max(id, 5)` do not. Further objects
/// lack every value that may be missing: there, `stopHeadsign ?? trip.headsign` goes on to another property, and
/// `sortOrder ?? 0` gives a number where a column gives nil. A property that changes only a few numbers or texts
/// still passes. Costs up to half a millisecond the first time, a dictionary lookup afterwards.
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

    /// The values of the object that a key path is followed on.
    enum Probe {
        /// A value of each column, by their number.
        case values(Int)
        /// No value where one may be missing. The first `references` optional references lead to an object; any further
        /// one is nil.
        case nothing(references: Int)
    }

    private static let known = Mutex<[SendableKeyPath: Path]>([:])

    private var names = PropertyPath()
    /// The object that the next step must start from; nil when the path has ended or forked.
    private var end: StoreObject?
    private var lastValue: QueryValue?
    private var endedInToMany = false
    private var isForked = false
    private var isCounted = false
    /// What the last property gives where the store has no value.
    private var lastAbsence = ColumnDescription.Absence.never
    /// How many optional references the path has followed.
    private var optionalReferences = 0
    private let probe: Probe
    /// Longer paths end, because a property may go from each stop to its parent station, and every made-up stop has
    /// one.
    private static let mostNames = 12

    init(_ probe: Probe) { self.probe = probe }

    /// The properties that `keyPath` reads, one after the other; nil when it does anything else.
    static func path<Root: StoreObject>(of keyPath: PartialKeyPath<Root>, entity: EntityDescription) -> Path? {
        let key = SendableKeyPath(keyPath: keyPath)
        if let path = known.withLock({ $0[key] }) { return path }
        let first = PathRecorder(.values(0))
        guard let path = first.follow(keyPath, entity),
            first.isOptional(path) == keyPath.isOptional || keyPath.isOfAnyValue,
            probes(references: first.optionalReferences).allSatisfy({
                PathRecorder($0).confirms(path, keyPath, entity)
            })
        else { return nil }
        known.withLock { $0[key] = path }
        return path
    }

    /// The probes that must confirm a path. The one with the first values is left out: it found the path.
    private static func probes(references: Int) -> [Probe] {
        (1..<ColumnDescription.probeCount).map(Probe.values) + (0...references).map(Probe.nothing)
    }

    /// The properties that a key path reads, in order, whatever it does with them.
    static func reads<Root: StoreObject>(_ keyPath: PartialKeyPath<Root>, entity: EntityDescription) -> [String] {
        let recorder = PathRecorder(.values(0))
        _ = recorder.follow(keyPath, entity)
        return Array(recorder.names)
    }

    func follow<Root: StoreObject>(_ keyPath: PartialKeyPath<Root>, _ entity: EntityDescription) -> Path? {
        guard let start = object(entity, type: Root.self) as? Root else { return nil }
        end = start
        // Breaks the reference cycle: the object holds the recorder.
        defer { end = nil }
        let result = unwrapped(start[keyPath: keyPath])
        guard !isForked else { return nil }
        if let end, result as? ObjectID == end.objectID { return Path(names: names, isID: true) }
        guard !names.isEmpty else { return nil }
        if let object = result as? StoreObject { return object === end ? Path(names: names) : nil }
        if isCounted { return result as? Int == count ? Path(names: names, isCount: true) : nil }
        if endedInToMany { return result is any QueryCollection ? Path(names: names, isToMany: true) : nil }
        guard let value = (result as? any QueryValueConvertible)?.queryValue else { return nil }
        if value == lastValue { return Path(names: names) }
        if let text = lastValue?.text, value == .text(text.folded) { return Path(names: names, isFolded: true) }
        return nil
    }

    /// Whether the property at the end of a path may be nil.
    private func isOptional(_ path: Path) -> Bool {
        optionalReferences > 0 || !path.isID && !path.isCount && !path.isToMany && lastAbsence == .null
    }

    /// Whether a key path reads the same properties of another object and gives the value of the last one. It may stop
    /// early, with nil, at a reference that is nil.
    private func confirms<Root: StoreObject>(
        _ path: Path, _ keyPath: PartialKeyPath<Root>, _ entity: EntityDescription
    ) -> Bool {
        guard let start = object(entity, type: Root.self) as? Root else { return false }
        end = start
        defer { end = nil }
        let result = unwrapped(start[keyPath: keyPath])
        guard !isForked, path.names.starts(with: names) else { return false }
        if names.count < path.names.count { return result == nil }
        if let object = result as? StoreObject { return object === end }
        if path.isID { return (result as? ObjectID).map { $0 == end?.objectID } ?? (end == nil) }
        if path.isCount { return result as? Int == count }
        if path.isToMany { return result is any QueryCollection }
        let value = (result as? any QueryValueConvertible)?.queryValue ?? .null
        return values(of: path).contains(value)
    }

    /// The values that the column at the end of a path may read as.
    private func values(of path: Path) -> [QueryValue] {
        guard let lastValue, !lastValue.isNull else {
            return switch lastAbsence {
            case .never, .null: [.null]
            case .emptyText: [""]
            case .zero: [0, 0.0]
            }
        }
        return [path.isFolded ? lastValue.text.map { .text($0.folded) } ?? lastValue : lastValue]
    }

    private func unwrapped(_ value: Any) -> Any? {
        guard let optional = value as? any OptionalValue else { return value }
        return optional.content
    }

    private func record(_ name: String, on object: StoreObject) {
        if object !== end { isForked = true }
        names.append(name)
        end = nil
    }

    private func object(_ entity: EntityDescription, type: StoreObject.Type) -> StoreObject {
        type.init(objectID: ObjectID(entity, row: -1), origin: self)
    }

    /// A property that asks for the context may compute anything, such as the only agency of the feed. So it ends the
    /// path.
    var context: StoreContext? {
        isForked = true
        return nil
    }

    func values(of object: StoreObject, for column: Int) -> PackedRow {
        let entity = object.objectID.entity
        record(entity.columns[column].property, on: object)
        lastAbsence = entity.columns[column].absence
        let row =
            switch probe {
            case .values(let number): entity.probe(number)
            case .nothing: entity.emptyProbe
            }
        lastValue = QueryValue(row.value(column))
        return row
    }

    func object(of object: StoreObject, reference column: Int, type: StoreObject.Type) -> StoreObject? {
        let description = object.objectID.entity.columns[column]
        record(description.property, on: object)
        if !description.isRequiredReference {
            optionalReferences += 1
            if case .nothing(let references) = probe, optionalReferences > references { return nil }
            if names.count > Self.mostNames {
                isForked = true
                return nil
            }
        }
        guard let table = description.target,
            let entity = StoreModel.typed.entity(named: table) ?? StoreModel.declared.entity(named: table)
        else { return nil }
        let target = self.object(entity, type: type)
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
        return count
    }

    /// The count of each to-many relationship.
    private var count: Int { if case .values(let number) = probe { [7_340_117, 0, 1, 2, 40][number % 5] } else { 3 } }

    func forget(_ object: StoreObject) {}
}

extension EntityDescription {
    /// A row with the probe of each column.
    fileprivate func probe(_ number: Int) -> PackedRow { PackedRow(columns.map { $0.probe(number) }) }

    /// A row with values only in the columns that are never empty.
    fileprivate var emptyProbe: PackedRow {
        PackedRow(columns.map { $0.absence == .never ? $0.probe(0) : .null })
    }
}

extension ColumnDescription {
    fileprivate static var probeCount: Int { integers.count }

    /// Numbers below, between and above the limits that properties of programs may test: signs, small numbers, each
    /// hundred of kinds of vehicles, each hour of a day and of the next morning, dates, and unlikely numbers.
    private static let integers: [Int64] = {
        var integers: [Int64] = [7_340_113, 0, 1, 2, 3, 4, 5, 7, 12, 99, -1, -86_400, 9_999, 1 << 31, 1 << 40]
        for kind in Int64(1)..<18 { integers.append(kind * 100 + 2) }
        for hour in Int64(1)...28 { integers.append(hour * 3_600 - 1) }
        return integers + [19_991_231, 20_260_228, 20_271_231, 20_990_101, 99_991_231]
    }()
    /// Degrees of every quarter of the earth, distances, and numbers that are no degrees.
    private static let numbers = [-7.340_113e-99, 0, 52.5, -33.9, 13.4, -179.9, 1e6, -1e6, 0.5]
    /// Upper and lower case, separators, blanks, prefixes, digits, letters in one code point and in two, long texts.
    /// None is folded already, apart from the empty one.
    private static let texts = [
        "\u{C9}T\u{C9} 7340113", "", " S Bahnhof, Gleis 1 (Nord) ", "a\u{308}-B_c/d.e;f:g|h", "U+S Zoo", "S Bahnhof",
        "00FF0A",
        "\u{FB01}N", "Hbf. via Str. 1 - Z%20&amp;", "http://x.example/%C3%A4#A", "FFFFFF", "Z\u{FC}rich HB / Nord",
        "DE-by",
        String(repeating: "Stra\u{DF}e am Wald ", count: 40), "DE\n\tx", "https://X.example/?a=B#c",
    ]

    fileprivate func probe(_ number: Int) -> SQLiteValue {
        switch storage {
        case .integer where isFlag: .integer(Int64(1 - number % 2))
        // Keys are neither negative nor larger than 32 bits, and a program may rely on that.
        case .integer where absence == .never: .integer(Int64(Int32(clamping: abs(Self.integers[number]))))
        case .integer: .integer(Self.integers[number])
        case .real: .double(Self.numbers[number % Self.numbers.count])
        case .text: .text(Self.texts[number % Self.texts.count])
        }
    }
}

extension AnyKeyPath {
    /// Whether it ends in a value that may be nil.
    fileprivate var isOptional: Bool { type(of: self).valueType is any OptionalValue.Type }

    /// Whether its value may be NULL without being optional.
    fileprivate var isOfAnyValue: Bool { type(of: self).valueType == QueryValue.self }
}

/// A key path as a dictionary's key.
struct SendableKeyPath: @unchecked Sendable, Hashable {
    // @unchecked: key paths are immutable; those of properties capture nothing.
    let keyPath: AnyKeyPath
}
