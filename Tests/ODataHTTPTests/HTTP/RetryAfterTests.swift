import ODataHTTP
import Testing

@Suite struct RetryAfterTests {
    static let now = HTTPDate(secondsSince1970: 784_111_777)

    @Test(arguments: [
        ("0", 0), ("120", 120), ("Sun, 06 Nov 1994 08:49:47 GMT", 10),
        ("Sun, 06 Nov 1994 08:49:27 GMT", 0),
    ])
    func tellsTheDelay(text: String, seconds: Int) {
        #expect(RetryAfter(text)?.delay(from: Self.now) == .seconds(seconds))
    }

    @Test(arguments: ["", "soon", "-1", "+1", "1.5", "99999999999999999999", "0x10"])
    func refusesWhatIsNone(text: String) {
        #expect(RetryAfter(text) == nil)
    }
}
