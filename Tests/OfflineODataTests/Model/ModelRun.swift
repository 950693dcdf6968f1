import ODataAnswers
import ODataService
import ODataTables
import OfflineOData
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One random sequence of changes on a store and on the plain model beside it.
struct ModelRun {
    private typealias Handle = PlainModel.Handle

    private let seed: UInt64
    private let service: SampleService
    private let rules = Refusals()
    private let directory: TemporaryDirectory
    private let provider: OfflineODataProvider
    private var model = PlainModel()
    private var generator: SeededGenerator
    private var lastHandle = 0
    private var lastValue = 0
    private var urls: [Handle: String] = [:]
    private var log: [String] = []

    private static let sets:
        [PlainModel.Kind: (set: String, text: String, number: String, tag: String)] =
            [
                .order: ("WorkOrders", "Title", "Discount", "Description"),
                .part: ("Parts", "Name", "InStock", "Description"),
                .task: ("Tasks", "Title", "Position", "Notes"),
            ]

    init(seed: UInt64) async throws {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        service = try await SampleService(sets: [])
        directory = try TemporaryDirectory()
        var options = StandaloneOptions()
        options.service.serviceRoot = SampleService.root
        options.tracksChanges = true
        let transport = HandlerTransport(
            StandaloneHandler(store: rules.store(service.tables), options: options)
        )
        provider = try service.provider(directory, transport: transport)
        for (name, query) in [
            ("Orders", "WorkOrders?$expand=RequiredParts"), ("Tasks", "Tasks"), ("Parts", "Parts"),
        ] {
            try provider.add(definingQuery: OfflineODataDefiningQuery(name: name, query: query))
        }
        try await provider.open()
    }

    /// Runs so many steps and compares after each, until store and model do not agree.
    mutating func run(steps: Int) async throws {
        for step in 0..<steps {
            do {
                try await self.step()
            } catch {
                Issue.record("seed \(seed), step \(step): \(error)\n\(log.joined(separator: "\n"))")
                return
            }
            guard try await isEqual(step) else { return }
        }
        log.append("undo everything")
        model.drop(Set(model.queue.map(\.id)))
        try await provider.undoAllPendingChanges()
        _ = try await isEqual(steps)
    }

    // MARK: Steps

    private mutating func step() async throws {
        switch Int.random(in: 0..<24, using: &generator) {
        case 0..<6: try await create()
        case 6..<10: try await update()
        case 10..<12: try await delete()
        case 12..<16: try await link()
        case 16..<18: try await undo()
        case 18: try await discard()
        case 19: try await retry()
        case 20, 21: try await upload()
        case 22: try await stranger()
        default:
            log.append("download")
            model.download()
            try await provider.download()
        }
    }

    private func handles(_ kind: PlainModel.Kind) -> [Handle] {
        model.visible.entities.filter { $0.value.kind == kind }.keys.sorted()
    }

    private mutating func text() -> String {
        lastValue += 1
        return (Int.random(in: 0..<4, using: &generator) == 0 ? "bad" : "t") + String(lastValue)
    }

    private mutating func number() -> Int {
        lastValue += 1
        return lastValue
    }

    private mutating func create() async throws {
        var kind = PlainModel.Kind.allCases.randomElement(using: &generator) ?? .order
        let parent = handles(.order).randomElement(using: &generator)
        if kind == .task, parent == nil { kind = .order }
        lastHandle += 1
        let handle = lastHandle
        let entity = PlainModel.Entity(
            kind: kind,
            text: text(),
            number: number(),
            parent: kind == .task ? parent : nil
        )
        log.append("create \(handle): \(entity)")
        model.change(.create(handle, entity))
        let value = value(handle, entity)
        let created =
            if kind == .task, let parent {
                try await provider.createRelatedEntity(
                    value,
                    in: self.entity(parent),
                    property: "Tasks"
                )
            } else { try await provider.createEntity(value) }
        urls[handle] = created.readLink
    }

