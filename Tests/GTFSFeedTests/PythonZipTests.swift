import Foundation
import TestSupport
import Testing

@testable import GTFSFeed

/// The Python interpreter, if the machine has one.
private enum Python {
    static let path = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
}

/// Reads archives of an independent writer, Python's zipfile, in all forms that it can write.
@Suite(.enabled(if: Python.path != nil, "no python3 to write archives with"))
struct PythonZipTests {
    /// Runs a script with `path` set and the modules `sys` and `zipfile` imported.
    private func run(_ script: String, path: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: try #require(Python.path))
        process.arguments = ["-c", "import sys, zipfile\npath = sys.argv[1]\n" + script, path]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    private static let rows = (0..<30_000).map { "\($0),stop \($0 * 7919 % 30011)\n" }.joined()
    private static let write = """
        rows = "".join(f"{n},stop {n * 7919 % 30011}\\n" for n in range(30000))
        z.writestr("stops.txt", rows)
        z.writestr("agency.txt", "agency_id\\n")
        """

    @Test(
        "every form that Python's zipfile writes is read: stored, deflated, zip64, streamed, with a comment",
        arguments: [
            "z = zipfile.ZipFile(path, 'w')\n\(write)\nz.close()",
            "z = zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED, compresslevel=1)\n\(write)\nz.close()",
            "z = zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED, compresslevel=9)\n\(write)\nz.comment = b'PK\\5\\6'\nz.close()",
            """
            z = zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED)
            \(write)
            with z.open("trips.txt", "w", force_zip64=True) as f: f.write(b"trip_id\\n")
            z.close()
            """,
            """
            class Pipe:
                def __init__(self, file): self.file = file
                def write(self, data): return self.file.write(data)
                def flush(self): self.file.flush()
            with open(path, "wb") as file:
                z = zipfile.ZipFile(Pipe(file), "w", zipfile.ZIP_DEFLATED)
                \(write.replacingOccurrences(of: "\n", with: "\n    "))
                z.close()
            """,
        ])
    func sound(script: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/feed.zip"
        try run(script, path: path)
        let feed = try OpenedFeed.open(path)
        let texts = try feed.texts()
        #expect(texts["stops.txt"] == Self.rows)
        #expect(texts["agency.txt"] == "agency_id\n")
        #expect(feed.anomalies == [])
    }

    @Test("a name twice: the later one is read, as Python itself does")
    func twice() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/feed.zip"
        let script = """
            import warnings
            warnings.simplefilter("ignore")
            for text in ["old", "new"]:
                with zipfile.ZipFile(path, "a") as z: z.writestr("stops.txt", text)
            """
        try run(script, path: path)
        let feed = try OpenedFeed.open(path)
        #expect(try feed.texts() == ["stops.txt": "new"])
        #expect(feed.anomalies == ["holds more than one file of a name, and the last of each is read: stops.txt"])
    }

    @Test(
        "methods that cannot be read are named",
        arguments: [("ZIP_LZMA", "LZMA (method 14)"), ("ZIP_BZIP2", "BZip2 (method 12)")])
    func methods(constant: String, name: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/feed.zip"
        try run("with zipfile.ZipFile(path, 'w', zipfile.\(constant)) as z: z.writestr('stops.txt', 'x')", path: path)
        let error = #expect(throws: FeedError.self) { try OpenedFeed.open(path) }
        let words = "stops.txt is compressed with \(name), which cannot be read; recompress the feed with deflate"
        #expect(error == FeedError(.unsupported, words, at: path))
    }
}
