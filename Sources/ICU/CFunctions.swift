// The only file that imports CICU. It gives each C function a Swift name and passes strings as bytes. C's pointers stay
// bare `Handle`s here; the types in the other files own them.
//
// Unsafe by nature (C handles and lengths), so that no other file sees C.

import CICU

typealias Handle = OpaquePointer
typealias Bytes = UnsafeRawBufferPointer

/// The C functions of names.c.
enum CNames {
    static func open() -> Handle { cicu_names_open() }
    static func close(_ names: Handle) { cicu_names_close(names) }

    static func byICU(_ names: Handle, _ text: Bytes, keepsCase: Bool) -> Bytes {
        var result: UnsafePointer<UInt8>?
        let length = cicu_names_by_icu(names, text.start, text.count, keepsCase, &result)
        return Bytes(start: result, count: length)
    }

    static func composedLowercase(_ names: Handle, _ text: Bytes) -> Bytes {
        var result: UnsafePointer<UInt8>?
        let length = cicu_names_composed_lowercase(names, text.start, text.count, &result)
        return Bytes(start: result, count: length)
    }

    static func compatible(_ names: Handle, _ text: Bytes) -> Bytes {
        var result: UnsafePointer<UInt8>?
        let length = cicu_names_compatible(names, text.start, text.count, &result)
        return Bytes(start: result, count: length)
    }

    static let dropped = UInt16(CICU_DROPPED)
    static let notSimple = UInt16(CICU_NOT_SIMPLE)
    static func simple(_ names: Handle, _ codePoint: UInt32) -> UInt16 { cicu_names_simple(names, codePoint) }
}

/// The C functions of words.c.
enum CWords {
    static func open() -> Handle { cicu_words_open() }
    static func close(_ words: Handle) { cicu_words_close(words) }

    static func setText(_ words: Handle, _ text: Bytes) { cicu_words_set_text(words, text.start, text.count) }
    static func isAlphabetic(_ codePoint: UInt32) -> Bool { cicu_is_alphabetic(codePoint) }

    static func next(_ words: Handle) -> Range<Int>? {
        var start = 0
        var end = 0
        return cicu_words_next(words, &start, &end) ? start..<end : nil
    }
}

/// The C functions of transform.c.
enum CTransform {
    static func open(_ rules: Bytes) -> Handle? { cicu_transform_open(rules.start, rules.count) }
    static func close(_ transform: Handle) { cicu_transform_close(transform) }

    static func apply(_ transform: Handle, _ text: Bytes, _ result: UnsafeMutableRawBufferPointer) -> Int {
        let start = result.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return Int(cicu_transform_apply(transform, text.start, text.count, start, result.count))
    }
}

/// The C functions of charset.c and decoder.c.
enum CCharset {
    /// The encodings that ICU's detector considers possible for a sample, the most confident first.
    static func matches(_ sample: [UInt8]) -> [(name: String, confidence: Int)] {
        var matches = [cicu_charset_match](repeating: cicu_charset_match(), count: 64)
        let count = sample.withUnsafeBytes { cicu_charset_matches($0.start, $0.count, &matches, Int32(matches.count)) }
        return matches.prefix(Int(count)).map { match in
            // Decoded inside the closure: a slice that leaves it would point to freed bytes.
            let name = withUnsafeBytes(of: match.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            return (name, Int(match.confidence))
        }
    }

    static func isLatin(_ scalar: Unicode.Scalar) -> Bool { cicu_is_latin(scalar.value) }

    static func open(_ name: String) -> Handle? { cicu_decoder_open(name) }
    static func close(_ decoder: Handle) { cicu_decoder_close(decoder) }

    /// Converts from `source` and drops the bytes that were read. Returns how many bytes were written to `target` and
    /// whether all of `source` is converted.
    static func decode(
        _ decoder: Handle, _ source: inout Bytes, _ target: UnsafeMutableRawBufferPointer
    ) -> (written: Int, done: Bool) {
        guard let targetStart = target.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return (0, false) }
        var at = source.start
        let end = at.map { $0 + source.count }
        var done = false
        let written = cicu_decoder_decode(decoder, &at, end, targetStart, target.count, &done)
        if let at, let end { source = Bytes(start: at, count: end - at) }
        return (written, done)
    }
}

/// The C functions of zones.c.
enum CZone {
    static func isKnown(_ name: Bytes) -> Bool { cicu_zone_is_known(name.start, name.count) }
    static func open(_ name: Bytes) -> Handle? { cicu_zone_open(name.start, name.count) }
    static func close(_ zone: Handle) { cicu_zone_close(zone) }

    static func offset(_ zone: Handle, at unixSeconds: Int64) -> Int32? {
        var offset: Int32 = 0
        return cicu_zone_offset(zone, unixSeconds, &offset) ? offset : nil
    }
}

/// The C functions of codes.c.
enum CCodes {
    static func isCurrency(_ code: Bytes) -> Bool { cicu_currency_is_known(code.start, code.count) }
    static func isLanguage(_ tag: Bytes) -> Bool { cicu_language_is_known(tag.start, tag.count) }
}

/// The C functions of collation.c.
enum CCollation {
    static func open(_ tag: Bytes) -> Handle? { cicu_collator_open(tag.start, tag.count) }
    static func close(_ collator: Handle) { cicu_collator_close(collator) }

    static func compare(_ collator: Handle, _ left: Bytes, _ right: Bytes) -> Int32 {
        cicu_collator_compare(collator, left.start, left.count, right.start, right.count)
    }
}

/// The C functions of regex.c.
enum CRegex {
    /// The handle, or ICU's name for the pattern's error.
    static func open(_ pattern: Bytes) -> (regex: Handle?, reason: String) {
        var regex: Handle?
        let reason = cicu_regex_open(pattern.start, pattern.count, &regex)
        return (regex, reason.map { String(cString: $0) } ?? "")
    }

    static func close(_ regex: Handle) { cicu_regex_close(regex) }

    static func matches(_ regex: Handle, _ text: Bytes) -> Bool? {
        let result = cicu_regex_matches(regex, text.start, text.count)
        return result < 0 ? nil : result == 1
    }
}

extension UnsafeRawBufferPointer {
    /// The first byte for a C function that takes `const uint8_t *`.
    @inline(__always)
    fileprivate var start: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

/// The C functions of version.c.
enum CVersion {
    static func isAssigned(_ codePoint: UInt32) -> Bool { cicu_is_assigned(codePoint) }

    static func text() -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CICU_VERSION_CAPACITY)) { text in
            guard let start = text.baseAddress else { return "" }
            cicu_version(start)
            return String(cString: start)
        }
    }
}

extension String {
    /// Calls `body` with the string's UTF-8, without a copy for native Swift strings.
    func withUTF8Bytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var copy = self
        return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}
