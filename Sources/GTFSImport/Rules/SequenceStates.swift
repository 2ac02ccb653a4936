/// How many rows each trip or shape has, and whether they stand together in the order of their sequence: a byte each.
/// A row that repeats a key counts as out of order.
struct SequenceStates: Sendable {
    private static let split: UInt8 = 4
    private static let repeatsKey: UInt8 = 8
    private static let count: UInt8 = 3

    /// By the id of the trip or shape.
    private var states: [UInt8] = []
    /// How often rows of a trip or shape came again after others, or out of order.
    private(set) var returns = 0
    private var hasRepeatedKeys = false

    /// Begins rows that stand together.
    @inline(__always)
    mutating func begin(_ parent: Int64) {
        if rows(of: parent) > 0 { split(parent) }
    }

    /// Notes one row, whatever rows are around it.
    @inline(__always)
    mutating func meet(_ parent: Int64) { change(parent) { $0 == 0 ? 1 : $0 | Self.split } }

    @inline(__always)
    mutating func split(_ parent: Int64) {
        returns += 1
        change(parent) { $0 | Self.split }
    }

    /// Notes that a row was refused because it repeats a key. If sorting finds such a row, the trip or shape is split.
    mutating func noteRepeatedKey(of parent: Int64) {
        hasRepeatedKeys = true
        change(parent) { $0 | Self.repeatsKey }
    }

    @inline(__always)
    mutating func add(_ rows: UInt8, of parent: Int64) { change(parent) { Self.sum($0, rows) } }

    mutating func setCount(_ rows: UInt8, of parent: Int64) { change(parent) { $0 & ~Self.count | rows } }

    /// Stops counting at 2.
    @inline(__always)
    private static func sum(_ state: UInt8, _ rows: UInt8) -> UInt8 { state & ~count | min(2, state & count + rows) }

    @inline(__always)
    private mutating func change(_ parent: Int64, _ change: (UInt8) -> UInt8) {
        guard parent >= 0, parent < Int64(UInt32.max) else { return }
        if states.count <= Int(parent) { grow(to: Int(parent)) }
        states[Int(parent)] = change(states[Int(parent)])
    }

    /// Makes room for 1,024 parents beyond this one, as they mostly come one after the other.
    private mutating func grow(to parent: Int) {
        states.append(contentsOf: repeatElement(0, count: max(parent + 1, states.count) - states.count + 1_024))
    }

    @inline(__always)
    func isSplit(_ parent: Int) -> Bool { parent < states.count && states[parent] & Self.split != 0 }

    /// How many rows the trip or shape has; 2 means two or more.
    @inline(__always)
    func rows(of parent: Int64) -> Int {
        guard parent >= 0, parent < Int64(states.count) else { return 0 }
        return Int(states[Int(parent)] & Self.count)
    }

    /// How many trips or shapes have at least this many rows: 1 or 2.
    func count(withAtLeast rows: Int) -> Int { states.count { Int($0 & Self.count) >= rows } }

    /// Whether any trip or shape has a single row.
    var hasOne: Bool { states.contains { $0 & Self.count == 1 } }

    /// Visits the trips or shapes whose rows do not stand together in the order of their sequence.
    func forEachUnsorted(_ body: (Int64) throws -> Void) rethrows {
        for parent in states.indices where states[parent] & (Self.split | Self.repeatsKey) != 0 {
            try body(Int64(parent))
        }
    }

    /// The last trip or shape that is split; 0 if none is.
    var lastSplit: UInt32 { UInt32(clamping: states.lastIndex { $0 & Self.split != 0 } ?? 0) }

    var hasUnsorted: Bool { returns > 0 || hasRepeatedKeys }
}
