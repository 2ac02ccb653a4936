import Foundation

/// Type-checks code as a whole program, against the modules that the tests were built with.
struct TopLevelCompiler {
    private let build: URL

    /// Nil if the modules are neither beside the tests nor in `.build/debug`.
    init?() {
        guard let program = CommandLine.arguments.first.map({ URL(filePath: $0).resolvingSymlinksInPath() }) else {
            return nil
        }
        let folders = [program.deletingLastPathComponent(), URL(filePath: ImportedStore.packageRoot + "/.build/debug")]
        guard let build = folders.first(where: Self.hasModules) else { return nil }
        self.build = build
    }

    private static func hasModules(_ folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: "Modules/TransitStore.swiftmodule").path)
    }

    /// The compiler's errors and warnings for code after `let store`, `let context` and `let path`; empty if none.
    func complaints(about code: String) throws -> String {
        try check(prelude(of: code) + code, ["-warnings-as-errors"])
    }

    /// The compiler's errors for a program in language mode 6 or 5.
    func errors(in program: String, language: Int) throws -> String {
        try check(program, ["-suppress-warnings"], language: language)
    }

    private func check(_ program: String, _ options: [String], language: Int = 6) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "main.swift")
        try (program + "\n").write(to: file, atomically: true, encoding: .utf8)
        return try run(["swiftc", "-typecheck", "-swift-version", "\(language)"] + options + searchPaths + [file.path])
    }

    /// Declares what a sample uses but does not declare itself.
    private func prelude(of code: String) -> String {
        func needs(_ name: String) -> Bool { !"\n\(code)".contains("\nlet \(name) =") }
        return "import Foundation\nimport TransitStore\n\nlet path = \"\"\n"
            + (needs("store") ? "let store = try TransitStore(path: path)\n" : "")
            + (needs("context") ? "let context = try TransitStore(path: path).makeContext()\n" : "")
    }

    private var searchPaths: [String] {
        let sources = ImportedStore.packageRoot + "/Sources/"
        return ["-I", build.appending(path: "Modules").path]
            + ["CSQLite", "CSystem", "CZlib"].flatMap { ["-I", sources + $0] }
            + ["CICU", "CSQLiteFiles"].flatMap {
                ["-Xcc", "-fmodule-map-file=" + build.appending(path: "\($0).build/module.modulemap").path]
            }
    }

    private func run(_ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self)
    }
}
