import ODataPayload
import TestSupport
import Testing

@Suite struct ODataErrorBodyTests {
    private func read(_ text: String) -> ODataErrorBody? { errorBody(Array(text.utf8)) }

    @Test func readsVersion4() throws {
        let error = try #require(
            read(
                """
                {"error":{"code":"err123","message":"Unsupported \\"x\\"","target":"query","details":[
                  {"code":"forty-two","target":"$search","message":"not supported"},{"message":"other"}],
                 "innererror":{"trace":[1]}}}
                """
            )
        )
        #expect(error.code == "err123")
        #expect(error.message == "Unsupported \"x\"")
        #expect(error.target == "query")
        #expect(error.details.map(\.message) == ["not supported", "other"])
        #expect(error.details[0].target == "$search")
        #expect(error.innerError == #"{"trace":[1]}"#)
    }

    @Test(arguments: [
        #"{"error":{"code":"c","message":{"lang":"en","value":"m"}}}"#,
        #"{"odata.error":{"code":"c","message":{"value":"m"}}}"#,
        #"{"@odata.context":"x","error":{"message":"m","code":"c","target":null,"details":null}}"#,
        #"<?xml version="1.0"?><error xmlns="x"><code>c</code><message xml:lang="en">m</message></error>"#,
        "<m:error><m:code>c</m:code><m:message>m</m:message></m:error>",
    ])
    func readsEveryForm(_ text: String) {
        #expect(read(text)?.code == "c")
        #expect(read(text)?.message == "m")
    }

    @Test func readsAnErrorWithANameTwice() {
        let text =
            #"{"error":{"code":"c","message":"m","innererror":{"a":1,"a":2},"x":[{"a":1,"a":2}]}}"#
        #expect(read(text)?.message == "m")
    }

    @Test func readsOtherTexts() {
        #expect(read("Service Unavailable")?.message == "Service Unavailable")
        #expect(
            read("<html><head><title>502 Bad &amp; Gateway</title></head></html>")?.message
                == "502 Bad & Gateway"
        )
    }

    @Test(arguments: [
        "", "   ", "{}", #"{"error":1}"#, "<a>", "{\"error\":{", "<message", "\u{1}\u{2}",
    ])
    func findsNothingToSay(_ text: String) {
        #expect(read(text) == nil)
    }

    @Test func survivesCutsAndChanges() {
        let body = Array(
            #"{"error":{"code":"c","message":"m\u00e4","details":[{"code":"d"}],"innererror":{}}}"#
                .utf8
        )
        // The last brace closes the envelope, when the error is whole already.
        for length in 1..<(body.count - 1) { #expect(errorBody(Array(body[..<length])) == nil) }
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2_000 {
            var changed = body
            changed[Int.random(in: 0..<body.count, using: &generator)] = UInt8.random(
                in: 0...255,
                using: &generator
            )
            _ = errorBody(changed)
        }
    }
}
