import Foundation
import TestSupport
import Testing

@testable import GTFSImport
@testable import import_gtfs

/// Imports into file systems that are full or read-only, mounted in a separate mount namespace.
@Suite(.enabled(if: MountingShell.isAllowed, "unshare and mount are not allowed here"))
struct CommandLineMachineTests {
    /// Mounts a file system with `options` at /mnt and imports into it. The output is its list of files and the store.
    private func importing(mount options: String, then change: String = "true") throws -> CommandLineProgram.Result {
        let feed = CommandLineProgram.packageRoot + "/pipelines/sample-feed"
        let script = """
            mount -t tmpfs -o \(options) none /mnt && printf old > /mnt/a.sqlite && \(change) || exit 99
            '\(CommandLineProgram.path)' '\(feed)' /mnt/a.sqlite --keep 2 --force
            code=$?
            ls -A /mnt; cat /mnt/a.sqlite
            exit $code
            """
        return try MountingShell.run(script)
    }

    @Test(arguments: [4, 8, 16, 64, 100]) func aFullDiskEndsWith74(kilobytes: Int) throws {
        let result = try importing(mount: "size=\(kilobytes)k")
        #expect(result.exitCode == 74)
        #expect(result.output == "a.sqlite\nold")
        #expect(result.error.contains("/mnt/"))
        #expect(result.error.hasSuffix("  /mnt/a.sqlite is what it was before.\n"))
    }

    @Test func aDiskWithoutInodesEndsWith74() throws {
        let result = try importing(mount: "nr_inodes=3")
        #expect(result.exitCode == 74)
        #expect(result.output == "a.sqlite\nold")
        #expect(result.error.hasPrefix("Failed: /mnt/.a.sqlite."))
        #expect(result.error.contains(".importing cannot be created: No space left on device\n"))
    }

    @Test func aReadOnlyDiskEndsWith73() throws {
        let result = try importing(mount: "size=10m", then: "mount -o remount,ro /mnt")
        #expect(result.exitCode == 73)
        #expect(result.output == "a.sqlite\nold")
        #expect(
            result.error == """
                Failed: /mnt/a.sqlite.lock cannot be created: Read-only file system
                  /mnt/a.sqlite is what it was before.

                """)
    }

    @Test func aLimitOnFileSizesEndsWith74() throws {
        let result = try importing(mount: "size=10m", then: "ulimit -f 40")
        #expect(result.exitCode == 74)
        #expect(result.output == "a.sqlite\nold")
    }
}
