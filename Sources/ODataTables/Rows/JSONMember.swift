import ODataProtocol

/// The value of a member of a small JSON object.
enum JSONMember {
    /// A string; nil is null.
    case text(String?)
    /// JSON text as it is.
    case raw(String)
}

/// Returns the JSON text of an object as a scalar; null for an object without members.
func jsonObject(_ members: [(String, JSONMember)]) -> Scalar {
    guard !members.isEmpty else { return .null }
    var writer = JSONWriter(capacity: 64)
    writer.beginObject()
    for (name, value) in members {
        writer.name(name)
        switch value {
        case .text(let text?): writer.string(text)
        case .text(nil): writer.null()
        case .raw(let json): writer.raw(Array(json.utf8).span)
        }
    }
    writer.endObject()
    return .text(String(decoding: writer.bytes, as: UTF8.self))
}
