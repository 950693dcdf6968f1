import StoreRecords
import OfflineOData
import TestSupport

/// The end: a person leads every refused request on, and after one more synchronisation all agree.
extension LegalRun {
    /// A person decides about a request that was refused, or whose outcome is not known.
    func decide() async throws {
        let open = try await entries().filter { [.failed, .unknownOutcome].contains($0.status) }
        guard let entry = open.randomElement(using: &generator) else { return }
        try await decide(entry, mayDiscard: true)
    }

    private func decide(_ entry: QueueEntry, mayDiscard: Bool) async throws {
        note("\(entry.method) \(entry.url) \(entry.status)")
        disclosed.formUnion(transport.with { $0.world.effects.compactMap(\.marker) })
        if entry.status == .unknownOutcome { return try await decideUnknown(entry) }
        let choice = Int.random(in: 0..<(mayDiscard ? 5 : 4), using: &generator)
        note(["retry", "local", "server", "merge", "discard"][choice])
        let url = "ErrorArchive(\(entry.id))/AffectedEntity"
        try await editing { provider in
            switch choice {
            case 0: try await provider.retryRequest(entry.id)
            case 1: try await provider.resolveConflict(url, with: .local)
            case 2: try await provider.resolveConflict(url, with: .server)
            case 3:
                try await provider.resolveConflict(url, with: .merge(body: entry.body ?? "{}"))
            default: _ = try await provider.discardError(entry.id)
            }
        }
    }

    /// A person who looks whether the service has the change, and takes it back or sends it again.
    private func decideUnknown(_ entry: QueueEntry) async throws {
        let effects = transport.with { $0.world.effects }
        // What takes effect together is looked for together.
        let members = try await entries().filter {
            $0.id == entry.id || entry.transaction != nil && $0.transaction == entry.transaction
        }
        let isThere = changes.contains { change in
            let isOfEntry = members.contains { member in
                change.requests.contains(member.id)
                    || !change.marker.isEmpty && member.body?.contains(change.marker) ?? false
            }
            return isOfEntry
                && effects.contains {
                    $0.author == .client && $0.marker?.hasPrefix(change.marker) ?? false
                        && !change.marker.isEmpty
                }
        }
        note(isThere ? "drop" : "retry")
        try await editing { provider in
            if isThere {
                _ = try await provider.dropRequest(entry.id, includingUnknownOutcome: true)
            } else {
                try await provider.retryRequest(entry.id)
            }
        }
    }

    func settle() async throws {
        for round in 0..<10 {
            log.append("end, round \(round)")
            try await synchronize("upload", nil) { try await $0.upload() }
            let open = try await entries()
            if open.isEmpty { break }
            for entry in open {
                log.append("  decide")
                if round < 3, [.failed, .unknownOutcome].contains(entry.status) {
                    guard try await entries().contains(where: { $0.id == entry.id }) else {
                        continue
                    }
                    try await decide(entry, mayDiscard: false)
                } else if round >= 3 {
                    note("drop \(entry.method) \(entry.url) \(entry.status)")
                    try await editing {
                        _ = try await $0.dropRequest(entry.id, includingUnknownOutcome: true)
                    }
                }
            }
        }
        let left = try await entries()
        guard left.isEmpty else {
            throw LegalFailure(
                kind: "stuck",
                text: "left: \(left.map { "\($0.method) \($0.url) \($0.status)" })"
            )
        }
        // What a download tells to be of the time before a cut may be old; the one after it reads all of it again.
        if try await isCutBefore() { _ = try await isCutBefore() }
        try await compare()
    }

    /// Downloads; answers whether the result tells that pages are older than this download.
    private func isCutBefore() async throws -> Bool {
        log.append("end, download")
        var remarks: [String] = []
        try await synchronize("download", nil) {
            remarks = try await $0.download().queries.flatMap(\.remarks)
        }
        return remarks.contains { $0.contains("before the loading was cut") }
    }

    // MARK: Comparing

