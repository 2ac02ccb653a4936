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
                Block(language: "sql", text: Self.shown(samples.shownStatements).joined(separator: "\n")),
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

    /// Of more than 12 statements, such as those of a search from cell to cell, each is shown once.
    private static func shown(_ statements: [String]) -> [String] {
        var known = Set<String>()
        return statements.count > 12 ? statements.filter { known.insert($0).inserted } : statements
    }

    /// A reader may paste a sample into a `main.swift` instead of a function. There, variables are global and nothing
    /// returns.
    @Test func everySampleCompilesAtTopLevel() throws {
        let compiler = try #require(TopLevelCompiler(), "the modules of this build lie elsewhere")
        for (name, snippet) in try Self.snippets().sorted(by: { $0.key < $1.key }) {
            #expect(try compiler.complaints(about: snippet) == "", "\(name)")
        }
        // Proves that the compiler really checks the code.
        #expect(try compiler.complaints(about: "let x: Int = context").contains("error"))
    }

    /// Each topic of a fetch layer has a section, which shows code and names the counterpart in NSFetchRequest.
    @Test func everyTopicHasASectionWithASample() throws {
        var topics = 0
        for page in try Self.pages() {
            let text = try String(contentsOfFile: page, encoding: .utf8)
            for section in text.components(separatedBy: "\n## ").dropFirst() {
                guard section.contains("- **NSFetchRequest.**") else { continue }
                let title = section.prefix { $0 != "\n" }
                #expect(section.contains("<!-- sample: ") && section.contains("```swift"), "\(page): \(title)")
                topics += 1
            }
        }
        #expect(topics == 38)
    }

    /// The samples that go through a whole table of thousands of rows on purpose, and why.
    private static let wholeTables = [
        "batches": "walks through all stop times",
        "distinct": "asks for every headsign there is",
        "sections": "shows all trips",
        "computedSections": "shows all stations",
        "backgroundRows": "counts among all trips",
        "affectedStores": "counts the trips of all lines",
        "having": "counts the trips of all lines",
        "subentities": "asks for all stops of a kind, and for those of none",
        "propertyValues": "asks for all platforms, which most stops are",
        "faults": "asks for all stations",
        "enumerationsInPredicates": "asks for all entrances",
        "explain": "counts a table's rows to tell whether it is big",
        "sortDescriptors": "puts all stations in order",
    ]

    /// Asks for the trips of most services: SQLite 3.40 reads the whole table, 3.46 and later use the index.
    private static let scannedByVersion: Set = ["allRuns"]

    /// The statements of every sample find their rows by an index, whatever SQLite knows of the tables' sizes. Samples
    /// about whole tables are the exception.
    @Test func noDocumentedQueryScans() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try GrownFeed.write(to: folder)
        let scanning = try await Self.scans(ImportedStore(feed: folder), bigTable: 1_000)
        let always = scanning.keys.filter { !Self.scannedByVersion.contains($0) }
        #expect(always.sorted() == Self.wholeTables.keys.sorted(), "\(scanning)")
        let small = try ImportedStore(feed: ImportedStore.packageRoot + "/pipelines/sample-feed")
        try small.pretendToBeBig()
        for (name, warnings) in try await Self.scans(small, bigTable: 1)
        where Self.wholeTables[name] == nil && !Self.scannedByVersion.contains(name) {
            // A town has too few of these for an index to help.
            let others = warnings.filter { !$0.hasSuffix(" rows of route") && !$0.hasSuffix(" rows of fare_attribute") }
            #expect(others == [], "\(name)")
        }
    }

    /// The plan warnings of each sample's statements. Samples without warnings are left out.
    private static func scans(_ feed: ImportedStore, bigTable: Int) async throws -> [String: [String]] {
        var scans: [String: [String]] = [:]
        for sample in Samples.all {
            let samples = try Samples(feed)
            try await sample.run(samples)
            for sql in Set(samples.statements) where sql.hasPrefix("SELECT") {
                // The samples' tables have plain names, so the text shows which table each alias stands for.
                let aliases = sql.matches(of: /(?:FROM|JOIN) (\w+)(?: AS (\w+))?/).map { match in
                    (String(match.2 ?? match.1), String(match.1))
                }
                let plan = try samples.context.plan(
                    of: SQLFragment(sql), tables: Dictionary(aliases) { $1 }, bigTable: bigTable, store: 0)
                scans[sample.name, default: []] += plan.warnings
            }
        }
        return scans.filter { !$0.value.isEmpty }
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
