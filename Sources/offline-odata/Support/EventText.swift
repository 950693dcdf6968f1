import OfflineOData

/// Events for people.
enum EventText {
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
