/// What a delta link stands for: the result as it was shown.
struct LegalDelta: Sendable {
    /// One entity of the result.
    struct Shown: Sendable {
        var version: Int
        /// The entities inside, by navigation property, with their versions.
        var nested: [String: [Int: Int]]
        var url: String
        var streams: [String: Int]
    }

    var target: LegalTarget
    var shown: [Int: Shown]
    var uses = 0
}

/// Changes since an earlier result (OData 4.01 Part 1 § 11.3).
extension LegalService {
    mutating func newToken(_ target: LegalTarget, _ found: [LegalWorld.Entity]) -> Int {
        var shown: [Int: LegalDelta.Shown] = [:]
        for entity in found { shown[entity.uid] = view(of: entity, target) }
        lastToken += 1
        tokens[lastToken] = LegalDelta(target: target, shown: shown)
        return lastToken
    }

    private mutating func view(of entity: LegalWorld.Entity, _ target: LegalTarget)
        -> LegalDelta.Shown
    {
        var nested: [String: [Int: Int]] = [:]
        for property in target.expanded {
            var versions: [Int: Int] = [:]
            for uid in world.related(entity.uid, property) {
                guard let other = world.entities[uid] else { continue }
                versions[uid] = other.version
                names[uid] = url(of: other)
            }
            nested[property] = versions
        }
        return LegalDelta.Shown(
            version: entity.version,
            nested: nested,
            url: url(of: entity),
            streams: entity.streams.mapValues(\.version)
        )
    }

    mutating func deltaLink(_ token: Int) -> String { link("$delta(\(token))") }

    mutating func delta(_ text: String, _ request: LegalRequest) throws -> LegalAnswer {
        guard let number = Int(text), let token = tokens[number] else {
            throw LegalRefusal(410, "the delta link has expired")
        }
        if has(.deltaForgotten410), requestCount % 3 == 0 { throw forgotten(410, number) }
        if has(.deltaForgotten404), requestCount % 3 == 0 { throw forgotten(404, number) }
        if has(.deltaForgotten400), requestCount % 3 == 0 { throw forgotten(400, number) }
        let found = try result(token.target)
        var entries: [LegalValue] = []
        var nestedEntries: [LegalValue] = []
        for entity in found {
            let now = view(of: entity, token.target)
            let before = token.shown[entity.uid]
            if let before, !has(.deltaRepeats), before.version == now.version,
                before.nested == now.nested, before.streams == now.streams
            {
                continue
            }
            if has(.deltaLinksApart), let before {
                nestedEntries += links(entity, before, now)
                if before.version == now.version, before.streams == now.streams,
                    before.nested.mapValues({ Set($0.keys) })
                        != now.nested.mapValues({ Set($0.keys) })
                {
                    continue
                }
            }
            entries.append(entry(entity, token.target, before, now))
            if has(.deltaNamesTwice) { entries.append(entry(entity, token.target, before, now)) }
        }
        let tombstones = tombstones(token, found)
        entries =
            has(.deltaTombstonesFirst)
            ? tombstones + entries + nestedEntries
            : entries + nestedEntries + tombstones
        var page = LegalPage(target: token.target, entities: [], entries: entries)
        page.token = newToken(token.target, found)
        return show(page)
    }

    private mutating func forgotten(_ status: Int, _ number: Int) -> LegalRefusal {
        tokens[number] = nil
        return LegalRefusal(status, "the delta link has expired")
    }

    private mutating func entry(
        _ entity: LegalWorld.Entity,
        _ target: LegalTarget,
        _ before: LegalDelta.Shown?,
        _ now: LegalDelta.Shown
    ) -> LegalValue {
        var view = LegalView(target, isCollection: true)
        view.isDelta = true
        guard let before else { return json(entity, view, context: nil) }
        if has(.deltaLinksApart) { view.expanded = [] }
        if has(.deltaOmitsUnchangedNested) {
            view.expanded = view.expanded.filter { before.nested[$0] != now.nested[$0] }
        }
        guard has(.deltaNested) else { return json(entity, view, context: nil) }
        let collections = view.expanded.filter(LegalSchema.isCollection)
        view.expanded = view.expanded.filter { !LegalSchema.isCollection($0) }
        var body = json(entity, view, context: nil)
        for property in collections {
            body.add(
                property + (has(.controlInShortForm) ? "@delta" : "@odata.delta"),
                .list(nestedDelta(before.nested[property] ?? [:], now.nested[property] ?? [:]))
            )
        }
        return body
    }

