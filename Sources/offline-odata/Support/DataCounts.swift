import ODataProtocol

/// What an export or an import has moved; the members of its JSON are a promise to scripts.
struct DataCounts {
    var sets = 0
    var entities = 0
    var links = 0
    var streams = 0

    /// Links and streams in words; empty where there are none.
    var remark: String {
        let parts = [
            links > 0 ? Words.amount(links, "link") : nil,
            streams > 0 ? Words.amount(streams, "stream") : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("sets", sets)
        writer.member("entities", entities)
        writer.member("links", links)
        writer.member("streams", streams)
        writer.endObject()
        return writer.bytes
    }
}
