// Unsafe: POSIX mutexes and conditions need a fixed address. A hand-off costs under a microsecond, which is negligible
// for blocks of 256 KB; async streams cost twice that and would make the whole importer async.

import Glibc

/// A queue between two threads that makes the faster one wait.
///
///     queue.push(block)              // waits while the queue is full
///     while let block = queue.pop()  // waits while it is empty; nil once it is closed and empty
package final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
    // @unchecked: every access to `newer`, `older`, `load` and `isClosed` happens under `mutex`.

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    /// The elements, latest last. They move to `older`, latest first, when that is empty: taking the first element of
    /// an array moves all others.
    private var newer: [Element] = []
    private var older: [Element] = []
    /// What the elements weigh together.
    private var load = 0
    private var isClosed = false
    private let capacity: Int
    private let mostElements: Int
    private let weight: @Sendable (Element) -> Int

    /// The queue is full once its elements together weigh `capacity`, or there are as many as `mostElements`.
    package init(
        capacity: Int, mostElements: Int = .max, weight: @escaping @Sendable (Element) -> Int = { _ in 1 }
    ) {
        (self.capacity, self.mostElements, self.weight) = (capacity, mostElements, weight)
        mutex = .allocate(capacity: 1)
        changed = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Adds an element; false when the queue was closed and the element is not wanted any more.
    @discardableResult
    package func push(_ element: Element) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while isFull, !isClosed { pthread_cond_wait(changed, mutex) }
        guard !isClosed else { return false }
        newer.append(element)
        load += weight(element)
        pthread_cond_broadcast(changed)
        return true
    }

    /// Takes the oldest element; nil when the queue is closed and empty.
    package func pop() -> Element? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while count == 0, !isClosed { pthread_cond_wait(changed, mutex) }
        if older.isEmpty {
            older = newer.reversed()
            newer.removeAll(keepingCapacity: true)
        }
        return take(from: &older)
    }

    /// Takes the latest element if there is one. If the elements are memory to be reused, the latest is still in the
    /// processor's cache, and fewer of them grow: only those in use at a time.
    package func popLatestIfAny() -> Element? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if newer.isEmpty {
            newer = older.reversed()
            older.removeAll(keepingCapacity: true)
        }
        return take(from: &newer)
    }

    private var count: Int { newer.count + older.count }
    private var isFull: Bool { load >= capacity || count >= mostElements }

    private func take(from elements: inout [Element]) -> Element? {
        guard let element = elements.popLast() else { return nil }
        load -= weight(element)
        pthread_cond_broadcast(changed)
        return element
    }

    /// Ends the queue: what is in it can still be taken, nothing can be added.
    package func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
    }
}
