import GTFSImport
import Console
import GTFSFeed
import GTFSSchema
import ICU
import SQLite

extension ImportArguments {
    static let usage = "Usage: import-gtfs FEED OUT [options]"

    /// What `--help` prints; the option lines come from the table that parses them.
    static let help = """
        Turns a GTFS feed into a read-only SQLite store.

        \(usage)
               import-gtfs --rollback OUT

          FEED   a zip, a folder, outer.zip#inner.zip, feed.zip#folder/, or - for standard input
          OUT    the store, in a folder that exists; an older store is replaced in one instant, once the new one is complete

        Options:
        \(table.lines)
        Defaults are in parentheses. An option's value may also be attached: --keep=3. Two dashes end the options.

        Examples:
          import-gtfs berlin.zip berlin.sqlite
          import-gtfs --keep 3 --json berlin.zip /srv/gtfs/berlin.sqlite > report.json
          import-gtfs --strict --max-shrink 20% --service-within 7 berlin.zip berlin.sqlite
          curl -sSf https://example.org/gtfs.zip | import-gtfs - berlin.sqlite
          sqlite3 berlin.sqlite "SELECT stop_name FROM gtfs_stops LIMIT 5"

        Exit codes:
            0  the store is current: published, or unchanged
           64  the arguments are wrong
           65  the feed is refused: not a zip archive, damaged, without a required file or usable stop times, beyond a
               limit, against a policy, taken back by --rollback, or without a trip that a filter keeps
           66  the feed, or the earlier store for --rollback, cannot be opened
           70  a bug in this program
           73  the store cannot be created; or the file in its place is not a store (see --force)
           74  reading or writing failed, for example because the disk is full; memory ran out; or the report of
               --json could not be written, although the store is current
           75  another import is writing this store
          130  stopped by SIGINT (Ctrl-C); a second one stops at once
          143  stopped by SIGTERM or SIGHUP
        If the store is not current, an earlier one is as it was, and no temporary files stay.

        """
}

extension ToolVersion {
    /// What `--version` prints: the program, the libraries it runs with, the revision of GTFS that it knows.
    static var line: String {
        "import-gtfs \(number) (SQLite \(Connection.libraryVersion), ICU \(ICULibrary.version), "
            + "zlib \(Zlib.libraryVersion), GTFS \(Specification.revision))"
    }
}
