public import ODataHTTP
public import Testing

/// A case prints its status and the beginning of its text, not its bytes.
extension HTTPResponse: CustomTestStringConvertible {
    /// What a case prints.
    public var testDescription: String {
        let fields = headers.fields.map { "\($0.name): \($0.value)" }
        let text = String(decoding: body.prefix(200), as: UTF8.self)
        return ([String(status)] + fields + [text]).joined(separator: " ")
    }
}
