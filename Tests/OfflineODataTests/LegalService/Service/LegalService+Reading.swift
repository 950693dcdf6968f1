/// Reading requests.
extension LegalService {
    mutating func read(_ request: LegalRequest, _ target: LegalTarget) throws -> LegalAnswer {
        guard let first = target.segments.first else { return serviceDocument() }
        switch first.name {
        case "$metadata": return metadata(request)
        case "$page": return try promisedPage(first.key ?? "")
        case "$delta": return try delta(first.key ?? "", request)
        case "$monitor": return monitor(first.key ?? "")
        default: break
        }
        if let answer = try stream(target) { return answer }
        if let last = target.segments.last, last.key == nil,
            LegalSchema.sets[last.name] != nil || LegalSchema.target("Orders", last.name) != nil,
            last.name != "Me", last.name != "Customer"
        {
            return try collection(request, target)
        }
        return try single(request, target)
    }

    private mutating func serviceDocument() -> LegalAnswer {
        let sets = ["Customers", "Orders", "Tags", "Photos"].map { name in
            LegalValue.object([
                .init(name: "name", value: .string(name)), .init(name: "url", value: .string(name)),
            ])
        }
        return LegalAnswer(
            200,
            .object([
                .init(name: "@odata.context", value: .string(Self.root + "$metadata")),
                .init(name: "value", value: .list(sets)),
            ])
        )
    }

    private mutating func metadata(_ request: LegalRequest) -> LegalAnswer {
        if has(.metadataETag) {
            if request.headers["if-none-match"] == "\"m1\"" { return LegalAnswer(304) }
        }
        var answer = LegalAnswer(200, text: metadataText(), type: "application/xml")
        if has(.metadataETag) { answer.set("ETag", "\"m1\"") }
        return answer
    }

    private mutating func metadataText() -> String {
        var looked: Set<LegalTrait> = []
        let traits = traits
        let text = LegalMetadata { trait in
            looked.insert(trait)
            return traits.contains(trait)
        }.text
        for trait in looked { _ = has(trait) }
        return text
    }

    private mutating func single(_ request: LegalRequest, _ target: LegalTarget) throws
        -> LegalAnswer
    {
        guard let entity = entity(at: target.segments) else {
            if target.segments.last?.name == "Me", has(.singletonGone204) {
                return LegalAnswer(204)
            }
            if target.segments.count == 1, has(.missingAnswers204) { return LegalAnswer(204) }
            throw LegalRefusal(has(.missingIsGone) ? 410 : 404, "no such entity")
        }
        let view = LegalView(target, isCollection: false)
        var answer = LegalAnswer(200, json(entity, view, context: context(target, isOne: true)))
        answer.set("ETag", etag(entity))
        return answer
    }

    /// The context URL of an answer.
    mutating func context(_ target: LegalTarget, isOne: Bool) -> String? {
        if has(.contextMissing) { return nil }
        var path = target.segments.map { segment in
            segment.key.map { "\(segment.name)(\($0))" } ?? segment.name
        }.joined(separator: "/")
        if isOne, target.segments.count == 1 {
            path = (target.segments.first?.name ?? "") + "/$entity"
        }
        let text = "$metadata#" + path
        return has(.contextRelative) ? text : Self.root + text
    }

    // MARK: Collections

    /// The entities of a query in their order.
    mutating func result(_ target: LegalTarget) throws -> [LegalWorld.Entity] {
        guard let last = target.segments.last else { throw LegalRefusal(404, "no such resource") }
        var found: [LegalWorld.Entity]
        if target.segments.count == 1 {
            found = world.all(last.name)
        } else {
            guard let owner = entity(at: target.segments.dropLast()) else {
                throw LegalRefusal(404, "no such entity")
            }
            found = world.related(owner.uid, last.name).compactMap { world.entities[$0] }
        }
        if let filter = target.options["$filter"] {
            let words = filter.split(separator: " ")
            guard words.count == 3, words[1] == "eq" else {
                throw LegalRefusal(400, "a filter of another form")
            }
            found = found.filter { entity in
                let value = entity.values[String(words[0])] ?? .null
                return value.plain == words[2] || LegalTarget.quoted(value) == words[2]
            }
        }
        if has(.orderChanges), requestCount % 2 == 0, !has(.pagesBySkip) { found.reverse() }
        return found
    }

