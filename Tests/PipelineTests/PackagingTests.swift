import Foundation
import TestSupport
import Testing

/// Checks that manual pages, completions and units are installed with the programs and removed again.
@Suite struct PackagingTests {
    private static let root = CommandLineProgram.packageRoot
    /// The folder of the built programs, which also holds the running test program.
    private static let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().path

    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }

    /// Runs a shell command. Returns its exit code and what it wrote to both output streams.
    private func shell(_ line: String) throws -> (code: Int32, words: String) {
        let file = NSTemporaryDirectory() + "words-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let process = try ChildProcess(
            ["/bin/bash", "-c", line], environment: ProcessInfo.processInfo.environment, output: file,
            error: file + ".err")
        let code = process.wait()
        defer { try? FileManager.default.removeItem(atPath: file + ".err") }
        let words = try [file, file + ".err"].map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
        return (code, words)
    }

    /// Installs the built programs into a new folder, runs `body`, and checks that uninstalling leaves no file.
    private func installed(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "installed-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let package = "'\(Self.root)/pipelines/packaging/package'"
        let (code, words) = try shell("\(package) install '\(Self.programs)' /opt/gtfs '\(folder)'")
        #expect(code == 0 && words.isEmpty, "\(words)")
        try body(folder + "/opt/gtfs")
        #expect(try shell("\(package) uninstall /opt/gtfs '\(folder)'").code == 0)
        #expect(try shell("find '\(folder)' -type f").words.isEmpty)
    }

    private func options(_ program: String) throws -> [String] {
        try shell("'\(Self.programs)/\(program)' --help").words
            .matches(of: #/\n  (?:-\w, )?(--[a-z-]+)(?: [A-Z=]+)?  /#).map { String($0.1) }
    }

    @Test func everyOptionIsInManualPagesAndCompletions() throws {
        try installed { (prefix) throws in
            for program in ["import-gtfs", "fetch-gtfs"] {
                let names = try options(program)
                #expect(names.count > 15)
                let page = try shell("cat '\(prefix)/share/man/man1/\(program).1'").words.replacing("\\-", with: "-")
                let bash = try shell("cat '\(prefix)/share/bash-completion/completions/\(program)'").words
                let zsh = try shell("cat '\(prefix)/share/zsh/site-functions/_\(program)'").words
                let fish = try shell("cat '\(prefix)/share/fish/vendor_completions.d/\(program).fish'").words
                for name in names {
                    #expect(page.contains("\n.B \(name)") || page.contains(", \(name)"), "\(name)")
                    #expect(bash.contains(" \(name)") || bash.contains("\"\(name)"), "\(name)")
                    #expect(zsh.contains("\(name)["), "\(name)")
                    #expect(fish.contains(" -l \(name.dropFirst(2)) "), "\(name)")
                }
                #expect(page.contains(".SH EXIT STATUS\n.TP\n.B 0\n"))
                let (_, warnings) = try shell(
                    "command -v groff >/dev/null || exit 0; groff -man -Tutf8 -Kutf8 -ww -z '\(prefix)/share/man/man1/\(program).1'"
                )
                #expect(warnings.isEmpty)
                // mandoc(1) reports paragraphs without a text, and a page without a date.
                #expect(page.firstMatch(of: #/\n\.PP\n\.(PP|SH)|\n\.SH .*\n\.PP/#) == nil)
                #expect(page.firstMatch(of: #/^\.TH \S+ 1 "\d{4}-\d\d-\d\d" "/#) != nil)
            }
        }
    }

    /// Links lead to files that are installed, too; a link to anything else has become text.
    @Test func installedDocumentsHaveNoDeadLinks() throws {
        try installed { (prefix) throws in
            let documents = prefix + "/share/doc/import-gtfs/"
            let pages = try #require(FileManager.default.subpaths(atPath: documents)).filter { $0.hasSuffix(".md") }
            var links = 0
            for page in pages {
                let text = try String(contentsOfFile: documents + page, encoding: .utf8)
                for link in text.matches(of: #/\]\(([^)#\s]+)[^)]*\)/#).map({ String($0.1) }) {
                    if link.hasPrefix("https:") || link.hasPrefix("http:") { continue }
                    links += 1
                    let target = URL(fileURLWithPath: documents + page).deletingLastPathComponent().appending(
                        path: link)
                    #expect(FileManager.default.fileExists(atPath: target.path), "\(page): \(link)")
                }
            }
            #expect(pages.count > 10 && links > 30)
            let guide = try String(contentsOfFile: documents + "pipelines/SECURITY.md", encoding: .utf8)
            #expect(guide.contains("The units in systemd take away"), "a folder that is not installed")
        }
    }

    @Test func bashCompletesOptionsFilesAndCommands() throws {
        try installed { (prefix) throws in
            func completed(_ program: String, _ words: String) throws -> String {
                try shell(
                    """
                    cd '\(prefix)/lib/import-gtfs'; source '\(prefix)/share/bash-completion/completions/\(program)'
                    compopt() { :; }; COMP_WORDS=(\(program) \(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                    _\(program.replacing("-", with: "_")); printf '%s ' "${COMPREPLY[@]}"
                    """
                ).words
            }
            #expect(try completed("import-gtfs", "--max-sh") == "--max-shrink ")
            #expect(try completed("import-gtfs", "feed") == "feeds.tsv ")
            #expect(try completed("import-gtfs", "--report night") == "nightly ")
            #expect(try completed("import-gtfs", "--keep f") == " ")
            #expect(try completed("fetch-gtfs", "store.sqlite de") == "departures ")
        }
    }

    @Test func whatIsInstalledRuns() throws {
        try installed { (prefix) throws in
            let work = prefix + "/work"
            let (code, words) = try shell(
                """
                export STORES='\(work)/s' CACHE='\(work)/c' LOG='\(work)/n.jsonl'
                mkdir '\(work)' && cd '\(work)' && ln -s '\(prefix)/lib/import-gtfs/nightly' .
                '\(prefix)/lib/import-gtfs/nightly' && '\(prefix)/bin/fetch-gtfs' s/mohnsee.sqlite check &&
                ./nightly '\(prefix)/lib/import-gtfs/feeds.tsv'
                """)
            #expect(code == 0 && words.contains("published") && words.contains("1 feed in"), "\(words)")
            #expect(words.contains("unchanged"), "A link to the script finds the program, too: \(words)")
            #expect(try shell("rm -r '\(work)'").code == 0)
            let unit = try shell("cat '\(prefix)/lib/systemd/system/import-gtfs.service'").words
            #expect(unit.contains("ExecStart=/opt/gtfs/lib/import-gtfs/nightly /etc/import-gtfs/feeds.tsv\n"))
            // Each filter changes the set that the ones before it have left (systemd.exec(5)).
            let filters = unit.split(separator: "\n").filter { $0.hasPrefix("SystemCallFilter=") }
                .map { $0.dropFirst("SystemCallFilter=".count) }
            #expect(filters == ["@system-service", "~@privileged", "@chown"])
        }
    }

    /// Each link from one document to another leads to an installed file, but for those into the folder of the CI.
    @Test func documentsLeadToEachOther() throws {
        try installed { (prefix) throws in
            let folder = prefix + "/share/doc/import-gtfs"
            let documents = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }
            #expect(documents.contains("README.md") && documents.contains("pipelines/airflow/README.md"))
            for document in documents {
                let text = try String(contentsOfFile: folder + "/" + document, encoding: .utf8)
                for link in text.matches(of: #/\]\(([^):\#]+\.(?:md|sql|tsv))[^)]*\)/#) where !link.1.hasPrefix(".ci/")
                {
                    let path = URL(filePath: "/" + document).deletingLastPathComponent().appending(path: link.1)
                    #expect(
                        FileManager.default.fileExists(atPath: folder + path.standardized.path()),
                        "\(document): \(link.1)")
                }
            }
        }
    }

    /// Lets systemd verify the units. The path of the program is replaced, because systemd requires that it exists.
    @Test(.enabled(if: isInstalled("systemd-analyze"), "systemd-analyze is not installed"))
    func systemdAcceptsTheUnits() throws {
        try installed { (prefix) throws in
            let units = prefix + "/lib/systemd/system"
            let (code, words) = try shell(
                """
                sed -i 's|^ExecStart=/opt/gtfs|ExecStart=\(prefix)|' '\(units)/import-gtfs.service'
                systemd-analyze verify '\(units)/import-gtfs.service' '\(units)/import-gtfs.timer'
                """)
            #expect(code == 0 && !words.contains("import-gtfs."), "\(words)")
        }
    }

    /// apt takes a package for the newest version until the version changes, and compares versions as dpkg does.
    @Test(.enabled(if: isInstalled("git") && isInstalled("dpkg"), "git or dpkg is not installed"))
    func eachCommitIsANewVersionOfThePackage() throws {
        let folder = NSTemporaryDirectory() + "clone-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (code, words) = try shell(
            """
            set -e; mkdir -p '\(folder)'/pipelines/packaging '\(folder)'/programs && cd '\(folder)'
            cp '\(Self.root)/pipelines/packaging/package' pipelines/packaging/ && touch CHANGELOG.md
            ln -s '\(Self.programs)/import-gtfs' programs/
            version() { pipelines/packaging/package version programs; }
            commit() { GIT_COMMITTER_DATE=$1 git -c user.name=a -c user.email=a@b.example commit -q --allow-empty -m a; }
            number=$(programs/import-gtfs --version | cut -d ' ' -f 2)
            [[ $(version) == "$number-1" ]]
            git init -q && commit 2026-11-29T23:30:05Z
            one=$(version) && [[ $one == "$number~git20261129.233005.$(git rev-parse HEAD | cut -c 1-7)-1" ]]
            [[ $(TZ=Asia/Tokyo version) == "$one" ]]
            commit 2026-11-29T23:30:06Z && dpkg --compare-versions "$(version)" gt "$one"
            dpkg --compare-versions "$one" lt "$number-1"
            git tag "v$number" && [[ $(version) == "$number-1" ]]
            commit 2026-11-29T23:30:07Z && dpkg --compare-versions "$(version)" gt "$number-1"
            mkdir inner && cp -r pipelines programs CHANGELOG.md inner/ && cd inner && [[ $(version) == "$number-1" ]]
            """)
        #expect(code == 0 && words.isEmpty, "\(words)")
    }

    @Test func whatOperatorsPutBesideTheProgramsStays() throws {
        let folder = NSTemporaryDirectory() + "installed-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let package = "'\(Self.root)/pipelines/packaging/package'"
        let install = "\(package) install '\(Self.programs)' /opt/gtfs '\(folder)'"
        let place = "\(folder)/opt/gtfs/lib/import-gtfs"
        let (code, words) = try shell(
            """
            set -e; \(install); printf 'a\tb.zip\n' >'\(place)/feeds.tsv'; mkdir '\(place)/stores'; touch '\(place)/stores/a.sqlite'
            \(install); cat '\(place)/feeds.tsv'; \(package) uninstall /opt/gtfs '\(folder)'; cd '\(folder)' && find . -type f | sort
            """)
        #expect(code == 0)
        let left = "./opt/gtfs/lib/import-gtfs/feeds.tsv\n./opt/gtfs/lib/import-gtfs/stores/a.sqlite\n"
        #expect(
            words == "a\tb.zip\n\(left)package: \(place) has files that this version does not install; they stay\n",
            "\(words)")
    }

    @Test func aPrefixMayHaveLettersThatSedReads() throws {
        let folder = NSTemporaryDirectory() + "installed-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let prefix = "/opt/r&d|2"
        let package = "'\(Self.root)/pipelines/packaging/package'"
        let (code, words) = try shell("\(package) install '\(Self.programs)' '\(prefix)' '\(folder)'")
        #expect(code == 0 && words.isEmpty, "\(words)")
        let unit = try String(
            contentsOfFile: "\(folder)\(prefix)/lib/systemd/system/import-gtfs.service", encoding: .utf8)
        #expect(unit.contains("ExecStart=\(prefix)/lib/import-gtfs/nightly /etc/import-gtfs/feeds.tsv\n"))
    }

    /// systemd takes a word up to the first space, and reads % as the beginning of a specifier (systemd.service(5)).
    @Test func aPrefixMayHaveSpacesAndPercentSigns() throws {
        try installedInOddFolder { (folder, unit) throws in
            let program = "\"\(folder)/my apps 50%%/lib/import-gtfs/nightly\""
            #expect(
                try String(contentsOfFile: unit, encoding: .utf8)
                    .contains("ExecStart=\(program) /etc/import-gtfs/feeds.tsv\n"))
        }
    }

    @Test(.enabled(if: isInstalled("systemd-analyze"), "systemd-analyze is not installed"))
    func systemdAcceptsAPrefixWithSpacesAndPercentSigns() throws {
        try installedInOddFolder { (_, unit) throws in
            let (code, words) = try shell("systemd-analyze verify '\(unit)'")
            #expect(code == 0 && !words.contains("import-gtfs."), "\(words)")
        }
    }

    /// Installs the programs into "my apps 50%" in a new folder. Passes the folder and the path of the unit.
    private func installedInOddFolder(_ body: (String, String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "installed-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let prefix = "\(folder)/my apps 50%"
        let package = "'\(Self.root)/pipelines/packaging/package'"
        let (code, words) = try shell("\(package) install '\(Self.programs)' '\(prefix)'")
        #expect(code == 0 && words.isEmpty, "\(words)")
        try body(folder, "\(prefix)/lib/systemd/system/import-gtfs.service")
    }

    /// systemd runs programs by absolute paths only.
    @Test func aRelativePrefixIsRefused() throws {
        let folder = NSTemporaryDirectory() + "relative-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // DESTDIR is put before the prefix as it is.
        defer { for place in [folder, folder + "usr"] { try? FileManager.default.removeItem(atPath: place) } }
        let package = "cd '\(folder)' && '\(Self.root)/pipelines/packaging/package'"
        for (command, prefix) in [
            ("install '\(Self.programs)' local/gtfs", "local/gtfs"),
            ("install '\(Self.programs)' usr '\(folder)'", "usr"),
            ("uninstall local", "local"),
        ] {
            let (code, words) = try shell("\(package) \(command)")
            #expect(code == 64)
            #expect(words == "package: PREFIX must be an absolute path, and \(prefix) is not\n")
        }
        #expect(try shell("find '\(folder)'*").words == folder + "\n")
    }

    @Test func wrongArgumentsAreRefused() throws {
        let package = "'\(Self.root)/pipelines/packaging/package'"
        for arguments in [
            "", "install", "install a", "install a b c d", "uninstall", "uninstall a b c", "dist a", "deb a",
        ] {
            let (code, words) = try shell("\(package) \(arguments)")
            #expect(code == 64 && words.hasPrefix("usage: pipelines/packaging/package install "), "\(arguments)")
        }
        let (code, words) = try shell("\(package) install /none /opt/gtfs '\(NSTemporaryDirectory())none'")
        #expect(code == 1 && words == "package: /none/import-gtfs is missing: run make build\n")
    }
}
