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
    /// Entities that foreign keys lead to and that are not there; nil where that was not looked at.
    public var absent: Int?
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

    /// That foreign keys lead to entities that are not there; nil where none does.
    public var absentRemark: String? {
        guard let absent, absent > 0 else { return nil }
        let entities = Words.amount(absent, of: "entity", plural: "entities")
        return
            "\(entities) that foreign keys lead to \(absent == 1 ? "is" : "are") neither in a file nor in the store (--complete"
            + " refuses that)"
    }

    /// The counts as a JSON object.
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("sets", value: sets)
        writer.member("entities", value: entities)
        writer.member("links", value: links)
        writer.member("streams", value: streams)
        if let absent { writer.member("absent", value: absent) }
        writer.member("seconds", seconds: time)
        writer.endObject()
        return writer.bytes
    }
}
