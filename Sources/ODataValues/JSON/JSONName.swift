import ODataText

/// The name of a member, ready to be written.
public struct JSONName: Sendable {
    /// A comma, the name in quotation marks, escaped, and the colon.
    package let prepared: [UInt8]
    /// The name itself.
    package let text: String

    /// Prepares a name.
    public init(_ name: String) {
        var bytes = [UInt8(ascii: ",")]
        JSONString.append(Array(name.utf8).span, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        prepared = bytes
        text = name
    }
}
