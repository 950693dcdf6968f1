@testable import FieldService
import Testing

@Suite struct FormatsTests {
    @Test(arguments: zip([0, 5, -1, 12_345], ["0.00", "0.05", "-0.01", "123.45"]))
    func placesTheDecimalPoint(cents: Int, text: String) {
        #expect(Formats.money(cents: cents) == text)
    }

    @Test(
        arguments: zip(
            [0, 90, 1_440, 1_455, -75],
            ["PT0S", "PT1H30M", "P1D", "P1DT15M", "-PT1H15M"]
        )
    )
    func writesDurations(minutes: Int, text: String) {
        #expect(Formats.duration(minutes: minutes) == text)
    }

    @Test(
        arguments: zip(
            [0, 59, 60, 366, 9_131],
            ["2000-01-01", "2000-02-29", "2000-03-01", "2001-01-01", "2024-12-31"]
        )
    )
    func countsDays(day: Int, text: String) {
        #expect(Formats.date(day: day) == text)
    }

    @Test func movesTheClockByTheOffset() {
        let minute = 1_440 * 59 + 1_410
        #expect(Formats.instant(minute: minute) == "2000-02-29T23:30:00Z")
        #expect(Formats.instant(minute: minute, offset: 330) == "2000-03-01T05:00:00+05:30")
        #expect(Formats.instant(minute: minute, offset: -300) == "2000-02-29T18:30:00-05:00")
    }

    @Test(arguments: zip([[], [0xFF], [0xFB, 0xEF], [1, 2, 3]], ["", "_w", "--8", "AQID"]))
    func encodesBase64ForURLs(bytes: [UInt8], text: String) {
        #expect(Formats.base64(bytes) == text)
    }

    @Test func escapesKeysForURLs() {
        #expect(Formats.urlKey("HOSE-3'-1") == "'HOSE-3''-1'")
        #expect(Formats.urlKey("D\u{DC}SE/1 & 2") == "'D%C3%9CSE%2F1%20%26%202'")
    }
}
