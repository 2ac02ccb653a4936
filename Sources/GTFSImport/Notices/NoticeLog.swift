import GTFSSchema

/// Counts every finding, and keeps the first ones of each kind with all details.
///
/// A feed may repeat a fault in every row, so a finding beyond the cap must cost no more than an addition: a closure
/// makes the message, and is called only for findings that are kept.
struct NoticeLog {
    private(set) var kept: [Notice] = []
    private var counts = FindingCounts()
    private var keptCounts = [Int](repeating: 0, count: NoticeKind.allCases.count)
    /// How many findings of each kind are kept with all details.
    let cap: Int
    /// Whether the findings are about a file that GTFS does not know. GTFS has no rules for it, so whatever the fault,
    /// it counts as `unknownFileAnomaly` and not as an error of the feed.
    var isInUnknownFile = false

    init(keptPerCode cap: Int) { self.cap = cap }

    /// Where a file's findings are counted. Looking this up by name for each finding took as long as counting.
    struct FilePlace {
        private static let places = Dictionary(
            uniqueKeysWithValues: Specification.gtfs.files.enumerated().map { ($1.name, $0) })
        /// One more than the files of the specification.
        fileprivate static var count: Int { places.count + 1 }

        /// The last place is that of all other files, whose findings are not counted by file.
        fileprivate let index: Int

        /// STOPS.TXT is the place of stops.txt.
        init(_ file: String?) {
            index = file.flatMap { Self.places[$0] ?? Self.places[$0.lowercased()] } ?? Self.places.count
        }

        fileprivate var isOfSpecification: Bool { index < Self.places.count }
    }

    mutating func add(_ kind: NoticeKind, in place: FilePlace, _ notice: () -> Notice) {
        if count(kind, in: place) { keep(notice()) }
    }

    /// Counts a finding, and returns whether to keep it with all details.
    mutating func count(_ kind: NoticeKind, in place: FilePlace) -> Bool {
        let kind = counted(kind)
        counts.add(1, kind, place)
        return keptCounts[kind.rawValue] < cap
    }

    private func counted(_ kind: NoticeKind) -> NoticeKind { isInUnknownFile ? .unknownFileAnomaly : kind }

    /// Adds the findings of another log. No kind of finding may be in both, so each log keeps enough with all details.
    mutating func add(_ other: NoticeLog) {
        kept += other.kept
        for kind in NoticeKind.allCases { keptCounts[kind.rawValue] += other.keptCounts[kind.rawValue] }
        counts.add(other.counts)
    }

    mutating func keep(_ notice: Notice) {
        var notice = notice
        notice.kind = counted(notice.kind)
        keptCounts[notice.kind.rawValue] += 1
        kept.append(notice)
    }

    /// For a fault that any number of rows may have, pass the file's place.
    mutating func add(
        _ kind: NoticeKind, file: String?, in place: FilePlace? = nil, row: Int? = nil, field: String? = nil,
        value: @autoclosure () -> String? = nil, _ fault: @autoclosure () -> String,
        _ outcome: Notice.Outcome? = nil, so consequence: @autoclosure () -> String? = nil
    ) {
        add(kind, in: place ?? FilePlace(file)) {
            Notice(
                kind: kind, file: file, rowNumber: row, field: field, value: value(), fault: fault(),
                outcome: outcome, consequence: consequence())
        }
    }

    /// Changes the findings of the row that was read last, which is kept as a whole. They are the last ones in the log.
    mutating func moveToKeptRow(_ row: Int, of plan: TablePlan) {
        for index in kept.indices.reversed() {
            guard kept[index].rowNumber == row, kept[index].file == plan.file else { return }
            kept[index].moveToKeptRow(notIn: plan.table)
        }
    }

    /// Changes the findings of rows that turned out later to be duplicates and are kept as a whole.
    mutating func moveToKeptRow(_ duplicates: LateDuplicates) {
        for index in kept.indices where kept[index].file == duplicates.plan.file {
            guard let row = kept[index].rowNumber, duplicates.contains(row) else { continue }
            kept[index].moveToKeptRow(notIn: duplicates.plan.table)
        }
    }

    /// Counts findings without details.
    mutating func count(_ kind: NoticeKind, in file: String?, times: Int) {
        count(kind, in: FilePlace(file), times: times)
    }

    mutating func count(_ kind: NoticeKind, in place: FilePlace, times: Int) {
        counts.add(times, counted(kind), place)
    }

    /// How many more findings of a kind would be kept with all details.
    func room(for kind: NoticeKind) -> Int { max(0, cap - keptCounts[kind.rawValue]) }

    func count(_ kind: NoticeKind) -> Int { counts.total(kind) }
    func keptCount(_ kind: NoticeKind) -> Int { keptCounts[kind.rawValue] }

    /// How often each kind occurred, errors first, then by code.
    var totals: [(kind: NoticeKind, count: Int)] {
        let order: [NoticeCode.Severity: Int] = [.error: 0, .warning: 1, .info: 2]
        return NoticeKind.allCases.map { ($0, count($0)) }.filter { $0.1 > 0 }
            .sorted { a, b in
                let (rankA, rankB) = (order[a.0.code.severity] ?? 0, order[b.0.code.severity] ?? 0)
                return rankA == rankB ? a.0.code.name < b.0.code.name : rankA < rankB
            }
    }

    func count(ofSeverity severity: NoticeCode.Severity) -> Int {
        NoticeKind.allCases.reduce(0) { $1.code.severity == severity ? $0 + count($1) : $0 }
    }

    func count(ofSeverity severity: NoticeCode.Severity, in file: String) -> Int {
        NoticeKind.allCases.reduce(0) { $1.code.severity == severity ? $0 + counts.count($1, in: file) : $0 }
    }

    func count(ofCode name: String) -> Int {
        NoticeKind.allCases.reduce(0) { $1.code.name == name ? $0 + count($1) : $0 }
    }
}

/// How often each finding occurred in each file of the specification, and in all other files together.
private struct FindingCounts {
    private static let kinds = NoticeKind.allCases.count

    private var counts: [Int] = []

    mutating func add(_ number: Int, _ kind: NoticeKind, _ place: NoticeLog.FilePlace) {
        if counts.isEmpty { counts = [Int](repeating: 0, count: NoticeLog.FilePlace.count * Self.kinds) }
        counts[place.index * Self.kinds + kind.rawValue] += number
    }

    mutating func add(_ other: FindingCounts) {
        if counts.isEmpty { return counts = other.counts }
        for (index, number) in other.counts.enumerated() { counts[index] += number }
    }

    func total(_ kind: NoticeKind) -> Int {
        stride(from: kind.rawValue, to: counts.count, by: Self.kinds).reduce(0) { $0 + counts[$1] }
    }

    func count(_ kind: NoticeKind, in file: String) -> Int {
        let place = NoticeLog.FilePlace(file)
        guard !counts.isEmpty, place.isOfSpecification else { return 0 }
        return counts[place.index * Self.kinds + kind.rawValue]
    }
}
