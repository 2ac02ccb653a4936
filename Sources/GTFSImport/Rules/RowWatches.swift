import Cells
import GTFSSchema

/// Everything that notes facts about rows while they pass, for the rules and indexes that come once all rows are there.
///
///     watches.begin(plan)
///     for block in blocks { try watches.look(at: block) }
///     watches.end(plan, lateReferences: references)
///
/// Asking the finished tables instead would read them again. Owned by the writing stage.
final class RowWatches {
    private(set) var facts = RowFacts()
    private(set) var stops = StopPlaces()
    private(set) var parents = StopParents()
    private(set) var transfers = TransferWatch()
    private(set) var pathways = PathwayWatch()
    let trips: TripWatch
    let serviceDays: ServiceDays
    let departures: StopDepartures
    let repetitions: TripRepetitions
    let overlaps: FrequencyOverlaps
    /// One for each clustered table.
    private var sequences: [String: SequenceWatch] = [:]
    /// The one of the table at hand; nil for a table of another kind.
    private var sequence: SequenceWatch?

    var calls: SequenceWatch? { sequences["stop_time"] }
    var points: SequenceWatch? { sequences["shape_point"] }

    init(_ place: StorePlace, _ options: ImportOptions) {
        trips = TripWatch(in: place.space)
        serviceDays = ServiceDays(
            place, leastServices: options.rowsOfLongTable, mostDays: options.mostServiceDays)
        departures = StopDepartures(headsigns: trips.headsigns)
        repetitions = TripRepetitions(in: place.space)
        overlaps = FrequencyOverlaps(in: place.space)
    }

    /// Begins a table.
    func begin(_ plan: TablePlan) {
        facts.begin(plan)
        stops.begin(plan)
        parents.begin(plan)
        transfers.begin(plan)
        pathways.begin(plan)
        trips.begin(plan)
        serviceDays.begin(plan)
        departures.begin(plan)
        repetitions.begin(plan)
        overlaps.begin(plan)
    }

    /// Begins the sequences of a clustered table. All their parents must be known, and for calls all services counted.
    func beginSequences(_ plan: TablePlan) -> SequenceWatch {
        let isOfCalls = plan.table == "stop_time"
        if isOfCalls {
            departures.begin(daysOfServices: serviceDays.counts)
            trips.speeds.beginCalls(plan, stops)
        }
        let watch = SequenceWatch(
            plan, ends: trips.beginSequences(of: plan), speeds: isOfCalls ? trips.speeds : nil)
        (sequence, sequences[plan.table]) = (watch, watch)
        return watch
    }

    /// Looks at the rows of a block of the table at hand.
    func look(at block: ParsedBlock) throws {
        let batch = block.batch(of: block.cells)
        facts.look(at: block)
        stops.add(batch)
        parents.add(batch)
        transfers.look(at: batch, stops)
        pathways.look(at: batch)
        trips.look(at: batch)
        try serviceDays.add(batch)
        departures.add(batch)
        try repetitions.add(batch)
        try overlaps.add(block)
        sequence?.look(at: batch, block.repeatedKeys)
    }

    /// Ends the table at hand. Its `lateReferences` were found after their rows.
    func end(_ plan: TablePlan, lateReferences: LateReferences) {
        parents.add(lateReferences)
        if plan.table == "stop" { stops.take(parents) }
        sequence = nil
    }
}
