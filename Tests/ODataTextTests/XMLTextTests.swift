import ODataText
import Testing

/// Texts as they stand in XML documents.
@Suite struct XMLTextTests {
    @Test(arguments: [
        ("plain ü", "plain ü"), ("a & b < c > d \" e", "a &amp; b &lt; c &gt; d &quot; e"),
        ("a\tb\r\nc", "a&#9;b&#13;&#10;c"), ("", ""),
    ])
    func writesWhatReadersReadAsItWas(_ text: String, _ expected: String) {
        #expect(XMLText.escaped(text) == expected)
        #expect(XMLText.escaped(text, replacesControls: true) == expected)
    }

    /// XML 1.0 has no such characters: in data the reader refuses them, rather than that other data comes.
    @Test func replacesControlCharactersOnlyWhereThatIsAskedFor() {
        #expect(XMLText.escaped("a\u{1}b") == "a&#1;b")
        #expect(XMLText.escaped("a\u{1}b", replacesControls: true) == "a\u{FFFD}b")
    }
}
