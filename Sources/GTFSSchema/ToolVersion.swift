/// The version of both programs and of the library, as it is printed and recorded in stores.
package enum ToolVersion {
    /// Follows semantic versioning (<https://semver.org>).
    package static let number = "0.1.0"
}
