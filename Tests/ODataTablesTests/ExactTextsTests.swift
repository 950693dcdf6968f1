import Testing

@testable import ODataTables

/// Exact texts beside the values of a row.
@Suite struct ExactTextsTests {
    private static let objects = [
        #"{"Amount":"12.70"}"#, #"{"Amount":"12.70","At":"2024-01-01T00:00:00.50Z"}"#,
        #"{"a\"b":"1.0","Größe":"2.50"}"#, "{}",
    ]

    /// What is not read for its name holds no text of it.
    @Test(
        arguments: objects,
        ["Amount", "At", "Amoun", "mount", "a\"b", "Größe", "12.70", "Absent", ""]
    )
    func leavesOutNoObjectThatHoldsTheName(_ object: String, _ name: String) {
        let json = Array(object.utf8)
        let text = ExactTexts(json.span)[name]
        let mayHold = ExactTexts.mayHold(name, in: json.span)
        #expect(text == nil || mayHold)
    }

    @Test(arguments: [("Amount", true), ("At", false), ("70\"}x", false)])
    func readsAnObjectForItsNamesAlone(_ name: String, _ isRead: Bool) {
        let json = Array(#"{"Amount":"12.70"}"#.utf8)
        let mayHold = ExactTexts.mayHold(name, in: json.span)
        #expect(mayHold == isRead)
    }
}