    /// Expects that the store has what the service has, where no change waits.
    func compare() async throws {
        let found = try await storeLines()
        let expected = transport.with { serviceLines(&$0) }
        if let difference = LineDifference.text(found, expected) {
            throw LegalFailure(kind: "diverged", text: difference)
        }
        let integrity = try await provider.checkIntegrity()
        guard integrity.isEmpty else { throw LegalFailure(kind: "integrity", text: "\(integrity)") }
    }

    private var covered: [String] { LegalLife.plans[life.plan].map(\.name) }

    private func storeLines() async throws -> [String] {
        var lines: [String] = []
        for set in covered {
            for entity in try await provider.executeQuery(set) {
                lines.append(try await line(entity, set))
            }
        }
        for customer in try await provider.executeQuery("Customers?$expand=Tags") {
            for tag in customer["Tags"]?.items ?? [] {
                lines.append("\(Self.text(customer["Name"]))>\(Self.text(tag["Name"]))")
            }
        }
        if life.plan != 1 {
            for order in try await provider.executeQuery("Orders?$expand=Items") {
                for item in order["Items"]?.items ?? [] {
                    lines.append(
                        "item \(Self.text(order["Name"])) \(Self.text(item["Number"])) \(Self.text(item["Name"]))"
                    )
                }
            }
        }
        return lines.sorted()
    }

    private func line(_ entity: EntityValue, _ set: String) async throws -> String {
        let key = entity["Code"] ?? entity["ID"]
        var parts = [
            set, Self.text(key).lowercased(), Self.text(entity["Name"]), Self.text(entity["Note"]),
        ]
        if set == "Orders" {
            parts += [Self.text(entity["CustomerID"]), Self.text(entity["Open"])]
        }
        if set == "Photos", life.plan == 0 {
            parts.append(try await streamText(entity.address + "/$value"))
        }
        if set == "Customers", life.plan == 1 {
            parts.append(try await streamText(entity.address + "/Picture"))
        }
        return parts.joined(separator: " ")
    }

    private func streamText(_ url: String) async throws -> String {
        guard let stream = try await provider.stream(url) else { return "none" }
        return String(decoding: try await stream.bytes(), as: UTF8.self)
    }

    private static func text(_ value: ODataValue?) -> String {
        switch value {
        case .string(let text)?, .number(let text)?: text
        case .integer(let number)?: String(number)
        case .boolean(let isTrue)?: String(isTrue)
        default: "-"
        }
    }

    private func serviceLines(_ service: inout LegalService) -> [String] {
        var lines: [String] = []
        for set in covered {
            for entity in service.world.all(set) {
                if set == "Me", !service.hasSelf { continue }
                if set == "Orders", life.plan == 1, entity.values["Open"] != .bool(true) {
                    continue
                }
                lines.append(Self.line(entity, life.plan))
                guard set == "Orders", life.plan != 1 else { continue }
                for uid in service.world.related(entity.uid, "Items") {
                    guard let item = service.world.entities[uid] else { continue }
                    lines.append("item \(entity.mark) \(item.key) \(item.mark)")
                }
            }
        }
        for link in service.world.links {
            let ends = [link.customer, link.tag].map { service.world.entities[$0]?.mark ?? "?" }
            lines.append(ends.joined(separator: ">"))
        }
        return lines.sorted()
    }

    private static func line(_ entity: LegalWorld.Entity, _ plan: Int) -> String {
        let schema = LegalSchema.sets[entity.set]
        let key = (entity.values[schema?.key ?? "ID"] ?? .null).plain.lowercased()
        var parts = [
            entity.set, key, entity.mark, (entity.values["Note"] ?? .null).plain,
        ]
        if entity.set == "Orders" {
            parts += [
                (entity.values["CustomerID"] ?? .null).plain,
                (entity.values["Open"] ?? .null).plain,
            ]
        }
        if entity.set == "Photos", plan == 0 { parts.append(entity.streams[""]?.text ?? "none") }
        if entity.set == "Customers", plan == 1 {
            parts.append(entity.streams["Picture"]?.text ?? "none")
        }
        return parts.joined(separator: " ")
    }
}
