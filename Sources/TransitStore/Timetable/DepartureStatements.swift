/// The departure statements that a connection keeps prepared, by skeleton.
final class DepartureStatements {
    private var statements: [DepartureSkeleton: (text: String, statement: PreparedStatement)] = [:]
    private static let mostKnown = 64
    /// The statements that read a line and a stop by key.
    let route = PreparedStatement()
    let stop = PreparedStatement()

    /// The statement of a skeleton; each is written once.
    func statement(_ skeleton: DepartureSkeleton) -> (text: String, statement: PreparedStatement) {
        if let known = statements[skeleton] { return known }
        if statements.count >= Self.mostKnown { statements = [:] }
        let made = (text: DepartureSelect(skeleton).text, statement: PreparedStatement())
        statements[skeleton] = made
        return made
    }
}
