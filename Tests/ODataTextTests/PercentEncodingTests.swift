import ODataText
import Testing

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("a%20b", "a b"), ("%C3%a9", "é"), ("100%", "100%"), ("%4", "%4"), ("%zz", "%zz"),
        ("%+1", "%+1"), ("%-1", "%-1"), ("%2541", "%41"), ("plain", "plain"), ("", ""),
    ])
    func decodesWhatIsEncodedAlone(text: String, plain: String) {
        #expect(PercentEncoding.decoded(text) == plain)
    }

    /// Half of a character would become another one.
    @Test(arguments: ["%C3", "%FF%20", "a%ED%A0%80"])
    func leavesATextThatIsNoUTF8(text: String) {
        #expect(PercentEncoding.decoded(text) == text)
    }

    @Test(arguments: [
        ("a b", "a%20b"), ("a%20b", "a%20b"), ("é", "%C3%A9"), ("{x}#", "%7Bx%7D%23"),
        ("Items('a')?$filter=A%20eq%201", "Items('a')?$filter=A%20eq%201"),
    ])
    func completesWhatNoURLMayHold(text: String, url: String) {
        #expect(PercentEncoding.completed(text) == url)
    }

    @Test func encodesNamesButForWhatIsKept() {
        #expect(PercentEncoding.encoded("a/b c~1") == "a%2Fb%20c~1")
        #expect(PercentEncoding.encoded("a/b:c", keeping: "/:") == "a/b:c")
    }
}
