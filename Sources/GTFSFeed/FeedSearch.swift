import SystemFiles

/// Finds the feed in a container: at the top, in its one folder with GTFS files, or in its one inner archive with a
/// feed.
struct FeedSearch {
    /// How many inner archives are searched at most. If there are more, the user has to choose one.
    private static let mostInnerArchives = 64

    let source: FeedSource

    func feed(in container: Container) throws(FeedError) -> OpenedFeed {
        let scope = container.scope
        switch FeedRoot.find(in: container.items.compactMap { $0.path.without(prefix: scope) }) {
        case .folder(let folder): return try assemble(container, root: scope + folder)
        case .several(let folders):
            throw .severalFeeds(folders.map { container.argument(for: scope + $0) }, at: container.place)
        case .none: return try feedInInnerArchive(of: container)
        }
    }

    private func feedInInnerArchive(of container: Container) throws(FeedError) -> OpenedFeed {
        let archives = container.itemsInScope.filter { $0.path.lowercased().ends(with: ".zip") }
        guard archives.count <= Self.mostInnerArchives else {
            throw .manyArchives(archives.map { container.argument(for: $0.path) }, at: container.place)
        }
        var found: OpenedFeed?
        var arguments: [String] = []
        var failures: [FeedError] = []
        var others = container.itemsInScope.map(\.path)
        for archive in archives {
            do throws(FeedError) {
                let feed = try feed(in: source.openInner(archive, of: container))
                found = found ?? feed
                arguments.append(container.argument(for: archive.path))
                others.removeAll { $0 == archive.path }
            } catch {
                if error.code == .overLimit || error.code == .readFailed { throw error }
                guard error.code != .notAFeed || archives.count == 1 else { continue }
                failures.append(error)
                others.removeAll { $0 == archive.path }
            }
        }
        if arguments.count > 1 { throw .severalFeeds(arguments, at: container.place) }
        if let found {
            var anomalies = container.anomalies + failures.map { "lies beside an archive that is left out: \($0)" }
            if !others.isEmpty { anomalies.append("lies beside files that are left out: \(listed(others, limit: 3))") }
            return found.noting(anomalies)
        }
        throw failures.first ?? .noFeed(in: container)
    }

    private func assemble(_ container: Container, root: String) throws(FeedError) -> OpenedFeed {
        var entries: [FeedEntry] = []
        var anomalies = container.anomalies
        var outside: [String] = []
        for item in container.items {
            if let name = item.path.without(prefix: root) {
                entries.append(FeedEntry(item, name: name, path: item.path, place: container.place))
            } else {
                outside.append(item.path)
            }
        }
        if !outside.isEmpty {
            anomalies.append("leaves out what lies outside of \(root): \(listed(outside, limit: 3))")
        }
        let packed = container.packedBytes ?? entries.reduce(0) { $0.addingSaturated($1.size) }
        try unpackSingles(&entries, of: container, anomalies: &anomalies)
        try refuseUnreadable(entries)
        return try source.feed(
            place: container.place, entries: entries, rootFolder: root.isEmpty ? nil : root, anomalies: anomalies,
            packedBytes: packed)
    }

    /// Replaces `stop_times.zip` by the `stop_times.txt` in it, unless the feed also has a plain `stop_times.txt`. Some
    /// feeds zip their largest file twice.
    private func unpackSingles(
        _ entries: inout [FeedEntry], of container: Container, anomalies: inout [String]
    ) throws(FeedError) {
        var names = Set(entries.map { $0.name.lowercased() })
        for index in entries.indices {
            let entry = entries[index]
            guard let wanted = Self.fileName(forArchive: entry.name), !names.contains(wanted) else { continue }
            guard let inner = try opened(entry.item, of: container) else { continue }
            let matches = inner.items.filter { FeedRoot.split($0.path).file.lowercased() == wanted }
            guard matches.count == 1, let match = matches.first else { continue }
            let path = "\(entry.path)#\(match.path)"
            // Another archive may hold the same file: that one stays as it is.
            names.insert(wanted)
            entries[index] = FeedEntry(match, name: FeedRoot.split(match.path).file, path: path, place: inner.place)
            let others = inner.items.map(\.path).filter { $0 != match.path }
            anomalies.append(
                "\(wanted) is read out of \(entry.name)"
                    + (others.isEmpty ? "" : ", without \(listed(others, limit: 3))"))
        }
    }

    /// The archive, or `nil` for a file that only has an archive's name. Such a file is left as it is.
    private func opened(_ item: Container.Item, of container: Container) throws(FeedError) -> Container? {
        do throws(FeedError) {
            return try source.openInner(item, of: container)
        } catch {
            if error.code == .notAFeed { return nil }
            throw error
        }
    }

    /// `stop_times.txt` for `stop_times.zip`; `nil` for archives not named after a GTFS file.
    private static func fileName(forArchive name: String) -> String? {
        let wanted = name.lowercased().without(suffix: ".zip").map { $0 + ".txt" }
        return wanted.flatMap { FeedRoot.isKnown($0) ? $0 : nil }
    }

    /// Refuses a feed with unreadable tables at once, not after half of it has been imported.
    private func refuseUnreadable(_ entries: [FeedEntry]) throws(FeedError) {
        for entry in entries where entry.isTable || entry.name.lowercased() == "locations.geojson" {
            if case .member(_, let member) = entry.source, let refusal = member.refusal {
                throw FeedError(.unsupported, refusal, at: entry.place)
            }
        }
    }
}

extension FeedError {
    fileprivate static func severalFeeds(_ arguments: [String], at place: String) -> FeedError {
        FeedError(
            .severalFeeds, "holds \(arguments.count) feeds; name one of them: \(listed(arguments, limit: 20))",
            at: place)
    }

    fileprivate static func manyArchives(_ arguments: [String], at place: String) -> FeedError {
        FeedError(
            .severalFeeds,
            "holds \(arguments.count) archives, too many to look for the feed; name one of them: "
                + listed(arguments, limit: 20),
            at: place)
    }

    fileprivate static func noFeed(in container: Container) -> FeedError {
        let names = container.itemsInScope.map(\.path)
        guard !names.isEmpty else {
            let words =
                container.hasMore ? "holds no files, only folders or hidden ones" : "is empty: it holds no files"
            return FeedError(.notAFeed, words, at: container.place)
        }
        let files = names.count == 1 ? "1 file" : "\(names.count) files"
        return FeedError(
            .notAFeed,
            "holds no GTFS file (agency.txt, stops.txt, routes.txt, …) but \(files): \(listed(names, limit: 5))",
            at: container.place)
    }
}
