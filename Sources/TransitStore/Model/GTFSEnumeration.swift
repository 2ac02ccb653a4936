import Synchronization

/// A number that stands for one of several things in GTFS, such as a kind of vehicle or a way to board.
///
///     let stations = FetchRequest<Stop>(where: #Predicate { $0.locationType.isStation })
///     switch stop.locationType {
///     case .station: print("station")
///     case .entrance: print("entrance")
///     default: print(stop.locationType)           // such as platform, or the number of an unknown kind
///     }
///
/// Feeds hold numbers that GTFS does not know, and GTFS adds new ones. So every number is a value:
/// `RouteType(rawValue: 1702)`, `.other(1702)` and the literal `1702` are the same. `isKnown` tells whether a value has
/// a name here.
///
/// `#Predicate` does not accept `.station` in any spelling. It accepts Boolean properties (`isStation`), numbers
/// (`$0.locationType == 1`) and captured values.
public protocol GTFSEnumeration: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByIntegerLiteral,
    CustomStringConvertible, QueryValueConvertible
where RawValue == Int, IntegerLiteralType == Int {
    /// The value of a number, whether GTFS knows it or not.
    init(rawValue: Int)

    /// The values that have a name here, in the order of their numbers.
    static var names: KeyValuePairs<Self, String> { get }
}

extension GTFSEnumeration {
    public init(integerLiteral value: Int) { self.init(rawValue: value) }

    /// A number without a name here.
    ///
    ///     let gondola = RouteType.other(1_799)
    ///     print(gondola, gondola.isKnown)     // 1799 false
    public static func other(_ number: Int) -> Self { Self(rawValue: number) }

    /// The values that have a name here, in the order of their numbers.
    public static var knownValues: [Self] { names.map(\.key) }

    /// Whether the number has a name here.
    public var isKnown: Bool { name != nil }

    /// The name, such as `bus`; the number of a value without one.
    public var description: String { name ?? String(rawValue) }

    private var name: String? { Self.names.first { $0.key == self }?.value }

    public var queryValue: QueryValue { .integer(Int64(rawValue)) }
}

extension GTFSEnumeration {
    /// All numbers that GTFS uses, including extended kinds of vehicles.
    private static var used: Range<Int> { 0..<1_800 }
    /// Some of the numbers below and above these, which feeds may have.
    private static var below: [Int] { [-1, -2, -3, -10, -100, -1_000, -9_999, -100_000, Int(Int32.min)] }
    private static var above: [Int] {
        [
            1_800, 1_801, 1_999, 2_000, 2_500, 3_000, 4_999, 5_000, 7_500, 9_999, 10_000, 65_536, 7_340_113,
            Int(Int32.max),
        ]
    }

    /// Translates a key path of this type into a query about its number. The key path is `rawValue` or a Boolean
    /// property such as `isStation`. Nil for other key paths, and for a property that differs among the numbers above
    /// those of GTFS, or among those below. Costs 1,823 calls of the property the first time, a dictionary lookup
    /// afterwards.
    static func query(_ keyPath: AnyKeyPath, of number: QueryExpression) -> QueryExpression? {
        if let value = keyPath as? KeyPath<Self, Int> {
            let isNumber =
                value == \Self.rawValue
                || (below + used + above).allSatisfy { Self(rawValue: $0)[keyPath: value] == $0 }
            return isNumber ? number : nil
        }
        guard let test = keyPath as? KeyPath<Self, Bool>, let answers = answers(of: test) else { return nil }
        let listed = answers.listed
        var isListed: QueryExpression =
            listed.count == 1 ? .comparison(.equal, number, .value(listed[0])) : .membership(number, listed)
        if answers.below != answers.above { isListed = .any([isListed, .comparison(.less, number, .value(0))]) }
        return answers.above ? .not(isListed) : isListed
    }

    /// For which numbers a property is true; nil if it differs among the numbers below those of GTFS, or among those
    /// above.
    private static func answers(of test: KeyPath<Self, Bool>) -> EnumerationAnswers? {
        let key = SendableKeyPath(keyPath: test)
        if let known = EnumerationAnswers.known.withLock({ $0[key] }) { return known }
        func gives(_ number: Int) -> Bool { Self(rawValue: number)[keyPath: test] }
        let (isBelow, isAbove) = (Set(below.map(gives)), Set(above.map(gives)))
        guard isBelow.count == 1, isAbove.count == 1, let isAbove = isAbove.first else { return nil }
        let listed = used.filter { gives($0) != isAbove }.map { QueryValue.integer(Int64($0)) }
        let answers = EnumerationAnswers(below: isBelow.contains(true), above: isAbove, listed: listed)
        EnumerationAnswers.known.withLock { $0[key] = answers }
        return answers
    }
}

/// For which numbers a Boolean property of an enumeration is true.
private struct EnumerationAnswers {
    /// For negative numbers.
    let below: Bool
    /// For numbers above those that GTFS uses.
    let above: Bool
    /// The numbers of GTFS for which it is the opposite of `above`.
    let listed: [QueryValue]

    /// By the key path of the property.
    static let known = Mutex<[SendableKeyPath: EnumerationAnswers]>([:])
}
