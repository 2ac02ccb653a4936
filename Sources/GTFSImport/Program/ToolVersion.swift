import GTFSFeed
import GTFSSchema
import ICU
import SQLite

extension ToolVersion {
    /// What `--version` prints: the program, the libraries it runs with, the revision of GTFS that it knows.
    package static var line: String {
        "import-gtfs \(number) (SQLite \(Connection.libraryVersion), ICU \(ICULibrary.version), "
            + "zlib \(Zlib.libraryVersion), GTFS \(Specification.revision))"
    }
}
