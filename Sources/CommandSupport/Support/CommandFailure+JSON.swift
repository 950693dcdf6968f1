public import ODataProtocol

extension CommandFailure {
    /// What `--json` answers in the place of a result: `{"error":{"exitStatus","message","details","advice"}}`.
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        write(to: &writer)
        writer.endObject()
        return writer.bytes
    }

    /// Writes the member `error`, also beside the counts of work that has come to a part of its end.
    public func write(to writer: inout JSONWriter) {
        writer.name("error")
        writer.beginObject()
        writer.member("exitStatus", value: Int(status.rawValue))
        writer.member("message", value: message)
        if !details.isEmpty { writer.member("details", values: details) }
        if !advice.isEmpty { writer.member("advice", value: advice) }
        writer.endObject()
    }
}
