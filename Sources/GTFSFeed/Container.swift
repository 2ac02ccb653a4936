import SystemFiles

/// A folder or an archive and the files in it. The search for a feed runs in a container.
struct Container: Sendable {
    /// One file.
    struct Item: Sendable {
        /// The path below the container's top.
        var path: String
        var size: UInt64
        var checksum: UInt32?
        var source: EntrySource
    }

    /// In the form of an argument: `feed.zip`, `outer.zip#inner.zip`, `folder`.
    var place: String
    var isFolder: Bool
    var items: [Item]
    var anomalies: [String]
    /// Whether anything was left out: folders, hidden files, links.
    var hasMore: Bool
    /// The folder within that was asked for (`feed.zip#folder/`): empty or ending in `/`.
    var scope = ""
    /// How many containers it lies in; 0 for the folder or archive at the argument's path.
    var nesting = 0
    /// Bytes of the outermost archive that it is or lies in; nil for a folder.
    var packedBytes: UInt64?

    /// The argument that names something in here.
    func argument(for path: String) -> String {
        if place == Self.standardInput { return "-#\(path)" }
        return isFolder ? (place.ends(with: "/") ? place + path : "\(place)/\(path)") : "\(place)#\(path)"
    }

    /// What messages call the argument `-`.
    static let standardInput = "standard input"

    /// The items below the scope.
    var itemsInScope: [Item] { items.filter { $0.path.without(prefix: scope) != nil } }
}

/// Where an entry's bytes come from.
enum EntrySource: Sendable {
    case file(path: String)
    case member(ZipArchive, ZipMember)
}

extension Container {
    /// The files of an archive.
    init(_ archive: ZipArchive, nesting: Int) {
        let items = archive.members.map { member in
            Item(path: member.path, size: member.size, checksum: member.checksum, source: .member(archive, member))
        }
        self.init(
            place: archive.place, isFolder: false, items: items, anomalies: archive.anomalies,
            hasMore: archive.entryCount > items.count, nesting: nesting)
    }
}
