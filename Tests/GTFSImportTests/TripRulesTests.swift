import TestSupport
import Testing

@testable import GTFSImport

/// Rules about trips and pathways against slow loops. `NoticeCases` has a feed for each code.
@Suite struct TripRulesTests {
    private static func count(_ code: String, _ store: AskedStore) throws -> Int {
        try store.rows("SELECT count FROM notice_total WHERE code = '\(code)'").first.flatMap { Int($0) } ?? 0
    }

    // MARK: Pathways

    /// Ways between all places are found by joining ways until there are no more.
    @Test func unreachablePlacesAgreeWithASlowTwin() throws {
        var random = SeededGenerator(seed: 34)
        var total = 0
        for _ in 0..<60 {
            // Two stations, of which only the first has an entrance for certain.
            let types = [1, 1, 2] + (0..<9).map { _ in [0, 0, 2, 3, 4].randomElement(using: &random) ?? 0 }
            let platforms = types.indices.filter { types[$0] == 0 }
            let parents = types.indices.map { place -> Int? in
                switch types[place] {
                case 1: nil
                case 4: platforms.randomElement(using: &random)
                default: place == 2 ? 0 : Int.random(in: 0..<3, using: &random) == 0 ? nil : place & 1
                }
            }
            var ways: Set<[Int]> = []
            var rows: [String] = []
            for number in 0..<Int.random(in: 1...12, using: &random) {
                let (from, to) = (Int.random(in: 2..<12, using: &random), Int.random(in: 2..<12, using: &random))
                let isTwoWay = Bool.random(using: &random)
                ways.insert([from, to])
                if isTwoWay { ways.insert([to, from]) }
                rows.append("p\(number),s\(from),s\(to),1,\(isTwoWay ? 1 : 0)\n")
            }
            func station(_ place: Int) -> Int? {
                types[place] == 1 ? place : parents[place].flatMap { types[$0] == 1 ? $0 : parents[$0] }
            }
            let stations = Set(ways.joined().compactMap(station))
            for middle in 0..<12 {
                for from in 0..<12 where ways.contains([from, middle]) {
                    for to in 0..<12 where ways.contains([middle, to]) { ways.insert([from, to]) }
                }
            }
            let entrances = types.indices.filter { types[$0] == 2 }
            let expected = types.indices.filter { place in
                guard [0, 3, 4].contains(types[place]), station(place).map(stations.contains) ?? false,
                    types[place] != 0 || !parents.contains(place)
                else { return false }
                return !entrances.contains { ways.contains([$0, place]) }
                    || !entrances.contains { ways.contains([place, $0]) }
            }
            let store = try LayeredFeed([
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\ns1x,One,50.1,8.1,,\n"
                    + types.indices.map { place in
                        "s\(place),A,50.1,8.1,\(types[place]),\(parents[place].map { "s\($0)" } ?? "")\n"
                    }.joined(),
                "pathways.txt": "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\n" + rows.joined(),
            ]).imported()
            let found = try store.rows(
                "SELECT row_number - 3 FROM notice WHERE code = 'pathway_unreachable_location' ORDER BY id")
            #expect(found == expected.map(String.init), "\(types) \(parents) \(rows)")
            total += expected.count
        }
        #expect(total > 50)
    }

    /// A filter may have left out pathways.
    @Test func filtersLeaveOutTheRuleAboutPathways() throws {
        let feed = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\ns1,One,50.1,8.1,,z\n"
                + "s2,Two,50.2,8.2,,z\nz,Station,50.3,8.3,1,\n",
            "pathways.txt": "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\np,s1,s2,1,1\n",
        ])
        let all = try feed.imported()
        #expect(try Self.count("pathway_unreachable_location", all) == 2)
        feed.options.filter.routes = ["r"]
        let filtered = try feed.imported()
        #expect(try Self.count("pathway_unreachable_location", filtered) == 0)
    }
}
