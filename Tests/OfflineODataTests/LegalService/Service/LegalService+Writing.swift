/// Requests that change data.
extension LegalService {
    mutating func write(
        _ request: LegalRequest,
        _ target: LegalTarget,
        _ references: [String: Int]
    ) throws -> LegalAnswer {
        if target.segments.last?.name == "$ref" {
            return try writeLink(request, target, references)
        }
        if let answer = try writeStream(request, target, references) { return answer }
        switch request.method {
        case "POST": return try create(request, target, references)
        case "PATCH", "PUT", "MERGE": return try update(request, target, references)
        case "DELETE": return try delete(request, target, references)
        default: throw LegalRefusal(405, "unknown method")
        }
    }

    private func body(_ request: LegalRequest) throws -> LegalValue {
        guard let body = LegalValueReader.read(request.body), case .object = body else {
            throw LegalRefusal(400, "the body is no JSON object")
        }
        return body
    }

    // MARK: Creating

    private mutating func create(
        _ request: LegalRequest,
        _ target: LegalTarget,
        _ references: [String: Int]
    ) throws -> LegalAnswer {
        guard let last = target.segments.last, last.key == nil else {
            throw LegalRefusal(405, "POST to an entity")
        }
        if target.segments.count == 1, last.name == "Photos" {
            let type = request.headers["content-type"] ?? ""
            if !type.hasPrefix("application/json") {
                return created(try createMedia(request, "Photos"), request, nil)
            }
        }
        let body = try body(request)
        var owner: LegalWorld.Entity?
        var set = last.name
        if target.segments.count > 1 {
            owner = entity(at: Array(target.segments.dropLast()), references)
            guard let owner, let found = LegalSchema.target(owner.set, last.name) else {
                throw LegalRefusal(404, "no such entity")
            }
            set = found
        }
        guard LegalSchema.sets[set] != nil, set != "Me" else {
            throw LegalRefusal(404, "no such set")
        }
        let uid = try insert(set, body, owner: owner, property: last.name, references)
        return created(uid, request, body)
    }

    private mutating func insert(
        _ set: String,
        _ body: LegalValue,
        owner: LegalWorld.Entity?,
        property: String,
        _ references: [String: Int]
    ) throws -> Int {
        var values = try values(set, body)
        try giveKey(&values, set, owner)
        if let owner, set == "Orders" { values["CustomerID"] = owner.values["ID"] ?? .null }
        try bindCustomer(&values, set, body, references)
        if set == "Orders", values["Open"] == nil { values["Open"] = .bool(true) }
        let uid = world.insert(set, values, owner: set == "Items" ? owner?.uid : nil)
        if let owner, property == "Tags" {
            world.setLink(.init(customer: owner.uid, tag: uid), isThere: true)
        }
        if let owner, property == "Customers" {
            world.setLink(.init(customer: uid, tag: owner.uid), isThere: true)
        }
        try bindTags(uid, set, body, references)
        for inner in ["Orders", "Items", "Tags"] {
            guard let items = body[inner]?.items,
                let innerSet = LegalSchema.target(set, inner), let me = world.entities[uid]
            else { continue }
            for item in items {
                _ = try insert(innerSet, item, owner: me, property: inner, references)
            }
        }
        return uid
    }

    /// The values of declared properties; others are refused.
    private mutating func values(_ set: String, _ body: LegalValue) throws
        -> [String: LegalValue]
    {
        guard let schema = LegalSchema.sets[set] else { return [:] }
        var values: [String: LegalValue] = [:]
        for member in body.members {
            if member.name.contains("@") { continue }
            if LegalSchema.target(set, member.name) != nil { continue }
            guard schema.properties.contains(member.name) || member.name == schema.key else {
                throw LegalRefusal(400, "unknown property \(member.name)")
            }
            values[member.name] = computed(member.name, member.value)
        }
        return values
    }

