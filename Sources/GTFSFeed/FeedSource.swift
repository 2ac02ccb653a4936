import Glibc
import SystemFiles

/// Opens what an argument names: the archive or folder in which the search for the feed then runs.
///
/// Each instance opens one argument. It counts all nested archives, because a small archive can hold very many of them.
final class FeedSource {
    /// How many archives are opened at most in search of a feed.
    private static let mostArchives = 1_000

    private let limits: FeedLimits
    /// Where temporary files may lie.
    private let spoolFolder: String
    /// Files that are not part of the feed even if they lie in its folder, such as the store that is being written.
    private let ownFiles: [String]
    /// Checked while input is copied to a temporary file.
    private let isCancelled: () -> Bool
    private var spooledBytes: UInt64 = 0
    /// Bytes of the outermost archives, and of the archives that were unpacked from them.
    private var packedBytes: UInt64 = 0
    private var unpackedBytes: UInt64 = 0
    private var archives = 0
    /// The files in which archives were opened, also those from which inner archives were copied.
    private var openedFiles: [FileStatus] = []

    init(
        limits: FeedLimits, spoolFolder: String, ownFiles: [String] = [], isCancelled: @escaping () -> Bool = { false }
    ) {
        self.limits = limits
        self.spoolFolder = spoolFolder
        self.ownFiles = ownFiles
        self.isCancelled = isCancelled
    }

    /// Makes the feed from what was found. Its files may come out of several archives, each within the limits, so they
    /// are checked once more, all together.
    func feed(
        place: String, entries: [FeedEntry], rootFolder: String?, anomalies: [String], packedBytes: UInt64
    ) throws(FeedError) -> OpenedFeed {
        let size = entries.reduce(UInt64(0)) { $0.addingSaturated($1.size) }
        try limits.checkSize(size, at: place)
        if size > packedBytes {
            try limits.checkRatio(from: packedBytes, to: size, of: "with the archives in it ", at: place)
        }
        return OpenedFeed(
            place: place, entries: entries, rootFolder: rootFolder, anomalies: anomalies, packedBytes: packedBytes,
            limits: limits, archiveFiles: openedFiles)
    }

    /// Opens `path`, then what each part after a `#` names in it.
    func open(_ argument: FeedArgument) throws(FeedError) -> Container {
        var container = try openPath(argument.path)
        var parts = argument.parts[...]
        while !parts.isEmpty {
            let count = lengthOfName(in: parts, within: container)
            container = try step(into: parts.prefix(count).joined(separator: "#"), of: container)
            parts = parts.dropFirst(count)
        }
        return container
    }

    /// How many parts name one folder or file of the container: a name may contain `#` itself, as a path may.
    private func lengthOfName(in parts: ArraySlice<String>, within container: Container) -> Int {
        stride(from: parts.count, to: 1, by: -1).first { count in
            let name = parts.prefix(count).joined(separator: "#")
            return item(name, of: container) != nil || folder(name, of: container) != nil
        } ?? 1
    }

