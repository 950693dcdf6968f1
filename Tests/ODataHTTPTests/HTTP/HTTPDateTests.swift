import ODataHTTP
import Testing

@Suite struct HTTPDateTests {
    /// The three forms of RFC 9110 § 5.6.7, and zones that services write.
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Sat, 21 Nov 2026 01:11:08 GMT", 1_795_223_468),
        ("Thu, 29 Feb 2024 00:00:00 UTC", 1_709_164_800),
        ("Sun, 06 Nov 1994 03:49:37 EST", 784_111_777),
        ("Sun, 06 Nov 1994 10:49:37 +0200", 784_111_777),
        ("Sun, 06 Nov 1994 07:49:37 -0100", 784_111_777),
        ("Tue, 30 Jun 2015 23:59:60 GMT", 1_435_708_800),
        ("Fri, 01-Jan-2016 00:00:00 GMT", 1_451_606_400),
        ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ("06 Nov 1994 08:49:37 GMT", 784_111_777), ("06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun,\t06 Nov 1994 08:49:37", 784_111_777),
        ("Sun, 06 Nov 1994 09:49:37 GMT+01:00", 784_111_777),
        ("Sun, 06 Nov 1994 03:19:37 -05:30", 784_111_777),
        ("Sun, 06 Nov 1994 18:49:37 aest", 784_111_777),
    ])
    func reads(text: String, seconds: Int64) {
        #expect(HTTPDate(text)?.secondsSince1970 == seconds)
    }

    @Test(arguments: [
        "", "now", "0", "Sun, 06 Nov 1994", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 29 Feb 1900 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 XYZ", "Sun, 06 Nov 1994 08:49:37 +9999",
        "Sun, 06 Nov 19940 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 CET+01:00", "Sun, 06 Nov 1994 08:49:37 GMT+",
        "06-Nov 1994 08:49:37 GMT", "Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 GMT GMT",
        "Sun, 06-Nov 1994 08:49:37",
    ])
    func refusesWhatIsNone(text: String) {
        #expect(HTTPDate(text) == nil)
    }

    @Test func writesWhatItReads() {
        for days in stride(from: -719_528, through: 2_932_896, by: 97) {
            let date = HTTPDate(secondsSince1970: Int64(days) * 86_400 + Int64(abs(days) % 86_400))
            #expect(HTTPDate(date.description) == date)
        }
        #expect(
            HTTPDate(secondsSince1970: 784_111_777).description == "Sun, 06 Nov 1994 08:49:37 GMT"
        )
        #expect(
            HTTPDate(secondsSince1970: 1_795_223_468).description == "Sat, 21 Nov 2026 01:11:08 GMT"
        )
        #expect(HTTPDate(secondsSince1970: -1).description == "Wed, 31 Dec 1969 23:59:59 GMT")
    }

    @Test func orders() {
        #expect(HTTPDate(secondsSince1970: 1) < HTTPDate(secondsSince1970: 2))
    }
}
