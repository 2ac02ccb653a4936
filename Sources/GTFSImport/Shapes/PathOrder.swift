// Unsafe: looks at the points of a path through a pointer to them.

import SQLitePages

/// Where stops may lie on a path, one choice after the other along a trip, and whether any choice for all of them goes
/// forward.
struct PathOrder {
    /// The choices for one call: places near the stop, or the one that its distance along the shape names.
    struct Step {
        let choices: Range<Int>
        let isByDistance: Bool
    }

    /// What a search for the best choices gives.
    enum Outcome {
        /// One choice for each step, with the least sum of distances from the stops.
        case chosen([Int])
        /// The first step that lies before the one before it, whatever is chosen.
        case outOfOrder(Int)
    }

    let steps: [Step]
    /// The places that `Step.choices` number.
    let places: (nearby: [ShapePath.Match], byDistance: [ShapePath.Match])

    private func place(_ choice: Int, _ step: Step) -> ShapePath.Match {
        step.isByDistance ? places.byDistance[choice] : places.nearby[choice]
    }

    /// Whether the earliest choices go forward for certain. Costs a few comparisons a step. Places at one point of the
    /// shape that belong to two edges are left to `best`: rounding decides about them.
    var isCertain: Bool {
        var last: ShapePath.Match?
        for step in steps {
            guard let next = firstChoice(step, after: last) else { return false }
            last = next
        }
        return true
    }

    private func firstChoice(_ step: Step, after last: ShapePath.Match?) -> ShapePath.Match? {
        for choice in step.choices {
            let place = place(choice, step)
            guard let last else { return place }
            if place.edge > last.edge {
                return last.part == 1 && place.part == 0 && place.edge == last.edge + 1 ? nil : place
            }
            if place.edge == last.edge, place.part >= last.part { return place }
        }
        return nil
    }

    /// How many comparisons `best` takes.
    var pairs: Int { zip(steps, steps.dropFirst()).reduce(0) { $0 + $1.0.choices.count * $1.1.choices.count } }

    /// Compares the lengths from the start of the path, as the reference validator does.
    func best(on path: ShapePath, lengths: PathLengths) -> Outcome {
        var before: [Partial] = []
        var trail: [[Int]] = []
        for (number, step) in steps.enumerated() {
            var (next, origins): ([Partial], [Int]) = ([], [])
            for choice in step.choices {
                let place = place(choice, step)
                let length = lengths.length(to: place, isByDistance: step.isByDistance, on: path)
                let meters = StopView.meters(ofSquare: place.square)
                if number == 0 {
                    next.append(Partial(choice: choice, length: length, score: meters))
                    origins.append(-1)
                    continue
                }
                let possible = before.indices.filter { before[$0].length <= length }
                guard let origin = possible.min(by: { before[$0].score < before[$1].score }) else { continue }
                next.append(Partial(choice: choice, length: length, score: before[origin].score + meters))
                origins.append(origin)
            }
            if next.isEmpty { return .outOfOrder(number) }
            trail.append(next.map(\.choice) + origins)
            before = next
        }
        return .chosen(choices(trail, endingAt: before.indices.min { before[$0].score < before[$1].score } ?? 0))
    }

    private func choices(_ trail: [[Int]], endingAt last: Int) -> [Int] {
        var (choices, place): ([Int], Int) = ([], last)
        for level in trail.reversed() {
            choices.append(level[place])
            place = level[level.count / 2 + place]
        }
        return choices.reversed()
    }

    /// Choices up to a step that go forward.
    private struct Partial {
        let choice: Int
        /// From the start of the path.
        let length: Double
        let score: Double
    }
}

/// The lengths in meters from the start of a path to its points. Only paths on which stops may be out of order need
/// them.
struct PathLengths {
    private var lengths: [Double] = []

    init(of path: ShapePath) {
        var (length, last): (Double, (Double, Double)?) = (0, nil)
        for point in path.points {
            let next = (point.first, point.second)
            if let last { length += Sphere.meters(from: last, to: next) }
            lengths.append(length)
            last = next
        }
    }

    /// The length of the path up to a place. For a place that a distance names, takes its part of the edge's length;
    /// for one near a stop, measures from the edge's start.
    func length(to place: ShapePath.Match, isByDistance: Bool, on path: ShapePath) -> Double {
        let edge = Int(place.edge)
        guard place.part > 0, edge + 1 < lengths.count else { return lengths[edge] }
        if isByDistance { return lengths[edge] + place.part * (lengths[edge + 1] - lengths[edge]) }
        let point = path.points[edge]
        let start = StopView(latitude: point.first, longitude: point.second)
        let square = path.point(edge + 1, in: start)?.square ?? 0
        return lengths[edge] + place.part * StopView.meters(ofSquare: square)
    }
}