    private func openPath(_ path: String) throws(FeedError) -> Container {
        if path == "-" { return try openStream(descriptor: 0, place: Container.standardInput) }
        guard let status = FileStatus(path: path) else { throw .cannotOpen(path, errno) }
        if status.isFolder { return try checked(FolderListing.read(path, limits: limits, ignoring: ownFiles)) }
        if status.isRegularFile { return try openArchive(FileRange(ReadOnlyFile.open(path)), place: path, nesting: 0) }
        // A FIFO is opened even if it has no writer yet: the copy waits with poll(2), which can be cancelled.
        let descriptor = SystemFile.open(path, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { throw .cannotOpen(path, errno) }
        defer { close(descriptor) }
        return try openStream(descriptor: descriptor, place: path)
    }

    /// Copies a pipe to a temporary file; a file that was redirected to standard input is read in place.
    private func openStream(descriptor: Int32, place: String) throws(FeedError) -> Container {
        if let file = ReadOnlyFile.duplicate(ofUnreadFile: descriptor, place: place) {
            return try openArchive(FileRange(file), place: place, nesting: 0)
        }
        let file = try SpooledFile.copy(
            descriptor: descriptor, place: place, folder: spoolFolder, maximumBytes: spoolRoom,
            isCancelled: isCancelled)
        spooledBytes += file.size
        return try openArchive(FileRange(file), place: place, nesting: 0)
    }

    /// How many bytes may still be copied to temporary files.
    private var spoolRoom: UInt64 { limits.maximumSpooledBytes - min(spooledBytes, limits.maximumSpooledBytes) }

    /// `outermost` is the size of the outermost archive around this one; nil if there is none.
    private func openArchive(
        _ range: FileRange, place: String, nesting: Int, outermost: UInt64? = nil
    ) throws(FeedError) -> Container {
        archives += 1
        if let status = range.file.status { openedFiles.append(status) }
        if outermost == nil { packedBytes = packedBytes.addingSaturated(range.count) }
        guard archives <= Self.mostArchives else {
            throw FeedError(
                .overLimit,
                "is one of more than \(Self.mostArchives) archives within archives; name the one to read behind #",
                at: place)
        }
        var container = try Container(ZipArchive(range, place: place, limits: limits), nesting: nesting)
        container.packedBytes = outermost ?? range.count
        return try checked(container)
    }

    private func checked(_ container: Container) throws(FeedError) -> Container {
        try container.check(limits)
        return container
    }

    private func item(_ part: String, of container: Container) -> Container.Item? {
        guard !part.ends(with: "/") else { return nil }
        let name = container.scope + EntryName(part).path
        return container.items.first { $0.path.utf8.elementsEqual(name.utf8) }
    }

    private func folder(_ part: String, of container: Container) -> String? {
        let folder = container.scope + EntryName(part).path + "/"
        return container.items.contains { $0.path.without(prefix: folder) != nil } ? folder : nil
    }

    /// Enters a folder or an archive in a container.
    private func step(into part: String, of container: Container) throws(FeedError) -> Container {
        if let item = item(part, of: container) { return try openInner(item, of: container) }
        guard let folder = folder(part, of: container) else {
            let names = listed(container.itemsInScope.map(\.path), limit: 5)
            throw FeedError(
                .cannotOpen, "holds no \(part.quoted()); it holds \(names.isEmpty ? "nothing" : names)",
                at: container.place)
        }
        var narrowed = container
        narrowed.scope = folder
        return narrowed
    }

    /// Opens an archive that lies in a container. A file or a stored member is read in place; any other is unpacked to
    /// a temporary file.
    func openInner(_ item: Container.Item, of container: Container) throws(FeedError) -> Container {
        let place = container.argument(for: item.path)
        guard container.nesting < limits.maximumNesting else {
            throw FeedError(
                .overLimit,
                "lies in \(limits.maximumNesting + 1) \(limits.maximumNesting == 0 ? "archive" : "archives")"
                    + FeedLimits.Name.nesting.exceeded(limits.maximumNesting), at: place)
        }
        let range: FileRange =
            switch item.source {
            case .file(let path): try FileRange(ReadOnlyFile.open(path))
            case .member(let archive, let member)
            where member.method == .stored && !member.isEncrypted && member.size == member.compressedSize:
                try archive.data(of: member)
            case .member: try FileRange(unpack(item, of: container))
            }
        return try openArchive(
            range, place: place, nesting: container.nesting + 1, outermost: container.packedBytes)
    }

    private func unpack(_ item: Container.Item, of container: Container) throws(FeedError) -> ReadOnlyFile {
        let place = container.argument(for: item.path)
        // The size is known, so it is checked before anything is written.
        guard item.size <= spoolRoom else {
            throw FeedError(
                .overLimit,
                "takes \(spooledBytes.addingSaturated(item.size)) bytes of temporary copies"
                    + FeedLimits.Name.spooledBytes.exceeded(limits.maximumSpooledBytes), at: place)
        }
        unpackedBytes = unpackedBytes.addingSaturated(item.size)
        try limits.checkRatio(from: packedBytes, to: unpackedBytes, of: "with other archives in it ", at: place)
        let stream = try EntryStream(item, place: container.place)
        let file = try SpooledFile.copy(
            place: place, folder: spoolFolder, maximumBytes: spoolRoom,
            next: { buffer throws(FeedError) in
                if isCancelled() { throw FeedError.cancelled(place) }
                return try stream.read(into: buffer)
            })
        spooledBytes += file.size
        return file
    }
}

/// A feed argument taken apart: `outer.zip#inner.zip` is the path `outer.zip` and the part `inner.zip`.
package struct FeedArgument: Equatable {
    package var path: String
    var parts: [String]

    package init(_ argument: String) { self.init(argument) { FileStatus(path: $0) != nil } }

    /// Splits at `#`. A path may contain `#` itself, so the longest part that exists is taken as the path.
    init(_ argument: String, exists: (String) -> Bool) {
        let pieces = argument.parts(at: "#")
        for length in stride(from: pieces.count, to: 1, by: -1) {
            let path = pieces[..<length].joined(separator: "#")
            guard exists(path) else { continue }
            self.init(path: path, parts: pieces[length...])
            return
        }
        // If nothing stands before the first `#`, it belongs to the name.
        let isName = pieces[0].isEmpty
        self.init(path: isName ? argument : pieces[0], parts: isName ? [] : pieces[1...])
    }

    private init(path: String, parts: ArraySlice<String>) {
        self.path = path
        self.parts = parts.filter { !$0.isEmpty }
    }
}
