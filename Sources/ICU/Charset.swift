// Which encoding a text has that is not Unicode.

/// Guesses legacy encodings.
public enum Charset {
    /// The name of the most probable 8-bit or multibyte encoding of a text that is not valid UTF-8, for example `windows-1252`, `Shift_JIS`.
    ///
    /// Only the fields (between commas, quotes, tabs and line ends) with a byte above 0x7F count, up to 8,000 bytes of them: give the whole
    /// file or a part around the first such byte. Never Unicode; ISO-8859-1 is reported as its superset windows-1252; windows-1252 also
    /// when ICU is unsure. Costs about 1 ms. Any thread may call it.
    public static func detect(_ sample: UnsafeRawBufferPointer) -> String {
        CCharset.detect(sample).name
    }

    /// As `detect`, with ICU's confidence from 0 (unsure: windows-1252 was assumed) to 100.
    public static func detectWithConfidence(_ sample: UnsafeRawBufferPointer) -> (name: String, confidence: Int) {
        CCharset.detect(sample)
    }
}
