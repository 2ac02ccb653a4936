/// Writes seconds as a clock shows them; hours may have more than two digits.
///
///     ClockText.withSeconds(90_305)     // "25:05:05"
///     ClockText.withMinutes(8_100)      // "02:15"
package enum ClockText {
    /// HH:MM:SS, for example for the time of a service day after its midnight. Not for negative numbers.
    package static func withSeconds(_ seconds: some BinaryInteger) -> String {
        "\(withMinutes(seconds)):\(twoDigits(seconds % 60))"
    }

    /// HH:MM; further seconds are left out. Not for negative numbers.
    package static func withMinutes(_ seconds: some BinaryInteger) -> String {
        "\(twoDigits(seconds / 3_600)):\(twoDigits(seconds / 60 % 60))"
    }

    private static func twoDigits(_ number: some BinaryInteger) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
