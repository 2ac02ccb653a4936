/// A temporary file that several sorters share; made when the first of them needs it.
///
///     let spill = SharedSpill(in: SortingSpace(folder: "/var/lib/stores"))
///     let sorters = files.map { _ in RecordSorter(sharing: spill) }
public final class SharedSpill {
    public let space: SortingSpace
    private var file: SpillFile?

    public init(in space: SortingSpace) { self.space = space }

    func open() throws(KeySortingError) -> SpillFile {
        if let file { return file }
        let file = try SpillFile(in: space)
        self.file = file
        return file
    }
}
