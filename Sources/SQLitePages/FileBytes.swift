import Glibc
import SystemFiles

// Unsafe: takes the pointers of callers' buffers, and passes them on with their lengths.

/// Whole reads and writes at a place in a file, whose errors say what was read or written.
enum FileBytes {
    /// Writes all of `bytes`; `what` names them in the error.
    static func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int, what: @autoclosure () -> String
    ) throws(PageFileError) {
        do throws(SystemError) {
            try SystemFile.write(bytes, to: descriptor, at: offset)
        } catch {
            throw .system("\(what()) cannot be written", error)
        }
    }

    /// Throws `lost` unless the file has these bytes, which were written just now.
    static func compare(
        _ bytes: UnsafeRawBufferPointer, with descriptor: Int32, at offset: Int, what: @autoclosure () -> String
    ) throws(PageFileError) {
        do throws(SystemError) {
            if try SystemFile.holds(bytes, descriptor, at: offset) { return }
        } catch {
            throw .system("\(what()) cannot be read", error)
        }
        throw .lost(what())
    }

    /// Fills `bytes` from the file and returns how many were read; fewer only at the file's end.
    static func read(
        _ bytes: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int, what: @autoclosure () -> String
    ) throws(PageFileError) -> Int {
        do throws(SystemError) {
            return try SystemFile.read(bytes, from: descriptor, at: offset)
        } catch {
            throw .system("\(what()) cannot be read", error)
        }
    }

    /// The number in `length` bytes. SQLite's files have the highest byte first.
    static func number(_ bytes: [UInt8], _ offset: Int, _ length: Int = 4) -> UInt32 {
        bytes[offset..<offset + length].reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension PageFileError {
    /// What was written cannot be read back.
    static func lost(_ what: String) -> PageFileError {
        PageFileError(
            .lost, "\(what) cannot be read back as written: a write was lost although the system took it")
    }

    /// A system call that failed, with the system's own words.
    static func system(_ what: String, _ error: SystemError) -> PageFileError {
        PageFileError(.inputOutput, "\(what): \(error.words)")
    }

    /// The failure of a system call with this error number.
    static func system(_ what: String, _ number: Int32) -> PageFileError {
        system(what, SystemError(number: number))
    }
}
