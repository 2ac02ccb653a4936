/// What is fed with random bytes. Each takes any bytes whatever and must end in a result or an error, never in a trap,
/// a sanitizer's complaint, an endless loop or memory without bound.
enum FuzzTarget: String, CaseIterable {
    /// An archive: directory, entries, archives within it.
    case zip
    /// A CSV file, read in pieces of different sizes, which must not matter.
    case csv
    /// One field: dates, times, numbers, addresses, colours.
    case fields
    /// One file of GTFS, named by the first byte: header, cells, notices.
    case tables
    /// A locations.geojson.
    case locations
    /// A condition or another part of a request as text, up to its SQL.
    case predicates
    /// Requests in words, run on a sound store.
    case requests
    /// The same requests on a store in which bytes were changed.
    case store

    /// What has to be done once.
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

/// Set by main before libFuzzer's loop begins, which runs on one thread.
nonisolated(unsafe) var chosenTarget: FuzzTarget?
nonisolated(unsafe) var sampleStore = SampleStore()
