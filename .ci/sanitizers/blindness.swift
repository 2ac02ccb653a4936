// What the thread sanitizer cannot see: the lock of Synchronization.
//
//     swiftc -sanitize=thread blindness.swift -o blindness && ./blindness mutex; ./blindness pthread
//
// Two threads count under a lock, 100,000 times each. The sum is right both times; with `mutex`, the sanitizer reports
// a race all the same. On Linux this lock is made of atomic operations and futex calls in a library that is not
// instrumented, so the sanitizer never learns that one thread has waited for the other.

import Foundation
import Synchronization

/// A lock whose functions the sanitizer knows.
final class PosixLocked: @unchecked Sendable {
    private var lock = pthread_mutex_t()
    private var numbers: [Int] = []

    init() { pthread_mutex_init(&lock, nil) }

    func append(_ number: Int) {
        pthread_mutex_lock(&lock)
        numbers.append(number)
        pthread_mutex_unlock(&lock)
    }

    var count: Int { numbers.count }
}

final class SwiftLocked: Sendable {
    private let numbers = Mutex<[Int]>([])

    func append(_ number: Int) { numbers.withLock { $0.append(number) } }
    var count: Int { numbers.withLock { $0.count } }
}

func inTwoThreads(_ body: @escaping @Sendable (Int) -> Void) {
    let threads = (0..<2).map { _ in
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            for number in 0..<100_000 { body(number) }
            done.signal()
        }
        return done
    }
    threads.forEach { $0.wait() }
}

if CommandLine.arguments.last == "mutex" {
    let locked = SwiftLocked()
    inTwoThreads { locked.append($0) }
    print(locked.count)
} else {
    let locked = PosixLocked()
    inTwoThreads { locked.append($0) }
    print(locked.count)
}
