/// An entry's name as an archive writes it, turned into a path below the archive's root.
///
/// Names never reach the file system: nothing is unpacked. They are cleaned anyway, so that `.\gtfs\stops.txt`,
/// `/gtfs/stops.txt` and `../gtfs/stops.txt` are found as `gtfs/stops.txt`.
struct EntryName: Equatable {
    /// Components joined by `/`, without empty ones, `.`, `..` or a drive letter; empty when nothing is left.
    var path: String
    /// Whether it names a folder: it ends in a separator.
    var isFolder: Bool
    /// Whether the name had a drive letter, a `..` or a leading separator.
    var wasUnsafe: Bool

    /// Splits a name at `/` and at `\`, which archives made on Windows use.
    init(_ name: String) {
        let parts = name.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.map(
            String.init)
        var kept = parts.filter { !$0.isEmpty && $0 != "." && $0 != ".." }
        let drive = kept.first.map(Self.isDrive) ?? false
        if drive { kept.removeFirst() }
        path = kept.joined(separator: "/")
        isFolder = parts.count > 1 && parts.last == ""
        wasUnsafe = drive || parts.contains("..") || (parts.count > 1 && parts[0].isEmpty)
    }

    /// Decodes the bytes as UTF-8 if they are valid UTF-8, flagged or not, otherwise as CP437 (APPNOTE appendix D).
    static func decode(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(byte < 0x80 ? Unicode.Scalar(byte) : upperHalf[Int(byte) - 0x80]) }
        return String(text)
    }

    /// Whether it is a hidden file or part of the `__MACOSX` folder that Finder adds.
    static func isHidden(_ path: String) -> Bool {
        path.utf8.split(separator: UInt8(ascii: "/")).contains {
            $0.first == UInt8(ascii: ".") || $0.elementsEqual("__MACOSX".utf8)
        }
    }

    private static func isDrive(_ part: String) -> Bool {
        let bytes = Array(part.utf8)
        return bytes.count == 2 && bytes[1] == UInt8(ascii: ":") && (bytes[0] | 0x20) >= UInt8(ascii: "a")
            && (bytes[0] | 0x20) <= UInt8(ascii: "z")
    }

    /// Code page 437 from 0x80 on.
    private static let upperHalf = Array(
        """
        ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
        αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}
        """.unicodeScalars)
}
