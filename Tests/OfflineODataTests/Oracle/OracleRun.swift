import StoreRecords
import OfflineOData
import TestSupport
import Testing

/// One random life of several stores and direct writers on one service.
///
/// Every change carries a value of its own, so that its effects can be counted at the service.
struct OracleRun {
    private let seed: UInt64
    private let service: OracleService
    private let stores: [OracleStore]
    private var generator: SeededGenerator
    private var lastValue = 0
    private var log: [String] = []
    private var failures: [String] = []
    /// How often a person has had a value created anew.
    private var insisted: [String: Int] = [:]

    init(seed: UInt64) throws {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        let service = try OracleService()
        self.service = service
        stores = try [
            OracleStore("repeatable", service, hasDeltas: true) {
                $0.enableRepeatableRequests = true
            },
            OracleStore("plain", service, hasDeltas: true) { $0.uploadBatchSize = 3 },
            OracleStore("full reads", service, hasDeltas: false) {
                $0.enableRequestQueueOptimization = true
                $0.parallelQueryCount = 3
            },
        ]
    }

    /// Runs the steps, then settles everything and compares.
    mutating func run(steps: Int) async {
        do {
            for _ in 0..<6 { await stranger() }
            for store in stores { try await open(store) }
            for _ in 0..<steps {
                try await step()
                guard failures.isEmpty else { break }
            }
            if failures.isEmpty { try await settle() }
        } catch {
            failures.append("\(error)")
        }
        guard !failures.isEmpty else { return }
        Issue.record(
            "seed \(seed)\n\(log.joined(separator: "\n"))\n\(failures.joined(separator: "\n"))"
        )
    }

    // MARK: Steps

    private mutating func step() async throws {
        guard let store = stores.randomElement(using: &generator) else { return }
        switch Int.random(in: 0..<30, using: &generator) {
        case 0..<5: try await local(store, "create") { try await $0.create(store) }
        case 5..<9: try await local(store, "update") { try await $0.update(store) }
        case 9..<11: try await local(store, "delete") { try await $0.delete(store) }
        case 11..<14: try await local(store, "link") { try await $0.link(store) }
        case 14..<19: try await synchronize(store, isUpload: true)
        case 19..<23: try await synchronize(store, isUpload: false)
        case 23..<27: await stranger()
        case 27: try await local(store, "settle") { try await $0.decide(store) }
        case 28: try await local(store, "undo") { try await $0.undo(store) }
        default: try await grow()
        }
    }

    private mutating func value() -> String {
        lastValue += 1
        return "v\(lastValue)."
    }

    private mutating func pick(_ store: OracleStore, _ sets: String...) async throws -> EntityValue?
    {
        let set = sets.randomElement(using: &generator) ?? sets[0]
        return try await store.provider.executeQuery(set).randomElement(using: &generator)
    }

    /// A change in a store; rules of the store may forbid it.
    private mutating func local(
        _ store: OracleStore,
        _ name: String,
        _ change: (inout OracleRun) async throws -> Void
    ) async throws {
        log.append("\(store.name): \(name)")
        do {
            try await change(&self)
        } catch let error as OfflineODataError where error.category != .internal {
            log.append("  not allowed: \(error.message)")
        }
    }

    private mutating func note(_ text: String) { log[log.count - 1] += " " + text }

