/// Goes through lines from west to east. A line can meet only the lines before it that reach its longitude.
///
///     var sweep = LineSweep(lines) { $0 }
///     while let (one, line, _) = sweep.next() {
///         for (other, otherLine) in sweep.reaching where line.sharesLatitude(with: otherLine) { … }
///     }
struct LineSweep<Element> {
    /// The lines before the present one that reach its longitude.
    private(set) var reaching: [(element: Element, line: PlaneLine)] = []
    private var present: (element: Element, line: PlaneLine)?
    private var rest: ArraySlice<Element>
    private let line: (Element) -> PlaneLine

    init(_ elements: [Element], line: @escaping (Element) -> PlaneLine) {
        self.line = line
        rest = elements.sorted { line($0).west < line($1).west }[...]
    }

    /// The next line, and how many lines were looked at to find those that reach it.
    mutating func next() -> (element: Element, line: PlaneLine, looks: Int)? {
        if let present { reaching.append(present) }
        guard let element = rest.popFirst() else { return nil }
        let (own, looks) = (line(element), reaching.count)
        reaching.removeAll { $0.line.east < own.west }
        present = (element, own)
        return (element, own, looks)
    }
}
