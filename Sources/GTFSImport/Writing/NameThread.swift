// Unsafe: names are copied from where the reading stage left them, and lent from the copy.

import Cells
import KeySorting
import SQLite
import Synchronization
import SystemFiles

/// Names of stops on their way to the thread that splits them, or words of names that wait to be numbered.
final class StopNames: @unchecked Sendable {
    // @unchecked: filled by one thread, and then read by another.

    private let texts = TextArena()
    // Unchecked: no access lasts beyond `append`.
    @exclusivity(unchecked) private var names: [(stop: UInt32, origin: SearchWords.Origin, place: Int64)] = []

    /// Whether there are enough names that the cost of handing them over is negligible.
    var isFull: Bool { texts.count >= 32 << 10 || names.count >= 1 << 12 }
    var isEmpty: Bool { names.isEmpty }
    var count: Int { names.count }

    func append(_ name: UnsafeRawBufferPointer, _ stop: UInt32, _ origin: SearchWords.Origin) {
        names.append((stop, origin, CellText.payload(offset: texts.append(name), count: name.count)))
    }

    func removeAll() {
        names.removeAll(keepingCapacity: true)
        texts.removeAll()
    }

    func forEach<Failure: Error>(
        _ body: (UnsafeRawBufferPointer, UInt32, SearchWords.Origin) throws(Failure) -> Void
    ) throws(Failure) {
        for name in names {
            try body(CellText.bytes(of: name.place, from: texts.bytes), name.stop, name.origin)
        }
    }
}

/// Splits names into words and ranks them on a thread of its own, while the rest of the feed is read.
final class NameThread: @unchecked Sendable {
    // @unchecked: only the thread uses `words` and `keys`, until it was joined. The rest is made for several threads.

    private let words: SearchWords
    private let place: StorePlace
    private let waiting = BoundedQueue<StopNames>(capacity: 8)
    private let failure = Mutex<(any Error)?>(nil)
    private let isAbandoned = AbandonedWork()
    private let ranksAtEnd = Atomic<Bool>(false)
    /// The words' keys in order, once the thread has ended, if `close` asked for them.
    private(set) var keys: KeySorter?

    init(_ words: SearchWords, at place: StorePlace) {
        (self.words, self.place) = (words, place)
    }

    /// Hands names to the thread. Waits while its queue is full.
    func add(_ names: StopNames) { waiting.push(names) }

    func run() {
        do {
            while let names = waiting.pop(), !isAbandoned.isSet { try add(all: names) }
            if ranksAtEnd.load(ordering: .relaxed) { keys = try words.keysByRank(checking: checkWhetherToGoOn) }
        } catch {
            failure.withLock { $0 = error }
        }
        waiting.close()
    }

    private func checkWhetherToGoOn() throws {
        if isAbandoned.isSet { throw ReadingStopped() }
        try place.cancellation.check()
        try place.memory.check(importing: place.feed)
    }

    /// Adds names, and checks every 64 KB of them whether to go on, as one name may have a million bytes.
    func add(all names: StopNames) throws {
        var bytesUntilCheck = 0
        try names.forEach { name, stop, origin in
            if bytesUntilCheck <= 0 {
                bytesUntilCheck = 1 << 16
                try checkWhetherToGoOn()
            }
            bytesUntilCheck -= name.count + 16
            try words.add(name, stop, origin)
        }
        try words.settle()
    }

    /// No more names will be added. With `ranking`, no one else adds words either, so the thread ranks them at its end.
    func close(ranking: Bool = false) {
        if ranking { ranksAtEnd.store(true, ordering: .relaxed) }
        waiting.close()
    }

    /// Ends the thread early, because nobody needs its result any more.
    func abandon() {
        isAbandoned.set()
        waiting.close()
    }

    /// Throws what went wrong. Call it when the thread has ended.
    func check() throws {
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
