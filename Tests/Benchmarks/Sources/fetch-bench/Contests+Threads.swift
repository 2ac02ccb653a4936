import Dispatch
import Synchronization
import TransitStore

/// Contests of two threads against one that does the work of both.
extension Contests {
    /// Runs a part of the queries over a connection that no other thread uses.
    typealias Work = @Sendable (_ thread: Int, _ range: Range<Int>) throws -> Tally

    /// Warms up for two rounds. The second connection works only when there are two threads, and each time on one half
    /// of the queries, so it needs several rounds to read all rows. The first connection needs one round.
    ///
    /// Turns are long because waking a thread takes a tenth of a millisecond, the time of ten fetches.
    func threads(_ work: @escaping Work) -> Contest {
        Contest(
            iterations: workload.queries.count * 10, turn: 5_000, warmUps: 2,
            ours: Contest.Side("two threads") { range in
                let tally = Mutex(Result<Tally, any Error>.success(Tally()))
                DispatchQueue.concurrentPerform(iterations: 2) { thread in
                    let part = Result { try work(thread, Self.half(thread, of: range)) }
                    tally.withLock { total in
                        total = Result {
                            var sum = try total.get()
                            sum += try part.get()
                            return sum
                        }
                    }
                }
                return try tally.withLock { $0 }.get()
            },
            other: Contest.Side("one thread") { range in
                var tally = try work(0, Self.half(0, of: range))
                tally += try work(1, Self.half(1, of: range))
                return tally
            })
    }

    private static func half(_ thread: Int, of range: Range<Int>) -> Range<Int> {
        let middle = range.lowerBound + range.count / 2
        return thread == 0 ? range.lowerBound..<middle : middle..<range.upperBound
    }

    var ourStops: Work {
        let (store, workload) = (store, workload)
        return { _, range in
            let context = store.makeContext()
            return try range.reduce(into: Tally()) {
                $0 += Tally(try context.fetch(Self.request(800, workload.queries[$1 % workload.queries.count].place)))
            }
        }
    }

    /// Statements that share nothing, to show the most that the machine can gain from two threads.
    var rawStops: Work {
        let (path, workload) = (path, workload)
        let connections = Mutex<[RawConnection?]>([nil, nil])
        return { thread, range in
            let raw = try connections.withLock { known in
                let raw = try known[thread] ?? RawConnection(path: path)
                known[thread] = raw
                return raw
            }
            return try range.reduce(into: Tally()) {
                $0 += try raw.stops(within: 800, of: workload.queries[$1 % workload.queries.count].place)
            }
        }
    }
}
