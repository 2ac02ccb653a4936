import CivilTime

/// A time of the service day: seconds since noon minus 12 h; it may pass 24 h.
///
///     let eight = ServiceTime(hours: 8)
///     ServiceTime("25:35:00")!.seconds        // 92,100
///     print(eight)                            // 08:00:00
///
/// A stop time without a time has nil. `<`, `<=`, `>` and `>=` are false for nil: see ``ServiceMoment``.
public struct ServiceTime: ServiceMoment {
    /// Seconds since noon minus 12 h of the service day; 86,400 or more after midnight.
    public let seconds: Int

    /// A time by its seconds since noon minus 12 h of the service day.
    public init(seconds: Int) { self.seconds = seconds }

    /// The sum of the parts, or the last or first possible time if the sum is out of range.
    public init(hours: Int, minutes: Int = 0, seconds: Int = 0) {
        self.seconds = Int(clamping: Int128(hours) * 3_600 + Int128(minutes) * 60 + Int128(seconds))
    }

    /// The time `seconds` later, or the last or first possible time if the sum is out of range.
    ///
    ///     ServiceTime(hours: 23, minutes: 50).advanced(by: 900)       // 24:05:00
    public func advanced(by seconds: Int) -> ServiceTime { ServiceTime(seconds: self.seconds.addingClamped(seconds)) }

    public static func < (one: Self, other: Self) -> Bool { one.seconds < other.seconds }
}

extension ServiceTime: CustomStringConvertible {
    /// HH:MM:SS
    public var description: String {
        (seconds < 0 ? "-" : "") + ClockText.withSeconds(seconds.magnitude)
    }
}

extension ServiceTime: LosslessStringConvertible {
    /// Reads H:MM:SS, HH:MM:SS, H:MM or HH:MM, where hours may have more digits; nil for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
            text.utf8.allSatisfy({ $0 == UInt8(ascii: ":") || (0x30...0x39).contains($0) }),
            let hours = UInt32(parts[0]), let minutes = UInt32(parts[1]),
            let seconds = parts.count == 2 ? 0 : UInt32(parts[2]),
            minutes < 60, seconds < 60
        else { return nil }
        self.init(hours: Int(hours), minutes: Int(minutes), seconds: Int(seconds))
    }
}

extension ServiceTime: QueryValueConvertible {
    public var queryValue: QueryValue { .integer(Int64(seconds)) }
}
