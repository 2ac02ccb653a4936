import Glibc
import ICU

/// Texts in legacy encodings: written by the C library's iconv, so that ICU does not check itself, and read by the
/// decoder under test.
enum LegacyText {
    /// The text in an encoding; nil when it cannot be written in it.
    static func encode(_ text: String, as encoding: String) -> [UInt8]? {
        guard let converter = iconv_open(encoding, "UTF-8"), converter != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(converter) }
        var source = Array(text.utf8CString.dropLast())
        var target = [CChar](repeating: 0, count: source.count * 4 + 16)
        var sourceLeft = source.count
        var targetLeft = target.count
        source.withUnsafeMutableBufferPointer { source in
            target.withUnsafeMutableBufferPointer { target in
                var from = source.baseAddress
                var to = target.baseAddress
                iconv(converter, &from, &sourceLeft, &to, &targetLeft)
                iconv(converter, nil, nil, &to, &targetLeft)
            }
        }
        return sourceLeft == 0 ? target.dropLast(targetLeft).map { UInt8(bitPattern: $0) } : nil
    }

    /// The bytes read in an encoding, and how many parts of them it does not have; nil for an unknown encoding.
    static func decode(_ bytes: [UInt8], as encoding: String) -> (text: String, replacements: Int)? {
        guard let decoder = CharsetDecoder(encoding) else { return nil }
        var utf8: [UInt8] = []
        bytes.withUnsafeBytes { decoder.decode($0, appendingTo: &utf8) }
        decoder.finish(appendingTo: &utf8)
        return String(validating: utf8, as: UTF8.self).map { ($0, decoder.replacements) }
    }
}
