// Unsafe: splits one record after the other in its own memory, so that nothing is allocated for a call.

import Cells
import GTFSSchema
import SQLite
import SQLitePages

/// Fills in the times that the feed leaves empty, as calls are written to the table of stop times.
///
/// Calls come in the order of their keys. If a call has only one of its two times, the other is set to the same time. A
/// call without times waits for the trip's next call with a time. Its time is then interpolated between the departure
/// of the last timed call and the arrival of the next one: by distance along the shape, or by position among the calls.
/// `filled_times` tells which times were filled in.
///
/// A call with a pickup window, or at a location or a location group, has no exact time. It is stored unchanged and is
/// not used for interpolation.
final class TimeFilling {
    /// Receives a call's record as it came and as it is to be stored.
    typealias Sink = (_ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer) throws -> Void

    /// A call that waits for a time; `start` and `count` locate its record in `waiting`.
    private struct Waiting {
        let start: Int
        let count: Int
        let distance: Double?
        let isFlexible: Bool
    }

    /// Waiting calls with more bytes than this stay without times, like those of a sequence that is too long.
    private static let mostBytes = 16 << 20

    private let columns: CallColumns
    private var encoder: RecordEncoder
    private let cells: CellsOfRecord
    private var trip: Int64 = -1
    private var before: CallGap.End?
    private var calls: [Waiting] = []
    private let waiting = TextArena()
    /// All bits that were set in `filled_times` of any call.
    private(set) var filled: Int64 = 0

    init(_ columns: CallColumns) {
        self.columns = columns
        encoder = RecordEncoder(columns: columns.count)
        cells = CellsOfRecord(columns: columns.count)
    }

    /// Whether calls wait; then the next call must go through `add` too.
    var isHolding: Bool { !calls.isEmpty }

    /// Notes a call with both times that was stored without `add`.
    func follow(trip: Int64, departure: Int64, distance: Double?) {
        self.trip = trip
        before = CallGap.End(time: departure, distance: distance)
    }

    /// Takes the next call, and passes it to `sink` now or later; the order of calls is kept.
    func add(_ record: UnsafeRawBufferPointer, _ sink: Sink) throws {
        var old = read(record)
        if cells.payloads[0] != trip {
            // `finish` reads waiting calls into the same memory, so this call must be read again.
            if isHolding {
                try finish(sink)
                old = read(record)
            }
            before = nil
            trip = cells.payloads[0]
        }
        if isFlexible { return isHolding ? try hold(record, isFlexible: true, sink) : try sink(record, record) }
        let (arrival, departure) = (cells.integer(columns.arrival), cells.integer(columns.departure))
        guard let time = arrival ?? departure else {
            return before == nil ? try emit(record, old, 0, sink) : try hold(record, isFlexible: false, sink)
        }
        let after = CallGap.End(time: time, distance: distance)
        if isHolding {
            try fill(upTo: after, sink)
            _ = read(record)
        }
        var bits: Int64 = 0
        if arrival == nil { bits = set(columns.arrival, time, FilledTimes.arrival) }
        if departure == nil { bits = set(columns.departure, time, FilledTimes.departure) }
        before = CallGap.End(time: departure ?? time, distance: after.distance)
        try emit(record, old, bits, sink)
    }

    /// Call it at the end of a trip or file: waiting calls stay without a time.
    func finish(_ sink: Sink) throws {
        before = nil
        try release({ _ in nil }, sink)
    }

    // MARK: Calls that wait

    private func hold(_ record: UnsafeRawBufferPointer, isFlexible: Bool, _ sink: Sink) throws {
        guard calls.count < CallGap.mostCalls, waiting.count + record.count <= Self.mostBytes else {
            try finish(sink)
            return try emit(record, read(record), 0, sink)
        }
        calls.append(
            Waiting(
                start: waiting.append(record), count: record.count, distance: distance, isFlexible: isFlexible))
    }

    private func fill(upTo after: CallGap.End, _ sink: Sink) throws {
        guard let before else { return try finish(sink) }
        let gap = CallGap(
            from: before, to: after, untimedCalls: calls.reduce(0) { $1.isFlexible ? $0 : $0 + 1 })
        var number = 0
        let time = { (call: Waiting) -> Int64? in
            number += 1
            return gap.time(ofCall: number, distance: call.distance)
        }
        try release(time, sink)
    }

    /// Passes all waiting calls to `sink`, each with the time that `time` returns for it.
    private func release(_ time: (Waiting) -> Int64?, _ sink: Sink) throws {
        guard isHolding else { return }
        for call in calls {
            let record = UnsafeRawBufferPointer(start: waiting.bytes + call.start, count: call.count)
            let old = read(record)
            var bits: Int64 = 0
            if !call.isFlexible, let time = time(call) {
                bits =
                    set(columns.arrival, time, FilledTimes.arrival)
                    | set(columns.departure, time, FilledTimes.departure)
            }
            try emit(record, old, bits, sink)
        }
        calls.removeAll(keepingCapacity: true)
        waiting.removeAll()
    }

    // MARK: The call at hand

    /// Reads a call. Times that were filled in earlier become empty again, as in the feed. Returns the bits of those
    /// times.
    private func read(_ record: UnsafeRawBufferPointer) -> Int64 {
        cells.read(record)
        return columns.blankFilled(cells)
    }

    private var isFlexible: Bool { columns.isFlexible(cells.tags) }

    private var distance: Double? { columns.distance.flatMap(cells.number) }

    private func set(_ column: Int, _ time: Int64, _ bit: Int64) -> Int64 {
        cells.tags[column] = CellTag.integer
        cells.payloads[column] = time
        return bit
    }

    private func emit(_ record: UnsafeRawBufferPointer, _ old: Int64, _ bits: Int64, _ sink: Sink) throws {
        guard old != 0 || bits != 0, let text = record.baseAddress else { return try sink(record, record) }
        filled |= bits
        if bits != 0 {
            cells.tags[columns.filled] = CellTag.integer
            cells.payloads[columns.filled] = bits
        }
        try sink(record, encoder.encode(tags: cells.tags, payloads: cells.payloads, text: text, otherText: text))
    }
}
