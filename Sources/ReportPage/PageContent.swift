/// What the report page of one import shows. Every text may come from a feed and is treated as hostile.
///
///     var content = PageContent(verdict: .published, reason: "berlin.sqlite, 12 rows in 6 files …")
///     content.files = [.init(name: "stops.txt", rows: 13_000, before: 12_950)]
///     try write(ReportPage(content).html)
package struct PageContent: Sendable {
    package enum Verdict: String, Sendable, CaseIterable {
        case published, unchanged, refused, failed
    }

    /// A file of the feed: its rows now and in the store that was live before the import.
    package struct File: Sendable {
        package let name: String
        package let rows: Int
        package let before: Int?

        package init(name: String, rows: Int, before: Int?) {
            (self.name, self.rows, self.before) = (name, rows, before)
        }
    }

    /// One kind of finding, with its first occurrences.
    package struct NoticeGroup: Sendable {
        package struct Sample: Sendable {
            package let file: String?
            package let row: Int?
            package let message: String

            package init(file: String?, row: Int?, message: String) {
                (self.file, self.row, self.message) = (file, row, message)
            }
        }

        package let code: String
        /// ERROR, WARNING or INFO.
        package let severity: String
        package let count: Int
        package let meaning: String
        package var samples: [Sample]

        package init(code: String, severity: String, count: Int, meaning: String, samples: [Sample]) {
            (self.code, self.severity, self.count) = (code, severity, count)
            (self.meaning, self.samples) = (meaning, samples)
        }
    }

    /// A kind of vehicle by its number in routes.txt.
    package struct RouteKind: Sendable {
        package let number: Int?
        package let routes: Int
        package let trips: Int

        package init(number: Int?, routes: Int, trips: Int) {
            (self.number, self.routes, self.trips) = (number, routes, trips)
        }
    }

    /// What the timetable looks like, as far as it was read. There is none if the feed was refused before that.
    package struct Portrait: Sendable {
        package var publishers: [String] = []
        /// Degrees.
        package var stops: [(latitude: Double, longitude: Double)] = []
        package var stopsWithoutPlace = 0
        /// Departures by hours since midnight of the service day; summed over all days, in the order of hours. The
        /// last entry also counts later departures.
        package var departures: [Int] = []
        /// Trips by day, counted in days since 1970-01-01, in ascending order; days without a trip are left out.
        package var trips: [(day: Int, count: Int)] = []
        package var routeKinds: [RouteKind] = []

        package init() {}
    }

    package var verdict: Verdict
    /// One sentence, which the page shows first.
    package var reason: String
    package var feed = ""
    package var store = ""
    /// When the import ended, in seconds since 1970.
    package var time: Int = 0
    /// The day that counts as today, in days since 1970-01-01; `--date` can set it.
    package var today = 0
    package var warnings: [String] = []
    package var files: [File] = []
    package var portrait: Portrait?
    package var notices: [NoticeGroup] = []
    package var phases: [(name: String, seconds: Double)] = []
    package var seconds = 0.0
    package var peakMemoryBytes = 0
    package var storeBytes = 0
    package var contentHash = ""
    /// The program that wrote it.
    package var tool = ""

    package init(verdict: Verdict, reason: String) { (self.verdict, self.reason) = (verdict, reason) }
}
