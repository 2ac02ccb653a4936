// Searchable text for those who have a string now and then; the importer keeps a NameNormalizer and a WordSplitter.
import Synchronization

/// Names as they are stored and searched: the importer and a search use the same functions, so that both agree.
public enum SearchText {
    /// The normalized name as it is stored in `normalized_name`: "Köln Hbf" gives "koln hbf". Any thread may call it.
    ///
    /// Costs a tenth of a microsecond, or some microseconds where another thread has the buffers.
    public static func normalize(_ name: String) -> String {
        withInstruments { $0.normalizer.normalize(name) }
    }

    /// The different words of the normalized name in order of first appearance, as they are stored in `search_term`.
    ///
    ///     SearchText.words("Gedenkstätte Dt. Widerstand (Berlin)")  // gedenkstatte, dt, widerstand, berlin
    ///
    /// Costs half a microsecond, or 30 µs where another thread has the word rules, so that they are opened anew. Any
    /// thread may call it.
    public static func words(_ name: String) -> [String] {
        withInstruments { $0.splitter.words(in: $0.normalizer.normalize(name), distinct: true) }
    }

    private static func withInstruments<Result>(_ body: (Instruments) -> Result) -> Result {
        let instruments = idle.withLock { $0.take() } ?? Instruments()
        defer { idle.withLock { $0 = instruments } }
        return body(instruments)
    }

    private static let idle = Mutex<Instruments?>(nil)
}

/// What ICU has opened and buffers, kept from call to call: opening took longer than most searches.
private final class Instruments: @unchecked Sendable {
    // @unchecked: whoever takes them out of `idle` has them alone, until they are put back.
    let normalizer = NameNormalizer()
    let splitter = WordSplitter()
}
