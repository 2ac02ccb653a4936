import Glibc
import Synchronization

/// Places at which tests kill the process, to see what a crash there leaves behind.
///
///     IMPORT_GTFS_FAILPOINT=rename import-gtfs …      // dies (SIGKILL) when it gets there
///     IMPORT_GTFS_FAILPOINT=batch:3 import-gtfs …     // when it gets there for the third time
///     IMPORT_GTFS_FAILPOINT=? import-gtfs …           // goes on, and names each place on standard error
///
/// Tests in the same process watch which places an import reaches: `Failpoint.$observer.withValue { … } operation: { …
/// }`.
///
/// Only debug builds have failpoints (FAILPOINTS in Package.swift).
enum Failpoint {
    #if FAILPOINTS
        private struct Order: Sendable {
            let name: String
            let visit: Int
        }

        private static let order: Order? = getenv("IMPORT_GTFS_FAILPOINT").map { value in
            let parts = String(cString: value).split(separator: ":").map(String.init)
            return Order(name: parts.first ?? "", visit: parts.count > 1 ? Int(parts[1]) ?? 1 : 1)
        }
        private static let visits = Mutex(0)

        @TaskLocal static var observer: (@Sendable (String) -> Void)?

        static func reach(_ name: StaticString) {
            observer?("\(name)")
            guard let order else { return }
            if order.name == "?" {
                let line = Array("failpoint \(name)\n".utf8)
                _ = write(STDERR_FILENO, line, line.count)
            } else if order.name == "\(name)", isVisit(order.visit) {
                kill(getpid(), SIGKILL)
            }
        }

        private static func isVisit(_ number: Int) -> Bool {
            visits.withLock { count in
                count += 1
                return count == number
            }
        }
    #else
        @inline(__always)
        static func reach(_ name: StaticString) {}
    #endif
}