    /// Values that the service makes of those that it is given.
    private mutating func computed(_ name: String, _ value: LegalValue) -> LegalValue {
        if has(.amountsRounded), name == "Amount", case .number(let text) = value {
            return .number(String(text.prefix { $0 != "." }))
        }
        if has(.notesTrimmed), name == "Note", let text = value.string {
            return .string(text.hasSuffix(" ") ? String(text.dropLast()) : text)
        }
        if has(.notesSuffixed), name == "Note", let text = value.string, !text.isEmpty,
            !text.hasSuffix("!")
        {
            return .string(text + "!")
        }
        return value
    }

    private mutating func giveKey(
        _ values: inout [String: LegalValue],
        _ set: String,
        _ owner: LegalWorld.Entity?
    ) throws {
        guard let schema = LegalSchema.sets[set] else { return }
        let isGiven = values[schema.key].map { $0 != .null } ?? false
        switch schema.kind {
        case .integer where !isGiven || has(.keysReplaced) && set != "Items":
            values[schema.key] = .integer(nextKey())
        case .guid where !isGiven || has(.keysReplaced): values[schema.key] = .string(nextGUID())
        case .text where !isGiven: throw LegalRefusal(400, "the key is missing")
        case .text where has(.keysFolded):
            values[schema.key] = .text(values[schema.key]?.string?.uppercased())
        default: break
        }
        guard let literal = LegalSchema.literal(values[schema.key], schema.kind) else {
            throw LegalRefusal(400, "the key is of another type")
        }
        guard world.find(set, literal, owner: set == "Items" ? owner?.uid : nil) == nil else {
            throw LegalRefusal(duplicateStatus(), "the key is taken")
        }
        if let number = Int(literal), set == "Customers" || set == "Photos" {
            lastKey = max(lastKey, number)
        }
    }

    private mutating func duplicateStatus() -> Int {
        if has(.duplicates400) { return 400 }
        if has(.duplicates412) { return 412 }
        return has(.duplicates500) ? 500 : 409
    }

    mutating func nextGUID() -> String {
        let digits = String(nextKey())
        return "10000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
            + digits
    }

    // MARK: References in bodies

    private mutating func bindCustomer(
        _ values: inout [String: LegalValue],
        _ set: String,
        _ body: LegalValue,
        _ references: [String: Int]
    ) throws {
        guard set == "Orders" else { return }
        if let reference = body["Customer@odata.bind"] ?? body["Customer"]?["@id"] {
            if reference == .null {
                values["CustomerID"] = .null
            } else {
                let name = reference.string ?? ""
                guard let customer = entity(named: name, references),
                    customer.set == "Customers"
                else { throw LegalRefusal(400, "no such customer: \(name)") }
                values["CustomerID"] = customer.values["ID"]
            }
        }
        if has(.foreignKeysChecked), let id = values["CustomerID"], id != .null,
            world.find("Customers", id.plain) == nil
        {
            throw LegalRefusal(400, "no such customer: \(id.plain)")
        }
    }

    private mutating func bindTags(
        _ uid: Int,
        _ set: String,
        _ body: LegalValue,
        _ references: [String: Int]
    ) throws {
        guard set == "Customers", let names = body["Tags@odata.bind"]?.items else { return }
        for name in names {
            guard let tag = entity(named: name.string ?? "", references), tag.set == "Tags" else {
                throw LegalRefusal(400, "no such tag")
            }
            world.setLink(.init(customer: uid, tag: tag.uid), isThere: true)
        }
    }

    // MARK: Updating and deleting

