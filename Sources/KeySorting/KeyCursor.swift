// Unsafe: reads keys where the sorter lends them.

/// Goes through the keys of a sorter one by one.
///
///     var keys = try KeyCursor(sorter)
///     while let key = keys.current {
///         …
///         try keys.advance()
///     }
public struct KeyCursor {
    private let sorter: KeySorter?
    @usableFromInline var batch: UnsafeBufferPointer<SortKey>?
    @usableFromInline var place = 0

    /// Without a sorter there are no keys. Throws when the temporary file cannot be read or written.
    public init(_ sorter: KeySorter?) throws(KeySortingError) {
        self.sorter = sorter
        try readBatch()
    }

    /// The key at hand; nil at the end.
    @inlinable
    public var current: SortKey? { batch?[place] }

    /// Goes to the next key. Throws when the temporary file cannot be read.
    @inlinable
    public mutating func advance() throws(KeySortingError) {
        place += 1
        if place == batch?.count { try readBatch() }
    }

    @usableFromInline
    mutating func readBatch() throws(KeySortingError) {
        batch = try sorter?.nextBatch()
        place = 0
    }
}
