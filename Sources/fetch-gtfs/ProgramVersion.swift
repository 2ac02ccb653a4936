import GTFSSchema
import ICU
import SQLite

/// What `--version` prints.
enum ProgramVersion {
    static var line: String {
        "fetch-gtfs \(ToolVersion.number) (SQLite \(Connection.libraryVersion), ICU \(ICULibrary.version), "
            + "store layout \(StoreSchema.version))"
    }
}
