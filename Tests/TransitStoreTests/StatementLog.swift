import Synchronization
import TransitStore

/// How many rows each statement of a store gave, as its SQL debug output tells.
final class StatementLog: Sendable {
    private let counts = Mutex<[Int]>([])

    var debug: SQLDebug {
        SQLDebug(level: 1) { [self] line in
            guard line.hasSuffix(" rows."), let count = line.split(separator: " ").dropLast().last.flatMap({ Int($0) })
            else {
                return
            }
            counts.withLock { $0.append(count) }
        }
    }

    var rows: [Int] { counts.withLock { $0 } }
    func clear() { counts.withLock { $0 = [] } }
}
