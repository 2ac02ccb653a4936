import GTFSFeed
import KeySorting
import SQLite
import Synchronization
import SystemFiles

/// Limits the disk space that an import takes: estimated before the import, measured during it.
///
/// Short rows can take many times their text in the store: a row of an unknown file takes about 10 bytes, a kept row
/// 20, each kept value 27 (its place as numbers, its text, and an index). A feed of such rows is refused while its
/// store grows. Any thread may check it.
final class StoreSize {
    /// A limit on the store's own bytes, and the words for exceeding it.
    private struct Bound {
        let name: FeedLimits.Name
        /// The limit as the option states it, in bytes or as a ratio.
        let option: UInt64
        /// The most bytes that the limit allows this feed.
        let mostBytes: UInt64
        var share: (UInt64) -> String = { _ in "" }
    }

    private let place: String
    /// The store while it is built, with SQLite's temporary files.
    private let file: PrivateFile
    private let space: SortingSpace
    private let bounds: [Bound]
    /// Bytes that wait outside the store until all rows are read; about as many as they will take in the store.
    private let waitingBytes = Atomic<UInt64>(0)
    /// The size of the store when its notices began; the greatest number before.
    private let bytesBeforeNotices = Atomic<UInt64>(.max)

    init(of feed: OpenedFeed, in file: PrivateFile, options: ImportOptions, space: SortingSpace) {
        place = feed.place
        self.file = file
        self.space = space
        let (text, packed, free) = (feed.textBytes, feed.packedBytes, options.growthAppliesAbove)
        let (growth, ratio) = (UInt64(clamping: options.maximumGrowth), feed.limits.maximumRatio)
        bounds = [
            Bound(name: .storeBytes, option: options.maximumStoreBytes, mostBytes: options.maximumStoreBytes),
            Bound(name: .growth, option: growth, mostBytes: max(text.multipliedSaturated(by: growth), free)) {
                ", \($0 / max(text, 1)) for each of the feed's \(text)"
            },
            Bound(name: .ratio, option: ratio, mostBytes: max(packed.multipliedSaturated(by: ratio), free)) {
                ", \($0 / max(packed, 1)) for each of the \(packed) that the feed takes packed"
            },
        ]
    }

    /// Adds what a block brings besides its rows.
    func add(_ block: ParsedBlock) {
        var bytes = UInt64(8 * block.extraCells.count + block.extraCells.byteCount)
        for value in block.keptValues.values { bytes &+= 28 + 2 * UInt64(value.text.count) }
        for row in block.keptRows.values { bytes &+= 14 + UInt64(row.text.count) }
        for cell in block.lateExtraCells.values { bytes &+= 12 + UInt64(cell.text.count) }
        waitingBytes.wrappingAdd(bytes, ordering: .relaxed)
    }

    /// Call this when the waiting bytes are written to the store, where the file's size counts them.
    func settle() { waitingBytes.store(0, ordering: .relaxed) }

    /// Call this before the notices are written. How many are kept is up to the options, not to the feed, so from then
    /// on only the limit on the store itself applies.
    func beginNotices() { bytesBeforeNotices.store(writtenBytes, ordering: .relaxed) }

    private var writtenBytes: UInt64 { FileStatus(path: file.path).map { UInt64(clamping: $0.size) } ?? 0 }

    private func applies(_ bound: Bound) -> Bool {
        bytesBeforeNotices.load(ordering: .relaxed) == .max || bound.name == .storeBytes
    }

    /// Throws when the store, or all files of the import together, have become too large. Costs one system call.
    func check() throws(ImportError) {
        let written = writtenBytes
        let size = written &+ waitingBytes.load(ordering: .relaxed)
        if let bound = bounds.first(where: { applies($0) && size > $0.mostBytes }) {
            throw refusal("\(size) bytes so far\(bound.share(size))\(noticeShare(size))", bound)
        }
        let temporary = UInt64(clamping: space.spilledBytes) &+ UInt64(clamping: file.temporaryBytes)
        let onDisk = written &+ temporary
        // Temporary files for rows in no order have been seen to take as much as the store, and twice as much with many
        // indexes.
        let exceeded = bounds.first { applies($0) && onDisk / ($0.name == .storeBytes ? 1 : 4) > $0.mostBytes }
        guard let bound = exceeded else { return }
        let share = bound.name == .storeBytes ? "" : ", more than four times what the store may have"
        throw refusal("\(written) bytes so far and temporary files beside it \(temporary)\(share)", bound)
    }

    private func noticeShare(_ size: UInt64) -> String {
        let before = bytesBeforeNotices.load(ordering: .relaxed)
        guard size > before else { return "" }
        return ", \(size - before) of them for notices (--notices-per-code limits their number)"
    }

    private func refusal(_ words: String, _ bound: Bound) -> ImportError {
        ImportError(.feedRefused, at: place, ": the store has \(words)\(bound.name.exceeded(bound.option))")
    }
}

extension UInt64 {
    fileprivate func multipliedSaturated(by other: UInt64) -> UInt64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
