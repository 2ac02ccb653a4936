import Glibc

/// The user as whom `asAnotherUser` runs: nobody.
package let otherUser: uid_t = 65_534

/// Runs `body`. If the tests run as root, `body` has the file permissions of an ordinary user.
///
/// It uses setfsuid(2), which affects only the calling thread.
package func asAnotherUser<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard geteuid() == 0 else { return try body() }
    setfsuid(otherUser)
    defer { setfsuid(0) }
    return try body()
}

/// Declared here because Swift's module for the C library lacks it.
@_silgen_name("setfsuid")
@discardableResult
private func setfsuid(_ user: uid_t) -> Int32
