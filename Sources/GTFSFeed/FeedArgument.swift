/// A feed argument taken apart: `outer.zip#inner.zip` is the path `outer.zip` and the part `inner.zip`.
struct FeedArgument: Equatable {
    var path: String
    var parts: [String]

    /// Splits at `#`. A path that contains one and exists is taken as it stands, so the longest existing path counts.
    init(_ argument: String, exists: (String) -> Bool = { FileKind.of(path: $0) != nil }) {
        let pieces = argument.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        for length in stride(from: pieces.count, to: 1, by: -1) {
            let path = pieces[..<length].joined(separator: "#")
            guard exists(path) else { continue }
            self.init(path: path, parts: pieces[length...])
            return
        }
        self.init(path: pieces[0], parts: pieces[1...])
    }

    private init(path: String, parts: ArraySlice<String>) {
        self.path = path
        self.parts = parts.filter { !$0.isEmpty }
    }
}
