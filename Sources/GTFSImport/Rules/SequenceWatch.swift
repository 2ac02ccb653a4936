// Unsafe: reads cells where the reading stage left them.

import Cells
import GTFSSchema
import SQLitePages

/// Watches the rows of stop_times.txt or shapes.txt pass, so that the rules about calls and points cost next to nothing
/// for a feed in which no row breaks them.
///
/// Rows of one trip mostly stand together in the order of their sequence. Then a look at each row and the one before it
/// tells whether any rule may be broken. Trips that are split are looked at again when their rows are merged. If more
/// than a quarter of the rows do not continue the row before, all rows are looked at only then. Memory: a byte for each
/// trip or shape.
final class SequenceWatch {
    /// Rows as they pass in one order.
    private struct Pass {
        var look: SequenceLook
        /// The sequence of the first of the rows of one parent that stand together.
        var first: Int64 = -1
        /// When the vehicle arrives at the row before, if that has an arrival.
        var arrival: Int64 = 0

        /// How many of these rows have passed; 2 means two or more.
        var rowCount: UInt8 { look.sequence == first ? 1 : 2 }
    }

    /// Fewer rows tell nothing about the order of a file.
    private static let fewRows = 4_096

    private let columns: CallColumns?
    // Unchecked: no access lasts beyond a call of this class's own functions.
    @exclusivity(unchecked) private(set) var states = SequenceStates()
    /// All rows, in the order of the file.
    @exclusivity(unchecked) private var inFile: Pass
    /// The records of split trips or shapes, or of all if rows are shuffled, in the order of their keys.
    @exclusivity(unchecked) private var byKey: Pass
    private var rowCount = 0
    private let needsReview: Bool
    /// Whether the file has a column that only calls on demand have.
    let hasOnDemandColumns: Bool
    /// Nil if no call can be at a location within a window.
    let zones: ZoneWatch?
    /// Whether rows come in an order that has nothing to do with their trips.
    private(set) var isShuffled = false
    private let cells: CellsOfRecord
    private let ends: (any SequenceEndsWatching)?
    private let speeds: SpeedWatch?

    /// `ends` is told about each trip or shape when its rows have passed, and `speeds` looks at the same calls.
    init(_ plan: TablePlan, ends: (any SequenceEndsWatching)? = nil, speeds: SpeedWatch? = nil) {
        (self.ends, self.speeds) = (ends, speeds)
        let watched = WatchedCells(plan)
        columns = CallColumns(plan)
        zones = watched.mayHaveZones ? ZoneWatch() : nil
        inFile = Pass(look: SequenceLook(watched, zones: zones))
        byKey = Pass(look: SequenceLook(watched, zones: zones))
        // Without one of its columns, every call lacks a time.
        needsReview = plan.table == "stop_time" && !watched.hasTimes
        hasOnDemandColumns = watched.onDemand != nil
        cells = CellsOfRecord(columns: max(watched.count, columns?.count ?? 0))
    }

    /// Whether any row may break a rule about calls or points; known once all rows have passed.
    var isDoubtful: Bool { needsReview || inFile.look.isDoubtful || byKey.look.isDoubtful }

    /// Whether any point has no distance.
    var hasBlankDistance: Bool {
        inFile.look.cells.distance == nil || inFile.look.hasBlankDistance || byKey.look.hasBlankDistance
    }

    /// Whether any call has a pickup and drop-off window.
    var hasWindows: Bool { inFile.look.hasWindows || byKey.look.hasWindows }

    // MARK: In the order of the file

    /// Looks at the rows of a block, and at the rows between them that repeat a key.
    func look(at batch: CellBatch, _ repeated: [RefusedRepeat]) {
        if !isShuffled { speeds?.look(at: batch) }
        var start = 0
        for row in repeated {
            look(at: start..<row.rowsBefore, of: batch)
            start = row.rowsBefore
            note(row)
        }
        look(at: start..<batch.rowCount, of: batch)
        rowCount += batch.rowCount
        if !isShuffled, rowCount > Self.fewRows, states.returns > rowCount / 4 {
            end(inFile)
            isShuffled = true
        }
    }

