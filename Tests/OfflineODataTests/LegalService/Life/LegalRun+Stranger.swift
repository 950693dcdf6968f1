import TestSupport

/// Another client at the service.
extension LegalRun {
    func stranger(_ kind: LegalLife.Step.Kind) {
        switch kind {
        case .strangerCreate:
            let set = ["Customers", "Orders", "Tags", "Photos"].randomElement(using: &generator)
            strangerCreate(set ?? "Tags")
        case .strangerUpdate:
            guard let entity = strangers("Customers", "Orders", "Tags", "Me") else { return }
            let text = "s" + marker()
            let values: [String: LegalValue] =
                entity.set == "Customers" && chance(3)
                ? ["Amount": .number("\(lastMarker).25")] : ["Note": .string(text)]
            note("\(entity.set) \(entity.key) \(values.keys.joined()) \(text)")
            transport.with { $0.asStranger { $0.world.set(entity.uid, values) } }
        case .strangerDelete:
            guard let entity = strangers("Customers", "Orders", "Tags", "Photos") else { return }
            note("\(entity.set) \(entity.key)")
            if changes.contains(where: { $0.isOpen && $0.marker == entity.mark }) {
                deletedUnanswered.insert(entity.mark)
            }
            transport.with { service in
                let cascades =
                    service.has(.cascadeDeclared) || service.has(.cascadeUndeclared)
                service.asStranger { $0.world.remove(entity.uid, cascading: cascades) }
            }
        case .strangerLink: strangerLink()
        case .strangerMove:
            guard let order = strangers("Orders"), let customer = strangers("Customers") else {
                return
            }
            note("\(order.key) to \(customer.key)")
            transport.with {
                $0.asStranger {
                    $0.world.set(order.uid, ["CustomerID": customer.values["ID"] ?? .null])
                }
            }
        case .strangerStream:
            guard let entity = strangers("Customers", "Photos") else { return }
            let name = entity.set == "Photos" ? "" : "Picture"
            let text = "s" + marker()
            note("\(entity.set) \(entity.key) \(name) \(text)")
            transport.with {
                $0.asStranger { $0.world.setStream(entity.uid, name, text, type: "text/plain") }
            }
        case .strangerFilter:
            guard let order = strangers("Orders") else { return }
            let isOpen = order.values["Open"] == .bool(true)
            note("\(order.key) Open \(!isOpen)")
            transport.with { $0.asStranger { $0.world.set(order.uid, ["Open": .bool(!isOpen)]) } }
        case .strangerSelf:
            transport.with { $0.hasSelf.toggle() }
        default: break
        }
    }

    private func strangers(_ sets: String...) -> LegalWorld.Entity? {
        let all = transport.with { service in sets.flatMap { service.world.all($0) } }
        return all.randomElement(using: &generator)
    }

    func strangerCreate(_ set: String) {
        let name = "s" + marker()
        let customer = strangers("Customers")
        note("\(set) \(name)")
        let number = lastMarker
        transport.with { service in
            service.asStranger { service in
                var values: [String: LegalValue] = ["Name": .string(name), "Note": .null]
                switch set {
                case "Customers", "Photos": values["ID"] = .integer(service.nextKey())
                case "Tags":
                    let odd = service.has(.keysWithOddCharacters) ? " /%'é?#" : ""
                    values["Code"] = .string("s\(number)\(odd)")
                default:
                    values["ID"] = .string(service.nextGUID())
                    values["Open"] = .bool(true)
                    values["CustomerID"] = customer?.values["ID"] ?? .null
                }
                if set == "Customers" {
                    values["Amount"] = .number("12.50")
                    values["Nicks"] =
                        .list(service.has(.collectionNullability) ? [.string("a"), .null] : [])
                }
                if service.has(.valuesBeyondFacets) { values["Note"] = .string("long " + name) }
                let uid = service.world.insert(set, values, owner: nil)
                if set == "Photos" {
                    service.world.setStream(uid, "", "p" + name, type: "text/plain")
                }
                if set == "Orders" {
                    let item: [String: LegalValue] = [
                        "Number": .integer(1), "Name": .string("i" + name), "Note": .null,
                    ]
                    _ = service.world.insert("Items", item, owner: uid)
                }
            }
        }
    }

    func strangerLink() {
        guard let customer = strangers("Customers"), let tag = strangers("Tags") else { return }
        let link = LegalWorld.Link(customer: customer.uid, tag: tag.uid)
        note("\(customer.key) \(tag.key)")
        transport.with {
            $0.asStranger {
                $0.world.setLink(link, isThere: !$0.world.links.contains(link))
            }
        }
    }
}

extension LegalService {
    /// Does something past the client.
    mutating func asStranger(_ body: (inout LegalService) -> Void) {
        world.author = .stranger
        body(&self)
    }
}
