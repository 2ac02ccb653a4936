// Unsafe: the times lie in memory that is allocated once, so that a look at a row needs no checks of bounds.

/// How many seconds vehicles need from each stop to those that were last seen to follow it: at most two, as most stops
/// lie on a line with two directions.
///
/// Memory: 16 bytes for each stop, beside those of `StopPlaces`.
struct StopTravelTimes {
    private let places: StopPlaces
    private let pairs: UnsafeMutablePointer<StopPair>

    init(_ places: StopPlaces) {
        self.places = places
        let count = 2 * (places.count + 1)
        pairs = .allocate(capacity: count)
        pairs.initialize(repeating: .none, count: count)
    }

    func deallocate() { pairs.deallocate() }

    /// The index that means "no stop before". No travel times begin there.
    var nowhere: Int { places.count }

    @inline(__always)
    func has(_ stop: Int) -> Bool { places.has(stop) }

    /// The bounds of the distance of two stops with places, in meters.
    @inline(__always)
    func roughDistance(from first: Int, to second: Int) -> ClosedRange<Double> {
        places.roughDistance(from: first, to: second)
    }

    /// The seconds that a vehicle of this class needs from one stop to another, or up to a few more: distances are
    /// rounded up. Nil if a stop has no place, or from nowhere.
    @inline(__always)
    func seconds(from: Int, to stop: Int64, _ kind: StopPair.Kind) -> Int64? {
        pairs[2 &* from].seconds(to: stop, kind) ?? findSeconds(from: from, to: stop, kind)
    }

    @inline(never)
    private func findSeconds(from: Int, to stop: Int64, _ kind: StopPair.Kind) -> Int64? {
        if let seconds = pairs[2 * from + 1].seconds(to: stop, kind) { return seconds }
        guard from < places.count, kind.isAny, places.has(Int(stop)) else { return nil }
        let meters = places.roughDistance(from: from, to: Int(stop)).upperBound
        let seconds = from == Int(stop) ? 0 : Int64(meters * kind.secondsPerMeter) + 1
        pairs[2 * from + 1] = pairs[2 * from]
        pairs[2 * from] = StopPair(to: stop, kind, seconds: seconds)
        return seconds
    }
}

/// A stop that follows another one, and the seconds that a vehicle of a class needs from one to the other, in one
/// number.
struct StopPair {
    /// A class of top speeds.
    struct Kind {
        /// The class, in the place that it has in the number.
        fileprivate let bits: UInt64
        fileprivate let secondsPerMeter: Double

        init(_ kind: UInt8) {
            bits = UInt64(kind) << 56
            secondsPerMeter = 3.6 / TopSpeed.of(kind)
        }

        fileprivate var isAny: Bool { bits != 0 }
    }

    /// 24 bits hold 194 days, more than any ride on the earth needs. The stop, whose id has less than 32 bits, is above
    /// the seconds.
    private static let bitsOfSeconds: UInt64 = 24

    private let packed: UInt64

    /// An empty slot. It can match only class 0, of trips without a line, and those are not judged.
    static let none = StopPair()

    private init() { packed = 0 }

    init(to stop: Int64, _ kind: Kind, seconds: Int64) {
        packed = kind.bits | UInt64(bitPattern: stop) &<< Self.bitsOfSeconds | UInt64(bitPattern: seconds)
    }

    /// Nil for another stop or class.
    @inline(__always)
    func seconds(to stop: Int64, _ kind: Kind) -> Int64? {
        let seconds = packed &- (kind.bits | UInt64(bitPattern: stop) &<< Self.bitsOfSeconds)
        return seconds < 1 << Self.bitsOfSeconds ? Int64(bitPattern: seconds) : nil
    }
}