    /// A trip or shape that goes on behind a row of another one is split.
    private func note(_ row: RefusedRepeat) {
        states.noteRepeatedKey(of: row.parent)
        guard row.parent != inFile.look.parent else { return }
        if !isShuffled { end(inFile) }
        inFile.look.interrupt()
    }

    private func look(at rows: Range<Int>, of batch: CellBatch) {
        guard let last = rows.last else { return }
        var pass = inFile
        for row in rows {
            let (tags, payloads) = (batch[row].tags, batch[row].payloads)
            if isShuffled {
                if payloads[0] != pass.look.parent {
                    states.meet(payloads[0])
                } else if payloads[1] <= pass.look.sequence {
                    states.split(payloads[0])
                }
                pass.look.skip(to: payloads)
            } else if !pass.look.follows(tags, payloads) {
                if row > 0 { pass.arrival = batch[row - 1].payloads[pass.look.cells.arrival] }
                lookClosely(&pass, tags, payloads)
            }
        }
        pass.arrival = batch[last].payloads[pass.look.cells.arrival]
        inFile = pass
    }

    @inline(never)
    private func lookClosely(_ pass: inout Pass, _ tags: UnsafePointer<UInt8>, _ payloads: UnsafePointer<Int64>) {
        order(&pass, payloads)
        pass.look.lookClosely(tags, payloads)
    }

    /// Counts the rows that stand together, and notes whether those of one trip are split or out of order.
    @inline(__always)
    private func order(_ pass: inout Pass, _ payloads: UnsafePointer<Int64>) {
        if payloads[0] != pass.look.parent {
            end(pass)
            pass.first = payloads[1]
            states.begin(payloads[0])
        } else if payloads[1] <= pass.look.sequence {
            states.split(payloads[0])
            states.add(1, of: payloads[0])
        }
    }

    /// Ends the rows of one parent that stand together. `countingAgain` means that these are all of its stored rows.
    @inline(__always)
    private func end(_ pass: Pass, countingAgain: Bool = false) {
        guard pass.look.parent >= 0 else { return }
        if countingAgain {
            states.setCount(pass.rowCount, of: pass.look.parent)
        } else {
            states.add(pass.rowCount, of: pass.look.parent)
        }
        ends?.end(pass.look, arrival: pass.arrival)
    }

    // MARK: In the order of the keys

    /// Looks at a record of a trip or shape that is split, or at any if rows are shuffled. Its rows are counted again,
    /// as rows that repeat a key are not stored.
    @inline(never)
    func look(at record: UnsafeRawBufferPointer, of parent: UInt32, _ sequence: Int64, hasFilledTimes: Bool) {
        if !hasFilledTimes, byKey.look.cells.hasOnlyTimes, byKey.look.follows(record, of: Int64(parent), sequence) {
            if ends != nil { byKey.arrival = RecordIntegers.thirdAndFourth(of: record)?.0 ?? 0 }
            if let speeds, !speeds.follows(record, of: parent) {
                cells.read(record, columns: byKey.look.cells.count)
                speeds.lookAgain(at: cells.tags, cells.payloads)
            }
            return
        }
        cells.read(record, columns: hasFilledTimes ? cells.count : byKey.look.cells.count)
        if hasFilledTimes { columns?.blankFilled(cells) }
        let (tags, payloads) = (cells.tags, cells.payloads)
        speeds?.lookAgain(at: tags, payloads)
        defer { byKey.arrival = payloads[byKey.look.cells.arrival] }
        if byKey.look.follows(tags, payloads) { return }
        if payloads[0] != byKey.look.parent {
            end(byKey, countingAgain: true)
            byKey.first = payloads[1]
        }
        byKey.look.lookClosely(tags, payloads)
    }

    /// Call it when all rows have passed in the order of the file, before any record.
    func endFile() {
        if !isShuffled { end(inFile) }
        inFile.look.end()
        speeds?.endFile()
    }

    /// Call it when all rows are stored.
    func finish() {
        end(byKey, countingAgain: true)
        byKey.look.end()
        speeds?.finish()
    }
}
