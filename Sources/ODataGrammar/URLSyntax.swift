import ODataText
import ODataValues
public import ODataModel
public import ODataURL

/// Checks texts against the rules of the OData ABNF, without any model.
public enum URLSyntax {
    /// The rule of a URL relative to the service root.
    public static let defaultRule = "odataRelativeUri"

    /// Steps that the check may take for each byte of the text; people's texts need some tens.
    private static let stepsPerByte = 2_000
    /// Steps that the check may take at all: each may keep some thirty bytes of memory.
    private static let maximumSteps = 8_000_000

    /// The names of all rules, in the order of the grammar.
    public static var ruleNames: [String] { Grammar.odata.rules.map(\.name) }

    /// Returns whether the grammar has a rule of this name; names are compared without case (RFC 5234 § 2.1).
    public static func hasRule(_ name: String) -> Bool {
        Grammar.odata.number(of: name) != nil
    }

    /// Checks whether a text is of a rule; for versions before 4.01 a relative URL must also be one of that version.
    ///
    /// - Throws: ``ODataURLError`` with the byte offset at which the text leaves the grammar.
    public static func check(
        _ text: String,
        rule: String = defaultRule,
        version: ODataVersion = .v401,
        limits: URLLimits = URLLimits()
    ) throws(ODataURLError) {
        guard let number = Grammar.odata.number(of: rule) else {
            throw ODataURLError(
                .unknownName,
                at: 0,
                "the grammar has no rule \(rule)",
                suggestion: NearestName.of(rule, among: ruleNames)
            )
        }
        if version < .v401, number == Grammar.odata.number(of: defaultRule) {
            _ = try WrittenRequest(parsing: text, version: version, limits: limits)
            // The ABNF is that of version 4; older URLs are checked by the parser alone.
            if !version.isV4 { return }
        }
        try check(Array(text.utf8), rule: number, limits: limits)
    }

    private static func check(_ text: [UInt8], rule: Int, limits: URLLimits)
        throws(ODataURLError)
    {
        guard text.count <= limits.maximumLength else {
            let message = "the text is longer than \(limits.maximumLength) bytes"
            throw ODataURLError(.limit, at: limits.maximumLength, message)
        }
        let normalized = NormalizedText(text)
        var recognizer = GrammarRecognizer(
            .odata,
            bytes: normalized.bytes,
            steps: min((normalized.bytes.count + 16) * stepsPerByte, maximumSteps)
        )
        let verdict = recognizer.run(rule)
        guard verdict != .accepted else { return }
        let place = normalized.origin(of: recognizer.furthest)
        guard verdict == .refused else {
            throw ODataURLError(.limit, at: place, "the text has too many readings to be checked")
        }
        throw ODataURLError(
            .syntax,
            at: place,
            message(text, at: place),
            found: String(decoding: text[place...].prefix(20), as: UTF8.self),
            expected: recognizer.expected
        )
    }

    private static func message(_ text: [UInt8], at place: Int) -> String {
        guard place < text.count else { return "the text ends too early" }
        let byte = text[place]
        if byte == Byte.plus { return ODataURLError.plusIsNoSpace }
        let isPlain = (0x21...0x7E).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
        return isPlain ? "unexpected text" : "this character must be percent-encoded here"
    }
}