    private func value(_ handle: Handle, _ entity: PlainModel.Entity) -> EntityValue {
        let names = Self.sets[entity.kind] ?? ("", "", "", "")
        var value = EntityValue(entitySet: names.set)
        value[names.text] = .string(entity.text)
        value[names.number] = .integer(Int64(entity.number))
        value[names.tag] = .string("h\(handle)")
        if entity.kind == .part {
            value["Number"] = .string("N\(handle)")
            value["UnitPrice"] = .integer(1)
        }
        return value
    }

    private func entity(_ handle: Handle) async throws -> EntityValue {
        let url = try #require(urls[handle])
        return try #require(try await provider.executeQuery(url).first)
    }

    private func anyHandle() -> [Handle] { model.visible.entities.keys.sorted() }

    private mutating func update() async throws {
        guard let handle = anyHandle().randomElement(using: &generator),
            let kind = model.visible.entities[handle]?.kind, let names = Self.sets[kind]
        else { return }
        let which = Int.random(in: 0..<3, using: &generator)
        let text = which != 1 ? text() : nil
        let number = which != 0 ? number() : nil
        log.append("update \(handle): \(text ?? "") \(number ?? 0)")
        model.change(.update(handle, text: text, number: number))
        var value = try await entity(handle)
        if let text { value[names.text] = .string(text) }
        if let number { value[names.number] = .integer(Int64(number)) }
        try await provider.updateEntity(value)
    }

    private mutating func delete() async throws {
        guard let handle = anyHandle().randomElement(using: &generator) else { return }
        log.append("delete \(handle)")
        let entity = try await entity(handle)
        let world = model.visible
        let rows = world.family(of: handle)
        let links = world.links.filter { rows.contains($0.order) || rows.contains($0.part) }
        let owner = world.entities[handle]?.parent
        model.change(.delete(handle, .init(rows: rows, links: links, owner: owner)))
        try await provider.deleteEntity(entity)
    }

    private mutating func link() async throws {
        guard let order = handles(.order).randomElement(using: &generator),
            let part = handles(.part).randomElement(using: &generator)
        else { return }
        let link = PlainModel.Link(order: order, part: part)
        let isFromPart = Bool.random(using: &generator)
        let isThere = model.visible.links.contains(link)
        log.append("\(isThere ? "unlink" : "link") \(order) \(part) from part \(isFromPart)")
        let side: PlainModel.Kind = isFromPart ? .part : .order
        model.change(isThere ? .unlink(link, from: side) : .link(link, from: side))
        let ends = (try await entity(order), try await entity(part))
        let (source, target) = isFromPart ? (ends.1, ends.0) : ends
        let property = isFromPart ? "WorkOrders" : "RequiredParts"
        if isThere {
            try await provider.deleteLink(from: source, property: property, to: target)
        } else {
            try await provider.createLink(from: source, property: property, to: target)
        }
    }

    private mutating func undo() async throws {
        let changed = Set(model.queue.flatMap(\.change.rows)).sorted()
        guard let handle = changed.randomElement(using: &generator), let url = urls[handle] else {
            return
        }
        log.append("undo \(handle)")
        model.undo(handle)
        try await provider.undoPendingChanges(url)
    }

    /// The engine's id of a request of the model: both have them in the same order.
    private func id(of request: PlainModel.Request) async throws -> Int64 {
        let place = try #require(model.queue.firstIndex { $0.id == request.id })
        let all = try await provider.requestQueue() + provider.errorArchive()
        return all.map(\.id).sorted()[place]
    }

    private mutating func discard() async throws {
        guard let request = model.queue.randomElement(using: &generator) else { return }
        log.append("drop \(request.id)")
        let id = try await id(of: request)
        model.drop([request.id])
        try await provider.dropRequest(id)
    }

    private mutating func retry() async throws {
        let failed = model.queue.filter { $0.status == .failed }
        guard let request = failed.randomElement(using: &generator) else { return }
        log.append("retry \(request.id)")
        let id = try await id(of: request)
        model.retry(request.id)
        try await provider.retryRequest(id)
    }

