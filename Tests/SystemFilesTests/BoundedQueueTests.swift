import Foundation
import Synchronization
import SystemFiles
import TestSupport
import Testing

/// The queue between two stages and the threads that they run on.
@Suite struct BoundedQueueTests {
    @Test func firstInFirstOut() {
        let queue = BoundedQueue<Int>(capacity: .max)
        for number in 0..<10 { #expect(queue.push(number)) }
        #expect((0..<10).map { _ in queue.pop() } == Array(0..<10))
    }

    @Test func theLatestIsTakenWithoutWaiting() {
        let queue = BoundedQueue<Int>(capacity: 2)
        #expect(queue.popLatestIfAny() == nil)
        queue.push(1)
        queue.push(2)
        #expect(queue.popLatestIfAny() == 2)
        queue.push(3)
        #expect(queue.popLatestIfAny() == 3)
        #expect(queue.pop() == 1)
        #expect(queue.popLatestIfAny() == nil)
    }

    @Test func `elements without weight fill it too`() throws {
        let queue = BoundedQueue<Int>(capacity: 1, mostElements: 3) { _ in 0 }
        let thread = try runningThread {
            for number in 0..<10_000 { queue.push(number) }
            queue.close()
        }
        var found: [Int] = []
        while let number = queue.pop() { found.append(number) }
        thread.join()
        #expect(found == Array(0..<10_000))
    }

    /// A push that did not wait would have half a second for it.
    @Test func `a push waits while there are as many elements as may be`() throws {
        let queue = BoundedQueue<Int>(capacity: 1, mostElements: 2) { _ in 0 }
        queue.push(1)
        queue.push(2)
        let thread = try runningThread { queue.push(3) }
        usleep(500_000)
        queue.close()
        thread.join()
        #expect([queue.pop(), queue.pop(), queue.pop()] == [1, 2, nil])
    }

    @Test func aClosedQueueGivesWhatItHasAndTakesNothing() {
        let queue = BoundedQueue<String>(capacity: 2)
        queue.push("a")
        queue.close()
        #expect(!queue.push("b"))
        #expect(queue.pop() == "a")
        #expect(queue.pop() == nil)
        #expect(queue.pop() == nil)
        queue.close()
    }

    @Test(arguments: [1, 2, 7, 1000])
    func everythingArrivesInOrder(capacity: Int) throws {
        let queue = BoundedQueue<Int>(capacity: capacity)
        let thread = try runningThread {
            for number in 0..<20_000 { queue.push(number) }
            queue.close()
        }
        var expected = 0
        while let number = queue.pop() {
            if number != expected { Issue.record("\(number) after \(expected - 1)") }
            expected += 1
        }
        thread.join()
        #expect(expected == 20_000)
    }

    /// A push waits while the queue is full, so the queue never holds more than its capacity.
    @Test func theFasterOneWaits() throws {
        let queue = BoundedQueue<Int>(capacity: 3)
        let pushed = Counter()
        let popped = Counter()
        let tooMany = Counter()
        let thread = try runningThread {
            for number in 0..<5000 {
                queue.push(number)
                // One more element may be popped but not yet counted.
                if pushed.add(1) - popped.total > 4 { tooMany.add(1) }
            }
            queue.close()
        }
        while queue.pop() != nil { popped.add(1) }
        thread.join()
        #expect(pushed.total == 5000 && popped.total == 5000 && tooMany.total == 0)
    }

    @Test func closingWakesTheOneThatPushes() throws {
        let queue = BoundedQueue<Int>(capacity: 1)
        let refused = Counter()
        queue.push(0)
        let thread = try runningThread { if !queue.push(1) { refused.add(1) } }
        queue.close()
        thread.join()
        #expect(refused.total == 1)
        #expect(queue.pop() == 0 && queue.pop() == nil)
    }

    @Test func closingWakesTheOneThatPops() throws {
        let queue = BoundedQueue<Int>(capacity: 1)
        let ended = Counter()
        let thread = try runningThread { if queue.pop() == nil { ended.add(1) } }
        queue.close()
        thread.join()
        #expect(ended.total == 1)
    }

    /// The queue releases an element when it is popped, not only when the queue itself is released.
    @Test func whatWasTakenIsLetGo() {
        let queue = BoundedQueue<Held>(capacity: 4)
        weak var held: Held?
        do {
            let element = Held()
            held = element
            queue.push(element)
        }
        #expect(held != nil)
        _ = queue.pop()
        #expect(held == nil)
    }

    private final class Held: Sendable {}
}

/// Starts a thread. Throws if the system refuses one.
private func runningThread(_ run: @escaping @Sendable () -> Void) throws -> WorkerThread {
    guard let thread = WorkerThread(run) else { throw CancellationError() }
    return thread
}

@Suite struct WorkerThreadTests {
    @Test func joinWaitsForTheEndAndShowsWhatWasWritten() throws {
        let counter = Counter()
        let thread = try runningThread {
            Thread.sleep(forTimeInterval: 0.02)
            counter.add(42)
        }
        thread.join()
        #expect(counter.total == 42)
    }

    @Test func manyThreadsRunEachOnce() throws {
        let counter = Counter()
        for _ in 0..<200 {
            let thread = try runningThread { counter.add(1) }
            thread.join()
        }
        #expect(counter.total == 200)
    }

    @Test func whatTheBodyHeldIsLetGo() throws {
        weak var held: Counter?
        do {
            let counter = Counter()
            held = counter
            let thread = try runningThread { counter.add(1) }
            thread.join()
        }
        #expect(held == nil)
    }
}
