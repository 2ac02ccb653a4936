import TestSupport
import TransitStore

/// Makes conditions at random, of every kind that both SQL and memory can answer.
struct RandomConditions {
    var generator: SeededGenerator
    private var nextVariable = 1

    init(generator: SeededGenerator) { self.generator = generator }

    private mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &generator) }
    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[roll(elements.count)] }

    /// A condition over stops.
    mutating func stop(_ variable: QueryVariable, depth: Int) -> QueryExpression {
        if depth > 0, let combined = combination(depth, { $0.stop(variable, depth: $1) }) { return combined }
        switch roll(9) {
        case 0: return number(.property(variable, [pick(["locationType", "id", "wheelchairBoarding"])]))
        case 1: return number(.property(variable, ["parentStation", pick(["id", "locationType"])]))
        case 2: return textOfStop(variable)
        case 3: return .comparison(pick([.equal, .notEqual]), .property(variable, ["code"]), .value(.null))
        case 4: return .comparison(anyOperator(), .property(variable, ["latitude"]), .value(.double(52.5)))
        case 5:
            let box = BoundingBox(minLatitude: 52.2, maxLatitude: 52.7, minLongitude: 13.1, maxLongitude: 13.8)
            return .box(variable, pick([[], ["parentStation"]]), box)
        case 6:
            return .comparison(
                .less, .distance(variable, [], Coordinate(latitude: 52.5, longitude: 13.5)), .value(20_000))
        case 7: return .searchTerm(variable, [], prefix: pick(["zoo", "n", "ba", "u"]))
        default: return related(variable, ["stopTimes"], depth) { $0.stopTime($1, depth: $2) }
        }
    }

    /// A condition over a stop's texts.
    mutating func textOfStop(_ variable: QueryVariable) -> QueryExpression {
        let paths: [PropertyPath] = [
            ["name"], ["platformCode"], ["code"], ["stopID"], ["parentStation", "name"], ["parentStation", "stopID"],
        ]
        return text(.property(variable, pick(paths)), or: .property(variable, pick(paths)))
    }

    /// A condition over stop times.
    mutating func stopTime(_ variable: QueryVariable, depth: Int) -> QueryExpression {
        if depth > 0, let combined = combination(depth, { $0.stopTime(variable, depth: $1) }) { return combined }
        switch roll(7) {
        case 0: return number(.property(variable, [pick(["stopSequence", "departureTime", "pickupType"])]))
        case 1:
            let names = pick([["stop", "name"], ["stop", "stopID"]] as [PropertyPath])
            return text(.property(variable, names), or: .property(variable, ["stop", "platformCode"]))
        case 4: return text(.property(variable, ["trip", "tripID"]), or: .property(variable, ["trip", "headsign"]))
        case 5: return number(.property(variable, ["trip", pick(["directionID", "id"])]))
        case 2: return number(.property(variable, ["stop", pick(["locationType", "id"])]))
        case 3:
            return .comparison(
                anyOperator(), .property(variable, ["departureTime"]), .property(variable, ["arrivalTime"]))
        default: return related(variable, ["stop", "childStops"], depth) { $0.stop($1, depth: $2) }
        }
    }

    /// A condition over trips.
    mutating func trip(_ variable: QueryVariable, depth: Int) -> QueryExpression {
        if depth > 0, let combined = combination(depth, { $0.trip(variable, depth: $1) }) { return combined }
        switch roll(3) {
        case 0: return number(.property(variable, [pick(["directionID", "id"])]))
        case 1: return text(.property(variable, ["tripID"]), or: .property(variable, ["headsign"]))
        default: return related(variable, ["stopTimes"], depth) { $0.stopTime($1, depth: $2) }
        }
    }

    /// A condition over the stop times of a stop or a trip.
    mutating func ofCalls(depth: Int) -> QueryExpression {
        related(.root, ["stopTimes"], depth) { $0.stopTime($1, depth: $2) }
    }

    private mutating func combination(
        _ depth: Int, _ inner: (inout RandomConditions, Int) -> QueryExpression
    ) -> QueryExpression? {
        switch roll(7) {
        case 0: return .all((0..<roll(4)).map { _ in inner(&self, depth - 1) })
        case 1: return .any((0..<roll(4)).map { _ in inner(&self, depth - 1) })
        case 2: return .not(inner(&self, depth - 1))
        case 3: return .comparison(.equal, .not(inner(&self, depth - 1)), .not(inner(&self, depth - 1)))
        case 4: return .conditional(inner(&self, depth - 1), inner(&self, depth - 1), inner(&self, depth - 1))
        default: return nil
        }
    }

    private mutating func related(
        _ owner: QueryVariable, _ path: PropertyPath, _ depth: Int,
        _ inner: (inout RandomConditions, QueryVariable, Int) -> QueryExpression
    ) -> QueryExpression {
        guard depth > 0 else { return .always }
        nextVariable += 1
        let variable = QueryVariable(nextVariable)
        let condition = inner(&self, variable, depth - 1)
        switch roll(3) {
        case 0:
            return .related(
                RelatedRows(of: owner, path: path, variable: variable, condition: condition, yields: .exists))
        case 1:
            let count = QueryExpression.related(
                RelatedRows(of: owner, path: path, variable: variable, condition: condition, yields: .count))
            return .comparison(anyOperator(), count, .value(.integer(Int64(roll(3)))))
        default:
            let name = path == ["stopTimes"] ? "stopSequence" : "id"
            let function: AggregateFunction = pick([.min, .max, .sum, .average, .count])
            let value = QueryExpression.related(
                RelatedRows(
                    of: owner, path: path, variable: variable, condition: condition,
                    yields: .aggregate(function, .property(variable, [name]))))
            return .comparison(anyOperator(), value, .value(.integer(Int64(roll(4)))))
        }
    }

    private mutating func anyOperator() -> ComparisonOperator { pick(ComparisonOperator.allCases) }

    private mutating func number(_ property: QueryExpression) -> QueryExpression {
        let value = QueryExpression.value(pick([0, 1, 3, 5, 28_800, -1]))
        switch roll(5) {
        case 0: return .comparison(anyOperator(), property, value)
        case 1: return .comparison(anyOperator(), value, property)
        case 2: return .membership(property, [pick([0, 1]), 3, pick([nil, 5, -1])])
        case 3:
            let sum = QueryExpression.arithmetic(pick(ArithmeticOperator.allCases), property, .value(pick([2, 3])))
            return .comparison(anyOperator(), sum, value)
        default: return .comparison(anyOperator(), .coalesce(property, .value(7)), .negative(value))
        }
    }

    /// A comparison of texts: every operator with every option, with values, NULL and other properties.
    private mutating func text(_ property: QueryExpression, or other: QueryExpression) -> QueryExpression {
        let subject = pick([property, property, .folded(property)])
        let value = pick([.value(.text(RandomTexts.text(&generator))), other, .value(.null)])
        switch roll(8) {
        case 0: return .comparison(anyOperator(), subject, value)
        case 1: return .comparison(anyOperator(), value, subject)
        case 2: return .membership(subject, [nullableText(), nullableText(), "u bahn"])
        case 3:
            return .all([
                .comparison(.greaterOrEqual, subject, .value(nullableText())),
                .comparison(.lessOrEqual, subject, .value(nullableText())),
            ])
        case 4: return .comparison(anyOperator(), .length(subject), .value(pick([0, 1, 3])))
        case 5: return .comparison(anyOperator(), .coalesce(subject, value), value)
        default: return operation(pick([property, property, other]), value)
        }
    }

    private mutating func operation(_ subject: QueryExpression, _ value: QueryExpression) -> QueryExpression {
        let op = pick(TextOperator.allCases)
        let options = pick([[], .caseInsensitive, .diacriticInsensitive, .folded] as [TextOptions])
        switch op {
        case .like:
            return .text(op, options, subject, pick([.value(.text(RandomTexts.wildcardPattern(&generator))), value]))
        // In words, the options are part of the pattern itself.
        case .matches: return .text(op, [], subject, .value(.text(RandomTexts.regularExpression(&generator))))
        default: return .text(op, options, subject, value)
        }
    }

    private mutating func nullableText() -> QueryValue {
        roll(5) == 0 ? .null : .text(RandomTexts.text(&generator))
    }
}

