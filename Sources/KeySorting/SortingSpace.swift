import Glibc
import SystemFiles
import Synchronization

/// What the sorters of one import share: the folder of their temporary files, how many bytes are in them, and how much
/// memory each sorter may take.
///
///     let space = SortingSpace(folder: "/var/tmp", memoryBytes: 300_000_000)
///     let sorter = KeySorter(in: space)
///     space.spilledBytes      // what lies in temporary files now
public final class SortingSpace: Sendable {
    /// With less, a run has so few keys that merging takes longer than sorting.
    private static let least = 1 << 20

    public let folder: String
    private let memoryBytes: Int?
    private let spilled = Atomic<Int>(0)
    private let held = Atomic<Int>(0)
    /// How much memory the sorted keys of all sorters together may take before they go to a file.
    private static let usuallyHeld = 12 << 20

    /// `memoryBytes` is what the whole process may use; nil: as much as sorts fastest.
    public init(folder: String, memoryBytes: Int? = nil) {
        self.folder = folder
        self.memoryBytes = memoryBytes
    }

    /// Bytes in the temporary files that are there now.
    public var spilledBytes: Int { spilled.load(ordering: .relaxed) }

    /// The memory for one sorter of `sorters`: `usual` bytes, or its share of the process's memory if that is less.
    func memory(usually usual: Int, among sorters: Int) -> Int {
        guard let memoryBytes else { return usual }
        return max(Self.least, min(usual, memoryBytes / sorters))
    }

    /// Takes memory that all sorters share; false when not enough is left.
    func hold(_ bytes: Int) -> Bool {
        let most = memory(usually: Self.usuallyHeld, among: 16)
        if held.wrappingAdd(bytes, ordering: .relaxed).newValue <= most { return true }
        release(bytes)
        return false
    }

    func release(_ bytes: Int) { held.wrappingSubtract(bytes, ordering: .relaxed) }

    /// Counts what lies in a temporary file.
    func add(_ bytes: Int) { spilled.wrappingAdd(bytes, ordering: .relaxed) }
}

/// Why a sorter's temporary file failed.
///
///     KeySortingError(message: "a temporary file in /x cannot be written: No space left on device", number: 28)
public struct KeySortingError: Error, Sendable, Equatable, CustomStringConvertible {
    public let message: String
    /// The system's error number.
    public let number: Int32

    public var description: String { message }

    static func system(_ what: String, _ number: Int32) -> KeySortingError {
        KeySortingError(message: "\(what): \(SystemError(number: number).words)", number: number)
    }
}
