// Unsafe: reads names where the reading stage left them, and compares them there.

import Cells
import KeySorting

/// Finds calls at a stop with the name of the trip's headsign, while stops, trips and the index of departures pass.
///
/// Names are compared by a hash that is the same for small and capital letters, so a call that is found is only a
/// candidate. Without a stop whose name is a headsign, calls are not looked at. Memory: 4 bytes for each stop and trip,
/// and 4 more for each trip if there is such a stop.
final class HeadsignWatch {
    // Unchecked: no access lasts beyond a call of this class's own functions, which trips call one by one.
    /// By the stop's id: the hash of its name; 0 without a name. Once the trips have passed, also 0 for a name that no
    /// trip has as its headsign.
    @exclusivity(unchecked) private var names: [UInt32] = []
    /// By the trip's id: the hash of its headsign, 0 if it has none.
    @exclusivity(unchecked) private var headsigns: [UInt32] = []
    /// By the trip's id: the sequence of its last call.
    @exclusivity(unchecked) private var lastSequences: [UInt32] = []
    private var hash = NameHash()
    private var nameCell: Int?
    private var headsignCell: Int?
    /// Whether any stop has the name of a headsign. Known after `beginCalls`.
    @exclusivity(unchecked) private(set) var isWatching = false
    /// Calls before the last one of their trip: trip and sequence, then the stop.
    @exclusivity(unchecked) private var found: KeySorter?
    private let space: SortingSpace

    init(in space: SortingSpace) { self.space = space }

    /// Whether any call may be at a stop with the name of the trip's headsign, before the trip's last call.
    var hasFound: Bool { found != nil }

    // MARK: Stops and trips

    /// Notes which cells of stops.txt or trips.txt to read.
    func begin(_ plan: TablePlan) {
        nameCell = plan.table == "stop" ? plan.cell(of: "name") : nil
        headsignCell = plan.table == "trip" ? plan.cell(of: "headsign") : nil
    }

    /// Adds the stops or trips of a block of the table that was begun.
    func add(_ batch: CellBatch) {
        if let nameCell { hash.add(nameCell, of: batch, to: &names) }
        if let headsignCell { hash.add(headsignCell, of: batch, to: &headsigns) }
    }

    /// Call it when all stops and trips are known.
    func beginCalls() {
        var (distinct, last): (Set<UInt32>, UInt32) = ([], 0)
        for headsign in headsigns where headsign != last {
            distinct.insert(headsign)
            last = headsign
        }
        for stop in names.indices where !distinct.contains(names[stop]) { names[stop] = 0 }
        isWatching = names.contains { $0 != 0 }
        if isWatching {
            lastSequences = [UInt32](repeating: 0, count: headsigns.count)
        } else {
            (names, headsigns) = ([], [])
        }
    }

    // MARK: Calls

    /// Notes the last call of a trip.
    func end(_ trip: Int64, sequence: Int64) {
        if trip >= 0, trip < lastSequences.count { lastSequences[Int(trip)] = UInt32(clamping: sequence) }
    }

    /// Looks at calls by their keys in the index of departures: stop, departure time, trip, sequence. The last calls of
    /// all trips must be known.
    func look(at keys: UnsafeBufferPointer<SortKey>) throws(KeySortingError) {
        guard isWatching else { return }
        var (stop, name) = (-1, UInt32(0))
        for key in keys {
            let next = key.first.number
            if next != stop { (stop, name) = (next, names.indices.contains(next) ? names[next] : 0) }
            let trip = Int(key.low >> 32)
            guard name != 0, trip < headsigns.count, headsigns[trip] == name else { continue }
            try look(at: trip, UInt32(truncatingIfNeeded: key.low), stop)
        }
    }

    /// Looks at a call.
    func look(atStop stop: Int, trip: Int, sequence: Int64) throws(KeySortingError) {
        guard isWatching, names.indices.contains(stop), names[stop] != 0,
            headsigns.indices.contains(trip), headsigns[trip] == names[stop]
        else { return }
        try look(at: trip, UInt32(clamping: sequence), stop)
    }

    @inline(__always)
    private func look(at trip: Int, _ sequence: UInt32, _ stop: Int) throws(KeySortingError) {
        guard sequence < lastSequences[trip] else { return }
        let found = found ?? KeySorter(in: space)
        self.found = found
        try found.append(SortKey(high: UInt64(trip) << 32 | UInt64(sequence), low: UInt64(stop)))
    }

