import Foundation
import TestSupport
import Testing

@testable import GTFSImport
@testable import import_gtfs

/// With paths that are long or not valid UTF-8, the program reads and writes exactly the named files. Python runs these
/// tests because its paths may be bytes.
@Suite struct BytePathTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func expectPython(_ script: String) throws {
        let text = """
            import os, shutil, subprocess
            os.chdir('\(folder.path)')
            def run(*words, cwd=b'.', **faults):
                done = subprocess.run(
                    [b'\(CommandLineProgram.path)', *words], cwd=cwd, capture_output=True, env={**os.environ, **faults})
                return done.returncode, done.stdout, done.stderr
            shutil.copytree('\(CommandLineProgram.packageRoot)/pipelines/sample-feed', 'd')

            """ + script
        let result = try CommandLineProgram.run(["python3", "-c", text], executable: "/usr/bin/env")
        #expect(result.exitCode == 0, "\(result.error)")
    }

    @Test func aFeedAndAStoreMayHavePathsThatAreNotUTF8() throws {
        try expectPython(
            #"""
            os.rename(b'd', b'd\xfc')
            code, output, words = run(b'd\xfc', b's\xe4.sqlite', b'--json')
            assert code == 0, words
            assert sorted(os.listdir(b'.')) == [b'd\xfc', b's\xe4.sqlite'], os.listdir(b'.')
            assert words.startswith(b'Published: s\\xE4.sqlite, '), words
            assert b'"store":"s\\\\xE4.sqlite"' in output, output
            assert run(b'd\xfc', b's\xe4.sqlite')[2].startswith(b'Unchanged: ')
            """#)
    }

    /// When the loader starts the program, the system lists the loader and the program among the arguments.
    @Test func argumentsMayFollowTheLoader() throws {
        try expectPython(
            #"""
            loaders = '/lib64/ld-linux-x86-64.so.2', '/lib/ld-linux-aarch64.so.1'
            loader = next(filter(os.path.exists, loaders))
            os.rename(b'd', b'd\xfc')
            done = subprocess.run([loader, '\#(CommandLineProgram.path)', b'd\xfc', b's.sqlite'], capture_output=True)
            assert done.returncode == 0, done.stderr
            assert done.stderr.startswith(b'Published: s.sqlite, '), done.stderr
            """#)
    }

    @Test func aLinkToANameThatIsNotUTF8() throws {
        try expectPython(
            #"""
            os.symlink(b'target\xff.sqlite', b'link')
            assert run(b'd', b'link')[0] == 0
            assert sorted(os.listdir(b'.')) == [b'd', b'link', b'target\xff.sqlite'], os.listdir(b'.')
            assert os.readlink(b'link') == b'target\xff.sqlite'
            """#)
    }

    @Test func aWorkingFolderThatIsNotUTF8() throws {
        try expectPython(
            #"""
            os.mkdir(b'w\xfc')
            code, _, words = run(b'../d', b'a.sqlite', b'--keep=1', cwd=b'w\xfc')
            assert code == 0 and os.listdir(b'w\xfc') == [b'a.sqlite'], words
            code, _, words = run(b'../none', b'a.sqlite', cwd=b'w\xfc')
            assert code == 66, words
            """#)
    }

    @Test(.enabled(if: FaultLibrary.path != nil, "there is no C compiler"))
    func aRollbackThatFailsListsNoFeed() throws {
        try expectPython(
            #"""
            store = b's\xe4.sqlite'
            assert run(b'd', store)[0] == 0
            open(b'd/notes.txt', 'w').write('note\n1\n')
            assert run(b'd', store, b'--keep=1')[0] == 0
            open(store + b'.rolled-back', 'w').write('0' * 32 + '\n')
            code, _, words = run(
                b'--rollback', store, LD_PRELOAD='\#(FaultLibrary.path ?? "")', FAULT_CALL='rename', FAULT_AT='1',
                FAULT_ERROR='5', FAULT_PATH='.sqlite', FAULT_TIMES='1')
            assert code == 74 and b'cannot be renamed' in words, (code, words)
            assert open(store + b'.rolled-back').read() == '0' * 32 + '\n'
            """#)
    }

    @Test func pathsLongerThanSQLiteTakes() throws {
        try expectPython(
            #"""
            deep = os.path.join(os.getcwdb(), *[b'n' * 200] * 5)
            os.makedirs(deep)
            for begin in [b'Published: ', b'Unchanged: ']:
                code, _, words = run(b'd', deep + b'/a.sqlite')
                assert code == 0 and words.startswith(begin), words
            os.symlink(deep + b'/a.sqlite', b'link')
            assert run(b'd', b'link')[2].startswith(b'Unchanged: ')
            assert os.listdir(deep) == [b'a.sqlite']
            """#)
    }

    @Test func filesOfAFolderWhoseNamesAreNotUTF8AreKept() throws {
        try expectPython(
            #"""
            open(b'd/notes\xfc.pdf', 'wb').write(b'kept')
            code, _, words = run(b'd', b'a.sqlite')
            assert code == 0 and b'notes\\xFC.pdf' in words, words
            """#)
    }

    /// The feed is called the same in every line and in the report.
    @Test func messagesShowBytesThatAreNoCharacters() throws {
        try expectPython(
            #"""
            code, output, words = run(b'none\xfc.zip', b'a.sqlite', b'--json')
            assert code == 66 and words.startswith(b'Failed: none\\xFC.zip: cannot be opened: '), words
            assert b'"message":"none\\\\xFC.zip: cannot be opened: ' in output, output
            """#)
    }
}
