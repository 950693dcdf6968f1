/// A plain OData service in memory that knows nothing of this package: every freedom of the standard is a trait that it has or not.
struct LegalService: Sendable {
    static let origin = "http://service.test"
    static let path = "/odata/"
    static let root = origin + path

    let traits: Set<LegalTrait>
    /// Traits that were looked at, so that a test can tell those that do nothing.
    private(set) var consulted: Set<LegalTrait> = []
    var world = LegalWorld()
    /// What delta links stand for, by number.
    var tokens: [Int: LegalDelta] = [:]
    var lastToken = 0
    /// Pages that were promised, by number.
    var promised: [Int: LegalPage] = [:]
    var lastPage = 0
    /// Answers to change sets that are remembered for repetitions, by the `Repeatability-Request-ID` that all members carry.
    var rememberedSets: [String: (sent: LegalBatch.Group, answered: LegalBatch.Group)] = [:]
    /// Answers that are remembered for repetitions, by `Repeatability-Request-ID`.
    var remembered: [String: LegalAnswer] = [:]
    /// Answers that come later, by number.
    var monitored: [Int: (answer: LegalAnswer, polls: Int)] = [:]
    var lastKey = 0
    /// Number of the request, counted from one.
    var requestCount = 0
    /// Whether the singleton is there.
    var hasSelf = true
    /// The URL of each entity that was ever shown, by uid: tombstones need it.
    var names: [Int: String] = [:]

    init(_ traits: Set<LegalTrait>) {
        self.traits = traits
        world.bumpsRelated = traits.contains(.etagFollowsRelated)
        _ = world.insert(
            "Me",
            ["ID": .integer(1), "Name": .string("me"), "Note": .null],
            owner: nil
        )
    }

    mutating func has(_ trait: LegalTrait) -> Bool {
        consulted.insert(trait)
        return traits.contains(trait)
    }

    /// Answers a request of the client.
    mutating func answer(_ request: LegalRequest) -> LegalAnswer {
        requestCount += 1
        world.author = .client
        if let early = gate(request) { return finished(early, request) }
        return finished(deferred(dispatched(request), request), request)
    }

    private mutating func dispatched(_ request: LegalRequest) -> LegalAnswer {
        let target = below(request.target)
        do {
            if target.segments.first?.name == "$batch" { return try batch(request) }
            return try carriedOut(request, target, references: [:])
        } catch let refusal as LegalRefusal {
            return refused(refusal)
        } catch {
            return LegalAnswer(500)
        }
    }

    /// Carries out a request by itself: all of it, or nothing.
    mutating func carriedOut(
        _ request: LegalRequest,
        _ target: LegalTarget,
        references: [String: Int]
    ) throws -> LegalAnswer {
        guard request.method != "GET" else { return try read(request, target) }
        if let id = request.headers["repeatability-request-id"] {
            if has(.repeatable) { return try repeated(request, target, id, references) }
            if has(.repeatabilityRefused) {
                throw LegalRefusal(501, "no repeatable requests here")
            }
        }
        return try written(request, target, references)
    }

    private mutating func repeated(
        _ request: LegalRequest,
        _ target: LegalTarget,
        _ id: String,
        _ references: [String: Int]
    ) throws -> LegalAnswer {
        if let known = remembered[id] { return known }
        var answer: LegalAnswer
        do {
            answer = try written(request, target, references)
        } catch let refusal as LegalRefusal {
            answer = refused(refusal)
        }
        answer.set("Repeatability-Result", "accepted")
        remembered[id] = answer
        return answer
    }

    /// Changes the world only where the whole request succeeds.
    private mutating func written(
        _ request: LegalRequest,
        _ target: LegalTarget,
        _ references: [String: Int]
    ) throws -> LegalAnswer {
        let before = world
        do {
            return try write(request, target, references)
        } catch {
            world = before
            throw error
        }
    }

    // MARK: Addresses

    /// The part of an address behind the service root.
    func below(_ address: String) -> LegalTarget {
        var text = Substring(address)
        if text.lowercased().hasPrefix("http"), let scheme = text.firstRange(of: "://") {
            text = text[scheme.upperBound...].drop { $0 != "/" }
        }
        if text.hasPrefix(Self.path) { text = text.dropFirst(Self.path.count) }
        return LegalTarget(String(text))
    }

