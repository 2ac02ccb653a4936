import Synchronization

/// A number that stands for one of several things in GTFS, such as a kind of vehicle or a way to board.
///
///     let stations = FetchRequest<Stop>(where: #Predicate { $0.locationType.isStation })
///     switch stop.locationType {
///     case .station: print("station")
///     case .entrance: print("entrance")
///     default: print(stop.locationType)           // boardingArea, or the number of one that GTFS does not know
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
    /// A number that no enumeration names.
    private static var nameless: Self { Self(rawValue: 7_340_113) }

    /// The values at which a property is asked what it gives: all numbers that GTFS uses, extended kinds of vehicles
    /// among them, and one that it does not use.
    private static var tried: [Self] { (0..<1_800).map(Self.init(rawValue:)) + [nameless] }

    /// Translates a key path of this type into a query about its number. The key path is `rawValue` or a Boolean
    /// property such as `isStation`; nil for any other. Costs 1,800 calls of the property the first time, a dictionary
    /// lookup afterwards.
    static func query(_ keyPath: AnyKeyPath, of number: QueryExpression) -> QueryExpression? {
        if let value = keyPath as? KeyPath<Self, Int> {
            return value == \Self.rawValue || tried.allSatisfy { $0[keyPath: value] == $0.rawValue } ? number : nil
        }
        guard let test = keyPath as? KeyPath<Self, Bool> else { return nil }
        let (isElse, listed) = answers(of: test)
        let isListed: QueryExpression =
            listed.count == 1 ? .comparison(.equal, number, .value(listed[0])) : .membership(number, listed)
        return isElse ? .not(isListed) : isListed
    }

    /// What a property gives for a number that GTFS does not use, and the values for which it gives something else.
    private static func answers(of test: KeyPath<Self, Bool>) -> EnumerationAnswers.Answer {
        let key = SendableKeyPath(keyPath: test)
        if let known = EnumerationAnswers.known.withLock({ $0[key] }) { return known }
        let isElse = nameless[keyPath: test]
        let answer = (isElse, tried.filter { $0[keyPath: test] != isElse }.map(\.queryValue))
        EnumerationAnswers.known.withLock { $0[key] = answer }
        return answer
    }
}

/// What Boolean properties of enumerations have given, by their key paths.
private enum EnumerationAnswers {
    typealias Answer = (isElse: Bool, listed: [QueryValue])

    static let known = Mutex<[SendableKeyPath: Answer]>([:])
}
