import Foundation
import Testing

/// The Swift code in the comments of public declarations compiles, all of it at once.
///
/// An indented block is Swift. SQL, conditions in words and output stand between fences that name their language.
@Suite struct CommentSampleTests {
    private static let sources = ImportedStore.packageRoot + "/Sources/TransitStore"

    /// Values that samples use without declaring them. Readers understand them by their names.
    private static let known = """
        store: TransitStore, context: StoreContext, otherContext: StoreContext, berlin: TransitStore,
        brandenburg: TransitStore, stop: Stop, market: Stop, stopTime: StopTime, trip: Trip, route: Route,
        goerlitzerBahnhof: Coordinate, open: Condition<Stop>, request: inout FetchRequest<Stop>
        """

    /// The program compiles in both language modes, and sees the public interface only.
    @Test(arguments: [6, 5]) func everySampleOfAPublicDeclarationCompiles(language: Int) throws {
        let compiler = try #require(TopLevelCompiler(), "the modules of this build lie elsewhere")
        let samples = try Self.samples()
        #expect(samples.count > 40)
        let functions = samples.enumerated().map { number, sample in
            """
            func sample\(number)(\(Self.known)) async throws {
            #sourceLocation(file: "\(sample.file)", line: \(sample.line))
            \(sample.code)
            #sourceLocation()
            }
            """
        }
        let program = "import Foundation\nimport TransitStore\n\n" + functions.joined(separator: "\n")
        #expect(try compiler.errors(in: program, language: language) == "")
    }

    /// `catch where` after a typed throw crashes Swift 6.3.1 in functions with variables (TransitStore.md). The test
    /// above only checks types, so it does not see that.
    @Test func noSampleCrashesTheCompiler() throws {
        let crashing = try Self.samples().filter { $0.code.contains("catch where") }
        #expect(crashing.map { "\($0.file):\($0.line)" } == [])
    }

    private struct Sample {
        let file: String
        let line: Int
        let code: String
    }

    private static func samples() throws -> [Sample] {
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources).filter { $0.hasSuffix(".swift") }
        return try files.sorted().flatMap { file in
            let text = try String(contentsOfFile: sources + "/" + file, encoding: .utf8)
            return samples(of: text.components(separatedBy: "\n"), file)
        }
    }

    /// The indented blocks of the comments that stand before public declarations and extensions.
    private static func samples(of lines: [String], _ file: String) -> [Sample] {
        var found: [Sample] = []
        var comment: [(line: Int, text: String)] = []
        var isFenced = false
        for (number, line) in lines.enumerated() {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("///") {
                if text.hasPrefix("/// ```") { isFenced.toggle() }
                comment.append((number + 1, isFenced ? "fenced" : String(text.dropFirst(3))))
            } else if !text.hasPrefix("@") {
                if ["public ", "open ", "extension "].contains(where: text.hasPrefix) {
                    found += blocks(of: comment).map { Sample(file: file, line: $0.line, code: $0.code) }
                }
                comment = []
            }
        }
        return found
    }

    private static func blocks(of comment: [(line: Int, text: String)]) -> [(line: Int, code: String)] {
        comment.split { !$0.text.hasPrefix("     ") && !$0.text.isEmpty }.compactMap { block in
            guard let first = block.first(where: { !$0.text.isEmpty }) else { return nil }
            let code = block.drop { $0.text.isEmpty }.map { $0.text.dropFirst(5) }.joined(separator: "\n")
            return (first.line, code)
        }
    }
}
