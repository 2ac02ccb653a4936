import GTFSSchema
import ICU
import SearchText

/// What the reading stage knows across files: identifiers, findings, and how text is converted.
///
/// Owned by the reading stage while it runs; read by others after it ended.
final class ReadingState {
    let namespaces = Namespaces(.gtfs)
    var notices: NoticeLog
    private let normalizer = NameNormalizer()
    private var normalized: [UInt8] = []
    /// Services that only calendar_dates.txt names get the keys after those of calendar.txt.
    var nextServiceKey: Int32 = 1
    var nextShapeKey: Int32 = 1
    /// The legacy encoding of the file at hand, once a value turned out not to be UTF-8.
    private(set) var decoder: CharsetDecoder?
    private(set) var charset: String?

    init(notices: NoticeLog) { self.notices = notices }

    func beginFile() {
        decoder = nil
        charset = nil
    }

    /// Converts bytes that are not UTF-8; the encoding is guessed once a file, from the block around them.
    func convert(_ text: UnsafeRawBufferPointer, sample: UnsafeRawBufferPointer) -> [UInt8] {
        if decoder == nil {
            let name = Charset.detect(sample)
            charset = name
            decoder = CharsetDecoder(name)
        }
        var bytes: [UInt8] = []
        guard let decoder else { return Array(String(decoding: text, as: UTF8.self).utf8) }
        decoder.decode(text, appendingTo: &bytes)
        return bytes
    }

    /// Lends the name as searches compare it.
    func normalize(_ name: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        normalizer.normalize(name, into: &normalized)
        normalized.withUnsafeBytes(body)
    }

    /// Text for a message or a kept row, whatever its encoding.
    func text(_ bytes: UnsafeRawBufferPointer) -> String {
        if TextRules.isUTF8(bytes) { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: convert(bytes, sample: bytes), as: UTF8.self)
    }
}
