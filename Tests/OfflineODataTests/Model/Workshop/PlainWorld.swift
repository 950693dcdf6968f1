/// The entities of the workshop in the plainest terms: values as text by name, links, streams.
struct PlainWorld: Equatable {
    /// `People(1)`, `People(1)/Notes(2)`, `Tools('t3')`; of photos, whose keys the service gives, a name of the test's own.
    typealias ID = String

    /// Texts as JSON has them, but with apostrophes around strings.
    typealias Values = [String: String]

    struct Link: Hashable {
        var name: String
        var from: ID
        var to: ID
    }

    struct Stream: Hashable {
        var owner: ID
        /// Empty for the stream of a media entity itself.
        var name: String
    }

    /// The smallest part of what a request does.
    enum Effect: Equatable {
        case insert(ID, Values)
        case set(ID, String, String)
        case delete(ID)
        case link(Link, isAdded: Bool)
        case stream(Stream, String?)
    }

    var entities: [ID: Values] = [:]
    var links: Set<Link> = []
    var streams: [Stream: String] = [:]

    mutating func apply(_ effects: [Effect]) {
        for effect in effects { apply(effect) }
    }

    mutating func apply(_ effect: Effect) {
        switch effect {
        case .insert(let id, let values): entities[id] = values
        case .set(let id, let name, let value): entities[id]?[name] = value
        case .delete(let id):
            entities[id] = nil
            links = links.filter { $0.from != id && $0.to != id }
            streams = streams.filter { $0.key.owner != id }
        case .link(let link, isAdded: true): links.insert(link)
        case .link(let link, isAdded: false): links.remove(link)
        case .stream(let stream, let content): streams[stream] = content
        }
    }

    static func set(of id: ID) -> String {
        if id.contains("/Notes(") { return "Notes" }
        return String(id.prefix { $0 != "(" && $0 != "#" })
    }

    func ids(_ set: String) -> [ID] {
        entities.keys.filter { Self.set(of: $0) == set }.sorted()
    }
}

// MARK: - What changes mean

extension PlainWorld {
    /// The values of a new entity: what it is given, defaults, nulls.
    static func values(_ set: String, _ given: Values) -> Values {
        var values: Values
        switch set {
        case "People", "Me":
            values = ["ID": "null", "Name": "null", "Status": "'new'", "BossID": "null"]
            if given["@odata.type"] != nil { values["Budget"] = "null" }
        case "Jobs": values = ["ID": "null", "Title": "null", "PersonID": "null"]
        case "Notes": values = ["Number": "null", "Text": "null"]
        case "Tools": values = ["Serial": "null", "OwnerID": "1"]
        default: values = ["ID": "null", "Title": "null"]
        }
        return values.merging(given) { $1 }
    }

    /// What replacing an entity's values sets.
    func replacement(_ id: ID, _ given: Values) -> [Effect] {
        // A relation that is not mentioned stays.
        let fixed: Set<String> = [
            "ID", "Number", "Serial", "@odata.type", "BossID", "PersonID", "OwnerID",
        ]
        guard let present = entities[id] else { return [] }
        let fresh = Self.values(Self.set(of: id), ["@odata.type": present["@odata.type"] ?? ""])
        return present.keys.filter { !fixed.contains($0) }.sorted().map { name in
            .set(id, name, given[name] ?? fresh[name] ?? "null")
        }
    }

    /// What deleting an entity does, to those that hang on it too.
    func deletion(of id: ID) -> [Effect] {
        var gone: Set<ID> = []
        var effects: [Effect] = []
        delete(id, &gone, &effects)
        return effects
    }

    private func delete(_ id: ID, _ gone: inout Set<ID>, _ effects: inout [Effect]) {
        guard gone.insert(id).inserted else { return }
        if Self.set(of: id) == "People", let key = entities[id]?["ID"] {
            for set in ["People", "Tools"] {
                guard let (name, released) = Self.keyOfPrincipal(in: set) else { continue }
                for dependent in ids(set)
                where entities[dependent]?[name] == key && key != released
                    && !gone.contains(dependent)
                {
                    effects.append(.set(dependent, name, released))
                }
            }
            for job in ids("Jobs") where entities[job]?["PersonID"] == key {
                delete(job, &gone, &effects)
            }
            for note in ids("Notes") where note.hasPrefix(id + "/") {
                delete(note, &gone, &effects)
            }
        }
        for link in links.sorted(by: { $0.description < $1.description })
        where link.from == id || link.to == id {
            effects.append(.link(link, isAdded: false))
        }
        effects.append(.delete(id))
    }

    /// The foreign key that entities of a set keep where its principal is deleted, and its value then; nil where they go with it.
    static func keyOfPrincipal(in set: String) -> (name: String, released: String)? {
        switch set {
        case "People": ("BossID", "null")
        case "Tools": ("OwnerID", "1")
        default: nil
        }
    }

    /// What it means that a single-valued navigation property gets another target, or none.
    func relation(_ id: ID, _ name: String, to target: ID?) -> [Effect] {
        if name == "Boss" {
            return [.set(id, "BossID", target.flatMap { entities[$0]?["ID"] } ?? "null")]
        }
        let former = links.filter { $0.name == name && $0.from == id }
        return former.map { .link($0, isAdded: false) }
            + (target.map { [.link(Link(name: name, from: id, to: $0), isAdded: true)] } ?? [])
    }
}

extension PlainWorld.Link: CustomStringConvertible {
    var description: String { "\(from) \(name) \(to)" }
}

extension PlainWorld.Effect {
    /// The entity that it is about; nil for links.
    var id: PlainWorld.ID? {
        switch self {
        case .insert(let id, _), .set(let id, _, _), .delete(let id): id
        case .stream(let stream, _): stream.owner
        case .link: nil
        }
    }

    var link: PlainWorld.Link? {
        if case .link(let link, _) = self { link } else { nil }
    }
}

// MARK: - Comparing

extension PlainWorld {
    /// The world as lines; a photo has its stream beside it and no key.
    func lines(states: (ID) -> String = { _ in "" }) -> [String] {
        var lines: [String] = []
        for (id, values) in entities {
            let isPhoto = Self.set(of: id) == "Photos"
            let shown = values.filter { !isPhoto || $0.key != "ID" }
                .filter { $0.value != "null" }.map { "\($0.key)=\($0.value)" }.sorted()
            var line = "\(isPhoto ? "Photo" : id) \(shown.joined(separator: " "))"
            if isPhoto { line += " \(streams[Stream(owner: id, name: "")] ?? "-")" }
            lines.append(line + " " + states(id))
        }
        lines += links.map(\.description)
        for (stream, content) in streams where !stream.name.isEmpty {
            lines.append("\(stream.owner) \(stream.name): \(content)")
        }
        return lines.sorted()
    }
}
