import GTFSFeed
import GTFSSchema
import ICU
import SQLite

/// The version of this program, as it is printed and recorded in stores.
public enum ToolVersion {
    /// Follows semantic versioning (<https://semver.org>).
    public static let number = "0.1.0"

    /// What `--version` prints: the program, the libraries it runs with, the revision of GTFS that it knows.
    package static var line: String {
        "import-gtfs \(number) (SQLite \(Connection.libraryVersion), ICU \(ICULibrary.version), "
            + "zlib \(Zlib.libraryVersion), GTFS \(Specification.revision))"
    }
}
