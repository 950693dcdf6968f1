import CommandSupport
import ODataProtocol
import OfflineOData

/// Events for people and for scripts.
enum EventListing {
    /// The members are a promise to scripts.
    static func json(_ events: [OfflineODataEvent]) -> [UInt8] {
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

    static func table(_ events: [OfflineODataEvent]) -> TextTable {
        var table = TextTable([("time", .left), ("event", .left), ("details", .left)])
        for event in events {
            table.add([time(event.time), event.type, event.details ?? ""])
        }
        return table
    }

    /// RFC 3339 in UTC, without fractions of a second.
    static func time(_ text: String) -> String {
        guard let dot = text.firstIndex(of: "."), text.hasSuffix("Z") else { return text }
        return text[..<dot] + "Z"
    }
}
