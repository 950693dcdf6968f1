import ODataPayload
import ODataValues
import Testing

/// Keys are compared by their kept digits: one with more could be taken for another.
@Suite struct KeyDigitsTests {
    @Test(arguments: [
        ("2024-05-06T07:08:09.123+05:30", false), ("2024-05-06T07:08:09.1-11:30", false),
        ("2024-05-06T07:08:09.1234567+05:30", false), ("2024-05-06T07:08:09.12345670Z", false),
        ("2024-05-06T07:08:09.12345678+05:30", true), ("2024-05-06T07:08:09+05:30", false),
        ("2024-05-06T07:08:09.", false), ("", false),
    ])
    func countsTheDigitsOfASecondAlone(_ text: String, _ isCut: Bool) {
        #expect(ScalarForm.dateTimeOffset.cuts(Array(text.utf8).span) == isCut)
    }
}
