import CivilTime
import Testing

@Suite struct ClockTextTests {
    @Test(arguments: [
        (0, "00:00:00"), (9, "00:00:09"), (599, "00:09:59"), (35_999, "09:59:59"), (86_399, "23:59:59"),
        (90_305, "25:05:05"), (900_000, "250:00:00"),
    ])
    func `seconds are written as hours, minutes and seconds`(seconds: Int, text: String) {
        #expect(ClockText.withSeconds(seconds) == text)
        #expect(ClockText.withMinutes(seconds) == text.dropLast(3))
    }

    @Test func `the greatest number is written too`() {
        #expect(ClockText.withSeconds(Int.min.magnitude) == "2562047788015215:30:08")
    }
}
