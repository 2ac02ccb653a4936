import Foundation
import Glibc

/// A child process that writes its output to files. Foundation's `Process` would wait until every descendant ends, and
/// these tests leave some running on purpose.
final class ChildProcess {
    let number: pid_t
    private var status: Int32?

    /// Starts `arguments[0]`. Standard input is empty; output goes to the files `output` and `error`.
    init(_ arguments: [String], environment: [String: String], output: String, error: String) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, error, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        // All signals have their default action and none is blocked, whatever the test process blocks or ignores.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let words = arguments.map { strdup($0) } + [nil]
        let settings = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var number: pid_t = 0
        let code = posix_spawnp(&number, arguments[0], &actions, &attributes, words, settings)
        guard code == 0 else { throw Failure(message: "\(arguments[0]): \(String(cString: strerror(code)))") }
        self.number = number
    }

    struct Failure: Error { var message: String }

    func signal(_ signal: Int32) { if status == nil { kill(number, signal) } }

    /// Waits until this process ends, descendants aside. Returns its exit code, or 128 plus the signal number.
    @discardableResult
    func wait() -> Int32 {
        if let status { return status }
        var raw: Int32 = 0
        while waitpid(number, &raw, 0) < 0, errno == EINTR {}
        let code = raw & 0x7f == 0 ? raw >> 8 & 0xff : 128 + raw & 0x7f
        status = code
        return code
    }

    /// The process numbers of this process and all its descendants, parents before children.
    func family() -> [pid_t] {
        let numbers = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
        let parents = numbers.map { Self.state(of: $0)?.parent }
        var family = [number]
        var place = 0
        while place < family.count {
            family += zip(numbers, parents).filter { $0.1 == family[place] }.map(\.0)
            place += 1
        }
        return family
    }

    /// Whether a process exists and is more than an exit code that nobody has asked for.
    static func isRunning(_ number: pid_t) -> Bool { state(of: number).map { $0.letter != "Z" } ?? false }

    /// From /proc/N/stat: the fields behind the program's name, which is in parentheses (proc(5)).
    private static func state(of number: pid_t) -> (letter: Substring, parent: pid_t?)? {
        guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
            let fields = text.split(separator: ")").last?.split(separator: " "), fields.count > 1
        else { return nil }
        return (fields[0], pid_t(fields[1]))
    }
}
