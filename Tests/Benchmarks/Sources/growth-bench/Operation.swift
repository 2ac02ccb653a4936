import FoundationEssentials
import Glibc
import TransitStore

/// Something that programs do with a store, measured a unit of work: a row that it has to read, or a question.
struct Operation: Sendable {
    /// Does the work and returns how many units it was.
    typealias Work = () async throws -> Int

    let name: String
    /// Prepares the work, which is not measured.
    let prepare: @Sendable (Ground) async throws -> Work

    init(_ name: String, _ prepare: @escaping @Sendable (Ground) async throws -> Work) {
        self.name = name
        self.prepare = prepare
    }

    /// An operation that needs no preparation.
    static func doing(_ name: String, _ work: @escaping @Sendable (Ground) async throws -> Int) -> Operation {
        Operation(name) { ground in { try await work(ground) } }
    }

    static let all = reading + searching + timetable + changing

    /// The units, and the nanoseconds of processor time, of one run, in a store that was just opened.
    func measured(_ path: String, _ size: Int) async throws -> (units: Int, time: Double) {
        let work = try await prepare(Ground(path: path, size: size))
        let begin = Self.processorTime
        let units = try await work()
        return (units, Self.processorTime - begin)
    }

    /// What all threads of the program have used, in nanoseconds: unlike the time of day, it hardly depends on what
    /// else the machine does.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}

/// The store that an operation reads, and how much it does there.
struct Ground {
    let store: TransitStore
    let context: StoreContext
    /// The number of questions or changes.
    let size: Int
    let stops: Int
    let trips: Int
    let stopTimes: Int

    init(path: String, size: Int) throws {
        var configuration = TransitStore.Configuration()
        configuration.isMemoryMapped = true
        store = try TransitStore(path: path, configuration: configuration)
        context = store.makeContext()
        self.size = size
        stops = try context.fetchCount(FetchRequest<Stop>())
        trips = try context.fetchCount(FetchRequest<Trip>())
        stopTimes = try context.fetchCount(FetchRequest<StopTime>())
    }

    /// `count` row numbers, spread over a table of so many rows.
    static func spread(_ count: Int, over rows: Int) -> [Int] { (0..<count).map { $0 * 7_919 % rows + 1 } }

    var someStops: [Int] { Self.spread(size, over: stops) }
    var someTrips: [Int] { Self.spread(size, over: trips) }

    /// Stop times of some trips, a few times as many as `size`.
    func someStopTimes() throws -> [StopTime] {
        let trips = Set(someTrips)
        return try context.fetch(FetchRequest(where: #Predicate { trips.contains($0.trip.id) }))
    }

    /// A place among the stops of Berlin for each question.
    var places: [Coordinate] {
        (0..<size).map { number in
            Coordinate(
                latitude: 52.42 + Double(number * 7_919 % 200) / 1_000,
                longitude: 13.26 + Double(number * 104_729 % 300) / 1_000)
        }
    }
}
