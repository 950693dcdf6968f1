import ODataHTTP
import Testing

@Suite struct PreferHeaderTests {
    @Test(arguments: ["", "odata."]) func findsPreferencesWithAndWithoutPrefix(prefix: String) {
        let prefer = PreferHeader(
            "\(prefix)maxpagesize=50, \(prefix)track-changes,\(prefix)continue-on-error=false,"
                + "\(prefix)allow-entityreferences, \(prefix)include-annotations=\"*,-x.y\""
        )
        #expect(prefer.maximumPageSize == 50)
        #expect(prefer.tracksChanges)
        #expect(prefer.continuesOnError == false)
        #expect(prefer.allowsEntityReferences)
        #expect(prefer.includedAnnotations == "*,-x.y")
    }

    @Test(arguments: [
        ("return=representation", PreferHeader.Return.representation),
        ("Return = \"minimal\"", .minimal),
        ("return=all", nil), ("", nil),
    ])
    func readsWhatShallComeBack(text: String, returns: PreferHeader.Return?) {
        #expect(PreferHeader(text).returns == returns)
    }

    @Test(arguments: [
        ("continue-on-error", true), ("odata.continue-on-error=TRUE", true), ("wait=1", nil),
    ])
    func readsWhetherToGoOn(text: String, goesOn: Bool?) {
        #expect(PreferHeader(text).continuesOnError == goesOn)
    }

    @Test(arguments: [
        "maxpagesize=0", "maxpagesize=-1", "maxpagesize=x", "maxpagesize",
        "maxpagesize=99999999999999999999",
    ])
    func ignoresSizesThatAreNone(text: String) {
        #expect(PreferHeader(text).maximumPageSize == nil)
    }

    /// RFC 7240 § 2: the first of a name counts.
    @Test func theFirstCounts() {
        #expect(PreferHeader("maxpagesize=1, odata.maxpagesize=2").maximumPageSize == 1)
    }

    @Test func joinsFields() {
        let prefer = PreferHeader([
            "Prefer": "respond-async", "prefer": "wait=10", "omit-values": "x",
        ])
        #expect(prefer.respondsAsynchronously)
        #expect(prefer.waitSeconds == 10)
        #expect(prefer.omittedValues == nil)
    }

    @Test func readsParameters() {
        let prefer = PreferHeader("callback; url=\"http://localhost/?a=b,c\";x, wait=1")
        #expect(prefer["callback"]?.parameters.map(\.value) == ["http://localhost/?a=b,c", ""])
        #expect(prefer.waitSeconds == 1)
    }

    @Test func passesOverWhatItCannotRead() {
        #expect(PreferHeader("=x, \"y\", ;,return=minimal").returns == .minimal)
    }

    @Test func writesWhatItRead() {
        let text = "return=minimal, odata.include-annotations=\"*\\\",a\", track-changes;a=b"
        #expect(PreferHeader(text).description == text)
    }
}
