import GTFSFeed
import Glibc
import SystemFiles

/// What is known of a store's size before it is made.
extension OpenedFeed {
    /// Uncompressed bytes of all files.
    var textBytes: UInt64 { entries.reduce(0) { $0 &+ $1.size } }

    /// The least bytes that a store of this feed may take, as observed with other feeds. A table takes at least an
    /// eighth of its text (in feeds padded with blanks; most take as much as their text), or 1.5 times its compressed
    /// size if that is at most half of the text. Other files are kept as they are.
    var leastStoreBytes: UInt64 {
        var (tables, other): (UInt64, UInt64) = (0, 0)
        for entry in entries {
            if entry.isTable || entry.name.lowercased() == "locations.geojson" {
                let packed = entry.packedSize ?? 0
                tables &+= max(entry.size / 8, packed <= entry.size / 2 ? packed / 2 &* 3 : 0)
            } else {
                other &+= entry.size
            }
        }
        return tables &+ other
    }

    /// Throws `inputOutput` when the file system of `folder` has no room even for the smallest possible store, and
    /// `feedRefused` when even that store would be larger than allowed.
    func refuseHopeless(in folder: String, options: ImportOptions) throws(ImportError) {
        let least = leastStoreBytes
        guard least <= options.maximumStoreBytes else {
            throw ImportError(
                .feedRefused, at: place,
                ": the store would take at least \(least) bytes"
                    + FeedLimits.Name.storeBytes.exceeded(options.maximumStoreBytes))
        }
        guard let free = Self.freeBytes(in: folder), free < least else { return }
        throw ImportError(
            .inputOutput, at: folder,
            " has \(free) bytes free, and the store of \(place) would take at least \(least); nothing was written"
        )
    }

    /// Bytes that this process may still write in a folder; nil where the system does not say.
    private static func freeBytes(in folder: String) -> UInt64? {
        var status = statvfs()
        guard folder.withPath({ statvfs($0, &status) }) == 0, status.f_blocks > 0 else { return nil }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? nil : bytes
    }
}
