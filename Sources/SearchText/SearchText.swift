// Searchable text: whole names without accents and in lower case, and their words.
//
// Unsafe only where the importer's bytes are passed to ICU: they are read in place, one copy is made, nothing is
// allocated per name.

import ICU
import Synchronization

/// Names as they are stored and searched: the importer and a search use the same functions, so that both agree.
package enum SearchText {
    /// The normalized name as it is stored in `normalized_name`: "Köln Hbf" gives "koln hbf". Any thread may call it.
    ///
    /// Costs a tenth of a microsecond, or some microseconds if another thread is using the buffers.
    package static func normalize(_ name: String) -> String {
        withInstruments { $0.normalizer.normalize(name) }
    }

    /// The text without accents, in its own case: "Köln Hbf" gives "Koln Hbf". Any thread may call it.
    package static func withoutMarks(_ text: String) -> String {
        withInstruments { $0.normalizer.withoutMarks(text) }
    }

    /// The different words of the normalized name in order of first appearance, as they are stored in `search_term`.
    ///
    ///     SearchText.words("Gedenkstätte Dt. Widerstand (Berlin)")  // gedenkstatte, dt, widerstand, berlin
    ///
    /// Costs half a microsecond, or 30 µs if another thread is using the word rules, because they are then opened
    /// again. Any thread may call it.
    package static func words(_ name: String) -> [String] {
        withInstruments { $0.splitter.words(in: $0.normalizer.normalize(name), distinct: true) }
    }

    private static func withInstruments<Result>(_ body: (Instruments) -> Result) -> Result {
        let instruments = idle.withLock { $0.take() } ?? Instruments()
        defer { idle.withLock { $0 = instruments } }
        return body(instruments)
    }

    private static let idle = Mutex<Instruments?>(nil)
}

/// ICU's open data and buffers, kept from call to call: opening them took longer than most searches.
private final class Instruments: @unchecked Sendable {
    // @unchecked: a thread takes the instruments out of `idle`, uses them alone, and puts them back.
    let normalizer = NameNormalizer()
    let splitter = WordSplitter()
}

/// Normalizes names exactly as the ICU transliterator `NFD; [:Nonspacing Mark:] Remove; Lower(); NFC` does, for every
/// language alike.
///
///     NameNormalizer().normalize("Gedenkstätte Dt. Widerstand (Berlin)")  // "gedenkstatte dt. widerstand (berlin)"
///
/// Keeps its buffers: make one for each thread and use it for all names. It is not for two threads at once. Costs about
/// 45 ns for a name of 20 letters, 25 ns if it is ASCII. The result does not depend on the machine's locale.
package final class NameNormalizer {
    private let folding = NameFolding()

    /// Opens ICU's normalization data (some microseconds).
    package init() {}

    /// Replaces `normalized` by the normalized name in UTF-8; malformed parts of `utf8` become U+FFFD. An array that
    /// the caller reuses is not allocated again.
    package func normalize(_ utf8: UnsafeRawBufferPointer, into normalized: inout [UInt8]) {
        normalized.removeAll(keepingCapacity: true)
        // Copied before anything else can use the buffers of `folding`.
        unsafe normalized.append(contentsOf: folding.fold(utf8))
    }

    /// The normalized name.
    package func normalize(_ name: String) -> String {
        var copy = name
        return copy.withUTF8 { utf8 in
            unsafe String(decoding: folding.fold(UnsafeRawBufferPointer(utf8)), as: UTF8.self)
        }
    }

    /// The name as normalized, except that capitals stay: `NFD; [:Nonspacing Mark:] Remove; NFC`.
    func withoutMarks(_ name: String) -> String {
        var copy = name
        return copy.withUTF8 { utf8 in
            unsafe String(decoding: folding.withoutMarks(UnsafeRawBufferPointer(utf8)), as: UTF8.self)
        }
    }

    /// The name in lower case and NFC, its accents kept; nil beyond 1 MB.
    func composedLowercase(_ name: String) -> String? {
        var copy = name
        return copy.withUTF8 { utf8 in
            guard let lowercase = unsafe folding.composedLowercase(UnsafeRawBufferPointer(utf8)) else { return nil }
            return unsafe String(decoding: lowercase, as: UTF8.self)
        }
    }

    /// The name with plain characters in place of wide, narrow, joined and circled ones; nil beyond 1 MB.
    func compatible(_ name: String) -> String? {
        var copy = name
        return copy.withUTF8 { utf8 in
            guard let compatible = unsafe folding.compatible(UnsafeRawBufferPointer(utf8)) else { return nil }
            return unsafe String(decoding: compatible, as: UTF8.self)
        }
    }
}