    private mutating func update(
        _ request: LegalRequest,
        _ target: LegalTarget,
        _ references: [String: Int]
    ) throws -> LegalAnswer {
        guard let entity = entity(at: target.segments, references) else {
            if request.headers["if-match"] != nil, has(.missingIsConflict) {
                throw LegalRefusal(412, "no such entity")
            }
            throw LegalRefusal(has(.missingIsGone) ? 410 : 404, "no such entity")
        }
        if request.headers["if-none-match"] == "*" {
            throw LegalRefusal(412, "the entity is there")
        }
        try checkCondition(request, entity)
        let body = try body(request)
        var values = try values(entity.set, body)
        if let schema = LegalSchema.sets[entity.set] {
            values[schema.key] = nil
            if request.method == "PUT" {
                for name in schema.properties where values[name] == nil {
                    values[name] = name == "Nicks" ? .list([]) : .null
                }
            }
        }
        if values.keys.contains("Name"), values["Name"] == .null, entity.set != "Me",
            entity.set != "Photos"
        {
            throw LegalRefusal(400, "Name must not be null")
        }
        try bindCustomer(&values, entity.set, body, references)
        world.set(entity.uid, values)
        try bindTags(entity.uid, entity.set, body, references)
        return updated(entity.uid, request)
    }

    private mutating func delete(
        _ request: LegalRequest,
        _ target: LegalTarget,
        _ references: [String: Int]
    ) throws -> LegalAnswer {
        guard let entity = entity(at: target.segments, references) else {
            if has(.deletesAgain204) { return LegalAnswer(204) }
            throw LegalRefusal(has(.missingIsGone) ? 410 : 404, "no such entity")
        }
        try checkCondition(request, entity)
        if has(.deletesRestricted), !world.related(entity.uid, "Orders").isEmpty {
            throw LegalRefusal(409, "the customer has orders")
        }
        world.remove(entity.uid, cascading: has(.cascadeDeclared) || has(.cascadeUndeclared))
        return LegalAnswer(has(.deletesAnswer200) ? 200 : 204)
    }

    // MARK: Links

    private mutating func writeLink(
        _ request: LegalRequest,
        _ target: LegalTarget,
        _ references: [String: Int]
    ) throws -> LegalAnswer {
        var segments = Array(target.segments.dropLast())
        guard var property = segments.popLast() else { throw LegalRefusal(404, "no link") }
        let key = property.key
        property.key = nil
        guard let source = entity(at: segments, references),
            let set = LegalSchema.target(source.set, property.name)
        else { throw LegalRefusal(404, "no such entity") }
        let given =
            LegalValueReader.read(request.body).flatMap {
                $0["@odata.id"]?.string ?? $0["@id"]?.string
            } ?? target.options["$id"] ?? target.options["id"] ?? key.map { "\(set)(\($0))" }
        var other: LegalWorld.Entity?
        if let given {
            other = entity(named: given, references)
            guard other?.set == set else { throw LegalRefusal(404, "no such entity: \(given)") }
        }
        try relate(request.method, source, property.name, other)
        return LegalAnswer(204)
    }

    private mutating func relate(
        _ method: String,
        _ source: LegalWorld.Entity,
        _ property: String,
        _ other: LegalWorld.Entity?
    ) throws {
        switch (property, method, other) {
        case ("Tags", "POST", let other?), ("Tags", "DELETE", let other?):
            let link = LegalWorld.Link(customer: source.uid, tag: other.uid)
            try setLink(link, isThere: method == "POST")
        case ("Customers", "POST", let other?), ("Customers", "DELETE", let other?):
            let link = LegalWorld.Link(customer: other.uid, tag: source.uid)
            try setLink(link, isThere: method == "POST")
        case ("Orders", "POST", let other?):
            world.set(other.uid, ["CustomerID": source.values["ID"] ?? .null])
        case ("Orders", "DELETE", let other?): world.set(other.uid, ["CustomerID": .null])
        case ("Customer", "PUT", let other?):
            world.set(source.uid, ["CustomerID": other.values["ID"] ?? .null])
        case ("Customer", "DELETE", _): world.set(source.uid, ["CustomerID": .null])
        default: throw LegalRefusal(400, "no such link")
        }
    }

    private mutating func setLink(_ link: LegalWorld.Link, isThere: Bool) throws {
        if world.links.contains(link) == isThere, has(.linksAgainRefused) {
            throw LegalRefusal(isThere ? 409 : 404, "the link is so already")
        }
        world.setLink(link, isThere: isThere)
    }
}
