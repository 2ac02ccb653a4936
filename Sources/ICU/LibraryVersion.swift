/// The ICU in use.
public enum ICULibrary {
    /// Its version, such as "72.1".
    public static var version: String { CVersion.text() }

    /// Whether its version of Unicode has the code point.
    public static func isAssigned(_ codePoint: UInt32) -> Bool { CVersion.isAssigned(codePoint) }
}
