import ODataText
import ODataValues
import ODataModel

/// What the elements of a document mean where they stand.
extension AtomConverter {
    mutating func start(_ tag: XMLStartTag) throws(PayloadError) {
        if let base = tag.attribute("base", in: XMLStartTag.xmlNamespace) {
            bases.append((frames.count, resolved(base)))
        }
        let frame: AtomFrame
        switch frames.last {
        case nil: frame = try root(tag)
        case .feed: frame = try feedChild(tag)
        case .entry: frame = entryChild(tag)
        case .navigationLink: frame = linkChild(tag)
        case .inline: frame = inlineChild(tag)
        case .content: frame = isProperties(tag) ? .properties : .skipped
        case .properties: frame = try property(tag)
        case .value: frame = try valueChild(tag)
        case .references: frame = referencesChild(tag)
        case .error: frame = errorChild(tag)
        case .text, .skipped: frame = .skipped
        }
        if case .text = frame { text.removeAll(keepingCapacity: true) }
        frames.append(frame)
    }

    mutating func add(_ bytes: [UInt8]) {
        switch frames.last {
        case .text: text += bytes
        case .value: values[values.count - 1].text += bytes
        default: break
        }
    }

    /// Returns a link held against the `xml:base` around it; as it is where there is none.
    private func resolved(_ link: String) -> String {
        guard let base = bases.last?.url, !base.isEmpty else { return link }
        return URLReference.joined(link, to: base)
    }

    private func namespace(_ tag: XMLStartTag) -> AtomNamespace { AtomNamespace(tag.namespace) }

    private func isProperties(_ tag: XMLStartTag) -> Bool {
        tag.name == "properties" && namespace(tag) == .metadata
    }

    // MARK: The outermost element

    private mutating func root(_ tag: XMLStartTag) throws(PayloadError) -> AtomFrame {
        switch (namespace(tag), tag.name) {
        case (.atom, "feed"):
            write("{\"d\":")
            return beginFeed()
        case (.atom, "entry"):
            write("{\"d\":")
            return beginEntry(tag)
        case (.metadata, "error"):
            write("{")
            return .error
        case (.data, "links"):
            write("{\"d\":")
            _ = beginFeed()
            return .references
        case (.data, "uri"):
            write("{\"d\":")
            return .text(.reference)
        case (.data, _):
            write("{\"d\":{")
            return try value(tag)
        default:
            let namespace = tag.namespace.isEmpty ? "no namespace" : tag.namespace
            throw fault(
                .unexpectedContent,
                "expected a feed or an entry of \(AtomNamespace.atomName) or a property of"
                    + " \(AtomNamespace.dataName), found the element \(tag.name) of \(namespace)"
            )
        }
    }

    // MARK: Feeds

    mutating func beginFeed() -> AtomFrame {
        feeds.append(AtomFeed())
        write("{\"results\":[")
        return .feed
    }

    private mutating func feedChild(_ tag: XMLStartTag) throws(PayloadError) -> AtomFrame {
        switch (namespace(tag), tag.name) {
        case (.atom, "entry"):
            beginItem()
            return beginEntry(tag)
        case (.atom, "link"):
            let target = tag.attribute("href").map(resolved)
            switch tag.attribute("rel").map(AtomNamespace.relation) {
            case "next": feeds[feeds.count - 1].nextLink = target
            case "delta": feeds[feeds.count - 1].deltaLink = target
            default: break
            }
            return .skipped
        case (.metadata, "count"): return .text(.count)
        case (.metadata, "error"):
            // The service has failed while it wrote; most leave the document without an end.
            feeds[feeds.count - 1].isBroken = true
            write("],")
            return .error
        case (.tombstones, "deleted-entry"):
            try tombstone(tag)
            return .skipped
        default: return .skipped
        }
    }

    private mutating func tombstone(_ tag: XMLStartTag) throws(PayloadError) {
        guard let id = tag.attribute("ref") else {
            throw fault(.unexpectedContent, "a deleted entry without ref")
        }
        beginItem()
        write("{\"@odata.context\":\"#/$deletedEntity\",\"id\":")
        write(string: resolved(id))
        write("}")
    }

    mutating func beginItem() {
        if feeds[feeds.count - 1].itemCount > 0 { write(",") }
        feeds[feeds.count - 1].itemCount += 1
        breakLines()
    }

    // MARK: Entries

    private mutating func beginEntry(_ tag: XMLStartTag) -> AtomFrame {
        var entry = AtomEntry()
        entry.etag = tag.attribute("etag", in: AtomNamespace.metadataName)
        entries.append(entry)
        return .entry
    }

    private mutating func entryChild(_ tag: XMLStartTag) -> AtomFrame {
        switch (namespace(tag), tag.name) {
        case (.atom, "id"): return .text(.id)
        case (.atom, "link"): return link(tag)
        case (.atom, "category"):
            if tag.attribute("scheme") == AtomNamespace.typeScheme {
                entries[entries.count - 1].type = tag.attribute("term")
            }
            return .skipped
        case (.atom, "content"):
            guard let source = tag.attribute("src") else { return .content }
            entries[entries.count - 1].mediaSource = resolved(source)
            entries[entries.count - 1].mediaType = tag.attribute("type")
            return .skipped
        default: return isProperties(tag) ? .properties : .skipped
        }
    }

    private mutating func link(_ tag: XMLStartTag) -> AtomFrame {
        guard let relation = tag.attribute("rel").map(AtomNamespace.relation),
            let href = tag.attribute("href")
        else {
            return .skipped
        }
        let target = resolved(href)
        let last = entries.count - 1
        switch relation {
        case "edit": entries[last].editLink = target
        case "self": entries[last].selfLink = target
        case "edit-media":
            entries[last].mediaEditLink = target
            entries[last].mediaETag = tag.attribute("etag", in: AtomNamespace.metadataName)
        default:
            guard relation.hasPrefix(AtomNamespace.relatedPrefix) else { return .skipped }
            let isFeed = tag.attribute("type")?.lowercased().filter { $0 != " " }
                .contains("type=feed")
            links.append(
                AtomLink(
                    name: String(relation.dropFirst(AtomNamespace.relatedPrefix.count)),
                    target: target,
                    isFeed: isFeed ?? false
                )
            )
            return .navigationLink
        }
        return .skipped
    }

    private mutating func linkChild(_ tag: XMLStartTag) -> AtomFrame {
        guard namespace(tag) == .metadata, tag.name == "inline" else { return .skipped }
        beginMember(links[links.count - 1].name)
        links[links.count - 1].isExpanded = true
        return .inline
    }

    private mutating func inlineChild(_ tag: XMLStartTag) -> AtomFrame {
        guard namespace(tag) == .atom, tag.name == "feed" || tag.name == "entry",
            !links[links.count - 1].hasContent
        else { return .skipped }
        links[links.count - 1].hasContent = true
        return tag.name == "feed" ? beginFeed() : beginEntry(tag)
    }

    // MARK: Links and errors by themselves

    private mutating func referencesChild(_ tag: XMLStartTag) -> AtomFrame {
        switch (namespace(tag), tag.name) {
        case (.data, "uri"):
            beginItem()
            return .text(.reference)
        case (.data, "next"): return .text(.nextReferences)
        case (.metadata, "count"): return .text(.count)
        default: return .skipped
        }
    }

    private mutating func errorChild(_ tag: XMLStartTag) -> AtomFrame {
        guard namespace(tag) == .metadata else { return .skipped }
        switch tag.name {
        case "code": return .text(.errorCode)
        case "message": return .text(.errorMessage)
        default: return .skipped
        }
    }
}
