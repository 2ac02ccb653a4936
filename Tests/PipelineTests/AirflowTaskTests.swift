import Foundation
import TestSupport
import Testing

/// One task of the DAG in pipelines/airflow. `make test-pipelines` runs the whole DAG with a real Airflow.
@Suite struct AirflowTaskTests {
    private let night: NightlyRun

    init() throws { night = try NightlyRun() }

    /// Runs the task of one feed. Returns its exit code, and what it answers.
    private func runTask(_ name: String, _ source: String) throws -> (code: Int32, answer: [String: Any]) {
        let environment = ProcessInfo.processInfo.environment.merging([
            "IMPORT_GTFS_FOLDER": night.path("shared data"),
            "IMPORT_GTFS_PROGRAM": NightlyRun.builtPrograms + "/import-gtfs", "RETRIES": "0",
        ]) { $1 }
        let task = CommandLineProgram.packageRoot + "/Tests/PipelineTests/Support/run_task.py"
        let process = try ChildProcess(
            ["python3", task, name, source], environment: environment, output: night.path("task.out"),
            error: night.path("task.err"))
        let code = process.wait()
        let output = try Data(contentsOf: URL(fileURLWithPath: night.path("task.out")))
        return (code, (try? JSONSerialization.jsonObject(with: output)) as? [String: Any] ?? [:])
    }

    private func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: night.path("shared data/\(folder)"))) ?? []).sorted()
    }

    @Test("the shared folder's name may have a space; each task writes its page, and leaves the index to the last task")
    func spaces() throws {
        try night.answer([:])
        let (code, answer) = try runTask("a", night.url())
        #expect(code == 0)
        #expect(answer["status"] as? String == "published")
        #expect(names("stores") == ["a.sqlite"])
        #expect(names("reports") == ["a.html"])
        #expect(names("logs") == ["a.jsonl"])
    }

    @Test("a feed that cannot be fetched fails its task")
    func failed() throws {
        let (code, answer) = try runTask("a", night.url("none.zip"))
        #expect(code == 1 && answer.isEmpty)
        let words = try String(contentsOfFile: night.path("task.err"), encoding: .utf8)
        #expect(words.hasSuffix("RuntimeError: curl: (22) The requested URL returned error: 404\n"), "\(words)")
    }
}
