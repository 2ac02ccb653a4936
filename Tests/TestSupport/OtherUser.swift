import Glibc

/// Runs `body` with the file permissions of an ordinary user, where the tests run as root; else just runs it.
///
/// Only for the calling thread, by setfsuid(2).
package func asAnotherUser<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard geteuid() == 0 else { return try body() }
    setfsuid(65_534)
    defer { setfsuid(0) }
    return try body()
}

/// Swift's module of the C library lacks it.
@_silgen_name("setfsuid")
@discardableResult
private func setfsuid(_ user: uid_t) -> Int32
