import ODataProtocol
public import OfflineOData

/// The versions of an entity as JSON.
public enum ConflictJSON {
    /// The versions as whole entities; the members are a promise to scripts.
    ///
    /// - Parameters:
    ///   - conflict: The versions.
    ///   - links: What is changed here of the entity's links.
    public static func versions(_ conflict: OfflineODataConflict, links: [ChangedLink]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        let versions = [
            ("base", conflict.base), ("local", conflict.local), ("server", conflict.server),
        ]
        for (name, version) in versions {
            writer.name(name)
            if let json = version?.json { writer.raw(Array(json.utf8).span) } else { writer.null() }
        }
        writer.name("changedProperties")
        writer.beginArray()
        for path in conflict.changedProperties { writer.string(path) }
        writer.endArray()
        writer.name("streams")
        writer.beginArray()
        for stream in conflict.streams { writer.string(stream) }
        writer.endArray()
        // Without it nothing could be told from an entity of which nothing newer is known.
        writer.member("deletedAtService", value: conflict.isDeletedAtService)
        if !links.isEmpty {
            writer.objects("links", items: links) { writer, link in
                writer.member("property", value: link.property)
                writer.member("mine", value: link.mine)
            }
        }
        writer.endObject()
        return writer.bytes
    }

    /// The differences property by property, as texts; and the local changes as a body to merge.
    ///
    /// - Parameters:
    ///   - conflict: The versions.
    ///   - url: The entity.
    ///   - isUnchanged: Whether there is one version only.
    public static func table(
        _ conflict: OfflineODataConflict,
        of url: String,
        isUnchanged: Bool
    ) -> [UInt8] {
        let differences = isUnchanged ? [] : conflict.differences
        var writer = JSONWriter()
        writer.beginObject()
        let headline =
            isUnchanged ? ConflictText.unchanged(url) : ConflictText.headline(conflict, of: url)
        writer.member("headline", value: headline)
        writer.member(
            "resolvable",
            value: conflict.server != nil || conflict.isDeletedAtService
        )
        writer.objects("properties", items: differences) { writer, property in
            writer.member("path", value: property.path)
            writer.member("base", value: ConflictText.text(property.base))
            writer.member("local", value: ConflictText.text(property.local))
            writer.member("server", value: ConflictText.text(property.server))
            writer.member("changed", value: ConflictText.remark(property))
        }
        writer.name("body")
        write(differences, to: &writer)
        writer.endObject()
        return writer.bytes
    }

    /// Parts of complex properties are left out: they are merged by hand.
    private static func write(
        _ properties: [OfflineODataConflict.Property],
        to writer: inout JSONWriter
    ) {
        writer.beginObject()
        for property in properties where property.isChangedHere && !property.path.contains("/") {
            guard let value = property.local else { continue }
            writer.name(property.path)
            writer.raw(Array(value.json.utf8).span)
        }
        writer.endObject()
    }
}
