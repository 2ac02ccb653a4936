/// The ICU in use.
public enum ICULibrary {
    /// Its version, such as "72.1".
    public static var version: String { CVersion.text() }
}