/// Random texts with every case in which characters, code points and bytes differ.
enum RandomTexts {
    /// Accents of one code point and of two, line ends of two, flags and families of several, U+0000, and letters whose
    /// other case is longer, or depends on the language or on their place in the word.
    static let pieces = [
        "", "Zoo", "zoo n", "u", "U", "é", "e\u{301}", "e", "\u{301}", "É", "Ö", "o\u{308}", "\u{212B}", "Å", "\r\n",
        "\r", "\n", "👨‍👩‍👧", "👨", "\u{200D}", "🇩🇪", "\u{1F1E9}", "a\u{0}b", "\u{0}", "ß", "ẞ", "ss", "SS", "ı", "İ",
        "i", "I", "ς", "σ", "Σ", "ΟΔΟΣ", "οδος", "한", "\u{1112}\u{1161}\u{11AB}", "ﬁ", "ǅ", "\u{E000}", "\u{FFFD}",
        "\u{10FFFF}", "\u{D7FF}", "%", "_", "'",
    ]
    /// Further pieces for patterns of LIKE.
    private static let wildcards = ["*", "?", "\\", "\\*", "\\?", "?\u{301}", "*\u{301}"]
    /// Regular expressions that stay valid when letters lose their case and accents.
    private static let expressions = [".*", ".", "(é|ö)", "[^é]*", "(zoo|ss)?", "\\x{e9}", "e.?", "(.)\\1", ""]

    static func text(_ generator: inout SeededGenerator) -> String { joined(pieces, &generator) }
    static func wildcardPattern(_ generator: inout SeededGenerator) -> String {
        joined(pieces + wildcards + wildcards, &generator)
    }
    static func regularExpression(_ generator: inout SeededGenerator) -> String { joined(expressions, &generator) }

    private static func joined(_ pieces: [String], _ generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...3, using: &generator))
            .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
    }
}
