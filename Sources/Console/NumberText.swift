/// Formats numbers for people, the same in every locale.
package enum NumberText {
    /// 1234567 as "1,234,567".
    package static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return number < 0 ? "-" + text : text
    }

    /// 1 as "1 row", 2 as "2 rows".
    package static func counted(_ number: Int, _ noun: String) -> String {
        "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// 367,001,600 as "367 MB", in powers of ten, with one decimal below ten.
    package static func bytes(_ count: Int) -> String {
        if count < 1_000 { return counted(count, "byte") }
        var unit = 1_000
        var names = ["kB", "MB", "GB", "TB"][...]
        // From 999.5 of a unit on, a number would round to 1,000 of it.
        while names.count > 1, count >= unit * 1_000 - unit / 2 {
            unit *= 1_000
            names.removeFirst()
        }
        let tenths = (count + unit / 20) / (unit / 10)
        let number = tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : grouped((count + unit / 2) / unit)
        return "\(number) \(names.first ?? "")"
    }

    /// 3.44 as "3.4 s", 125 as "2 min 5 s", 7,260 as "2 h 1 min"; "? s" for a negative, endless or unknown time.
    package static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "? s" }
        let tenths = Int((seconds * 10).rounded())
        if tenths < 1_000 { return "\(tenths / 10).\(tenths % 10) s" }
        let whole = Int(seconds.rounded())
        if whole < 3_600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3_600) h \(whole % 3_600 / 60) min"
    }
}
