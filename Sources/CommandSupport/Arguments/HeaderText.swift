public import ODataProtocol

/// Header fields as a person writes them: `Name: value`, a line each.
public enum HeaderText: Sendable {
    /// The fields of an option that may be repeated, one each.
    ///
    /// - Throws: ``CommandFailure`` (invalid).
    public static func fields(of option: String, in arguments: Arguments) throws(CommandFailure)
        -> HTTPHeaders
    {
        var headers = HTTPHeaders()
        for text in arguments.all(option) {
            try checkIsOneLine(text, option: "--" + option)
            try append(text, to: &headers)
        }
        return headers
    }

    /// Adds the fields of a text; empty lines are passed over.
    ///
    /// - Throws: ``CommandFailure`` (invalid) for a line that is no header field.
    public static func append(_ text: String, to headers: inout HTTPHeaders) throws(CommandFailure)
    {
        for line in text.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
                line[..<colon].utf8.allSatisfy(isNameByte)
            else { throw .usage("a header is written 'Name: value', not '\(line)'") }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw .usage("the header \(line[..<colon]) holds a control character")
            }
            headers.add(String(line[..<colon]), String(value))
        }
    }

    /// Refuses a field with a line break: a file may hold several, a value on the command line is one.
    ///
    /// - Throws: ``CommandFailure`` (invalid).
    public static func checkIsOneLine(_ text: String, option: String = "--header")
        throws(CommandFailure)
    {
        guard text.contains(where: \.isNewline) else { return }
        throw .usage(
            "\(option) takes one header field, not several lines",
            advice: "Repeat \(option) for each field."
        )
    }

    /// The characters of a token (RFC 9110 § 5.6.2).
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
