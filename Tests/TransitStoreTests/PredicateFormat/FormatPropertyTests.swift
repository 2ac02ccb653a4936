import TestSupport
import Testing

@testable import TransitStore

/// Random texts: valid conditions find the same rows by SQL and in memory, and other texts do no harm.
@Suite struct FormatPropertyTests {
    @Test(arguments: SeededGenerator.seeds(3, from: 21))
    func randomTextsAgree(seed: UInt64) throws {
        let context = try TestStore.berlin().context()
        let stops = try context.fetch(FetchRequest<Stop>())
        let times = try context.fetch(FetchRequest<StopTime>())
        var texts = RandomFormats(generator: SeededGenerator(seed: seed))
        var (ofStops, ofTimes) = (0, 0)
        for _ in 0..<300 {
            ofStops += try compare(texts.stop(depth: 3), stops, context)
            ofTimes += try compare(texts.stopTime(depth: 3), times, context)
        }
        // Conditions that all rows meet, or none, would tell little.
        #expect(ofStops > 300 / 3 && ofTimes > 300 / 3, "\(ofStops), \(ofTimes)")
        #expect(context.lastError == nil)
    }

    /// Returns 1 if the condition finds some rows but not all, otherwise 0.
    private func compare<Entity: StoreEntity>(
        _ format: String, _ all: [Entity], _ context: StoreContext
    ) throws -> Int {
        let condition = try Condition<Entity>(format: format)
        let bySQL = Set(try context.fetch(FetchRequest(where: condition)).map(\.objectID))
        let query = try condition.query()
        let inMemory = Set(
            try all.filter { object in
                var evaluator = ExpressionEvaluator(object)
                return try evaluator.holds(query)
            }.map(\.objectID))
        #expect(bySQL == inMemory, "\(format)")
        return bySQL.isEmpty || bySQL.count == all.count ? 0 : 1
    }

    /// Damaged texts are refused or mean something else. They neither trap nor hang.
    @Test(arguments: SeededGenerator.seeds(4, from: 31))
    func damagedTextsDoNoHarm(seed: UInt64) throws {
        let context = try TestStore.berlin().context()
        var texts = RandomFormats(generator: SeededGenerator(seed: seed))
        var understood = 0
        for _ in 0..<2_000 {
            let text = texts.damaged(texts.stop(depth: 2))
            do {
                let condition = try Condition<Stop>(format: text)
                understood += 1
                _ = try context.fetchCount(FetchRequest(where: condition))
            } catch {
                #expect(
                    [.syntax, .unknownProperty, .missingVariable, .failed].contains(error.code), "\(text): \(error)")
            }
        }
        #expect(understood > 50)
    }

    @Test(arguments: SeededGenerator.seeds(2, from: 41))
    func randomBytesDoNoHarm(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            do { _ = try Condition<Stop>(format: text) } catch {
                #expect(error.message.split(separator: "\n").count == 3)
            }
        }
    }

    @Test(arguments: SeededGenerator.seeds(2, from: 51))
    func randomTokensDoNoHarm(seed: UInt64) throws {
        var texts = RandomFormats(generator: SeededGenerator(seed: seed))
        var understood = 0
        for _ in 0..<10_000 {
            let text = texts.tokens()
            do {
                _ = try Condition<Stop>(format: text)
                understood += 1
            } catch {
                #expect([.syntax, .unknownProperty, .missingVariable].contains(error.code), "\(text): \(error)")
            }
        }
        #expect(understood > 5)
    }
}

/// Writes predicates at random.
struct RandomFormats {
    var generator: SeededGenerator
    private var nextVariable = 0

    init(generator: SeededGenerator) { self.generator = generator }

