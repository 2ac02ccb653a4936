/// The objects of a request in sections by a key path, as a table of rows under headings wants them.
///
///     let results = try FetchedResults(request, sectionedBy: \.route.shortName, in: context)
///     for section in results.sections { print(section.name, section.count, results[section.range.lowerBound]) }
///
/// The sections' names and counts come from one grouped statement, the objects in batches as they are touched.
/// The section's key path comes first in the order of rows; the request's own order holds within a section.
public struct FetchedResults<Entity: StoreEntity> {
    /// A run of rows with the same value of the section's key path.
    public struct Section: Sendable, Hashable {
        /// The value that the rows share.
        public let name: QueryValue
        /// Where they are among all rows.
        public let range: Range<Int>
        public var count: Int { range.count }
    }

    public let sections: [Section]
    /// All objects, section after section.
    public let objects: BatchedResults<Entity>

    /// Throws `StoreError`, also for a request with a limit or offset, which would cut sections.
    public init<Value>(
        _ request: FetchRequest<Entity>, sectionedBy keyPath: KeyPath<Entity, Value>, in context: StoreContext
    ) throws {
        guard request.fetchLimit == 0, request.fetchOffset == 0 else {
            throw StoreError(.failed, "Sections are made of all rows: a request for them has no limit and no offset")
        }
        var rows = request
        rows.sortDescriptors.insert(.ascending(keyPath), at: 0)
        objects = try context.batches(rows)
        var counts = request
        let section = FetchedProperty<Entity>.attribute(keyPath)
        counts.propertiesToFetch = [section, .count()]
        counts.propertiesToGroupBy = [section]
        counts.sortDescriptors = [.ascending(keyPath)]
        var start = 0
        sections = try context.dictionaries(counts).map { row in
            let count = Int(row[1].integer ?? 0)
            defer { start += count }
            return Section(name: row[0], range: start..<start + count)
        }
    }

    /// The object at a place among all rows.
    public subscript(index: Int) -> Entity { objects[index] }
    /// The object at a place in a section.
    public subscript(section: Int, row: Int) -> Entity { objects[sections[section].range.lowerBound + row] }
}
