// Language tags of BCP 47.
//
// Unsafe only where the bytes of a cell are lent to ICU.

/// What is known of language tags. Any thread may call these; a call costs about 1 µs.
public enum Languages {
    /// Whether the whole text is a well-formed BCP 47 tag with a language of ISO 639: `de`, `en-US`, `zh-Hant-TW`,
    /// `mul` are; `zh_TW`, `xx`, `deutsch`, `x-private` and the empty text are not. Letters may have either case.
    ///
    /// Languages of two letters are checked by ICU's list. It knows a twelfth of ISO 639-3, so any three letters are
    /// accepted.
    public static func isWellFormed(_ utf8: UnsafeRawBufferPointer) -> Bool {
        CCodes.isLanguage(utf8)
    }

    /// As above, for a string.
    public static func isWellFormed(_ tag: String) -> Bool {
        tag.withUTF8Bytes(CCodes.isLanguage)
    }
}
