import ODataText
import Testing

/// The search for a text of ASCII in any text.
@Suite struct ASCIISearchTests {
    @Test(arguments: [
        ("", "a", nil), ("abc", "abc", 0), ("abc", "abcd", nil), ("aab", "ab", 1),
        ("ababac", "abac", 2), ("ßß($local='", "($local='", 4), ("((($local", "($local", 2),
        ("x", "", 0), ("e\u{301}=1", "=1", 3),
    ])
    func findsTheFirstPlace(_ text: String, _ pattern: String, _ place: Int?) {
        let range = text[...].firstRange(ofASCII: pattern)

        #expect(range.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } == place)
        #expect(range.map { String(text[$0]) } == place.map { _ in pattern })
    }

    @Test func findsPlacesOfASubstring() {
        let text = "a=1&a=2"[...]

        let range = text.dropFirst().firstRange(ofASCII: "a=")

        #expect(range.map { String(text[$0.lowerBound...]) } == "a=2")
    }
}
