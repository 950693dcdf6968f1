import CommandSupport
import TestSupport
import Testing

/// What the shell itself makes of the words.
@Suite struct ShellTextTests {
    @Test(arguments: [
        ("field.store", "field.store"), ("WorkOrders(1001)", "'WorkOrders(1001)'"),
        ("Books('978-010')", #""Books('978-010')""#), ("", "''"),
        ("a b", "'a b'"), ("it's $HOME", #"'it'\''s $HOME'"#), (#"x'"y"#, #"'x'\''"y'"#),
        ("Parts?$filter=Name eq 'a'", #"'Parts?$filter=Name eq '\''a'\'''"#),
    ])
    func quotesOnlyWhatNeedsIt(_ text: String, _ expected: String) throws {
        let quoted = ShellText.quoted(text)
        #expect(quoted == expected)
        let shell = try ChildProcess("/bin/sh", ["-c", "printf '%s\\n' \(quoted)"])
        #expect(shell.readOutput() == text + "\n")
        #expect(shell.waitForEnd() == 0)
    }
}
