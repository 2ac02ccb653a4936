import GTFSFeed
import TestSupport
import Testing

@testable import GTFSImport

/// Compares the map of identifiers with a dictionary.
@Suite struct IdentifierMapTests {
    private func insert(_ map: IdentifierMap, _ text: String, _ key: Int32) -> Int32? {
        withBytes(text) { map.insert($0, key: key) }
    }
    private func key(_ map: IdentifierMap, _ text: String) -> Int32? { withBytes(text) { map.key(of: $0) } }

    /// Identifiers like those of feeds: numbers, long texts, common prefixes and suffixes, differences of one byte, and
    /// empty ones.
    private static func identifier(_ random: inout SeededGenerator) -> String {
        let number = Int.random(in: 0..<40_000, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return "\(number)"
        case 1: return "DE:05315:\(number)_G"
        case 2: return String(repeating: "common-prefix-", count: 20) + "\(number)"
        case 3: return "\(number)" + String(repeating: "-suffix", count: number % 7)
        case 4: return String(repeating: "x", count: number % 700)
        case 5: return String(repeating: "\u{0}", count: number % 40)
        case 6: return "Straße \(number) 東京"
        default: return number % 50 == 0 ? "" : "\(number % 256)\u{0}\(number / 256)"
        }
    }

    @Test func randomIdentifiersAreKeptAsInADictionary() {
        var random = SeededGenerator(seed: 7)
        let map = IdentifierMap()
        var twin: [String: Int32] = [:]
        for round in Int32(0)..<200_000 {
            let id = Self.identifier(&random)
            if Bool.random(using: &random) {
                if insert(map, id, round) != twin[id] { Issue.record("insert \(id)") }
                if twin[id] == nil { twin[id] = round }
            } else if key(map, id) != twin[id] {
                Issue.record("key of \(id)")
            }
        }
        #expect(map.count == twin.count)
        for (id, expected) in twin where key(map, id) != expected { Issue.record("\(id)") }
    }

    /// The last identifier can be removed again, even right after the map has grown.
    @Test func identifiersCanBeTakenBack() {
        var random = SeededGenerator(seed: 8)
        let map = IdentifierMap()
        var twin: [String: Int32] = [:]
        for round in Int32(0)..<30_000 {
            let id = Self.identifier(&random)
            guard insert(map, id, round) == nil else { continue }
            guard Int.random(in: 0..<3, using: &random) == 0 else {
                twin[id] = round
                continue
            }
            withBytes(id) { map.removeLast($0) }
            if key(map, id) != nil { Issue.record("\(id) is there still") }
        }
        #expect(map.count == twin.count)
        for (id, expected) in twin where key(map, id) != expected { Issue.record("\(id)") }
        var visited: [Int32] = []
        map.forEach { visited.append($1) }
        #expect(visited == twin.values.sorted())
    }

    @Test func theFirstKeyWins() {
        let map = IdentifierMap()
        #expect(insert(map, "a", 1) == nil)
        #expect(insert(map, "a", 2) == 1)
        #expect(key(map, "a") == 1)
        #expect(map.count == 1)
    }

    @Test func theEmptyIdentifierIsOneAsWell() {
        let map = IdentifierMap()
        #expect(key(map, "") == nil)
        #expect(insert(map, "", 5) == nil)
        #expect(insert(map, "", 6) == 5)
        #expect(key(map, "") == 5)
        #expect(map.key(of: UnsafeRawBufferPointer(start: nil, count: 0)) == 5)
        #expect(map.count == 1)
    }

    /// Lookups in order, backwards and in steps, each repeated. What a lookup remembers must not mislead the next one.
    @Test(arguments: [[1], [-1], [2], [1, 0, 0], [3, -1], [0, 1, 1, -1], [7, -7, 1]])
    func lookupsInAnyOrderOfStepsFindTheirKeys(steps: [Int]) {
        let map = IdentifierMap()
        let count = 5000
        for number in 0..<count { _ = insert(map, "trip-\(number / 3)-\(number)", Int32(number)) }
        var place = 0
        for round in 0..<20_000 {
            place = ((place + steps[round % steps.count]) % count + count) % count
            if key(map, "trip-\(place / 3)-\(place)") != Int32(place) { Issue.record("\(place)") }
            if round % 5 == 0, key(map, "trip-\(place)") != nil { Issue.record("\(place) is not there") }
        }
    }