    private mutating func upload() async throws {
        let refusing = Int.random(in: 0..<3, using: &generator) > 0
        log.append("upload, refusing: \(refusing)")
        model.upload(refusing: refusing)
        if refusing { rules.refuse { $0.isBad } }
        try await provider.upload()
        rules.refuse(nil)
    }

    /// Somebody else creates an order.
    private mutating func stranger() async throws {
        lastHandle += 1
        let entity = PlainModel.Entity(kind: .order, text: "other", number: number())
        log.append("stranger creates \(lastHandle)")
        model.server.apply(.create(lastHandle, entity))
        urls[lastHandle] = try await service.create(
            "WorkOrders",
            "{\"Title\":\"other\",\"Discount\":\(entity.number),\"Description\":\"h\(lastHandle)\"}",
            "WorkOrders"
        )
    }

    // MARK: Comparing

    private func isEqual(_ step: Int) async throws -> Bool {
        let place = "seed \(seed), step \(step)\n\(log.joined(separator: "\n"))"
        let found = try await storeLines()
        if let difference = LineDifference.text(found, lines(model.visible)) {
            let refused = try await provider.errorArchive()
                .map { "\($0.id) \($0.method) \($0.url): \($0.failure?.message ?? "")" }
            Issue.record("\(place)\n\(difference)\n\(refused.joined(separator: "\n"))")
            return false
        }
        let queue = try await provider.requestQueue() + provider.errorArchive()
        let statuses = queue.sorted { $0.id < $1.id }.map(\.status.rawValue)
        guard statuses == model.queue.map({ "\($0.status)" }) else {
            Issue.record("\(place)\nqueue: \(statuses), not \(model.queue.map { "\($0.status)" })")
            return false
        }
        return true
    }

    private func lines(_ world: PlainModel.World) -> [String] {
        let entities = world.entities.map { handle, entity in
            let requests = model.requests(on: handle)
            let values: [String] = [
                "h\(handle)", entity.text, String(entity.number),
                entity.parent.map { "h\($0)" } ?? "-",
            ]
            let isFailed = requests.contains { $0.status == .failed }
            let states = [model.isLocal(handle), !requests.isEmpty, isFailed]
            return (values + states.map { String($0) }).joined(separator: " ")
        }
        return (entities + world.links.map { "h\($0.order)-h\($0.part)" }).sorted()
    }

    private func storeLines() async throws -> [String] {
        let orders = try await provider.executeQuery("WorkOrders?$expand=RequiredParts")
        let parts = try await provider.executeQuery("Parts")
        let tasks = try await provider.executeQuery("Tasks?$expand=WorkOrder")
        var lines = orders.map { line($0, .order) } + parts.map { line($0, .part) }
        lines += tasks.map { line($0, .task) }
        for order in orders {
            for part in order["RequiredParts"]?.items ?? [] {
                let ends = [order["Description"], part["Description"]]
                lines.append(ends.map { $0?.stringValue ?? "?" }.joined(separator: "-"))
            }
        }
        return lines.sorted()
    }

    private func line(_ entity: EntityValue, _ kind: PlainModel.Kind) -> String {
        let names = Self.sets[kind] ?? ("", "", "", "")
        let number = entity[names.number]
        let parent = kind == .task ? entity["WorkOrder"]?["Description"]?.stringValue : "-"
        let whole = number?.integerValue ?? number?.doubleValue.map { Int64($0) }
        let values: [String] = [
            entity[names.tag]?.stringValue ?? "?", entity[names.text]?.stringValue ?? "?",
            whole.map { String($0) } ?? "?", parent ?? "?",
        ]
        let states = [entity.isLocal, entity.hasPendingChanges, entity.inErrorState]
        return (values + states.map { String($0) }).joined(separator: " ")
    }
}

extension Refusals.Change {
    /// Whether a text among the values begins with "bad".
    var isBad: Bool {
        body?.values.contains { item in
            if case .text(let text) = item.value { text.hasPrefix("bad") } else { false }
        } ?? false
    }
}
