import CommandSupport
import ODataProtocol

/// What an export or an import has moved; the members of its JSON are a promise to scripts.
struct DataCounts {
    var sets = 0
    var entities = 0
    var links = 0
    var streams = 0
    var time: Duration = .zero

    /// Links and streams in words, behind the entities where they are to be said, and the time.
    func remark(sayingEntities: Bool = false) -> String {
        let parts = [
            sayingEntities ? Words.amount(entities, of: "entity", plural: "entities") : nil,
            links > 0 ? Words.amount(links, of: "link") : nil,
            streams > 0 ? Words.amount(streams, of: "stream") : nil,
        ].compactMap { $0 }
        let besides = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
        return "\(besides), \(Words.time(time))"
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("sets", value: sets)
        writer.member("entities", value: entities)
        writer.member("links", value: links)
        writer.member("streams", value: streams)
        writer.member("seconds", seconds: time)
        writer.endObject()
        return writer.bytes
    }
}
