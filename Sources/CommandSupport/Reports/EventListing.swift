import ODataProtocol
public import OfflineOData

/// Events for people and for scripts.
public enum EventListing {
    /// The events as a JSON array; the members are a promise to scripts.
    public static func json(_ events: [OfflineODataEvent]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        for event in events {
            writer.beginObject()
            writer.member("ID", value: Int(event.id))
            writer.member("Type", value: event.type)
            writer.optional("Details", value: event.details)
            writer.member("Time", value: event.time)
            writer.endObject()
        }
        writer.endArray()
        return writer.bytes
    }

    /// The events, a line each.
    public static func table(_ events: [OfflineODataEvent]) -> TextTable {
        var table = TextTable([("time", .left), ("event", .left), ("details", .left)])
        for event in events {
            table.add([time(event.time), event.type, event.details ?? ""])
        }
        return table
    }

    /// RFC 3339 in UTC, without fractions of a second.
    public static func time(_ text: String) -> String {
        guard let dot = text.firstIndex(of: "."), text.hasSuffix("Z") else { return text }
        return text[..<dot] + "Z"
    }
}
