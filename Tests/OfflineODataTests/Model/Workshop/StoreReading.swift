import ODataHTTP
import OfflineOData
import TestSupport
import Testing

/// What an application sees of the workshop in a store, as the lines of a plain world.
struct StoreReading {
    let provider: OfflineODataProvider
    private var world = PlainWorld()
    private var states: [PlainWorld.ID: String] = [:]

    init(provider: OfflineODataProvider) {
        self.provider = provider
    }

    var lines: [String] { world.lines { states[$0] ?? "" } }

    mutating func read(_ query: String) throws {
        let answer = get(query)
        try #require(answer.status == 200, "\(query): \(answer.text)")
        let json = try JSONValue(answer.body)
        let set = String(query.prefix { $0 != "?" })
        for entity in json["value"]?.items ?? [json] {
            try take(entity, of: set, below: "")
        }
    }

    /// Answered while the thread waits: most of a life's requests are these, and each would be handed from thread to thread and back.
    private func get(_ url: String) -> HTTPResponse {
        provider.respond(to: HTTPRequest(method: "GET", url: url))
    }

    private mutating func take(
        _ entity: JSONValue,
        of set: String,
        below parent: String
    ) throws {
        let key = set == "Notes" ? "Number" : set == "Tools" ? "Serial" : "ID"
        var values = entity.plainValues
        let shown =
            ["ID", "Name", "Status", "BossID", "Budget", "Title", "PersonID"]
            + ["Number", "Text", "Serial", "OwnerID", "Colour", "@odata.type"]
        values = values.filter { shown.contains($0.key) }
        var id = set == "Me" ? "Me" : "\(parent)\(set)(\(values[key] ?? "?"))"
        if set == "Photos" {
            let link = entity["@odata.readLink"]?.plainText ?? id
            id = "Photos#\(link)"
            let content = get(link + "/$value")
            if content.status == 200 { world.streams[.init(owner: id, name: "")] = content.text }
        }
        world.entities[id] = values
        states[id] = ["isLocal", "hasPendingChanges", "inErrorState"].map { name in
            entity["@sap.\(name)"]?.text == "true" ? "1" : "0"
        }.joined()
        guard set == "People" else { return }
        for note in entity["Notes"]?.items ?? [] {
            try take(note, of: "Notes", below: id + "/")
        }
        for friend in entity["Friends"]?.items ?? [] { link("Friends", id, friend) }
        if let rival = entity["Rival"] { link("Rival", id, rival) }
        let picture = get(id + "/Picture")
        if picture.status == 200 {
            world.streams[.init(owner: id, name: "Picture")] = picture.text
        }
    }

    private mutating func link(_ name: String, _ from: PlainWorld.ID, _ target: JSONValue) {
        guard let key = target["ID"]?.text else { return }
        world.apply(.link(.init(name: name, from: from, to: "People(\(key))"), isAdded: true))
    }
}
