import Foundation

/// The sample feed plus 100 routes, 3,000 stops, 2,000 trips and 40,000 stop times, so that SQLite plans as for a town.
enum GrownFeed {
    /// Writes the feed into a new folder.
    static func write(to folder: String) throws {
        try FileManager.default.copyItem(atPath: ImportedStore.packageRoot + "/pipelines/sample-feed", toPath: folder)
        try append((0..<100).map { "g\($0),vgm,G\($0),Linie \($0),,3,,,,,,," }, to: folder + "/routes.txt")
        try append((0..<3_000).map(stop), to: folder + "/stops.txt")
        try append((0..<2_000).map(trip), to: folder + "/trips.txt")
        try append((0..<2_000).flatMap(stopTimes), to: folder + "/stop_times.txt")
    }

    private static func append(_ lines: [String], to path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let end = text.hasSuffix("\n") ? "" : "\n"
        try (text + end + lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Every tenth stop is a station. The next three stops are its platforms, and the one after these is its entrance.
    private static func stop(_ number: Int) -> String {
        let ways = ["Gartenweg", "Seeufer", "Alte Mühle", "Straße der Einheit", "Zum Fährmann"]
        let name = "\(ways[number % ways.count]) \(number / ways.count)"
        let (latitude, longitude) = (53.5 + Double(number / 60) / 500, 12.0 + Double(number % 60) / 50)
        let kind = number % 10 == 0 ? "1" : number % 10 == 4 ? "2" : "0"
        let parent = (1...4).contains(number % 10) ? "g\(number / 10 * 10)" : ""
        return "g\(number),,\(name),,,\(latitude),\(longitude),,\(kind),\(parent),,,,"
    }

    private static func trip(_ number: Int) -> String {
        "g\(number % 100),werktag,g\(number),Nach \(number % 50),,\(number % 2),,,,,,,"
    }

    private static func stopTimes(ofTrip number: Int) -> [String] {
        (0..<20).map { call in
            let minutes = 5 * 60 + number * 7 % 1_080 + call * 2
            let time = String(format: "%02d:%02d:00", minutes / 60, minutes % 60)
            let stop = (number * 31 + call) % 300 * 10 + 5 + call % 5
            return "g\(number),\(time),\(time),g\(stop),,,\(call + 1),,,,,,,,,"
        }
    }
}
