import Foundation
import Testing

/// The program opens exactly the named file, even if its path is not valid UTF-8. Python can pass such paths as bytes.
@Suite struct BytePathTests {
    private func expectPython(_ script: String) throws {
        let text = """
            import os, shutil, subprocess, tempfile
            os.chdir(tempfile.mkdtemp())
            def run(*words):
                done = subprocess.run([b'\(FetchProgram.path)', *words], capture_output=True)
                return done.returncode, done.stdout, done.stderr
            shutil.copy('\(try FetchProgram.shared.get().store)', b's\\xe4.sqlite')
            try:
                \(script.replacing("\n", with: "\n    "))
            finally:
                shutil.rmtree(os.getcwd())
            """
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", text]
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let words = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(words)")
    }

    @Test func aStoreIsOpenedByAPathThatIsNotUTF8() throws {
        try expectPython(
            #"""
            code, output, words = run(b's\xe4.sqlite', b'info')
            assert code == 0 and output.startswith(b'store          s\\xE4.sqlite\n'), (output, words)
            assert b'"store":"s\\\\xE4.sqlite"' in run(b's\xe4.sqlite', b'info', b'--format=json')[1]
            code, output, words = run(b's\xe4.sqlite', b'check')
            assert code == 0 and output.startswith(b's\\xE4.sqlite is sound'), (output, words)
            code, _, words = run(b's\xe5.sqlite', b'info')
            assert code == 66 and words == b'fetch-gtfs: There is no store at s\\xE5.sqlite\n', words
            os.truncate(b's\xe4.sqlite', 8192)
            code, _, words = run(b's\xe4.sqlite', b'info')
            assert code == 66 and b's\\xE4.sqlite has 8192 of ' in words, words
            """#)
    }

    @Test func templatesAreReadFromAPathThatIsNotUTF8() throws {
        try expectPython(
            #"""
            open(b't\xe4.ini', 'wb').write(b'[all]\nentity = Stop\n')
            code, output, words = run(b's\xe4.sqlite', b'fetch', b'--templates', b't\xe4.ini', b'--template=all', b'--count')
            assert code == 0 and int(output) > 0, words
            code, _, words = run(b's\xe4.sqlite', b'fetch', b'--templates', b't\xe5.ini', b'--template=all')
            assert code == 66 and b't\\xE5.ini cannot be opened' in words, words
            """#)
    }

    /// A text is not a path: Swift replaces its bytes that are not valid UTF-8.
    @Test func argumentsThatAreNoPathsReadAsReplacementCharacters() throws {
        try expectPython(
            #"""
            code, output, words = run(b's\xe4.sqlite', b'fetch', b'Stop', b'--where', b"name != '\xfc'", b'--count')
            assert code == 0 and int(output) > 0, words
            code, output, words = run(b's\xe4.sqlite', b'fetch', b'Stop\xfc')
            assert code == 65 and 'Stop\ufffd'.encode() in words, words
            """#)
    }
}
