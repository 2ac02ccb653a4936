// Unsafe: a page's bytes are lent for reading into them.

/// Finds which tables and indexes have pages in their trees, by walking the trees as SQLite does
/// (<https://sqlite.org/fileformat2.html#b_tree_pages>).
///
///     var owners = PageOwners(descriptor, of: damage)
///     for tree in try owners.trees() { try owners.walk(root: tree.root, owner: tree.name) }
///     owners.found     // ["stop_time": [31, 32]]
///
/// For a file that is damaged: nothing in a page is trusted, damaged pages are not followed, and no page is followed
/// twice. Costs one read a page, and a second one for the pages of the schema.
package struct PageOwners {
    private let descriptor: Int32
    private let pageSize: Int
    private let damaged: Set<UInt32>
    private var seen: Set<UInt32> = []
    /// The damaged pages of each owner.
    package private(set) var found: [String: [UInt32]] = [:]
    /// Damaged pages that no tree led to.
    package var others: [UInt32] {
        let known = Set(found.values.joined())
        return damaged.filter { !known.contains($0) }.sorted()
    }

    package init(_ descriptor: Int32, of damage: PageDamage) {
        self.descriptor = descriptor
        pageSize = damage.pageSize
        damaged = Set(damage.pages)
    }

    /// The trees that the schema names, as far as the schema's pages are undamaged. Also walks the schema's own tree.
    ///
    /// SQLite itself does not read the schema of a truncated file. Throws `PageFileError` when the file cannot be read.
    package mutating func trees() throws(PageFileError) -> [SchemaTree] {
        try walk(root: 1, owner: SchemaTree.schema.name)
        var trees = [SchemaTree.schema]
        for number in seen.sorted() where !damaged.contains(number) {
            guard let page = try TreePage(descriptor, number: number, size: pageSize) else { continue }
            trees += page.schemaTrees
        }
        return trees
    }

    /// Looks for damaged pages in the tree with this root page. Throws `PageFileError` when the file cannot be read.
    package mutating func walk(root: UInt32, owner: String) throws(PageFileError) {
        guard pageSize >= 512 else { return }
        var waiting = [root]
        while let number = waiting.popLast() {
            guard number > 0, seen.insert(number).inserted else { continue }
            if damaged.contains(number) {
                found[owner, default: []].append(number)
                continue
            }
            guard let page = try TreePage(descriptor, number: number, size: pageSize) else { continue }
            waiting += page.children
            for start in page.overflows { try follow(start, owner) }
        }
    }

    /// Follows a chain of overflow pages, which have the rest of a long row.
    private mutating func follow(_ start: UInt32, _ owner: String) throws(PageFileError) {
        var next = start
        while next > 0, seen.insert(next).inserted {
            if damaged.contains(next) { return found[owner, default: []].append(next) }
            guard let bytes = try TreePage.read(descriptor, number: next, size: pageSize) else { return }
            next = TreePage.number(bytes, 0, 4)
        }
    }
}

/// A table or an index and the first page of its tree, as the schema has them
/// (<https://sqlite.org/schematab.html>).
package struct SchemaTree: Sendable, Equatable {
    package let name: String
    /// The table of an index; a table's own name otherwise.
    package let table: String
    package let root: UInt32

    static let schema = SchemaTree(name: "sqlite_schema", table: "sqlite_schema", root: 1)
}

/// What a page of a tree leads to.
private struct TreePage {
    private(set) var children: [UInt32] = []
    private(set) var overflows: [UInt32] = []
    /// In a page with rows: where each row begins.
    private var rows: [Int] = []
    private let bytes: [UInt8]

    /// Nil when the page is not in the file, or is not a page of a tree.
    init?(_ descriptor: Int32, number: UInt32, size: Int) throws(PageFileError) {
        guard let bytes = try Self.read(descriptor, number: number, size: size) else { return nil }
        self.bytes = bytes
        let header = number == 1 ? 100 : 0
        let kind = bytes[header]
        guard [2, 5, 10, 13].contains(kind) else { return nil }
        let isInterior = kind == 2 || kind == 5
        if isInterior { children.append(Self.number(bytes, header + 8, 4)) }
        let limits = PayloadLimits(pageSize: size)
        for cell in 0..<Int(Self.number(bytes, header + 3, 2)) {
            let pointer = header + (isInterior ? 12 : 8) + 2 * cell
            guard pointer + 2 <= size else { break }
            var place = Int(Self.number(bytes, pointer, 2))
            if isInterior {
                children.append(Self.number(bytes, place, 4))
                place += 4
            }
            // An interior page of a table has keys only.
            guard kind != 5, let length = Self.varint(bytes, &place) else { continue }
            if kind == 13 {
                _ = Self.varint(bytes, &place)
                rows.append(place)
            }
            let local = kind == 13 ? limits.localLengthInTable(length, pageSize: size) : limits.localLength(length)
            if local < length { overflows.append(Self.number(bytes, place + local, 4)) }
        }
    }

    /// The rows as rows of the schema: type, name, table, root. A row begins with these values, so they are never on an
    /// overflow page.
    var schemaTrees: [SchemaTree] {
        rows.compactMap { start in
            var place = start
            guard let header = Self.varint(bytes, &place) else { return nil }
            var value = start + header
            var values: [ArraySlice<UInt8>] = []
            while values.count < 4, place < start + header, let type = Self.varint(bytes, &place) {
                let length = RecordIntegers.length(type)
                guard value + length <= bytes.count else { return nil }
                values.append(bytes[value..<value + length])
                value += length
            }
            guard values.count == 4, let root = values.popLast(), (1...4).contains(root.count) else { return nil }
            let words = values.map { String(decoding: $0, as: UTF8.self) }
            return SchemaTree(name: words[1], table: words[2], root: root.reduce(0) { $0 << 8 | UInt32($1) })
        }
    }

    /// The page's bytes; nil when the file does not have all of them.
    static func read(_ descriptor: Int32, number: UInt32, size: Int) throws(PageFileError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: size)
        let filled = try bytes.withUnsafeMutableBufferPointer { buffer throws(PageFileError) in
            try FileBytes.read(
                UnsafeMutableRawBufferPointer(buffer), from: descriptor, at: (Int(number) - 1) * size,
                what: "page \(number)")
        }
        return filled == size ? bytes : nil
    }

    /// A number at a place of the page; 0 beyond the page.
    static func number(_ bytes: [UInt8], _ offset: Int, _ length: Int) -> UInt32 {
        guard offset >= 0, offset + length <= bytes.count else { return 0 }
        return FileBytes.number(bytes, offset, length)
    }

    /// Reads a length of up to nine bytes; nil beyond the page, or when no row can be that long. `Varint` reads what
    /// this program wrote, in at most five bytes; a damaged page may hold anything.
    private static func varint(_ bytes: [UInt8], _ place: inout Int) -> Int? {
        var value: UInt64 = 0
        for _ in 0..<9 {
            guard place < bytes.count else { return nil }
            value = value << 7 | UInt64(bytes[place] & 0x7F)
            place += 1
            if bytes[place - 1] < 0x80 { break }
        }
        return value <= UInt64(Int32.max) ? Int(value) : nil
    }
}
