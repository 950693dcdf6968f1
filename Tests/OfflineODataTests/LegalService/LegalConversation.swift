/// One conversation with the legal service, always the same: a trait that changes nothing in it is none.
struct LegalConversation {
    private var service: LegalService
    private(set) var transcript: [String] = []

    private static let json = ["content-type": "application/json", "x-csrf-token": "t1"]

    init(_ traits: Set<LegalTrait>) {
        service = LegalService(traits)
        furnish()
        read()
        write()
        batch()
        change()
        readChanges()
    }

    private mutating func furnish() {
        service.asStranger { service in
            let nicks: LegalValue =
                service.has(.collectionNullability) ? .list([.null]) : .list([])
            for number in 1...4 {
                _ = service.world.insert(
                    "Customers",
                    [
                        "ID": .integer(number), "Name": .string("c\(number)"), "Note": .null,
                        "Nicks": nicks,
                    ],
                    owner: nil
                )
                let order = service.world.insert(
                    "Orders",
                    [
                        "ID": .string(Self.guid(number)), "Name": .string("o\(number)"),
                        "Open": .bool(true), "CustomerID": .integer(1),
                    ],
                    owner: nil
                )
                for item in 1...2 {
                    _ = service.world.insert(
                        "Items",
                        ["Number": .integer(item), "Name": .string("i")],
                        owner: order
                    )
                }
                let odd = service.has(.keysWithOddCharacters) ? " /" : ""
                let note: LegalValue = service.has(.valuesBeyondFacets) ? .string("long") : .null
                let tag = service.world.insert(
                    "Tags",
                    ["Code": .string("t\(number)\(odd)"), "Name": .string("t"), "Note": note],
                    owner: nil
                )
                service.world.setLink(.init(customer: 2, tag: tag), isThere: true)
            }
        }
    }

    private static func guid(_ number: Int) -> String {
        "a0000000-0000-4000-8000-00000000000\(number)"
    }

    private mutating func ask(
        _ method: String,
        _ target: String,
        _ headers: [String: String] = [:],
        _ body: String = ""
    ) {
        let answer = service.answer(
            LegalRequest(
                method: method,
                target: LegalService.path + target,
                headers: headers,
                body: Array(body.utf8)
            )
        )
        let fields = answer.headers.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
        let text = String(decoding: answer.body, as: UTF8.self)
        transcript.append("\(method) \(target): \(answer.status) \(fields) \(text)")
    }

    private mutating func send(
        _ method: String,
        _ target: String,
        _ body: String = "",
        _ headers: [String: String] = [:]
    ) {
        ask(method, target, Self.json.merging(headers) { $1 }, body)
    }

    private mutating func read() {
        let tracked = ["prefer": "odata.track-changes"]
        ask("GET", "$metadata")
        ask("GET", "$metadata", ["if-none-match": "\"m1\""])
        ask("GET", "", ["x-csrf-token": "fetch"])
        ask("GET", "Customers?$expand=Orders,Tags", tracked)
        ask("GET", "Orders?$expand=Items", tracked)
        ask("GET", "Tags", tracked)
        ask("GET", "Customers?$expand=Tags")
        ask("GET", "Customers?$select=ID,Name", ["prefer": "respond-async"])
        ask("GET", "Customers(1)")
        ask("GET", "Customers(99)")
        for page in 1...4 { ask("GET", "$page(\(page))") }
        ask("GET", "$page(1)")
        ask("GET", "Orders")
        service.asStranger { service in
            guard let order = service.world.find("Orders", Self.guid(2)) else { return }
            service.world.remove(order.uid, cascading: false)
        }
        ask("GET", "$page(\(service.lastPage))")
        service.hasSelf = false
        ask("GET", "Me")
        service.hasSelf = true
        ask("GET", "Me")
    }

