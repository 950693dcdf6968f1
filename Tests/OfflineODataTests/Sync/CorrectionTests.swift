import OfflineOData
import ODataHTTP
import Testing

/// Changes that correct a refused request.
@Suite struct CorrectionTests {
    /// What the request referred to may have been deleted here since: the service still has it.
    @Test func keepsReferencesToWhatWasDeletedSince() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        service.set("GET Items", RecordedService.json(#"{"value":[{"ID":10}]}"#))
        let provider = try await service.opened(["Orders", "Items"])
        let request = HTTPRequest(
            method: "POST",
            url: "Orders",
            headers: ["Content-Type": "application/json"],
            body: Array(#"{"ID":5,"Title":"bad","Items@odata.bind":["Items(10)"]}"#.utf8)
        )
        #expect(await provider.respond(to: request).status == 201)
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("POST Orders", HTTPResponse(status: 400))
        service.set("GET Orders(5)", HTTPResponse(status: 404))
        #expect(try await provider.upload().failedCount == 1)
        try await provider.deleteEntity(
            try #require(try await provider.executeQuery("Items(10)").first)
        )
        var order = try #require(try await provider.executeQuery("Orders(5)").first)
        order["Title"] = "good"
        try await provider.updateEntity(order)
        service.set("POST Orders", RecordedService.json(#"{"ID":5,"Title":"good"}"#, status: 201))
        service.set("DELETE Items(10)", HTTPResponse(status: 204))
        service.clearLog()
        #expect(try await provider.upload().succeededCount == 2)
        let body = try #require(service.bodies(of: "POST Orders").last)
        #expect(body.contains(#""Title":"good""#) && body.contains(#"["Items(10)"]"#))
    }

    /// A change that is to be sent in another way than the refused one, or behind one that stays as it is.
    private static let apart: [(first: String, second: String)] = [
        ("", "transaction"), ("", "category"), ("", "tag"), ("", "header"), ("", "unmodifiable"),
        ("unmodifiable", ""),
    ]

    private static func options(_ kind: String) -> OfflineODataRequestOptions {
        let options = OfflineODataRequestOptions()
        switch kind {
        case "transaction": options.transactionID = "t"
        case "category": options.uploadCategory = "c"
        case "tag": options.customTag = "tag"
        case "header": options.customHeaders["X-Why"] = "7"
        case "unmodifiable": options.unmodifiableRequest = true
        default: break
        }
        return options
    }

    @Test(arguments: apart)
    func isNotMadeOfAChangeThatIsSentInAnotherWay(_ kinds: (first: String, second: String))
        async throws
    {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":5,"Title":"a"}]}"#))
        service.set("GET Items", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Orders", "Items"])
        let bodies = [#"{"Title":"first"}"#, #"{"Title":"second"}"#]
        for (index, kind) in [kinds.first, kinds.second].enumerated() {
            let request = HTTPRequest(
                method: "PATCH",
                url: "Orders(5)",
                headers: ["Content-Type": "application/json"],
                body: Array(bodies[index].utf8)
            )
            let response = await provider.respond(to: request, options: Self.options(kind))
            #expect(response.isSuccess)
            guard index == 0 else { continue }
            service.set("POST $batch", HTTPResponse(status: 404))
            service.set("PATCH Orders(5)", HTTPResponse(status: 400))
            service.set(
                "GET Orders(5)",
                RecordedService.json(#"{"ID":5,"Title":"a"}"#)
            )
            #expect(try await provider.upload().failedCount == 1)
        }
        let requests = try await provider.requestQueue() + provider.errorArchive()
        #expect(requests.count == 2)
        #expect(Set(requests.map(\.body)) == Set(bodies))
        #expect(try await provider.executeQuery("Orders(5)").first?["Title"] == .string("second"))
    }

    /// An order whose title could not be changed, and another change of it behind that.
    private func refused(before next: String, by method: String = "PATCH") async throws -> (
        RecordedService, OfflineODataProvider
    ) {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":5,"Title":"-","Note":"n"}]}"#)
        )
        let provider = try await service.opened(["Orders"])
        try await provider.send("PATCH", "Orders(5)", #"{"Title":"a"}"#)
        try await provider.send(method, "Orders(5)", next)
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("PATCH Orders(5)", HTTPResponse(status: 400))
        #expect(try await provider.upload().failedCount == 1)
        return (service, provider)
    }

    /// Behind a refused change another one waits: a third one corrects what the first one says, and comes behind the second one with what
    /// that says too; nothing stands twice, and so nothing of it is sent once it is taken back.
    @Test(arguments: [
        (#"{"Title":"x"}"#, [#"{"Title":"x"}"#, #"{"Note":"2"}"#]),
        (#"{"Note":"3"}"#, [#"{"Title":"a"}"#, #"{"Note":"2"}"#, #"{"Note":"3"}"#]),
        (
            #"{"Note":"3","Title":"x"}"#,
            [#"{"Title":"x"}"#, #"{"Note":"2"}"#, #"{"Note":"3"}"#]
        ),
    ])
    func standsInOnePlace(_ change: String, _ expected: [String]) async throws {
        let (_, provider) = try await refused(before: #"{"Note":"2"}"#)
        try await provider.send("PATCH", "Orders(5)", change)
        let requests = try await provider.requestQueue() + provider.errorArchive()
        let bodies = requests.sorted { $0.id < $1.id }.compactMap(\.body)
        #expect(bodies == expected)
        if let last = requests.map(\.id).max(), requests.count == 3 {
            try await provider.dropRequest(last)
            #expect(try await provider.executeQuery("Orders(5)").first?["Note"] == "2")
        }
    }

    /// The corrected request is carried out without what the change says beside it: that is not the service's yet.
    @Test func countsNoOtherValuesAsCarriedOut() async throws {
        let (service, provider) = try await refused(before: #"{"Title":"b","Note":"2"}"#)
        try await provider.send("PATCH", "Orders(5)", #"{"Title":"x","Note":"3"}"#)
        service.set("PATCH Orders(5)", HTTPResponse(status: 204), HTTPResponse(status: 400))
        #expect(try await provider.upload().succeededCount == 1)
        #expect(service.bodies(of: "PATCH Orders(5)").dropFirst().first == #"{"Title":"x"}"#)
        try await provider.undoAllPendingChanges()
        let order = try #require(try await provider.executeQuery("Orders(5)").first)
        #expect(order["Title"] == "x" && order["Note"] == "n")
    }

    /// A replacement behind the refused change sets what it does not name too: a value in front of it would be lost at the service.
    @Test(arguments: [
        (#"{"Note":"3"}"#, [#"{"Title":"a"}"#, #"{"Title":"b"}"#, #"{"Note":"3"}"#]),
        (
            #"{"Note":"3","Title":"x"}"#,
            [#"{"Title":"x"}"#, #"{"Title":"b"}"#, #"{"Title":"x","Note":"3"}"#]
        ),
    ])
    func comesBehindAReplacement(_ change: String, _ expected: [String]) async throws {
        let (_, provider) = try await refused(before: #"{"Title":"b"}"#, by: "PUT")
        try await provider.send("PATCH", "Orders(5)", change)
        let requests = try await provider.requestQueue() + provider.errorArchive()
        #expect(requests.sorted { $0.id < $1.id }.compactMap(\.body) == expected)
    }

    /// The same behind a creation, which takes all values over.
    @Test func comesBehindAReplacementOfACreation() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Orders"])
        try await provider.send("POST", "Orders", #"{"ID":5,"Title":"a"}"#)
        try await provider.send("PUT", "Orders(5)", #"{"Title":"b"}"#)
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("POST Orders", HTTPResponse(status: 400))
        service.set("GET Orders(5)", HTTPResponse(status: 404))
        #expect(try await provider.upload().failedCount == 1)
        try await provider.send("PATCH", "Orders(5)", #"{"Note":"3"}"#)
        service.set("POST Orders", RecordedService.json(#"{"ID":5,"Title":"a"}"#, status: 201))
        service.set("PUT Orders(5)", HTTPResponse(status: 204))
        service.set("PATCH Orders(5)", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 3)
        #expect(service.bodies(of: "PATCH Orders(5)") == [#"{"Note":"3"}"#])
    }
}
