import StoreRecords
import ODataHTTP
import OfflineOData
import TestSupport

/// Local changes.
extension LegalRun {
    func perform(_ kind: LegalLife.Step.Kind) async throws {
        switch kind {
        case .upload: try await synchronize("upload", nil) { try await $0.upload() }
        case .download: try await synchronize("download", nil) { try await $0.download() }
        case .uploadFaulty:
            let fault = LegalFault.allCases.randomElement(using: &generator)
            try await synchronize("upload", fault) { try await $0.upload() }
        case .downloadFaulty:
            let fault = LegalFault.allCases.randomElement(using: &generator)
            try await synchronize("download", fault) { try await $0.download() }
        case .restart: try restart()
        case .decide: try await decide()
        case .undo:
            guard let entity = try await pick("Customers", "Orders", "Tags") else { return }
            note(entity.address)
            try await editing {
                _ = try await $0.undoPendingChanges(
                    entity.address,
                    includingUnknownOutcome: false
                )
            }
        case .transaction: try await transaction()
        case .strangerCreate, .strangerUpdate, .strangerDelete, .strangerLink, .strangerMove,
            .strangerStream, .strangerFilter, .strangerSelf:
            stranger(kind)
        default: try await local(kind, transaction: nil)
        }
    }

    func local(_ kind: LegalLife.Step.Kind, transaction: String?) async throws {
        switch kind {
        case .createCustomer: try await createCustomer(transaction)
        case .createOrder: try await createOrder(transaction)
        case .createDeep: try await createDeep(transaction)
        case .createTag: try await createTag(transaction)
        case .createItem: try await createItem(transaction)
        case .createPhoto: try await createPhoto()
        case .update: try await update(transaction)
        case .updateTyped: try await updateTyped()
        case .replace: try await replace(transaction)
        case .delete: try await delete(transaction)
        case .link: try await link(isThere: true, transaction)
        case .unlink: try await link(isThere: false, transaction)
        case .move: try await move(transaction)
        case .setStream: try await setStream()
        default: break
        }
    }

    private func transaction() async throws {
        lastMarker += 1
        let name = "t\(lastMarker)"
        let kinds: [LegalLife.Step.Kind] = [
            .createCustomer, .createOrder, .update, .update, .delete, .link, .createTag, .move,
        ]
        for _ in 0..<Int.random(in: 2...3, using: &generator) {
            guard let kind = kinds.randomElement(using: &generator) else { continue }
            log.append("  \(name) \(kind.rawValue)")
            try await local(kind, transaction: name)
        }
    }

    // MARK: Choosing

    /// An entity of the store, of one of some sets.
    func pick(_ sets: String...) async throws -> EntityValue? {
        let covered = LegalLife.plans[life.plan].map(\.name)
        let set = sets.filter { covered.contains($0) }.randomElement(using: &generator)
        guard let set else { return nil }
        let all = try await provider.executeQuery(set)
        let changed = all.filter { $0.isLocal || $0.hasPendingChanges || $0.inErrorState }
        let some = chance(2) && !changed.isEmpty ? changed : all
        return some.randomElement(using: &generator)
    }

    /// Sends a request to the store and writes the change down, unless a rule of the store forbids it.
    @discardableResult
    func send(
        _ method: String,
        _ url: String,
        _ body: String?,
        _ transaction: String?,
        type: String = "application/json",
        _ made: LegalChange...
    ) async throws -> Bool {
        let before = Set(try await entries().map(\.id))
        let options = OfflineODataRequestOptions()
        options.transactionID = transaction
        var request = HTTPRequest(method: method, url: url, body: Array((body ?? "").utf8))
        if body != nil { request.headers["Content-Type"] = type }
        let answer = await provider.respond(to: request, options: options)
        note("\(method) \(url) \(body ?? "") \(answer.status)")
        guard answer.isSuccess else {
            let text = String(decoding: answer.body, as: UTF8.self)
            if answer.status >= 500 { throw LegalFailure(kind: "local", text: text) }
            note(text)
            return false
        }
        try await wrote(made, before)
        return true
    }

    private func wrote(_ made: [LegalChange], _ before: Set<Int64>) async throws {
        let new = Set(try await entries().map(\.id)).subtracting(before)
        for var change in made {
            change.requests = new
            changes.append(change)
        }
        try await lookForReplaced()
    }

    // MARK: Creating

    private func keyMember(_ name: String, _ low: Int) -> String {
        guard chance(2) else { return "" }
        return "\"\(name)\":\(low + lastMarker),"
    }