    private mutating func write() {
        let wanted = ["prefer": "return=representation"]
        send("POST", "Customers", "{\"ID\":10,\"Name\":\"n\",\"Amount\":1.5}", wanted)
        send("POST", "Customers", "{\"ID\":2,\"Name\":\"n\"}")
        send("POST", "Customers", "{\"Name\":\"d\",\"Orders\":[{\"Name\":\"x\"},{\"Name\":\"y\"}]}")
        send("POST", "Orders", "{\"Name\":\"o\",\"CustomerID\":77}", wanted)
        send("POST", "Tags", "{\"Code\":\"new\",\"Name\":\"n\"}", ["prefer": "return=minimal"])
        send("PATCH", "Customers(1)", "{\"Note\":\"new \"}", ["if-match": "*"])
        send("PATCH", "Customers(1)", "{\"Note\":\"old\"}", ["if-match": "W/\"0\""])
        send("PATCH", "Customers(3)", "{\"Note\":\"bare\"}", wanted)
        send("PATCH", "Customers(98)", "{\"Note\":\"gone\"}", ["if-match": "*"])
        send("PUT", "Customers(1)/Picture", "bytes", ["content-type": "text/plain"])
        ask("GET", "Customers(1)/Picture")
        ask("GET", "Customers(1)/Logo")
        ask("GET", "Customers(1)")
        let version = service.world.find("Customers", "1")?.version ?? 0
        send("PUT", "Customers(1)/Picture", "more", ["if-match": "W/\"\(version)\""])
        for _ in 0..<2 { send("POST", "Customers(2)/Tags/$ref", "{\"@odata.id\":\"Tags('t1')\"}") }
        let named = ["repeatability-request-id": "r1"]
        send("POST", "Customers", "{\"Name\":\"once\"}", named)
        send("POST", "Customers", "{\"Name\":\"once\"}", named)
    }

    private static func part(_ number: Int, _ request: String, _ body: String) -> String {
        "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\nContent-ID: \(number)\r\n\r\n\(request) HTTP/1.1\r\nContent-Type: application/json\r\n\r\n\(body)\r\n"
    }

    private mutating func sendBatch(_ parts: [String], inSet: Bool) {
        let multipart = ["content-type": "multipart/mixed;boundary=b"]
        let inner = parts.map { "--\(inSet ? "s" : "b")\r\n\($0)" }.joined()
        let body =
            inSet
            ? "--b\r\nContent-Type: multipart/mixed;boundary=s\r\n\r\n\(inner)--s--\r\n--b--\r\n"
            : "\(inner)--b--\r\n"
        send("POST", "$batch", body, multipart.merging(["prefer": "continue-on-error"]) { $1 })
    }

    private mutating func batch() {
        let make = Self.part(1, "POST Customers", "{\"Name\":\"b1\"}")
        let fail = Self.part(2, "PATCH Customers(97)", "{\"Note\":\"b2\"}")
        let last = Self.part(3, "POST Customers", "{\"Name\":\"b3\"}")
        let inside = Self.part(4, "POST $1/Orders", "{\"Name\":\"b4\"}")
        sendBatch([make, fail, last], inSet: false)
        sendBatch([make, last], inSet: false)
        sendBatch([make], inSet: true)
        sendBatch([make, inside], inSet: true)
        send(
            "POST",
            "$batch",
            "{\"requests\":[{\"id\":\"1\",\"method\":\"get\",\"url\":\"Tags\"}]}"
        )
    }

    private mutating func change() {
        send("DELETE", "Customers(1)", "", ["if-match": "*"])
        send("DELETE", "Customers(1)", "", ["if-match": "*"])
        send("DELETE", "Customers(2)", "", ["if-match": "*"])
        send("DELETE", "Orders(\(Self.guid(1)))", "", ["if-match": "*"])
        service.asStranger { service in
            guard let tag = service.world.all("Tags").last else { return }
            service.world.remove(tag.uid, cascading: false)
            service.world.setLink(
                .init(customer: 3, tag: service.world.all("Tags")[0].uid),
                isThere: true
            )
        }
        ask("GET", "Customers?$expand=Orders,Tags")
    }

    private mutating func readChanges() {
        for token in 1...4 {
            for _ in 0..<3 { ask("GET", "$delta(\(token))") }
        }
        ask("GET", "$monitor(11)")
        ask("GET", "Tags")
    }
}
