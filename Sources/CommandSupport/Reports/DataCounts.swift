import ODataProtocol

/// What an export or an import has moved; the members of its JSON are a promise to scripts.
public struct DataCounts: Sendable {
    /// Entity sets and singletons, each of which has a file.
    public var sets = 0
    /// Entities, those that others contain included.
    public var entities = 0
    /// References from one entity to another.
    public var links = 0
    /// Streams of media entities and stream properties.
    public var streams = 0
    /// How long it took.
    public var time: Duration = .zero

    /// Nothing was moved yet.
    public init() {}

    /// Links and streams in words, behind the entities where they are to be said, and the time.
    public func remark(sayingEntities: Bool = false) -> String {
        let parts = [
            sayingEntities ? Words.amount(entities, of: "entity", plural: "entities") : nil,
            links > 0 ? Words.amount(links, of: "link") : nil,
            streams > 0 ? Words.amount(streams, of: "stream") : nil,
        ].compactMap { $0 }
        let besides = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
        return "\(besides), \(Words.time(time))"
    }

    /// The counts as a JSON object.
    public var json: [UInt8] {
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
