import CommandSupport
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
            links > 0 ? Words.amount(links, of: "link") : nil,
            streams > 0 ? Words.amount(streams, of: "stream") : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("sets", value: sets)
        writer.member("entities", value: entities)
        writer.member("links", value: links)
        writer.member("streams", value: streams)
        writer.endObject()
        return writer.bytes
    }
}