    private func createCustomer(_ transaction: String?) async throws {
        let name = marker()
        var tail = ""
        if chance(4), let tag = try await pick("Tags") {
            tail = ",\"Tags@odata.bind\":[\"\(tag.address)\"]"
        }
        if chance(4) { tail += ",\"Amount\":12.5" }
        try await send(
            "POST",
            "Customers",
            "{\(keyMember("ID", 1000))\"Name\":\"\(name)\"\(tail)}",
            transaction,
            LegalChange(kind: .create, marker: name, target: name, set: "Customers")
        )
    }

    private func guid() -> String {
        let digits = String(lastMarker)
        return "20000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
            + digits
    }

    private func createOrder(_ transaction: String?) async throws {
        let name = marker()
        let key = chance(2) ? "\"ID\":\"\(guid())\"," : ""
        var change = LegalChange(kind: .create, marker: name, target: name, set: "Orders")
        guard let customer = try await pick("Customers"), !chance(6) else {
            try await send(
                "POST",
                "Orders",
                "{\(key)\"Name\":\"\(name)\",\"Open\":true}",
                transaction,
                change
            )
            return
        }
        change.customer = customer["Name"]?.stringValue
        let id = customer["ID"]?.integerValue
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
            let url = customer.address + "/Orders"
            let body = "{\(key)\"Name\":\"\(name)\",\"Open\":true}"
            try await send("POST", url, body, transaction, change)
        case 1 where id != nil:
            let body = "{\(key)\"Name\":\"\(name)\",\"Open\":true,\"CustomerID\":\(id ?? 0)}"
            try await send("POST", "Orders", body, transaction, change)
        default:
            let body =
                "{\(key)\"Name\":\"\(name)\",\"Open\":true,\"Customer@odata.bind\":\"\(customer.address)\"}"
            try await send("POST", "Orders", body, transaction, change)
        }
    }

    private func createDeep(_ transaction: String?) async throws {
        let name = marker()
        let (first, second) = (marker(), marker())
        try await send(
            "POST",
            "Customers",
            "{\(keyMember("ID", 1000))\"Name\":\"\(name)\",\"Orders\":[{\"Name\":\"\(first)\",\"Open\":true},{\"Name\":\"\(second)\",\"Open\":true}]}",
            transaction,
            LegalChange(kind: .create, marker: name, target: name, set: "Customers"),
            LegalChange(
                kind: .create,
                marker: first,
                target: first,
                set: "Orders",
                customer: name
            ),
            LegalChange(
                kind: .create,
                marker: second,
                target: second,
                set: "Orders",
                customer: name
            )
        )
    }

    private func createTag(_ transaction: String?) async throws {
        let name = marker()
        // Some keys are taken by others already.
        var code = chance(5) ? "s\(Int.random(in: 1...8, using: &generator))" : "c\(lastMarker)"
        if life.traits.contains(.keysWithOddCharacters) { code += " /%'é?#" }
        try await send(
            "POST",
            "Tags",
            "{\"Code\":\"\(code)\",\"Name\":\"\(name)\"}",
            transaction,
            LegalChange(kind: .create, marker: name, target: name, set: "Tags")
        )
    }

    private func createItem(_ transaction: String?) async throws {
        guard let order = try await pick("Orders") else { return }
        let name = marker()
        try await send(
            "POST",
            order.address + "/Items",
            "{\"Number\":\(lastMarker),\"Name\":\"\(name)\"}",
            transaction,
            LegalChange(kind: .create, marker: name, target: name, set: "Items")
        )
    }

    private func createPhoto() async throws {
        guard LegalLife.plans[life.plan].contains(where: { $0.name == "Photos" }) else { return }
        let name = marker()
        try await send(
            "POST",
            "Photos",
            name,
            nil,
            type: "text/plain",
            LegalChange(kind: .create, marker: name, target: nil, set: "Photos")
        )
    }

    // MARK: Changing

    private func change(_ kind: LegalChange.Kind, _ marker: String, _ entity: EntityValue)
        -> LegalChange
    {
        LegalChange(
            kind: kind,
            marker: marker,
            target: entity["Name"]?.stringValue,
            set: entity.entitySet,
            seen: entity["Note"]?.stringValue
        )
    }

    private func update(_ transaction: String?) async throws {
        guard
            let entity = try await pick(
                "Customers",
                "Customers",
                "Orders",
                "Orders",
                "Tags",
                "Me",
                "Photos"
            )
        else { return }
        let text = marker()
        let space = chance(5) ? " " : ""
        try await send(
            "PATCH",
            entity.address,
            "{\"Note\":\"\(text)\(space)\"}",
            transaction,
            change(.update, text, entity)
        )
    }

    private func updateTyped() async throws {
        guard var entity = try await pick("Customers", "Orders", "Tags") else { return }
        let text = marker()
        let made = change(.update, text, entity)
        note(entity.address + " " + text)
        entity["Note"] = .string(text)
        let before = Set(try await entries().map(\.id))
        do {
            try await provider.updateEntity(entity)
        } catch {
            guard error.category != .internal else { throw error }
            return note("not allowed: \(error.message)")
        }
        try await wrote([made], before)
    }

    private func replace(_ transaction: String?) async throws {
        guard let entity = try await pick("Tags"), let name = entity["Name"]?.stringValue else {
            return
        }
        let text = marker()
        try await send(
            "PUT",
            entity.address,
            "{\"Name\":\"\(name)\",\"Note\":\"\(text)\"}",
            transaction,
            change(.update, text, entity)
        )
    }

    private func delete(_ transaction: String?) async throws {
        guard let entity = try await pick("Customers", "Orders", "Tags", "Photos") else { return }
        try await send("DELETE", entity.address, nil, transaction, change(.delete, "", entity))
    }

    // MARK: Relating

    private func link(isThere: Bool, _ transaction: String?) async throws {
        guard let customer = try await pick("Customers") else { return }
        let tags = try await provider.executeQuery(customer.address + "/Tags")
        let tag = isThere ? try await pick("Tags") : tags.randomElement(using: &generator)
        guard let tag, let from = customer["Name"]?.stringValue, let to = tag["Name"]?.stringValue
        else { return }
        let isLinked = tags.contains { $0["Code"]?.stringValue == tag["Code"]?.stringValue }
        guard isLinked != isThere else { return }
        let made = LegalChange(
            kind: isThere ? .link : .unlink,
            marker: "",
            target: "\(from)>\(to)",
            set: "Customers"
        )
        let (source, target, property) =
            chance(2) ? (customer, tag, "Tags") : (tag, customer, "Customers")
        let url = source.address + "/\(property)/$ref"
        if isThere {
            let body = "{\"@odata.id\":\"\(target.address)\"}"
            try await send("POST", url, body, transaction, made)
        } else {
            try await send("DELETE", url + "?$id=" + target.address, nil, transaction, made)
        }
    }

    private func move(_ transaction: String?) async throws {
        guard let order = try await pick("Orders"), let customer = try await pick("Customers")
        else { return }
        var made = LegalChange(
            kind: .move,
            marker: "",
            target: order["Name"]?.stringValue,
            set: "Orders",
            customer: customer["Name"]?.stringValue
        )
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            let body = "{\"Customer@odata.bind\":\"\(customer.address)\"}"
            try await send("PATCH", order.address, body, transaction, made)
        case 1:
            let body = "{\"@odata.id\":\"\(customer.address)\"}"
            try await send("PUT", order.address + "/Customer/$ref", body, transaction, made)
        case 2:
            made.customer = nil
            try await send("PATCH", order.address, "{\"CustomerID\":null}", transaction, made)
        default:
            guard let id = customer["ID"]?.integerValue else { return }
            let body = "{\"CustomerID\":\(id)}"
            try await send("PATCH", order.address, body, transaction, made)
        }
    }

    private func setStream() async throws {
        guard let entity = try await pick("Customers", "Photos") else { return }
        let text = marker()
        let names = entity.entitySet == "Photos" ? ["$value", "Thumb"] : ["Picture", "Logo"]
        guard let name = names.randomElement(using: &generator) else { return }
        let target = entity["Name"]?.stringValue.map {
            $0 + "/" + (name == "$value" ? "" : name)
        }
        try await send(
            "PUT",
            entity.address + "/" + name,
            text,
            nil,
            type: "text/plain",
            LegalChange(kind: .stream, marker: text, target: target, set: entity.entitySet)
        )
    }
}

extension EntityValue {
    /// By what the store finds the entity.
    var address: String {
        if let readLink { return readLink }
        if entitySet == "Me" { return "Me" }
        switch self["Code"] ?? self["ID"] ?? self["Number"] {
        case .integer(let number)?: return "\(entitySet)(\(number))"
        case .string(let text)? where self["Code"] != nil:
            return "\(entitySet)('\(LegalTarget.encoded(text.replacing("'", with: "''")))')"
        case .string(let text)?: return "\(entitySet)(\(text))"
        default: return entitySet
        }
    }
}
