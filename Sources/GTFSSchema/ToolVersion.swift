/// The version of both programs and of the library, as it is printed and recorded in stores.
public enum ToolVersion {
    /// Follows semantic versioning (<https://semver.org>).
    public static let number = "0.1.0"
}
