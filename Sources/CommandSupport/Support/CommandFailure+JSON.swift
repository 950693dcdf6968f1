import ODataProtocol

extension CommandFailure {
    /// What `--json` answers in the place of a result: `{"error":{"exitStatus","message","details","advice"}}`.
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("error")
        writer.beginObject()
        writer.member("exitStatus", value: Int(status.rawValue))
        writer.member("message", value: message)
        if !details.isEmpty { writer.member("details", values: details) }
        if !advice.isEmpty { writer.member("advice", value: advice) }
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }
}
