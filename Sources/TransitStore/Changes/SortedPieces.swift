/// Entries in order, in pieces of bounded length: adding or removing one moves few others, however many there are.
struct SortedPieces<Entry: Comparable> {
    private var pieces: [[Entry]] = []
    /// A longer piece is halved.
    private static var mostInPiece: Int { 256 }

    init(_ entries: [Entry]) {
        let sorted = entries.sorted()
        let starts = stride(from: 0, to: sorted.count, by: Self.mostInPiece / 2)
        pieces = starts.map { Array(sorted[$0..<min($0 + Self.mostInPiece / 2, sorted.count)]) }
    }

    mutating func insert(_ entry: Entry) {
        guard !pieces.isEmpty else { return pieces.append([entry]) }
        var position = position(of: { !($0 < entry) })
        if position.piece == pieces.count {
            position = Position(piece: pieces.count - 1, place: pieces[pieces.count - 1].count)
        }
        pieces[position.piece].insert(entry, at: position.place)
        guard pieces[position.piece].count > Self.mostInPiece else { return }
        pieces.insert(Array(pieces[position.piece].dropFirst(Self.mostInPiece / 2)), at: position.piece + 1)
        pieces[position.piece].removeSubrange((Self.mostInPiece / 2)...)
    }

    /// Does nothing if the entry is not there.
    mutating func remove(_ entry: Entry) {
        let position = position(of: { !($0 < entry) })
        guard position.piece < pieces.count, !(entry < pieces[position.piece][position.place]) else { return }
        pieces[position.piece].remove(at: position.place)
        if pieces[position.piece].isEmpty { pieces.remove(at: position.piece) }
    }

    /// The entries from the first that meets a condition on. If an entry meets it, all after it must.
    func upward(from isReached: (Entry) -> Bool) -> some Sequence<Entry> {
        sequence(state: position(of: isReached)) { [pieces] position in
            guard position.piece < pieces.count else { return nil }
            let entry = pieces[position.piece][position.place]
            position.place += 1
            if position.place == pieces[position.piece].count {
                position = Position(piece: position.piece + 1, place: 0)
            }
            return entry
        }
    }

    /// The entries before the first that meets a condition, the last one first.
    func downward(from isReached: (Entry) -> Bool) -> some Sequence<Entry> {
        sequence(state: position(of: isReached)) { [pieces] position in
            if position.place == 0 {
                guard position.piece > 0 else { return nil }
                position = Position(piece: position.piece - 1, place: pieces[position.piece - 1].count)
            }
            position.place -= 1
            return pieces[position.piece][position.place]
        }
    }

    private struct Position {
        var piece: Int
        var place: Int
    }

    /// The position of the first entry that meets a condition; the end if none does.
    private func position(of isReached: (Entry) -> Bool) -> Position {
        let piece = pieces.firstReached { $0.last.map(isReached) ?? false }
        return Position(piece: piece, place: piece < pieces.count ? pieces[piece].firstReached(isReached) : 0)
    }
}

extension Array {
    /// The index of the first element that meets a condition, which all after it meet; `count` if none does.
    fileprivate func firstReached(_ isReached: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isReached(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