    private mutating func collection(_ request: LegalRequest, _ target: LegalTarget) throws
        -> LegalAnswer
    {
        let found = try result(target)
        var page = LegalPage(target: target, entities: found.map(\.uid))
        let isTracked = request.prefers("track-changes") || has(.deltaLinkUnasked)
        if isTracked, target.segments.count == 1 {
            if request.prefers("track-changes") {
                if has(.trackingRefused400) { throw LegalRefusal(400, "unknown preference") }
                if has(.trackingRefused501) { throw LegalRefusal(501, "no tracking") }
            }
            if !has(.deltaMissing) {
                page.token = newToken(target, found)
                page.isTracked = request.prefers("track-changes")
            }
        }
        return show(page)
    }

    private mutating func promisedPage(_ number: String) throws -> LegalAnswer {
        guard let number = Int(number), let page = promised[number] else {
            throw LegalRefusal(410, "the page has expired")
        }
        if has(.pagesExpire) { promised[number] = nil }
        return show(page)
    }

    /// The first part of a page, with a link to the rest.
    mutating func show(_ page: LegalPage) -> LegalAnswer {
        var page = page
        if has(.pagesBySkip), page.entries == nil, !page.isNested {
            // What has changed since the first page moves the others.
            if let now = try? result(page.target) { page.entities = now.map(\.uid) }
        }
        let size = pageSize()
        let all = page.entries?.count ?? page.entities.count
        var end = min(all, page.start + size)
        var isEmpty = false
        if has(.pagesEmpty), !page.wasEmpty, page.start < all {
            (end, isEmpty) = (page.start, true)
        }
        var items: [LegalValue] = []
        if let entries = page.entries {
            items = Array(entries[page.start..<end])
        } else {
            let view = LegalView(page.target, isCollection: true)
            for uid in page.entities[page.start..<max(end, page.start)] {
                guard let entity = world.entities[uid] else { continue }
                items.append(json(entity, view, context: nil))
            }
        }
        var body = LegalValue.object([])
        let isDelta = page.entries != nil
        body.add(
            has(.controlInShortForm) ? "@context" : "@odata.context",
            context(page.target, isOne: false).map { .string($0 + (isDelta ? "/$delta" : "")) }
        )
        if has(.countUnasked), !isDelta { body.add("@odata.count", .integer(all)) }
        body.add("value", .list(items))
        finish(&body, page, end: end, all: all, isEmpty: isEmpty)
        var answer = LegalAnswer(200, body)
        if page.isTracked { answer.set("Preference-Applied", "odata.track-changes") }
        return answer
    }

    private mutating func finish(
        _ body: inout LegalValue,
        _ page: LegalPage,
        end: Int,
        all: Int,
        isEmpty: Bool
    ) {
        guard end < all else {
            if let token = page.token {
                let name = has(.controlInShortForm) ? "@deltaLink" : "@odata.deltaLink"
                body.add(name, .string(deltaLink(token)))
            }
            return
        }
        var next = page
        next.wasEmpty = isEmpty
        next.start = has(.pagesOverlap) && end > page.start + 1 && !isEmpty ? end - 1 : end
        lastPage += 1
        promised[lastPage] = next
        let name = has(.controlInShortForm) ? "@nextLink" : "@odata.nextLink"
        body.add(name, .string(link("$page(\(lastPage))")))
    }

    private mutating func pageSize() -> Int {
        if has(.pagesOfOne) { return 1 }
        if has(.pagesOfTwo) || has(.pagesOverlap) { return 2 }
        if has(.pagesOfThree) { return 3 }
        return .max / 2
    }

    /// A link to a resource below the root, as the service writes links.
    mutating func link(_ target: String) -> String {
        if has(.linksFromRoot) { return target }
        if has(.linksWithoutOrigin) { return Self.path + target }
        if has(.linksInOtherCase) { return "HTTP://SERVICE.test:80" + Self.path + target }
        if has(.linksWithoutScheme) { return "//service.test" + Self.path + target }
        return Self.root + target
    }
}

/// What a collection still has to show.
struct LegalPage: Sendable {
    var target: LegalTarget
    var entities: [Int]
    /// The items of a delta, where it is one.
    var entries: [LegalValue]?
    var start = 0
    var token: Int?
    var isTracked = false
    var wasEmpty = false
    /// Whether it is the rest of a collection inside an entity.
    var isNested = false

    init(target: LegalTarget, entities: [Int], entries: [LegalValue]? = nil) {
        self.target = target
        self.entities = entities
        self.entries = entries
    }
}

extension LegalTarget {
    /// A value as a filter writes it.
    static func quoted(_ value: LegalValue) -> String {
        if case .string(let text) = value { "'\(text)'" } else { value.plain }
    }
}