    private mutating func create(_ store: OracleStore) async throws {
        let title = value()
        let options = OfflineODataRequestOptions()
        // It may go after a delta has brought it, and no later one brings it again.
        options.removeCreatedEntityAfterUpload =
            !store.hasDeltas && Int.random(in: 0..<5, using: &generator) == 0
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
            note("order \(title)")
            try await store.provider.createEntity(
                EntityValue(entitySet: "WorkOrders", ["Title": .string(title)]),
                options: options
            )
        case 1:
            let number = "N\(Int.random(in: 1..<40, using: &generator))"
            note("part \(number) \(title)")
            try await store.provider.createEntity(
                EntityValue(
                    entitySet: "Parts",
                    [
                        "Number": .string(number), "Name": .string(title), "UnitPrice": 1,
                        "InStock": .integer(Int64(lastValue)),
                    ]
                )
            )
        default:
            guard let order = try await pick(store, "WorkOrders") else { return }
            note("task \(title) of \(order.url)")
            try await store.provider.createRelatedEntity(
                EntityValue(entitySet: "Tasks", ["Title": .string(title)]),
                in: order,
                property: "Tasks"
            )
        }
    }

    private mutating func update(_ store: OracleStore) async throws {
        guard var entity = try await pick(store, "WorkOrders", "Tasks", "Parts") else { return }
        let text = value()
        note("\(entity.url) \(text)")
        let name = entity.entitySet == "Tasks" ? "Notes" : "Description"
        entity[name] = .string(text)
        if entity.entitySet == "WorkOrders", Bool.random(using: &generator) {
            entity["Discount"] = .integer(Int64(lastValue))
        }
        try await store.provider.updateEntity(entity)
    }

    private mutating func delete(_ store: OracleStore) async throws {
        guard let entity = try await pick(store, "WorkOrders", "Tasks", "Parts") else { return }
        note(entity.url)
        try await store.provider.deleteEntity(entity)
    }

    private mutating func link(_ store: OracleStore) async throws {
        guard let order = try await pick(store, "WorkOrders"),
            let part = try await pick(store, "Parts")
        else { return }
        let url = order.url
        let there = try await store.provider.executeQuery("\(url)/RequiredParts")
        let isThere = there.contains { $0["Number"]?.stringValue == part["Number"]?.stringValue }
        note("\(isThere ? "end" : "begin") \(url) \(part.url)")
        let isFromPart = Bool.random(using: &generator)
        let (source, target) = isFromPart ? (part, order) : (order, part)
        let property = isFromPart ? "WorkOrders" : "RequiredParts"
        if isThere {
            try await store.provider.deleteLink(from: source, property: property, to: target)
        } else {
            try await store.provider.createLink(from: source, property: property, to: target)
        }
    }

    private mutating func undo(_ store: OracleStore) async throws {
        guard let entity = try await pick(store, "WorkOrders", "Parts") else { return }
        note(entity.url)
        try await store.provider.undoPendingChanges(entity.url, includingUnknownOutcome: false)
    }

    /// A person decides about a request that was refused, or whose outcome is not known.
    private mutating func decide(_ store: OracleStore) async throws {
        let open = try await store.open().filter { [.failed, .unknownOutcome].contains($0.status) }
        guard let entry = open.randomElement(using: &generator) else { return }
        note("\(entry.method) \(entry.url) \(entry.status)")
        switch Int.random(in: 0..<3, using: &generator) {
        case 0 where entry.status == .failed: try await store.provider.retryRequest(entry.id)
        case 1 where entry.status == .failed:
            let creations = Set(open.filter { $0.method == "POST" }.map(\.id))
            try await store.provider.resolveConflict(
                "ErrorArchive(\(entry.id))/AffectedEntity",
                with: Bool.random(using: &generator) ? .local : .server
            )
            try await noteInsistence(store, besides: creations)
        default:
            try await store.provider.dropRequest(entry.id, includingUnknownOutcome: true)
        }
    }

    /// Who insists on an entity that the service has deleted has it created anew, with the values that it had.
    private mutating func noteInsistence(_ store: OracleStore, besides known: Set<Int64>)
        async throws
    {
        for entry in try await store.open()
        where entry.method == "POST" && !known.contains(entry.id) {
            for value in Self.values(entry.body ?? "") { insisted[value, default: 0] += 1 }
        }
    }

    /// Somebody else changes the service's data.
    private mutating func stranger() async {
        let model = OracleModel(service.log.all)
        func some(_ set: String, _ generator: inout SeededGenerator) -> String? {
            model.entities.keys.filter { OracleModel.set(of: $0) == set }.sorted()
                .randomElement(using: &generator)
        }
        let text = value()
        let order = some("WorkOrders", &generator) ?? "WorkOrders(1)"
        let part = some("Parts", &generator) ?? "Parts('S1')"
        let weather = service.hasGrown ? ",\"Weather\":\"w\(lastValue)\"" : ""
        let request: (method: String, url: String, body: String)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0, 1: request = ("POST", "WorkOrders", "{\"Title\":\"\(text)\"\(weather)}")
        case 2:
            request = (
                "POST", "Parts",
                "{\"Number\":\"S\(lastValue)\",\"Name\":\"\(text)\",\"UnitPrice\":1,\"InStock\":5}"
            )
        case 3: request = ("PATCH", order, "{\"Description\":\"\(text)\"\(weather)}")
        case 4: request = ("PATCH", part, "{\"Description\":\"\(text)\"}")
        case 5: request = ("DELETE", Bool.random(using: &generator) ? order : part, "")
        case 6 where model.entities[order] != nil:
            let key = order.split(whereSeparator: { "()".contains($0) }).last ?? "0"
            request = ("POST", "Tasks", "{\"Title\":\"\(text)\",\"WorkOrderID\":\(key)}")
        default:
            request = (
                "POST", order + "/RequiredParts/$ref",
                "{\"@odata.id\":\"\(SampleService.root)\(part)\"}"
            )
        }
        let answer = await service.change(request.method, request.url, request.body)
        log.append("stranger: \(request.method) \(request.url) \(request.body) \(answer.status)")
    }

    private mutating func grow() async throws {
        guard Int.random(in: 0..<4, using: &generator) == 0 else { return }
        // The service forgets which requests it has answered, so none may be repeated later.
        log.append("the service's model grows")
        for store in stores { try await synchronize(store, isUpload: true, mishap: nil) }
        try service.grow()
    }

    // MARK: Synchronisation

    /// Opens a store, in spite of what happens to its first load.
    private mutating func open(_ store: OracleStore) async throws {
        for _ in 0..<3 {
            let mishap = OracleStore.Mishap.allCases.randomElement(using: &generator)
            let place = Int.random(in: 0..<7, using: &generator)
            log.append("\(store.name): open, \(mishap.map { "\($0)" } ?? "") \(place)")
            _ = try await store.run(mishap, at: place) { try await $0.open() }
        }
        if let error = try await store.run(nil, at: 0, { try await $0.open() }) { throw error }
    }

    private mutating func synchronize(_ store: OracleStore, isUpload: Bool) async throws {
        let mishap =
            Bool.random(using: &generator)
            ? OracleStore.Mishap.allCases.randomElement(using: &generator) : nil
        try await synchronize(store, isUpload: isUpload, mishap: mishap)
    }

    private mutating func synchronize(
        _ store: OracleStore,
        isUpload: Bool,
        mishap: OracleStore.Mishap?
    ) async throws {
        let place = Int.random(in: 0..<(isUpload ? 3 : 6), using: &generator)
        let what = "\(store.name): \(isUpload ? "upload" : "download")"
        log.append("\(what) \(mishap.map { "\($0) at \(place)" } ?? "")")
        let before = Self.values(try await store.open())
        let failure = try await store.run(mishap, at: place) { provider in
            if isUpload { try await provider.upload() } else { try await provider.download() }
        }
        if let failure {
            note("\(failure)")
            if mishap == nil { failures.append("\(what) without a mishap: \(failure)") }
        }
        try await check(store, before, what)
    }

    // MARK: Checking

    /// The values of requests.
    private static func values(_ entries: [QueueEntry]) -> Set<String> {
        Set(entries.flatMap { values($0.body ?? "") })
    }

    private static func values(_ text: String) -> [String] {
        text.split(whereSeparator: { $0 == "\"" }).map { String($0) }
            .filter(isValue)
    }

    /// What is not waiting any more was carried out once; what was refused was not carried out.
    private mutating func check(
        _ store: OracleStore,
        _ before: Set<String>,
        _ what: String
    ) async throws {
        let changes = service.log.all
        checkCreations(changes, what)
        var effects: Set<String> = []
        for change in changes { effects.formUnion(change.values) }
        let open = try await store.open()
        for value in before.subtracting(Self.values(open)).subtracting(effects) {
            failures.append("\(what): \(value) is lost")
        }
        // A change of what somebody else has deleted since is refused for that, done or not.
        // The failed precondition of an update says that too, and the message of the archive tells it apart, as it does where the answer
        // was lost and the entity has been changed since.
        for entry in open
        where entry.status == .failed && ![404, 410].contains(entry.failure?.httpStatus)
            && entry.failure?.message.hasPrefix("the service has deleted the entity") != true
            && entry.failure?.message.contains("the answer was lost") != true
        {
            for value in Self.values(entry.body ?? "")
            where effects.contains(value) && insisted[value] == nil {
                failures.append(
                    "\(what): \(value) was carried out and stands in the archive: \(entry.failure?.message ?? "")"
                )
            }
        }
    }

    /// Nothing is created twice.
    ///
    /// What somebody else has deleted cannot be told from what was never created: a service that does not know repeated requests
    /// may be asked to create that again, if it has a key of its own.
    private mutating func checkCreations(_ changes: [OracleModel.Change], _ what: String) {
        var made: [String: String] = [:]
        var again = insisted
        for change in changes {
            switch change {
            case .create(let name, let values):
                for value in values.values where Self.isValue(value) {
                    guard made.updateValue(name, forKey: value) != nil else { continue }
                    again[value, default: 0] -= 1
                    if again[value, default: 0] < 0 {
                        failures.append("\(what): \(value) was created twice")
                    }
                }
            case .delete(let name) where name.hasPrefix("Parts"):
                made = made.filter { $0.value != name }
            default: break
            }
        }
    }

    private static func isValue(_ text: String) -> Bool {
        text.hasPrefix("v") && text.hasSuffix(".")
    }

    /// Nothing is left open, and all have the same.
    private mutating func settle() async throws {
        log.append("the end")
        for store in stores { try await settle(store) }
        let expected = OracleModel(service.log.all).lines
        for store in stores {
            // Without deltas nobody can say what has changed since an interrupted download read its first pages.
            if !store.hasDeltas, try await store.provider.hasPendingDownload() {
                try await synchronize(store, isUpload: false, mishap: nil)
            }
            try await synchronize(store, isUpload: false, mishap: nil)
            compare(store.name, try await store.lines(), expected)
            let integrity = try await store.provider.checkIntegrity()
            if !integrity.isEmpty { failures.append("\(store.name): \(integrity)") }
        }
        let fresh = try OracleStore("fresh", service, hasDeltas: true) { _ in }
        try await fresh.provider.open()
        compare(fresh.name, try await fresh.lines(), expected)
    }

    private mutating func settle(_ store: OracleStore) async throws {
        for _ in 0..<8 {
            try await synchronize(store, isUpload: true, mishap: nil)
            let open = try await store.open()
            if open.isEmpty { return }
            for entry in open {
                // One goes with another that it depends on.
                _ = try? await store.provider.dropRequest(entry.id, includingUnknownOutcome: true)
            }
        }
        failures.append("\(store.name): requests are left: \(try await store.open())")
    }

    private mutating func compare(_ name: String, _ found: [String], _ expected: [String]) {
        if let difference = LineDifference.text(found, expected) {
            failures.append("\(name)\n\(difference)")
        }
    }
}
