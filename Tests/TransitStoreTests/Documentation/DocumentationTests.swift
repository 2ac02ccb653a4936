import Foundation
import Testing

@testable import TransitStore

/// The pages of the documentation show code that compiles and runs, the SQL that it runs, and what it prints.
///
///     UPDATE_DOCUMENTATION=1 swift test --filter DocumentationTests     // writes these three into the pages
@Suite struct DocumentationTests {
    private static let folder = ImportedStore.packageRoot + "/Sources/TransitStore/TransitStore.docc"

    @Test func everySampleIsWhatItsPageShows() async throws {
        let snippets = try Self.snippets()
        #expect(Set(snippets.keys) == Set(Samples.all.map(\.name)))
        let feed = try ImportedStore.sample.get()
        var blocks: [String: [Block]] = [:]
        for sample in Samples.all {
            let samples = try Samples(feed)
            try await sample.run(samples)
            blocks[sample.name] = [
                Block(language: "swift", text: snippets[sample.name] ?? ""),
                Block(language: "sql", text: samples.shownStatements.joined(separator: "\n")),
                Block(language: "text", text: samples.printed.joined(separator: "\n")),
            ].filter { !$0.text.isEmpty }
        }
        var shown: Set<String> = []
        for page in try Self.pages() {
            let text = try String(contentsOfFile: page, encoding: .utf8)
            let (updated, names) = Self.updated(text, blocks)
            shown.formUnion(names)
            if ProcessInfo.processInfo.environment["UPDATE_DOCUMENTATION"] == nil {
                #expect(text == updated, "\(page) shows something else than its samples do")
            } else if text != updated {
                try updated.write(toFile: page, atomically: true, encoding: .utf8)
            }
        }
        #expect(shown == Set(blocks.keys))
    }

    /// Every statement that a sample runs finds its rows by an index, but for those whose page says otherwise.
    @Test func noDocumentedQueryScans() async throws {
        let whole: Set = [
            "entity", "batches", "sections", "distinct", "having", "subentities", "explain", "sortDescriptors",
            "affectedStores", "valuesAndFaults",
        ]
        let feed = try ImportedStore(feed: ImportedStore.packageRoot + "/pipelines/sample-feed")
        try feed.pretendToBeBig()
        for sample in Samples.all where !whole.contains(sample.name) {
            let samples = try Samples(feed)
            try await sample.run(samples)
            for sql in Set(samples.statements) where sql.hasPrefix("SELECT") {
                let plan = try samples.context.plan(of: SQLFragment(sql), bigTable: 1, store: 0)
                let warnings = plan.warnings.filter { !$0.hasSuffix(" rows of route") }
                #expect(warnings == [], "\(sample.name): \(plan)")
            }
        }
    }

    private struct Block {
        let language: String
        let text: String
        var lines: [Substring] {
            "```\(language)\n\(text)\n```".split(separator: "\n", omittingEmptySubsequences: false)
        }
    }

    /// The page with every sample's blocks put after its mark, and the samples' names.
    ///
    /// `<!-- sample: name -->` stands before all blocks, `<!-- sample: name swift text -->` before those named.
    private static func updated(_ page: String, _ blocks: [String: [Block]]) -> (String, [String]) {
        var lines: [Substring] = []
        var names: [String] = []
        var rest = page.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = rest.popFirst() {
            lines.append(line)
            guard line.hasPrefix("<!-- sample: "), case let words = line.split(separator: " ").dropFirst(2).dropLast(),
                let name = words.first
            else { continue }
            names.append(String(name))
            let languages = words.dropFirst()
            while let next = rest.first, next.hasPrefix("```") {
                rest.removeFirst()
                while let inner = rest.popFirst(), !inner.hasPrefix("```") {}
            }
            for block in blocks[String(name)] ?? []
            where languages.isEmpty || languages.contains(Substring(block.language)) {
                lines += block.lines
            }
        }
        return (lines.joined(separator: "\n"), names)
    }

    /// The code between the marks of this folder's files, by name, moved to the left edge.
    private static func snippets() throws -> [String: String] {
        var snippets: [String: String] = [:]
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            var name: String?
            var lines: [Substring] = []
            let text = try String(contentsOf: file, encoding: .utf8)
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                let code = line.drop { $0 == " " }
                if code.hasPrefix("// snippet: ") {
                    (name, lines) = (String(code.dropFirst("// snippet: ".count)), [])
                } else if code == "// end", let found = name {
                    (snippets[found], name) = (lines.joined(separator: "\n"), nil)
                } else {
                    lines.append(line.hasPrefix("        ") ? line.dropFirst(8) : code)
                }
            }
        }
        return snippets
    }

    /// The articles, and the README, whose program is a sample too.
    private static func pages() throws -> [String] {
        let articles = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }
        return articles.sorted().map { folder + "/" + $0 } + [ImportedStore.packageRoot + "/README.md"]
    }
}