    /// The entity at an address; nil where there is none.
    func entity(at segments: [LegalTarget.Segment], _ references: [String: Int] = [:])
        -> LegalWorld.Entity?
    {
        guard let first = segments.first else { return nil }
        var found: LegalWorld.Entity?
        if first.name.hasPrefix("$") {
            found = references[String(first.name.dropFirst())].flatMap { world.entities[$0] }
        } else if first.name == "Me" {
            found = hasSelf ? world.all("Me").first : nil
        } else if let key = first.key {
            found = world.find(first.name, key)
        }
        for segment in segments.dropFirst() {
            guard let entity = found,
                let set = LegalSchema.target(entity.set, segment.name)
            else { return nil }
            let related = world.related(entity.uid, segment.name).compactMap { world.entities[$0] }
            found =
                segment.key.map { key in
                    related.first { $0.set == set && $0.key.lowercased() == key.lowercased() }
                } ?? (LegalSchema.isCollection(segment.name) ? nil : related.first)
        }
        return found
    }

    /// The entity that a reference in a body or a query names.
    mutating func entity(named reference: String, _ references: [String: Int] = [:]) -> LegalWorld
        .Entity?
    {
        entity(at: below(reference).segments, references) ?? entity(written: reference)
    }

    /// What an id that is no URL begins with.
    static let name = "urn:legal:"

    /// The entity whose canonical URL this is once it is decoded: in a query it has been decoded before.
    private mutating func entity(written reference: String) -> LegalWorld.Entity? {
        let text = LegalTarget.decoded(reference)
        if has(.idsNoAddresses), text.hasPrefix(Self.name),
            let uid = Int(text.dropFirst(Self.name.count))
        {
            return world.entities[uid]
        }
        return world.entities.values.sorted { $0.uid < $1.uid }.first { entity in
            entity.owner == nil
                && (text.hasSuffix("\(entity.set)(\(entity.key))")
                    || reference.hasSuffix("\(entity.set)(\(entity.key))"))
        }
    }

    /// The canonical URL of an entity below the root.
    mutating func url(of entity: LegalWorld.Entity) -> String {
        if entity.set == "Me" { return "Me" }
        let schema = LegalSchema.sets[entity.set]
        var key = entity.key
        if has(.guidsInCapitals), schema?.kind == .guid { key = key.uppercased() }
        if schema?.kind == .text { key = LegalTarget.encoded(key) }
        if has(.idsEncoded) {
            key = key.replacing("'", with: "%27").replacing("-", with: "%2D")
        }
        if has(.keysNamedInIDs) { key = "\(schema?.key ?? "ID")=\(key)" }
        if let owner = entity.owner.flatMap({ world.entities[$0] }) {
            return "\(url(of: owner))/\(entity.set)(\(key))"
        }
        return "\(entity.set)(\(key))"
    }

    /// The ETag of an entity; nil where the service has none.
    mutating func etag(_ entity: LegalWorld.Entity) -> String? {
        if has(.etagsMissing) { return nil }
        if has(.etagsPerSet), entity.set == "Tags" || entity.set == "Orders" { return nil }
        if has(.etagsStrong) { return "\"\(entity.version)\"" }
        if has(.etagsWithDates) { return "W/\"datetime'2026-01-01T00%3A00%3A\(entity.version)'\"" }
        if has(.etagsRespelled) { return "W/\"\(entity.version).\(requestCount)\"" }
        return "W/\"\(entity.version)\""
    }

    /// Whether an ETag is one of the entity's.
    mutating func isCurrent(_ tag: String, _ entity: LegalWorld.Entity) -> Bool {
        func core(_ text: String) -> Substring {
            (text.hasPrefix("W/") ? text.dropFirst(2) : text[...])
        }
        guard let mine = etag(entity) else { return true }
        if has(.etagsRespelled) {
            return core(tag).prefix { $0 != "." } == core(mine).prefix { $0 != "." }
        }
        return core(tag) == core(mine)
    }

    /// Refuses a change that was made on another version (OData 4.01 Part 1 § 8.2.4).
    mutating func checkCondition(_ request: LegalRequest, _ entity: LegalWorld.Entity) throws {
        guard let condition = request.headers["if-match"] else {
            if has(.conditionRequired), etag(entity) != nil {
                throw LegalRefusal(428, "If-Match is missing")
            }
            return
        }
        if condition == "*" { return }
        if has(.conditionsIgnored) { return }
        let tags = condition.split(separator: ",").map { $0.drop { $0 == " " } }
        for tag in tags where isCurrent(String(tag), entity) { return }
        throw LegalRefusal(412, "the entity has changed")
    }
}
