import Testing

@testable import ODataText

/// Parts of URLs (RFC 3986 § 3).
@Suite struct URLReferenceTests {
    @Test(arguments: [
        ("http://a.test/x", "http://a.test"), ("HTTP://A.test:80?x", "http://a.test"),
        ("https://a.test:444", "https://a.test:444"), ("Orders(1)", ""), ("//a.test/x", ""),
        ("Orders(1)/Tags/$ref?$id=http://a.test/Tags(2)", ""), ("$1?to=http://a.test", ""),
    ])
    func namesTheOrigin(_ url: String, _ origin: String) {
        #expect(URLReference.origin(of: url) == origin)
    }
}
