/// What of an entity is shown.
struct LegalView {
    var selected: [String]?
    var expanded: [String]
    var isCollection: Bool
    var isNested = false
    var isDelta = false

    init(_ target: LegalTarget, isCollection: Bool) {
        selected = target.selected
        expanded = target.expanded
        self.isCollection = isCollection
    }

    init(nestedIn view: LegalView) {
        expanded = []
        isCollection = view.isCollection
        isDelta = view.isDelta
        isNested = true
    }
}

/// Entities in JSON.
extension LegalService {
    mutating func json(
        _ entity: LegalWorld.Entity,
        _ view: LegalView,
        context: String?
    ) -> LegalValue {
        var body = LegalValue.object([])
        body.add(
            "@odata.context",
            .some(context.map { .string($0) } ?? .null).flatMap {
                $0 == .null ? nil : $0
            }
        )
        addControl(&body, entity, view)
        let schema = LegalSchema.sets[entity.set]
        let names = [schema?.key ?? "ID"] + (schema?.properties ?? [])
        for name in names {
            if let selected = view.selected, !selected.contains(name), name != schema?.key {
                continue
            }
            body.add(name, shown(entity, name))
        }
        for name in schema?.streams ?? [] { addStream(&body, entity, name) }
        if has(.membersUnknown) {
            body.add("Vendor_Extra@odata.type", .string("#Edm.String"))
            body.add("@Vendor.Odd", .object([.init(name: "x", value: .list([.null]))]))
        }
        for property in view.expanded { addNested(&body, entity, property, view) }
        return body
    }

    /// Adds related entities; with a link to the rest where they come in pieces (OData JSON 4.01 § 8.3).
    private mutating func addNested(
        _ body: inout LegalValue,
        _ entity: LegalWorld.Entity,
        _ property: String,
        _ view: LegalView
    ) {
        let all = nested(entity, property, view)
        guard let items = all?.items, items.count > 1, !view.isDelta, view.isCollection,
            has(.nestedPages), let set = LegalSchema.target(entity.set, property)
        else { return body.add(property, all) }
        body.add(property, .list([items[0]]))
        var rest = LegalPage(target: LegalTarget(set), entities: [])
        rest.entities = world.related(entity.uid, property)
        if has(.nestedReordered) { rest.entities.reverse() }
        rest.entities.removeFirst()
        rest.isNested = true
        lastPage += 1
        promised[lastPage] = rest
        let name = has(.controlInShortForm) ? "@nextLink" : "@odata.nextLink"
        body.add(property + name, .string(link("$page(\(lastPage))")))
    }

    private mutating func shown(_ entity: LegalWorld.Entity, _ name: String) -> LegalValue {
        let value = entity.values[name] ?? (name == "Nicks" ? .list([]) : .null)
        if has(.guidsInCapitals), name == "ID", entity.set == "Orders" {
            return .text(value.string?.uppercased())
        }
        return value
    }

    private mutating func addControl(
        _ body: inout LegalValue,
        _ entity: LegalWorld.Entity,
        _ view: LegalView
    ) {
        let tag = etag(entity)
        let isHidden =
            view.isNested && has(.etagsNotNested)
            || view.selected != nil && has(.etagsNotSelected)
            || view.isCollection && has(.etagsNotInCollections) || has(.etagsInHeaderOnly)
        if !isHidden {
            body.add(
                has(.controlInShortForm) ? "@etag" : "@odata.etag",
                tag.map { .string($0) }
            )
        }
        if has(.idsNoAddresses) {
            body.add("@odata.id", .string("\(Self.name)\(entity.uid)"))
            body.add("@odata.editLink", .string(url(of: entity)))
        } else if has(.idsAlways) || has(.keysNamedInIDs) || has(.idsEncoded) {
            body.add("@odata.id", .string(Self.root + url(of: entity)))
        }
        if has(.typesAlways) { body.add("@odata.type", .string(Self.type(entity.set))) }
    }

    static func type(_ set: String) -> String {
        "#L." + (set == "Me" ? "Self" : String(set.dropLast()))
    }

    private mutating func addStream(
        _ body: inout LegalValue,
        _ entity: LegalWorld.Entity,
        _ name: String
    ) {
        guard let stream = entity.streams[name] else { return }
        if !has(.mediaETagsMissing) {
            body.add(name + "@odata.mediaEtag", .string(mediaETag(stream)))
        }
        body.add(name + "@odata.mediaContentType", .string(stream.type))
        if has(.mediaLinksGiven) {
            let path = url(of: entity) + "/" + (name.isEmpty ? "$value" : name)
            body.add(name + "@odata.mediaReadLink", .string(path))
        }
    }

    mutating func mediaETag(_ stream: LegalWorld.Stream) -> String {
        has(.mediaETagsWeak) ? "W/\"s\(stream.version)\"" : "\"s\(stream.version)\""
    }

    private mutating func nested(
        _ entity: LegalWorld.Entity,
        _ property: String,
        _ view: LegalView
    ) -> LegalValue? {
        guard LegalSchema.target(entity.set, property) != nil else { return nil }
        let inner = LegalView(nestedIn: view)
        var items: [LegalValue] = []
        for uid in world.related(entity.uid, property) {
            guard let other = world.entities[uid] else { continue }
            items.append(json(other, inner, context: nil))
        }
        if has(.nestedReordered) { items.reverse() }
        if LegalSchema.isCollection(property) { return .list(items) }
        return items.first ?? .null
    }
}