    private mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &generator) }
    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[roll(elements.count)] }

    mutating func stop(_ prefix: String = "", depth: Int) -> String {
        if depth > 0, let combined = combination(depth, { $0.stop(prefix, depth: $1) }) { return combined }
        switch roll(9) {
        case 0: return number(prefix + pick(["id", "locationType", "wheelchair_boarding", "parentStation.id"]))
        case 1, 2: return text(prefix + pick(["name", "stopID", "platformCode", "parentStation.name"]))
        case 3:
            return prefix + pick(["platformCode", "parentStation", "level"]) + pick([" = ", " != "])
                + pick(["NIL", "null"])
        case 4: return aggregate(prefix)
        case 5: return time(prefix + pick(["stopTimes.@min.departureTime", "stopTimes.@max.arrivalTime"]))
        case 6:
            let quantifier = pick(["ANY", "SOME", "ALL", "NONE"])
            return quantifier + " "
                + number(prefix + pick(["stopTimes.stopSequence", "childStops.locationType", "stopTimes.trip.id"]))
        case 7:
            return pick(["2", "0"]) + " IN " + prefix
                + pick(["stopTimes.stopSequence", "childStops", "childStops.locationType"])
        default: return subquery(prefix + "stopTimes", depth) { $0.stopTime($1, depth: $2) }
        }
    }

    mutating func stopTime(_ prefix: String = "", depth: Int) -> String {
        if depth > 0, let combined = combination(depth, { $0.stopTime(prefix, depth: $1) }) { return combined }
        switch roll(5) {
        case 0: return number(prefix + pick(["stopSequence", "pickupType", "trip.id", "stop.id", "stop.locationType"]))
        case 1: return text(prefix + pick(["stop.name", "trip.headsign", "trip.route.shortName"]))
        case 2: return time(prefix + pick(["departureTime", "arrivalTime"]))
        case 3:
            return prefix + "departureTime - " + prefix + "arrivalTime" + compared() + pick(["30", "0", "'0:01:00'"])
        default: return subquery(prefix + "stop.childStops", depth) { $0.stop($1, depth: $2) }
        }
    }

    private mutating func aggregate(_ prefix: String) -> String {
        let counts = [
            "stopTimes.@count", "parentStation.childStops.@count", "childStops.@max.stopTimes.@count",
            "stopTimes.@sum.stop.childStops.@count", "childStops.@min.stopTimes.@max.stopSequence",
            "childStops.@max.name.length", "stopTimes.@max.stop.name.length",
        ]
        if roll(4) > 0 { return number(prefix + pick(counts)) }
        return prefix + pick(["stopTimes.@avg.stopSequence", "childStops.@avg.stopTimes.@count"]) + compared() + "1.5"
    }

    private mutating func subquery(
        _ path: String, _ depth: Int, _ inner: (inout RandomFormats, String, Int) -> String
    ) -> String {
        guard depth > 0 else { return "TRUEPREDICATE" }
        nextVariable += 1
        let name = "$v\(nextVariable)"
        let condition = inner(&self, name + ".", depth - 1)
        return number("SUBQUERY(\(path), \(name), \(condition)).@count")
    }

    private mutating func combination(_ depth: Int, _ inner: (inout RandomFormats, Int) -> String) -> String? {
        switch roll(6) {
        case 0: return "(" + inner(&self, depth - 1) + pick([" AND ", " && ", " and "]) + inner(&self, depth - 1) + ")"
        case 1: return "(" + inner(&self, depth - 1) + pick([" OR ", " || "]) + inner(&self, depth - 1) + ")"
        case 2: return pick(["NOT ", "!"]) + "(" + inner(&self, depth - 1) + ")"
        default: return nil
        }
    }

    private mutating func compared() -> String {
        pick([" = ", " == ", " != ", " <> ", " < ", " <= ", " =< ", ">", ">=", "=>"])
    }

    private mutating func number(_ path: String) -> String {
        switch roll(6) {
        case 0: return path + " BETWEEN {\(roll(3)), \(roll(5))}"
        case 1: return path + " IN {\(roll(3)), \(roll(5)), NIL}"
        case 2 where !path.hasPrefix("ANY"):
            let sign = pick([" + ", " - ", " * ", " & ", " | ", " << ", " >> ", " & ~"])
            return path + sign + "\(roll(4))" + compared() + "\(roll(6))"
        case 3 where !path.hasPrefix("ANY") && !path.contains("abs("):
            return "abs(\(path) - \(roll(4)))" + compared() + "\(roll(4))"
        default: return path + compared() + pick(["\(roll(5))", "-1", "2.5", "(1 + 1)"])
        }
    }

    private mutating func time(_ path: String) -> String {
        path + compared() + pick(["'8:00'", "'08:01:00'", "36000", "'25:10'", "30000"])
    }

    private mutating func text(_ path: String) -> String {
        let value = pick([
            "'Zoo'", "'U '", "'ö'", "\"tor\"", "''", "'(Berlin)'", "'U1'", "'Ölmühle'", "'\\u00D6lm\\u00FChle'",
        ])
        switch roll(6) {
        case 0: return path + compared() + value
        case 1: return path + pick([" = ", " != ", " < ", " >= "]).trimmingSuffix + "[cd] " + value
        case 2:
            return path + pick([" LIKE ", " LIKE[c] ", " LIKE[cd] "]) + pick(["'*o*'", "'Z?o'", "'ö*'", "'*'", "''"])
        case 3:
            return path + pick([" MATCHES ", " MATCHES[c] ", " MATCHES[cd] "])
                + pick(["'.*o'", "'[A-Z].*'", "'(ö|z).*'"])
        case 4: return path + " IN " + pick(["{'Zoo', 'U1'}", "{}", "{'', NIL}"])
        default:
            return path + pick([" BEGINSWITH", " CONTAINS", " ENDSWITH"])
                + pick(["", "[c]", "[d]", "[cd]", "[n]", "[cdl]"]) + " "
                + value
        }
    }

    /// The text after one to three changes: a character is removed, copied, swapped or inserted.
    mutating func damaged(_ text: String) -> String {
        var characters = Array(text)
        for _ in 0...roll(3) where !characters.isEmpty {
            let place = roll(characters.count)
            switch roll(4) {
            case 0: characters.remove(at: place)
            case 1: characters.insert(characters[roll(characters.count)], at: place)
            case 2: characters.swapAt(place, roll(characters.count))
            default: characters.insert(pick(Array("'\"\\%@$#(){}[],.=<>!&|-+*/0eE \nü\u{0}")), at: place)
            }
        }
        return String(characters)
    }

    /// Words of the language in random order.
    mutating func tokens() -> String {
        let words = [
            "name", "stopTimes", "parentStation", "departureTime", "id", "AND", "OR", "NOT", "ANY", "ALL", "NONE", "IN",
            "BETWEEN", "LIKE", "MATCHES", "[cd]", "SUBQUERY", "TERNARY", "SELF", "NIL", "TRUE", "TRUEPREDICATE", "(",
            ")",
            "{", "}", ",", ".", "@count", "@min", "$x", "=", "!=", "<", "-", "+", "*", "/", "&", "|", "<<", ">>", "~",
            "1", "2.5", ".5", "'a'", "'8:00'",
        ]
        return (0...roll(14)).map { _ in pick(words) }.joined(separator: pick(["", " "]))
    }
}

extension String {
    fileprivate var trimmingSuffix: String { String(reversed().drop { $0 == " " }.reversed()) }
}
