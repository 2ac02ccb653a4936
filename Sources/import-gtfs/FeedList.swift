import GTFSImport
import Console
import Glibc
import SystemFiles

/// The feeds that a public list names, in the columns of `pipelines/nightly`.
///
///     let list = try FeedList(path: "feeds_v2.csv")
///     print(list.text)       // mdb-1	https://example.org/gtfs.zip		query:key
///
/// Reads the Mobility Database's CSV files and Distributed Mobility Feed Registries (DMFR, JSON). Entries that are not
/// timetables, have no address or are out of use are left out, and `skipped` says why.
struct FeedList {
    /// A feed as the nightly run needs it.
    struct ListedFeed: Equatable {
        let name: String
        let address: String
        /// Nil if the server needs none.
        var key: Key?
    }

    /// How a server expects a key.
    enum Key: Equatable {
        case query(String)
        case header(String)
        case basic

        /// The name of the parameter or header.
        var name: String? {
            switch self {
            case .query(let name), .header(let name): name
            case .basic: nil
            }
        }

        /// As the nightly run reads it.
        var text: String {
            switch self {
            case .query(let name): "query:" + name
            case .header(let name): "header:" + name
            case .basic: "basic"
            }
        }
    }

    private(set) var feeds: [ListedFeed] = []
    /// The id of each listed feed, by the name that was made of it.
    private var ids: [String: String] = [:]
    private(set) var skipped: [String] = []

    private static let mostBytes = 256 << 20

    init(path: String) throws(ImportError) {
        var bytes = try Self.bytes(of: path)
        if bytes.starts(with: "\u{FEFF}".utf8) { bytes.removeFirst("\u{FEFF}".utf8.count) }
        let first = bytes.first { !" \t\r\n".utf8.contains($0) }
        let entries: [Entry]?
        do {
            entries =
                first == UInt8(ascii: "{")
                ? try RegistryReader.entries(in: bytes) : try CatalogReader.entries(in: bytes)
        } catch let error as ImportError {
            throw error
        } catch {
            throw ImportError(.feedRefused, at: path, ": \(error)")
        }
        guard let entries else {
            throw ImportError(
                .feedRefused, at: path,
                ": is neither a CSV file of the Mobility Database (urls.direct_download) nor a DMFR file (feeds)"
            )
        }
        // Most likely the list was cut off or is being written; a night without feeds would go unnoticed.
        guard !entries.isEmpty else { throw ImportError(.feedRefused, at: path, ": names no feeds") }
        for entry in entries { add(entry) }
    }

    /// One line per feed: name, address, an empty column for options, key. Without a key, the last two are left out.
    var text: String {
        feeds.map { "\($0.name)\t\($0.address)" + ($0.key.map { "\t\t" + $0.text } ?? "") + "\n" }.joined()
    }

    // MARK: What is taken

    /// A feed as a list describes it.
    struct Entry {
        var id = ""
        var address = ""
        private(set) var key: Key?
        /// Why it is left out, if it is.
        var reason: String?

        static func unknownKey(_ type: String) -> String { "wants a key in a way that is not known (\(type))" }

        /// Notes how the server expects a key. Without the name of the key, the feed cannot be fetched.
        mutating func expect(_ key: Key) {
            self.key = key
            if key.name?.isEmpty == true { reason = reason ?? "wants a key, but its name is missing" }
        }
    }

    private mutating func add(_ entry: Entry) {
        let name = Self.name(of: entry.id)
        if let fault = entry.reason ?? Self.fault(in: entry) ?? fault(inName: name, of: entry.id) {
            skipped.append("\(entry.id.isEmpty ? "a feed without id" : entry.id): \(fault)")
        } else {
            ids[name] = entry.id
            feeds.append(ListedFeed(name: name, address: entry.address, key: entry.key))
        }
    }

    /// The names of stores and reports are made of a feed's name. The file system takes 255 bytes for each.
    private static let longestName = 200

    private func fault(inName name: String, of id: String) -> String? {
        if name.utf8.count > Self.longestName { return "its id is too long for the name of a file" }
        guard let other = ids[name] else { return nil }
        return other == id ? "stands in the list twice" : "its file would have the name \(name), as that of \(other)"
    }

    /// What is wrong with an entry, if anything. Lists are not trusted, because their addresses become arguments and
    /// lines of another list.
    private static func fault(in entry: Entry) -> String? {
        if entry.id.isEmpty { return "has no id" }
        if entry.address.isEmpty { return "has no address" }
        let address = entry.address.lowercased()
        guard address.begins(with: "http://") || address.begins(with: "https://") else {
            return "its address is neither http nor https"
        }
        guard entry.address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            return "its address has blanks or control characters"
        }
        guard (entry.key?.name ?? "").utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }) else {
            return "its key has no usable name"
        }
        return nil
    }

    /// The ID as a file name of letters, digits, '.', '_' and '-' that begins with a letter or digit. Other characters
    /// become '_', or 'x' at the beginning.
    private static func name(of id: String) -> String {
        var name = ""
        for scalar in id.unicodeScalars {
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            let isMark = (scalar == "." || scalar == "_" || scalar == "-") && !name.isEmpty
            name.unicodeScalars.append(isPlain || isMark ? scalar : name.isEmpty ? "x" : "_")
        }
        return name
    }

    private static func bytes(of path: String) throws(ImportError) -> [UInt8] {
        let descriptor = path == "-" ? dup(STDIN_FILENO) : SystemFile.open(path, O_RDONLY)
        guard descriptor >= 0 else { throw .system(at: path, "cannot be opened", .cannotOpenFeed, errno) }
        defer { close(descriptor) }
        do throws(SystemError) {
            if let bytes = try SystemFile.contents(of: descriptor, atMost: mostBytes) { return bytes }
        } catch {
            throw .system(at: path, "cannot be read", .inputOutput, error)
        }
        throw ImportError(.feedRefused, at: path, ": is larger than \(NumberText.bytes(mostBytes))")
    }
}