    /// The changes of a collection inside an entity (OData JSON 4.01 § 15.3).
    private mutating func nestedDelta(_ before: [Int: Int], _ now: [Int: Int]) -> [LegalValue] {
        var items: [LegalValue] = []
        let inner = LegalView(LegalTarget(""), isCollection: true)
        for (uid, version) in now.sorted(by: { $0.key < $1.key }) where before[uid] != version {
            guard let entity = world.entities[uid] else { continue }
            items.append(json(entity, inner, context: nil))
        }
        for uid in before.keys.sorted() where now[uid] == nil {
            let entity = world.entities[uid]
            guard let url = entity.map({ url(of: $0) }) ?? names[uid] else { continue }
            items.append(tombstone(url, reason: entity == nil ? "deleted" : "changed"))
        }
        return items
    }

    // MARK: Tombstones

    private mutating func tombstones(_ token: LegalDelta, _ found: [LegalWorld.Entity])
        -> [LegalValue]
    {
        let present = Set(found.map(\.uid))
        var urls: Set<String> = []
        for entity in found { urls.insert(url(of: entity)) }
        var items: [LegalValue] = []
        for (uid, shown) in token.shown.sorted(by: { $0.key < $1.key })
        where !present.contains(uid) {
            // What has been created anew under the same name is there: only a deletion before it may be told.
            if !has(.deltaTombstonesFirst), urls.contains(shown.url) { continue }
            let isDeleted = world.entities[uid] == nil && !has(.deltaReasonAlwaysChanged)
            items.append(tombstone(shown.url, reason: isDeleted ? "deleted" : "changed"))
        }
        if has(.deltaNamesStrangers), let set = token.target.segments.last?.name {
            items.append(tombstone(strangeID(set), reason: "deleted"))
        }
        return items
    }

    /// The id of an entity that the client has never seen.
    private func strangeID(_ set: String) -> String {
        switch LegalSchema.sets[set]?.kind {
        case .text: "\(set)('never-seen')"
        case .guid: "\(set)(00000000-0000-0000-0000-0000000000ff)"
        default: "\(set)(987654)"
        }
    }

    private mutating func tombstone(_ url: String, reason: String) -> LegalValue {
        let id = has(.deltaIDsRelative) ? url : Self.root + url
        if has(.deltaTombstonesOld) {
            return .object([
                .init(
                    name: "@odata.context",
                    value: .string(Self.root + "$metadata#X/$deletedEntity")
                ), .init(name: "id", value: .string(id)),
                .init(name: "reason", value: .string(reason)),
            ])
        }
        let why: LegalValue =
            has(.deltaReasonMissing)
            ? .object([]) : .object([.init(name: "reason", value: .string(reason))])
        var body = LegalValue.object([.init(name: "@removed", value: why)])
        let target = LegalTarget(url)
        if has(.deltaTombstonesByKey), let last = target.segments.last, let key = last.key,
            let schema = LegalSchema.sets[last.name], target.segments.count == 1
        {
            body.add(schema.key, LegalSchema.value(key, schema.kind))
        } else {
            body.add(has(.controlInShortForm) ? "@id" : "@odata.id", .string(id))
        }
        return body
    }

    // MARK: Links apart

    /// Added and deleted links as entries of their own (OData JSON 4.01 § 15.5).
    private mutating func links(
        _ entity: LegalWorld.Entity,
        _ before: LegalDelta.Shown,
        _ now: LegalDelta.Shown
    ) -> [LegalValue] {
        var items: [LegalValue] = []
        for property in now.nested.keys.sorted() {
            let (old, new) = (before.nested[property] ?? [:], now.nested[property] ?? [:])
            // An ended link may name a dead entity by the key that another one has now: it comes first.
            for uid in old.keys.sorted() where new[uid] == nil {
                guard let url = world.entities[uid].map({ url(of: $0) }) ?? names[uid] else {
                    continue
                }
                items.append(entryOfLink("deletedLink", entity, property, url))
            }
            for uid in new.keys.sorted() where old[uid] == nil {
                guard let other = world.entities[uid] else { continue }
                items.append(entryOfLink("link", entity, property, url(of: other)))
            }
        }
        return items
    }

    private mutating func entryOfLink(
        _ kind: String,
        _ entity: LegalWorld.Entity,
        _ property: String,
        _ other: String
    ) -> LegalValue {
        .object([
            .init(
                name: "@odata.context",
                value: .string(Self.root + "$metadata#\(entity.set)/$\(kind)")
            ), .init(name: "source", value: .string(Self.root + url(of: entity))),
            .init(name: "relationship", value: .string(property)),
            .init(name: "target", value: .string(Self.root + other)),
        ])
    }
}
