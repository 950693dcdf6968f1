/// The name of a member, ready to be written.
public struct JSONName: Sendable {
    /// The name in quotation marks, escaped, with the colon.
    let bytes: [UInt8]

    /// Prepares a name.
    public init(_ name: String) {
        var bytes: [UInt8] = []
        JSONString.append(Array(name.utf8).span, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        self.bytes = bytes
    }
}
