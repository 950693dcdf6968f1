import CommandSupport
import Testing

@Suite struct IndentedJSONTests {
    @Test(arguments: [
        ("{}", "{}"), ("[]", "[]"), ("1", "1"), (#""a{,\\""#, #""a{,\\""#),
        (#"{"a":[],"b":{}}"#, "{\n  \"a\": [],\n  \"b\": {}\n}"),
        (#"[1, {"x":"[:]" }]"#, "[\n  1,\n  {\n    \"x\": \"[:]\"\n  }\n]"), ("", ""), ("\"", "\""),
    ])
    func putsEachMemberOnALine(_ json: String, _ text: String) {
        #expect(String(decoding: IndentedJSON.text(of: Array(json.utf8)), as: UTF8.self) == text)
    }
}
