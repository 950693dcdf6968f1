import OfflineOData
import ODataHTTP
import Testing

/// The service does not return the key of a created entity: no request is sent to an entity that may be another one.
@Suite struct UnreturnedKeyTests {
    /// Answers without the key.
    static let silent: [HTTPResponse] = [
        HTTPResponse(status: 204), HTTPResponse(status: 201), Depot.created("{}"),
        Depot.created(#"{"Title":"a"}"#), Depot.created(#"{"ID":null}"#),
        HTTPResponse(
            status: 201,
            headers: ["Content-Type": "text/html"],
            body: Array("<p>ok</p>".utf8)
        ),
        HTTPResponse(status: 204, headers: ["OData-EntityId": "urn:order:77"]),
        HTTPResponse(status: 204, headers: ["Location": "http://inner:8080/objects/77"]),
    ]

    /// The entity with the key that was sent has the values that were sent: it is the one.
    @Test(arguments: silent)
    func trustsTheSentKeyOnceTheEntityIsShown(_ answer: HTTPResponse) async throws {
        let depot = try await Depot()
        depot.service.set("POST Orders", answer)
        depot.service.set(
            "GET Orders(5)",
            RecordedService.json(#"{"ID":5,"Title":"a","Note":"n"}"#)
        )
        depot.service.set("PATCH Orders(5)", Depot.silent)
        await depot.send("POST", "Orders", #"{"ID":5,"Title":"a"}"#)
        await depot.send("PATCH", "Orders(5)", #"{"Title":"b"}"#)
        try await depot.provider.upload()
        #expect(depot.changes == ["POST Orders", "PATCH Orders(5)"])
        #expect(try await depot.queue() == [])
    }

    /// What is sent to it from then on names the version that was found: another client's change of it is not written over.
    @Test(
        arguments: [
            RecordedService.json(#"{"@odata.etag":"\"7\"","ID":5,"Title":"a"}"#),
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "application/json", "ETag": "\"7\""],
                body: Array(#"{"ID":5,"Title":"a"}"#.utf8)
            ),
        ],
        ["PATCH", "DELETE"]
    )
    func changesTheVersionThatWasFound(_ found: HTTPResponse, _ method: String) async throws {
        let depot = try await Depot()
        depot.service.set("POST Orders", Depot.silent)
        depot.service.set("GET Orders(5)", HTTPResponse(status: 404), found)
        depot.service.set("\(method) Orders(5)", Depot.silent)
        await depot.send("POST", "Orders", #"{"ID":5,"Title":"a"}"#)
        await depot.send(method, "Orders(5)", method == "PATCH" ? #"{"Title":"b"}"# : nil)
        for _ in 0..<2 { try await depot.provider.upload() }
        let change = depot.service.log.last { $0.method == method }
        #expect(change?.headers["If-Match"] == "\"7\"")
        #expect(try await depot.queue() == [])
    }

    /// Another entity has the key that was sent, or none has it: what names the entity is parked with the reason.
    @Test(arguments: [
        HTTPResponse(status: 404), HTTPResponse(status: 500),
        RecordedService.json(#"{"ID":5,"Title":"theirs"}"#), RecordedService.json(#"{"ID":5}"#),
    ])
    func parksWhatNamesAnUnknownEntity(_ found: HTTPResponse) async throws {
        let depot = try await Depot()
        depot.service.set("POST Orders", Depot.silent)
        depot.service.set("GET Orders(5)", found)
        await depot.send("POST", "Orders", #"{"ID":5,"Title":"a"}"#)
        await depot.send("PATCH", "Orders(5)", #"{"Title":"b"}"#)
        await depot.send("POST", "Items", #"{"ID":1,"OrderID":5}"#)
        await depot.send("POST", "Orders(5)/Lines", #"{"Number":1}"#)
        for _ in 0..<2 { try await depot.provider.upload() }
        #expect(depot.changes == ["POST Orders"])
        let parked = try await depot.provider.requestQueue()
        #expect(parked.map(\.status) == [.parked, .parked, .parked])
        #expect(parked.first?.failure?.message.contains("without returning its key") == true)
        // The person who knows it tells the key.
        try await depot.provider.identifyEntity("Orders(5)", as: Depot.root + "Orders(77)")
        depot.service.set("PATCH Orders(77)", Depot.silent)
        depot.service.set("POST Items", Depot.created(#"{"ID":1}"#))
        depot.service.set("POST Orders(77)/Lines", Depot.created(#"{"Number":1}"#))
        depot.service.clearLog()
        try await depot.provider.upload()
        #expect(
            depot.changes.sorted() == ["PATCH Orders(77)", "POST Items", "POST Orders(77)/Lines"]
        )
        #expect(depot.bodies("POST Items") == [#"{"ID":1,"OrderID":77}"#])
        #expect(try await depot.queue() == [])
    }

    /// The next download brings the entity; it is known by its values, and stands once.
    @Test(arguments: [#"{"ID":5,"Title":"a"}"#, #"{"Title":"a"}"#])
    func findsTheEntityByItsValuesInADownload(_ body: String) async throws {
        let depot = try await Depot()
        depot.service.set("POST Orders", Depot.silent)
        await depot.send("POST", "Orders", body)
        let created = try #require(try await depot.provider.executeQuery("Orders").first)
        await depot.send("PATCH", try #require(created.readLink), #"{"Note":"b"}"#)
        try await depot.provider.upload()
        #expect(try await depot.queue().first?.hasPrefix("parked PATCH") == true)
        depot.service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":5,"Title":"theirs"},{"ID":77,"Title":"a"}]}"#)
        )
        try await depot.provider.download()
        depot.service.set("PATCH Orders(77)", Depot.silent)
        try await depot.provider.upload()
        #expect(depot.changes == ["POST Orders", "PATCH Orders(77)"])
        #expect(
            await depot.text("Orders?$orderby=ID&$select=ID,Note")
                == #"{"value":[{"ID":5,"Note":null},{"ID":77,"Note":"b"}]}"#
        )
    }

    /// An entity behind a URL of the service's own form is read there.
    @Test func readsTheEntityWhereTheServiceSaysThatItIs() async throws {
        let depot = try await Depot()
        depot.service.set(
            "POST Orders",
            HTTPResponse(status: 204, headers: ["Location": Depot.root + "o/x?v=1"])
        )
        depot.service.set("GET o/x?v=1", RecordedService.json(#"{"ID":77,"Title":"a"}"#))
        depot.service.set("PATCH o/x?v=1", Depot.silent)
        depot.service.set("POST o/x/Lines?v=1", Depot.created(#"{"Number":1}"#))
        depot.service.set("POST Items", Depot.created(#"{"ID":1}"#))
        await depot.send("POST", "Orders", #"{"ID":5,"Title":"a"}"#)
        await depot.send("PATCH", "Orders(5)", #"{"Title":"b"}"#)
        await depot.send("POST", "Orders(5)/Lines", #"{"Number":1}"#)
        await depot.send("POST", "Items", #"{"ID":1,"OrderID":5}"#)
        try await depot.provider.upload()
        #expect(
            depot.changes.sorted() == [
                "PATCH o/x?v=1", "POST Items", "POST Orders", "POST o/x/Lines?v=1",
            ]
        )
        #expect(depot.bodies("POST Items") == [#"{"ID":1,"OrderID":77}"#])
    }

    // MARK: Entities created inline

    /// Answers to a creation with two items, in another order, with further values, not at all.
    @Test(arguments: [
        #"{"ID":7,"Items":[{"ID":71,"Name":"x"},{"ID":72,"Name":"y"}]}"#,
        #"{"ID":7,"Items":[{"ID":72,"Name":"y","OrderID":7},{"ID":71,"Name":"x","OrderID":7}]}"#,
        #"{"ID":7}"#,
    ])
    func addressesInlineEntitiesByTheirKeys(_ answer: String) async throws {
        let depot = try await Depot()
        depot.service.set("POST Orders", Depot.created(answer))
        let whole = #"{"ID":7,"Items":[{"ID":72,"Name":"y"},{"ID":71,"Name":"x"}]}"#
        depot.service.set("GET Orders(7)?$expand=Items", RecordedService.json(whole))
        depot.service.set("PATCH Items(71)", Depot.silent)
        await depot.send("POST", "Orders", #"{"Title":"a","Items":[{"Name":"x"},{"Name":"y"}]}"#)
        let child = try #require(
            try await depot.provider.executeQuery("Items?$filter=Name eq 'x'").first
        )
        await depot.send("PATCH", try #require(child.readLink), #"{"Name":"z"}"#)
        try await depot.provider.upload()
        #expect(depot.changes == ["POST Orders", "PATCH Items(71)"])
        depot.service.set(
            "GET Items",
            RecordedService.json(
                #"{"value":[{"ID":71,"Name":"z","OrderID":7},{"ID":72,"Name":"y","OrderID":7}]}"#
            )
        )
        depot.service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":7,"Title":"a"}]}"#))
        try await depot.provider.download()
        #expect(
            await depot.text("Items?$orderby=ID&$select=ID,Name")
                == #"{"value":[{"ID":71,"Name":"z"},{"ID":72,"Name":"y"}]}"#
        )
    }

    /// Changed after the upload and before the download, where the answer has not shown it: never by its local id.
    @Test func sendsNoLocalIDOfAnInlineEntity() async throws {
        let depot = try await Depot()
        depot.service.set("POST Orders", Depot.created(#"{"ID":7}"#))
        await depot.send(
            "POST",
            "Orders",
            #"{"Title":"a","Items":[{"Name":"x"}],"Lines":[{"Text":"l"}]}"#
        )
        try await depot.provider.upload()
        let child = try #require(try await depot.provider.executeQuery("Items").first)
        await depot.send("PATCH", try #require(child.readLink), #"{"Name":"z"}"#)
        let line = try #require(try await depot.provider.executeQuery("Orders(7)/Lines").first)
        await depot.send("DELETE", try #require(line.readLink))
        await depot.send(
            "POST",
            "Orders",
            #"{"ID":8,"Items@odata.bind":["\#(child.readLink ?? "")"]}"#
        )
        await depot.send(
            "POST",
            "Orders(7)/Items/$ref",
            #"{"@odata.id":"\#(child.readLink ?? "")"}"#
        )
        try await depot.provider.upload()
        #expect(depot.changes == ["POST Orders"])
        for request in depot.service.log {
            let text = request.url + String(decoding: request.body, as: UTF8.self)
            #expect(!text.contains("$local"))
        }
        #expect(try await depot.provider.requestQueue().allSatisfy { $0.status == .parked })
    }

    /// What the service computes may be another value by now: an answer without the key has told it, where answers are taken over.
    @Test(arguments: ["Org.OData.Core.V1.Computed", nil])
    func findsTheEntityThoughAComputedValueHasChanged(_ term: String?) async throws {
        let property = """
            <Property Name="Count" Type="Edm.Int32">\(term.map { "<Annotation Term=\"\($0)\"/>" } ?? "")</Property>
            """
        let service = try RecordedService(metadata: ShopModel.v4(property))
        service.set("GET Items", RecordedService.json(#"{"value":[]}"#))
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("POST Items", Depot.created(#"{"Name":"x","Count":1}"#))
        let provider = try await service.opened(["Items"]) { $0.appliesUploadResponses = true }
        try await provider.send("POST", "Items", #"{"Name":"x"}"#)
        try await provider.upload()
        let item = try #require(try await provider.executeQuery("Items").first)
        #expect(item["Count"]?.integerValue == 1)
        let link = try #require(item.readLink)
        try await provider.send("PATCH", link, #"{"Name":"y"}"#)
        service.set(
            "GET Items",
            RecordedService.json(#"{"value":[{"ID":9,"Name":"x","Count":2}]}"#)
        )
        try await provider.download()
        // What it was sent with says what it is, and nothing else does.
        let items = try await provider.executeQuery("Items")
        #expect(items.count == (term == nil ? 2 : 1))
        let changed = try #require(items.first { $0.hasPendingChanges })
        #expect(changed["Name"]?.stringValue == "y")
        #expect(changed["ID"]?.integerValue == (term == nil ? nil : 9))
    }
}
