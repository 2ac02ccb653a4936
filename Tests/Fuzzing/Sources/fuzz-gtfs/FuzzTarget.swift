/// The parts of the program that are fed with random bytes. Each must return a result or an error for any bytes. It
/// must not trap, upset a sanitizer, loop forever or use unbounded memory.
enum FuzzTarget: String, CaseIterable {
    /// An archive: directory, entries, archives within it.
    case zip
    /// A CSV file, read in pieces of different sizes; the sizes must not change the result.
    case csv
    /// One field: dates, times, numbers, addresses, colours.
    case fields
    /// One file of GTFS, chosen by the first byte: header, cells, notices.
    case tables
    /// A locations.geojson.
    case locations
    /// A condition or another part of a request as text, compiled to SQL but not run.
    case predicates
    /// Requests as text, run on a sound store.
    case requests
    /// The same requests on a store in which bytes were changed.
    case store

    /// Does what a target needs once, before its first run.
    func prepare() {
        switch self {
        case .requests, .store: sampleStore.prepare()
        default: break
        }
    }

    func run(_ bytes: [UInt8]) {
        switch self {
        case .zip: readArchive(bytes)
        case .csv: readCSV(bytes)
        case .fields: readFields(bytes)
        case .tables: readTable(bytes)
        case .locations: readLocations(bytes)
        case .predicates: readPredicate(bytes)
        case .requests: runRequest(bytes)
        case .store: readDamagedStore(bytes)
        }
    }
}

/// Set by main before libFuzzer's loop begins. The loop runs on one thread.
nonisolated(unsafe) var chosenTarget: FuzzTarget?
nonisolated(unsafe) var sampleStore = SampleStore()
