import ODataHTTP
import OfflineOData
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One random sequence of every kind of change on a store, beside the plain store and in front of the plain service.
struct WorkshopRun {
    private typealias ID = PlainWorld.ID
    private typealias Request = PlainStore.Request

    private let seed: UInt64
    private let service = PlainService()
    private let directory: TemporaryDirectory
    private let provider: OfflineODataProvider
    private var plain = PlainStore()
    private var generator: SeededGenerator
    private var lastNumber = 100
    /// Read links of photos, which have no key before the service gives one.
    private var photos: [ID: String] = [:]
    private var log: [String] = []

    init(seed: UInt64) async throws {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        directory = try TemporaryDirectory()
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: directory.path)
        parameters.transport = HandlerTransport(service)
        parameters.retryPolicy = .never
        provider = try OfflineODataProvider(
            serviceRoot: "http://service.test" + PlainService.path,
            parameters: parameters
        )
        let world = Self.firstWorld
        service.with { $0.world = world }
        (plain.base, plain.server) = (world, world)
        for (name, query) in [
            ("People", "People?$expand=Friends,Rival,Notes"), ("Tools", "Tools"), ("Jobs", "Jobs"),
            ("Photos", "Photos"), ("Me", "Me"),
        ] {
            try provider.add(
                definingQuery: OfflineODataDefiningQuery(
                    name: name,
                    query: query,
                    automaticallyRetrievesStreams: name == "Photos"
                )
            )
        }
        try await provider.open()
    }

    private static var firstWorld: PlainWorld {
        var world = PlainWorld()
        for (id, given) in [
            ("People(1)", ["ID": "1", "Name": "'Ada'"]),
            ("People(2)", ["ID": "2", "Name": "'Bo'", "BossID": "1"]),
            ("People(3)", ["ID": "3", "Name": "'Cy'", "@odata.type": "'#W.Manager'"]),
            ("Jobs(1)", ["ID": "1", "Title": "'mend'", "PersonID": "2"]),
            ("People(2)/Notes(1)", ["Number": "1", "Text": "'first'"]),
            ("Tools('s1')", ["Serial": "'s1'", "OwnerID": "2", "Colour": "'red'"]),
            ("Me", ["ID": "9", "Name": "'I'"]),
        ] {
            world.apply(.insert(id, PlainWorld.values(PlainWorld.set(of: id), given)))
        }
        world.apply(
            .link(.init(name: "Friends", from: "People(1)", to: "People(2)"), isAdded: true)
        )
        world.apply(.link(.init(name: "Rival", from: "People(2)", to: "People(3)"), isAdded: true))
        return world
    }

    /// Runs so many steps and compares after each, until store and plain store do not agree.
    mutating func run(steps: Int) async throws {
        for step in 0..<steps {
            do {
                try await self.step()
            } catch {
                Issue.record("\(place(step)): \(error)")
                return
            }
            guard try await isEqual(step) else { return }
        }
        try await discardEverything(steps)
    }

    /// Taking back all requests leaves what the service was seen to have, and nothing of the requests.
    private mutating func discardEverything(_ step: Int) async throws {
        log.append("undo everything")
        plain.drop(Set(plain.queue.map(\.id)))
        try await provider.undoAllPendingChanges()
        guard try await isEqual(step) else { return }
        try await download()
        guard try await isEqual(step) else { return }
        let lines = plain.visible.lines(states: { _ in "000" })
        let found = try storeLines()
        #expect(found == lines, "\(place(step)): states are left")
    }

    private func place(_ step: Int) -> String {
        "seed \(seed), step \(step)\n\(log.joined(separator: "\n"))"
    }

    // MARK: Steps

    private mutating func step() async throws {
        switch Int.random(in: 0..<40, using: &generator) {
        case 0..<4: try await createPerson()
        case 4: try await createDeep()
        case 5: try await createChild()
        case 6: try await upsertTool()
        case 7: try await createPhoto()
        case 8..<12: try await update()
        case 12: try await replace()
        case 13, 14: try await delete()
        case 15..<18: try await befriend()
        case 18, 19: try await relate()
        case 20, 21: try await setPicture()
        case 22: try await setPhoto()
        case 23: try await promote()
        case 24, 25: try await undo()
        case 26, 27: try await drop()
        case 28: try await retry()
        case 29: try await edit()
        case 30..<35: try await upload()
        case 35, 36: try await stranger()
        default: try await download()
        }
    }

    private mutating func number() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private mutating func text() -> String {
        (Int.random(in: 0..<5, using: &generator) == 0 ? "bad" : "t") + String(number())
    }

    private mutating func any(_ set: String) -> ID? {
        plain.visible.ids(set).randomElement(using: &generator)
    }

    /// Sends a request to the store and lets the plain one follow.
    @discardableResult
    private mutating func change(
        _ method: String,
        _ url: String,
        _ body: String? = nil,
        _ headers: HTTPHeaders = [:],
        isRemoved: Bool = false,
        as request: Request
    ) async throws -> HTTPResponse {
        var message = HTTPRequest(
            method: method,
            url: url,
            headers: headers,
            body: Array((body ?? "").utf8)
        )
        if body != nil, headers["Content-Type"] == nil {
            message.headers["Content-Type"] = "application/json"
        }
        let options = OfflineODataRequestOptions()
        options.removeCreatedEntityAfterUpload = isRemoved
        let answer = await provider.respond(to: message, options: options)
        log.append(
            "\(method) \(url) \(body ?? "")\(isRemoved ? " (goes)" : "") -> \(answer.status)"
        )
        guard answer.isSuccess else { throw Refusal(text: answer.text) }
        plain.add(request)
        return answer
    }

    private struct Refusal: Error {
        var text: String
    }

    // MARK: Creations

    private mutating func createPerson() async throws {
        let key = number()
        let id = "People(\(key))"
        let name = text()
        var given: PlainWorld.Values = ["ID": "\(key)", "Name": "'\(name)'"]
        var body = "\"ID\":\(key),\"Name\":\"\(name)\""
        var referred: Set<ID> = []
        if Bool.random(using: &generator), let boss = any("People") {
            given["BossID"] = plain.visible.entities[boss]?["ID"]
            body += ",\"Boss@odata.bind\":\"\(boss)\""
            referred = [boss]
        }
        if Int.random(in: 0..<4, using: &generator) == 0 {
            given["@odata.type"] = "'#W.Manager'"
            given["Budget"] = "\(key)"
            body = "\"@odata.type\":\"#W.Manager\",\"Budget\":\(key),\(body)"
        }
        let goes = Int.random(in: 0..<4, using: &generator) == 0
        try await change(
            "POST",
            "People",
            "{\(body)}",
            isRemoved: goes,
            as: Request(
                kind: .creation,
                affected: id,
                effects: [.insert(id, PlainWorld.values("People", given))],
                referred: referred,
                isRemoved: goes
            )
        )
    }

    private mutating func createDeep() async throws {
        let key = number()
        let id = "People(\(key))"
        let job = "Jobs(\(key))"
        let note = "\(id)/Notes(1)"
        try await change(
            "POST",
            "People",
            "{\"ID\":\(key),\"Name\":\"deep\",\"Jobs\":[{\"ID\":\(key)}],\"Notes\":[{\"Number\":1}]}",
            as: Request(
                kind: .creation,
                affected: id,
                effects: [
                    .insert(id, PlainWorld.values("People", ["ID": "\(key)", "Name": "'deep'"])),
                    .insert(
                        job,
                        PlainWorld.values("Jobs", ["ID": "\(key)", "PersonID": "\(key)"])
                    ),
                    .insert(note, PlainWorld.values("Notes", ["Number": "1"])),
                ],
                referred: [job, note]
            )
        )
    }

    private mutating func createChild() async throws {
        guard let owner = any("People"), let ownKey = plain.visible.entities[owner]?["ID"] else {
            return
        }
        let key = number()
        let isJob = Bool.random(using: &generator)
        let text = text()
        let id = isJob ? "Jobs(\(key))" : "\(owner)/Notes(\(key))"
        let given =
            isJob
            ? ["ID": "\(key)", "Title": "'\(text)'", "PersonID": ownKey]
            : ["Number": "\(key)", "Text": "'\(text)'"]
        try await change(
            "POST",
            owner + (isJob ? "/Jobs" : "/Notes"),
            isJob
                ? "{\"ID\":\(key),\"Title\":\"\(text)\"}"
                : "{\"Number\":\(key),\"Text\":\"\(text)\"}",
            as: Request(
                kind: .creation,
                affected: id,
                effects: [.insert(id, PlainWorld.values(isJob ? "Jobs" : "Notes", given))],
                referred: [owner]
            )
        )
    }

    private mutating func upsertTool() async throws {
        let serial = "t\(number())"
        let id = "Tools('\(serial)')"
        let colour = text()
        let given = ["Serial": "'\(serial)'", "Colour": "'\(colour)'"]
        try await change(
            "PATCH",
            id,
            "{\"Colour\":\"\(colour)\"}",
            ["If-None-Match": "*"],
            as: Request(
                kind: .creation,
                affected: id,
                effects: [.insert(id, PlainWorld.values("Tools", given))]
            )
        )
    }

    private mutating func createPhoto() async throws {
        let id = "Photos#\(number())"
        let content = text()
        let stream = PlainWorld.Stream(owner: id, name: "")
        let answer = try await change(
            "POST",
            "Photos",
            content,
            ["Content-Type": "text/plain"],
            as: Request(
                kind: .creation,
                affected: id,
                effects: [
                    .insert(id, PlainWorld.values("Photos", [:])), .stream(stream, content),
                ]
            )
        )
        let json = try JSONValue(answer.body)
        photos[id] = try #require(json["@odata.readLink"]?.plainText)
    }

    // MARK: Changes

    private func url(_ id: ID) -> String { photos[id] ?? id }

    /// A property that updates change.
    private static func property(_ id: ID) -> String {
        switch PlainWorld.set(of: id) {
        case "People", "Me": "Status"
        case "Tools": "Colour"
        case "Notes": "Text"
        default: "Title"
        }
    }

    private mutating func update() async throws {
        let sets = ["People", "People", "Jobs", "Notes", "Tools", "Photos", "Me"]
        guard let set = sets.randomElement(using: &generator), let id = any(set) else { return }
        let text = text()
        let property = Self.property(id)
        try await change(
            "PATCH",
            url(id),
            "{\"\(property)\":\"\(text)\"}",
            as: Request(kind: .values, affected: id, effects: [.set(id, property, "'\(text)'")])
        )
    }

    private mutating func replace() async throws {
        guard let id = any("People") else { return }
        let name = text()
        try await change(
            "PUT",
            id,
            "{\"Name\":\"\(name)\"}",
            as: Request(
                kind: .values,
                affected: id,
                effects: plain.visible.replacement(id, ["Name": "'\(name)'"])
            )
        )
    }

    private mutating func delete() async throws {
        let sets = ["People", "Jobs", "Notes", "Tools", "Photos"]
        guard let set = sets.randomElement(using: &generator), let id = any(set) else { return }
        let effects = plain.visible.deletion(of: id)
        try await change(
            "DELETE",
            url(id),
            as: Request(
                kind: .deletion,
                affected: id,
                effects: effects,
                referred: owners(of: id, set)
            )
        )
    }

    /// The person whose deletion would take an entity along.
    private func owners(of id: ID, _ set: String) -> Set<ID> {
        switch set {
        case "Notes": return [String(id.prefix { $0 != "/" })]
        case "Jobs":
            let person = plain.visible.entities[id]?["PersonID"]
            let owner = plain.visible.ids("People").first {
                plain.visible.entities[$0]?["ID"] == person
            }
            return person == "null" ? [] : Set([owner].compactMap { $0 })
        default: return []
        }
    }

    private mutating func befriend() async throws {
        guard let from = any("People"), let to = any("People") else { return }
        let link = PlainWorld.Link(name: "Friends", from: from, to: to)
        let isThere = plain.visible.links.contains(link)
        let request = Request(
            kind: .link,
            affected: from,
            effects: [.link(link, isAdded: !isThere)],
            referred: [to]
        )
        if isThere {
            try await change("DELETE", from + "/Friends/$ref?$id=" + to, as: request)
        } else {
            try await change(
                "POST",
                from + "/Friends/$ref",
                "{\"@odata.id\":\"\(to)\"}",
                as: request
            )
        }
    }

    private mutating func relate() async throws {
        guard let from = any("People"), let to = any("People"),
            let name = ["Boss", "Rival"].randomElement(using: &generator)
        else { return }
        // The service would end a relation that is not seen here: by a deletion which still waits, or with an entity that has gone.
        let all = plain.base.links.union(plain.server.links)
        let isHidden = all.subtracting(plain.visible.links).contains {
            $0.name == name && $0.from == from
        }
        if isHidden { return }
        let target = Int.random(in: 0..<3, using: &generator) == 0 ? nil : to
        // A target that is deleted here comes back when that is taken back, and would then be a second one.
        let hidden = plain.addedLinks.subtracting(plain.visible.links)
            .filter { $0.name == name && $0.from == from }
        let request = Request(
            kind: .link,
            affected: from,
            effects: hidden.map { .link($0, isAdded: false) }
                + plain.visible.relation(from, name, to: target),
            referred: Set([target].compactMap { $0 })
        )
        if let target {
            try await change(
                "PUT",
                from + "/\(name)/$ref",
                "{\"@odata.id\":\"\(target)\"}",
                as: request
            )
        } else {
            try await change("DELETE", from + "/\(name)/$ref", as: request)
        }
    }

    private mutating func setPicture() async throws {
        guard let id = any("People") else { return }
        let stream = PlainWorld.Stream(owner: id, name: "Picture")
        let isRemoval = Int.random(in: 0..<3, using: &generator) == 0
        let content = isRemoval ? nil : text()
        try await change(
            content == nil ? "DELETE" : "PUT",
            id + "/Picture",
            content,
            content == nil ? [:] : ["Content-Type": "text/plain"],
            as: Request(kind: .stream("Picture"), affected: id, effects: [.stream(stream, content)])
        )
    }

    private mutating func setPhoto() async throws {
        guard let id = any("Photos") else { return }
        let content = text()
        let stream = PlainWorld.Stream(owner: id, name: "")
        try await change(
            "PUT",
            url(id) + "/$value",
            content,
            ["Content-Type": "text/plain"],
            as: Request(kind: .stream(""), affected: id, effects: [.stream(stream, content)])
        )
    }

    private mutating func promote() async throws {
        guard let id = any("People") else { return }
        try await change(
            "POST",
            id + "/W.Promote",
            "{\"steps\":1}",
            as: Request(kind: .operation, affected: id, effects: [], referred: [id])
        )
    }

    // MARK: Queue and archive

    /// The engine's id of a request of the plain store: both have them in the same order.
    private func id(of request: Request) async throws -> Int64 {
        let place = try #require(plain.queue.firstIndex { $0.id == request.id })
        let all = try await provider.requestQueue() + provider.errorArchive()
        return all.map(\.id).sorted()[place]
    }

    private mutating func undo() async throws {
        let changed = Set(plain.queue.flatMap(\.rows)).sorted()
        guard let id = changed.randomElement(using: &generator) else { return }
        log.append("undo \(id)")
        plain.drop(Set(plain.requests(on: id).map(\.id)))
        try await provider.undoPendingChanges(url(id))
    }

    private mutating func drop() async throws {
        guard let request = plain.queue.randomElement(using: &generator) else { return }
        log.append("drop \(request.kind) \(request.affected)")
        let id = try await id(of: request)
        plain.drop([request.id])
        if request.status == .failed {
            try await provider.discardError(id)
        } else {
            try await provider.dropRequest(id)
        }
    }

    private mutating func retry() async throws {
        let failed = plain.queue.filter { $0.status == .failed }
        guard let request = failed.randomElement(using: &generator) else { return }
        log.append("retry \(request.kind) \(request.affected)")
        let id = try await id(of: request)
        plain.retry(request.id)
        try await provider.retryRequest(id)
    }

    private mutating func edit() async throws {
        let updates = plain.queue.filter { $0.kind == .values && $0.values["Name"] == nil }
        guard let request = updates.randomElement(using: &generator) else { return }
        let text = text()
        let property = Self.property(request.affected)
        log.append("edit \(request.affected): \(text)")
        let id = try await id(of: request)
        plain.edit(request.id, [.set(request.affected, property, "'\(text)'")])
        try await provider.editRequest(id, body: "{\"\(property)\":\"\(text)\"}")
    }

    // MARK: Synchronisation

    private mutating func upload() async throws {
        let mood = PlainStore.Mood.allCases.randomElement(using: &generator) ?? .nothing
        log.append("upload, refused: \(mood)")
        service.with { $0.mood = mood }
        plain.upload(mood)
        try await provider.upload()
        service.with { $0.mood = .nothing }
        let there = service.with { $0.world.lines() }
        if let difference = LineDifference.text(there, plain.server.lines()) {
            throw Refusal(text: "the service has \(difference)")
        }
    }

    /// Somebody else creates a person, or changes one that nobody here has changed; the change is seen before one is made here, or the
    /// two would be in conflict.
    private mutating func stranger() async throws {
        let key = number()
        let still = plain.server.ids("People").filter { id in
            plain.requests(on: id).isEmpty && plain.base.entities[id] != nil
        }
        var effect = PlainWorld.Effect.insert(
            "People(\(key))",
            PlainWorld.values("People", ["ID": "\(key)", "Name": "'other'"])
        )
        var isSeen = false
        if Bool.random(using: &generator), let id = still.randomElement(using: &generator) {
            effect = .set(id, "Name", "'other\(key)'")
            isSeen = true
        }
        log.append("stranger: \(effect)")
        plain.server.apply(effect)
        service.with { [effect] in $0.world.apply(effect) }
        if isSeen { try await download() }
    }

    private mutating func download() async throws {
        log.append("download")
        plain.download()
        try await provider.download()
    }

    // MARK: Comparing

    private func isEqual(_ step: Int) async throws -> Bool {
        let found = try storeLines()
        let expected = plain.visible.lines(states: plain.states)
        if let difference = LineDifference.text(found, expected) {
            Issue.record("\(place(step))\n\(difference)")
            return false
        }
        let queue = try await (provider.requestQueue() + provider.errorArchive())
            .sorted { $0.id < $1.id }
        guard queue.map(\.status.rawValue) == plain.queue.map({ "\($0.status)" }) else {
            let found = queue.map { "\($0.status.rawValue) \($0.method) \($0.url)" }
            let wanted = plain.queue.map { "\($0.status) \($0.kind) \($0.affected)" }
            Issue.record("\(place(step))\nqueue: \(found), not \(wanted)")
            return false
        }
        return true
    }

    private func storeLines() throws -> [String] {
        let queries = ["People?$expand=Friends,Rival,Notes", "Jobs", "Tools", "Photos", "Me"]
        var reading = StoreReading(provider: provider)
        for query in queries { try reading.read(query) }
        return reading.lines
    }
}