    @Test func keysMayBeAnything() {
        let map = IdentifierMap()
        for (text, number) in [("min", Int32.min), ("max", Int32.max), ("zero", 0), ("minus", -1)] {
            #expect(insert(map, text, number) == nil)
        }
        #expect(key(map, "min") == .min && key(map, "max") == .max && key(map, "zero") == 0 && key(map, "minus") == -1)
    }

    @Test func identifiersAreVisitedInOrderOfArrival() {
        let map = IdentifierMap()
        let ids = (0..<3000).map { $0 == 1234 ? "" : "id \($0 * 7919 % 3000)" }
        for (index, id) in ids.enumerated() { _ = insert(map, id, Int32(index)) }
        var visited: [String] = []
        map.forEach { text, key in
            #expect(Int(key) == visited.count)
            visited.append(String(decoding: text, as: UTF8.self))
        }
        #expect(visited == ids)
    }

    @Test func veryLongIdentifiersAreToldApart() {
        let map = IdentifierMap()
        let ids = (0..<20).map { String(repeating: "y", count: 100_000) + "\($0)" }
        for (index, id) in ids.enumerated() { #expect(insert(map, id, Int32(index)) == nil) }
        for (index, id) in ids.enumerated() { #expect(key(map, id) == Int32(index)) }
        #expect(key(map, String(repeating: "y", count: 100_000)) == nil)
    }

    /// With a known way of mixing two words, an attacker could choose the second so that every hash is 0.
    @Test func identifiersMadeToCollideDoNot() {
        let map = IdentifierMap()
        let (start, multiplier): (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15 ^ 16, 0xFF51_AFD7_ED55_8CCD)
        let hashes = (UInt64(0)..<10_000).map { first in
            let product = (start ^ first).multipliedFullWidth(by: multiplier)
            return withUnsafeBytes(of: (first, product.high ^ product.low)) { map.hash($0) }
        }
        #expect(Set(hashes).count == hashes.count)
        #expect(Set(hashes.map { $0 & 0xFFFF }).count > 5_000)
    }

    @Test func everyMapHashesInItsOwnWay() {
        let hashes = (0..<4).map { _ in withBytes("a stop") { IdentifierMap().hash($0) } }
        #expect(Set(hashes).count == hashes.count)
    }

    /// Looking up a whole block gives the same keys as looking up each cell. The rows have repeated, unknown, empty and
    /// padded identifiers, and some rows are short.
    @Test(arguments: 0..<8) func aBlockAtATimeFindsTheKeysThatSingleLookupsFind(seed: UInt64) throws {
        var random = SeededGenerator(seed: 90 + seed)
        let map = IdentifierMap()
        let ids = (0..<Int.random(in: 1...3_000, using: &random)).map { "id \($0 * 7919 % 5_000)" }
        for (number, id) in ids.enumerated() { _ = insert(map, id, Int32(number)) }
        var lines = ["a,b,c"]
        while lines.count < 5_000 {
            let id = ids.randomElement(using: &random) ?? ""
            let cell =
                [id, id, id, id, "", "unknown \(lines.count % 3)", " \(id)", "\"\(id)\""].randomElement(using: &random)
                ?? ""
            let line = Int.random(in: 0...20, using: &random) == 0 ? "x" : "x,\(cell),y"
            lines += [String](repeating: line, count: Int.random(in: 1...5, using: &random))
        }
        let text = Array(lines.joined(separator: "\n").utf8)
        let reader = try CSVReader(source: FileBytes(rest: text[...]), blockBytes: 4096)
        while let block = try reader.nextBlock(reusing: nil) {
            let keys = UnsafeMutablePointer<Int32>.allocate(capacity: block.rowCount)
            defer { keys.deallocate() }
            map.findKeys(ofColumn: 1, in: block, into: keys)
            for row in 0..<block.rowCount {
                let fields = block.fields(of: row)
                let expected = fields.count < 2 ? -1 : map.key(of: block.field(fields.lowerBound + 1)) ?? -1
                if keys[row] != expected { Issue.record("row \(row): \(keys[row]), not \(expected)") }
            }
        }
    }
}
