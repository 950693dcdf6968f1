import ODataPayload
import ODataValues

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

/// Returns the members of a checked JSON object, each with its name, as they are written.
func jsonMembers(_ object: [UInt8]) -> [ArraySlice<UInt8>] {
    var members: [ArraySlice<UInt8>] = []
    ByteCursor.with(object.span) { cursor in
        cursor.allowsDuplicateNames = true
        // The store wrote it: what a damaged file has instead ends the list.
        try? cursor.forEachMember { cursor, name throws(PayloadFault) in
            let value = try cursor.place(depth: 1, limit: ByteCursor.storedDepth)
            members.append(object[(name.start - 1)..<value.upperBound])
        }
    }
    return members
}
