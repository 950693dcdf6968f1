import Testing

@testable import ODataClient

/// What a recording holds of a text with credentials in it.
@Suite struct CredentialTextTests {
    @Test(arguments: [
        ("http://h/s?apikey=A1&$top=2", "http://h/s?apikey=&$top=2"),
        ("/s?$top=2&access_token=a.b-c%3D&x=1", "/s?$top=2&access_token=&x=1"),
        (#"{"l":"s?token=1\u0026$skiptoken=1"}"#, #"{"l":"s?token=\u0026$skiptoken=1"}"#),
        ("<a href='s?a=1&amp;sig=XY%2F'/>", "<a href='s?a=1&amp;sig='/>"),
        ("s?token=1&$skiptoken=1&$deltatoken=1", "s?token=&$skiptoken=1&$deltatoken=1"),
        ("s?sig=abcdef, s?sig=abcdef2", "s?sig=, s?sig="),
        ("https://me:pw@h/s", "https://h/s"), ("https://h/a@b", "https://h/a@b"),
        ("mail me@x?y=1", "mail me@x?y=1"), ("token=1", "token=1"), ("s?tokens=1", "s?tokens=1"),
        ("s?sig", "s?sig"), ("s?sig=", "s?sig="), ("?", "?"), ("://", "://"),
    ])
    func takesOutWhatURLsHold(_ text: String, _ plain: String) {
        #expect(CredentialText.removed(from: text) == plain)
    }

    /// Values that are known from the request; short ones are words of any text.
    @Test(arguments: [
        ("bad apikey SECRET1", "bad apikey "), ("SECRET12", "SECRET12"), ("xSECRET1", "xSECRET1"),
        ("\"SECRET1\"", "\"\""), ("a/b c", "a/b c"), ("long/one!", "!"), ("long%2Fone!", "!"),
    ])
    func takesOutWhatIsKnown(_ text: String, _ plain: String) {
        let secrets = ["SECRET1", "a", "long%2Fone"]
        #expect(CredentialText.removed(from: text, secrets: secrets) == plain)
    }
}
