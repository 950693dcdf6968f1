import ODataText
import ODataValues

/// Control information that the reader understands (OData JSON 4.01 § 4.6), and its kin of versions 1 to 3.
enum ControlName {
    case context
    case type
    case entity(EntityControl)
    case removed
    case nextLink
    case deltaLink
    case count
    case metadataETag
    case bind
    case delta
    case error
    /// Anything else, which is skipped.
    case other

    /// The meaning of a name after the `@`, with or without `odata.` (optional since 4.01).
    init(_ name: Span<UInt8>) {
        let start = name.starts(with: "odata.") ? 6 : 0
        self = Self.find(name.extracting(start..<name.count))
    }

    /// Whether it changes what an entity is related to.
    var changesRelation: Bool {
        switch self {
        case .bind, .delta: true
        default: false
        }
    }

    private static func find(_ name: Span<UInt8>) -> ControlName {
        switch name.count {
        case 2: return name.isEqual(to: "id") ? .entity(.id) : .other
        case 4:
            if name.isEqual(to: "type") { return .type }
            if name.isEqual(to: "etag") { return .entity(.etag) }
            return name.isEqual(to: "bind") ? .bind : .other
        case 5:
            if name.isEqual(to: "count") { return .count }
            if name.isEqual(to: "error") { return .error }
            return name.isEqual(to: "delta") ? .delta : .other
        case 7:
            if name.isEqual(to: "context") { return .context }
            return name.isEqual(to: "removed") ? .removed : .other
        // The context of version 3.
        case 8 where name.isEqual(to: "metadata"): return .context
        default: return findLong(name)
        }
    }

    private static func findLong(_ name: Span<UInt8>) -> ControlName {
        if name.isEqual(to: "nextLink") { return .nextLink }
        if name.isEqual(to: "deltaLink") { return .deltaLink }
        if name.isEqual(to: "metadataEtag") { return .metadataETag }
        if name.isEqual(to: "editLink") { return .entity(.editLink) }
        if name.isEqual(to: "readLink") { return .entity(.readLink) }
        if name.isEqual(to: "mediaReadLink") { return .entity(.mediaReadLink) }
        if name.isEqual(to: "mediaEditLink") { return .entity(.mediaEditLink) }
        if name.isEqual(to: "mediaContentType") { return .entity(.mediaContentType) }
        if name.isEqual(to: "mediaEtag") || name.isEqual(to: "mediaETag") {
            return .entity(.mediaETag)
        }
        return .other
    }

    /// The meaning of a member of `__metadata` (JSON Verbose § 6.2); `uri` is the entity-id where there is no `id`.
    init(metadata name: Span<UInt8>) {
        if name.isEqual(to: "type") {
            self = .type
        } else if name.isEqual(to: "id") {
            self = .entity(.id)
        } else if name.isEqual(to: "uri") {
            self = .entity(.editLink)
        } else if name.isEqual(to: "etag") {
            self = .entity(.etag)
        } else if name.isEqual(to: "media_src") {
            self = .entity(.mediaReadLink)
        } else if name.isEqual(to: "edit_media") {
            self = .entity(.mediaEditLink)
        } else if name.isEqual(to: "content_type") {
            self = .entity(.mediaContentType)
        } else if name.isEqual(to: "media_etag") {
            self = .entity(.mediaETag)
        } else {
            self = .other
        }
    }
}

/// What a context URL says of the object it stands in (OData 4.01 Part 1 § 10).
enum ContextKind {
    case entity
    case delta
    case deletedEntity
    case link
    case deletedLink
    case other

    /// Reads the last segment of a context URL.
    init(_ url: Span<UInt8>) {
        if url.ends(with: "/$entity") {
            self = .entity
        } else if url.ends(with: "/$delta") {
            self = .delta
        } else if url.ends(with: "/$deletedEntity") {
            self = .deletedEntity
        } else if url.ends(with: "/$link") {
            self = .link
        } else if url.ends(with: "/$deletedLink") {
            self = .deletedLink
        } else {
            self = .other
        }
    }

    /// Returns the places of the entity set's name in a context URL: after the `#`, up to the next `/` or `(`.
    static func setName(_ url: Span<UInt8>) -> Range<Int>? {
        var start = url.count
        while start > 0, url[start - 1] != UInt8(ascii: "#") { start -= 1 }
        guard start > 0 else { return nil }
        var end = start
        while end < url.count, url[end] != UInt8(ascii: "/"), url[end] != UInt8(ascii: "(") {
            end += 1
        }
        return start..<end
    }

    /// Returns the places of the name of the derived type in the context URL of one entity: `#Set/Namespace.Type/$entity`, perhaps with
    /// selected properties in parentheses behind the name.
    static func castName(_ url: Span<UInt8>) -> Range<Int>? {
        guard url.ends(with: "/$entity") else { return nil }
        var end = url.count - 8
        if end > 0, url[end - 1] == UInt8(ascii: ")") {
            while end > 0, url[end] != UInt8(ascii: "(") { end -= 1 }
        }
        var start = end
        var isQualified = false
        while start > 0, url[start - 1] != UInt8(ascii: "/"), url[start - 1] != UInt8(ascii: "#") {
            start -= 1
            if url[start] == UInt8(ascii: ".") { isQualified = true }
        }
        guard isQualified, start > 0, url[start - 1] == UInt8(ascii: "/") else { return nil }
        return start..<end
    }

    /// Whether a context URL names a set as a whole: `#Set`, perhaps with a type, selected properties in parentheses or `/$delta` behind
    /// it, and not a collection below an entity (`#Set(key)/Navigation`).
    static func namesSet(_ url: Span<UInt8>) -> Bool {
        guard let set = setName(url), !set.isEmpty else { return false }
        var index = set.upperBound
        while index + 2 < url.count {
            if url[index] == UInt8(ascii: ")"), url[index + 1] == UInt8(ascii: "/"),
                url[index + 2] != UInt8(ascii: "$")
            {
                return false
            }
            index += 1
        }
        return true
    }
}

extension Span<UInt8> {
    /// Whether the bytes end with a literal.
    func ends(with literal: StaticString) -> Bool {
        starts(with: literal, at: count - literal.utf8CodeUnitCount)
    }
}