    /// Visits the calls that were found, in the order of their trips and sequences. A call whose time was filled in may
    /// come twice. Call it once.
    func forEach(_ body: (_ trip: Int64, _ sequence: Int64, _ stop: Int64) throws -> Void) throws {
        while let keys = try found?.nextBatch() {
            for key in keys { try body(Int64(key.high >> 32), Int64(key.high & 0xFFFF_FFFF), Int64(key.low)) }
        }
    }
}

/// Hashes of names that are the same for names that differ only in the case of letters, as `any_case` compares them.
private struct NameHash {
    /// The small form of each letter, by its code point; 0 if it has not been looked up. Empty until a letter beyond
    /// ASCII comes.
    private var small: [UInt32] = []
    /// Letters from here on have no case, or are looked up each time.
    private static let lettersHeld: UInt32 = 0x3000
    /// From U+3000 to before U+A000 are scripts of East Asia, which have no case.
    private static let firstWithCaseAgain: UInt32 = 0xA000
    private var letters: [UInt8] = []

    /// Puts the hashes of a column's texts where the rows' ids say; 0 for a row without a text.
    mutating func add(_ cell: Int, of batch: CellBatch, to hashes: inout [UInt32]) {
        var last: (name: UnsafeRawBufferPointer?, hash: UInt32) = (nil, 0)
        for row in batch.rows {
            hashes.extend(to: Int(row.id), with: 0)
            let name = row.text(cell)
            // Trips of one line mostly stand together.
            if !Self.areSame(name, last.name) { last = (name, name.map { of($0) } ?? 0) }
            hashes.append(last.hash)
        }
    }

    @inline(__always)
    private static func areSame(_ a: UnsafeRawBufferPointer?, _ b: UnsafeRawBufferPointer?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return a.hasSameBytes(as: b)
    }

    /// Never 0.
    private mutating func of(_ name: UnsafeRawBufferPointer) -> UInt32 {
        if let hash = Self.hash(ascii: name) { return hash }
        letters.removeAll(keepingCapacity: true)
        var place = 0
        while place < name.count { place += addLetter(name, at: place) }
        return letters.withUnsafeBytes { Self.hash(of: $0).hash }
    }

    /// Nil for a text with letters beyond ASCII.
    private static func hash(ascii name: UnsafeRawBufferPointer) -> UInt32? {
        let (hash, bits) = hash(of: name)
        return bits & 0x8080_8080_8080_8080 == 0 ? hash : nil
    }

    /// The hash, and the bits that any of the words has.
    @inline(__always)
    private static func hash(of name: UnsafeRawBufferPointer) -> (hash: UInt32, bits: UInt64) {
        let whole = IdentifierWords.whole(name.count)
        var (hash, bits, place) = (UInt64(0), IdentifierWords.tail(of: name), 0)
        let tail = bits
        while place < whole {
            let word = name.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            bits |= word
            hash = mixed(hash, word)
            place += 8
        }
        return (finished(mixed(hash, tail)), bits)
    }

    /// Small and capital letters of ASCII differ in one bit, which is set in all bytes.
    @inline(__always)
    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ (word | 0x2020_2020_2020_2020)) &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 29
    }

    private static func finished(_ hash: UInt64) -> UInt32 { max(1, UInt32(truncatingIfNeeded: hash >> 7)) }

    /// Adds a letter in its small form, and returns how many bytes it has.
    private mutating func addLetter(_ name: UnsafeRawBufferPointer, at place: Int) -> Int {
        let first = name[place]
        let count = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard count > 1, place + count <= name.count else {
            letters.append(first)
            return 1
        }
        var value = UInt32(first) & (0x7F >> UInt32(count))
        for next in 1..<count { value = value << 6 | UInt32(name[place + next] & 0x3F) }
        let small = small(value)
        if small < 0x80 {
            letters.append(UInt8(small))
        } else {
            for shift in stride(from: 0, to: 24, by: 8) { letters.append(UInt8(truncatingIfNeeded: small >> shift)) }
        }
        return count
    }

    private mutating func small(_ letter: UInt32) -> UInt32 {
        if letter >= Self.lettersHeld { return letter < Self.firstWithCaseAgain ? letter : Self.small(of: letter) }
        if small.isEmpty { small = [UInt32](repeating: 0, count: Int(Self.lettersHeld)) }
        if small[Int(letter)] == 0 { small[Int(letter)] = Self.small(of: letter) }
        return small[Int(letter)]
    }

    private static func small(of letter: UInt32) -> UInt32 {
        Unicode.Scalar(letter).map { RuleFunctions.small($0).value } ?? letter
    }
}
