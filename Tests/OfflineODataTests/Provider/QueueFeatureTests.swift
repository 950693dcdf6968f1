import ODataHTTP
import OfflineOData
import OfflineStore
import Synchronization
import TestSupport
import Testing

/// What options and settings make of requests: groups, headers, merging, calls, and the ways to look at the queue.
@Suite struct QueueFeatureTests {
    private func person(_ name: String) -> EntityValue {
        EntityValue(entitySet: "People", ["Name": .string(name)])
    }

    // MARK: Groups

    @Test func takesAllFormsOfCategoriesAndTransactions() async throws {
        let shop = try await Workshop()
        let first = OfflineODataRequestOptions()
        first.uploadCategory = "A"
        first.transactionID = "T"
        try await shop.provider.createEntity(person("a"), options: first)
        let own = OfflineODataRequestOptions()
        own.transactionEntity = .createdEntity
        own.uploadCategoryEntity = .createdEntity
        let created = try await shop.provider.createEntity(person("b"), options: own)
        let other = OfflineODataRequestOptions()
        other.transactionEntity = .entity(created)
        other.uploadCategoryEntity = .entity(created)
        let boss = EntityValue(
            entitySet: "Jobs",
            ["Person@odata.bind": .string(created.readLink ?? "")]
        )
        try await shop.provider.createEntity(boss, options: other)
        let queue = try await shop.provider.requestQueue()
        #expect(queue.map(\.transaction) == ["T", queue[1].transaction, queue[1].transaction])
        #expect(queue.map(\.category) == ["A", queue[1].category, queue[1].category])
        let name = try #require(queue[1].category)
        #expect(created.readLink?.contains(name) == true)
        let result = try await shop.provider.upload(categories: [name])
        #expect(result.succeededCount == 2)
        #expect(try await shop.provider.requestQueue().map(\.category) == ["A"])
    }

    /// A group that is named by the entity that a request creates is named by it in another store too.
    @Test func keepsGroupsOfCreatedEntitiesInFiles() async throws {
        let (first, second) = try await (Workshop(), Workshop())
        let own = OfflineODataRequestOptions()
        own.transactionEntity = .createdEntity
        own.uploadCategoryEntity = .createdEntity
        try await first.provider.createEntity(person("a"), options: own)
        let json = Mutex<[UInt8]>([])
        _ = try await first.provider.exportQueue { piece in json.withLock { $0 += piece } }
        _ = try await second.provider.importQueue(json.withLock { $0 })
        let request = try #require(try await second.provider.requestQueue().first)
        let created = try #require(
            try await second.provider.executeQuery("People?$filter=Name eq 'a'").first?.readLink
        )
        #expect(created.contains(try #require(request.transaction)))
        #expect(created.contains(try #require(request.category)))
    }

    /// A change that waits for a refused creation cannot be repeated without it.
    @Test func exportsTheRefusedRequestsThatOthersWaitFor() async throws {
        let service = try RecordedService(metadata: TalkModel.document)
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("POST Orders", HTTPResponse(status: 400))
        let provider = try await service.opened(["Orders"])
        for id in 1...2 { try await provider.send("POST", "Orders", "{\"ID\":\(id)}") }
        try await provider.upload()
        try await provider.send("PATCH", "Orders(2)", #"{"Title":"x"}"#, transaction: "t")
        let json = Mutex<[UInt8]>([])
        #expect(try await provider.exportQueue { piece in json.withLock { $0 += piece } } == 2)
        let other = try await RecordedService(metadata: TalkModel.document).opened([])
        #expect(try await other.importQueue(json.withLock { $0 }) == 2)
        #expect(try await other.executeQuery("Orders").map { $0["Title"] } == [.string("x")])
    }

    /// What was refused while the list was being read does not wait any more.
    @Test func listsWhatStillWaits() async throws {
        let service = try RecordedService(metadata: TalkModel.document)
        service.set("GET Tags", RecordedService.json(#"{"value":[]}"#))
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("POST Tags", HTTPResponse(status: 400))
        let provider = try await service.opened(["Tags"])
        for number in 1...201 {
            try await provider.createEntity(
                EntityValue(entitySet: "Tags", ["Name": .string("t\(number)")])
            )
        }
        var count = 0
        for try await request in provider.requests {
            count += 1
            if request.id == 1 { #expect(try await provider.upload().failedCount == 201) }
        }
        // The first page was read as a whole.
        #expect(count == 200)
    }

    @Test func makesOneRequestOfTwoInATransaction() async throws {
        let shop = try await Workshop()
        func options() -> OfflineODataRequestOptions {
            let options = OfflineODataRequestOptions()
            options.transactionID = "T"
            return options
        }
        await shop.send("POST", "People", #"{"ID":60,"Name":"a"}"#, options: options())
        await shop.send("PATCH", "People(60)", #"{"Level":1.5}"#, options: options())
        await shop.send("PATCH", "Jobs(1)", #"{"Title":"x"}"#, options: options())
        await shop.send("DELETE", "Jobs(1)", options: options())
        #expect(try await shop.queue() == ["POST People", "DELETE Jobs(1)"])
        let body = try #require(try await shop.provider.requestQueue().first?.body)
        #expect(body.contains("\"Level\":1.5"))
        // A created media entity and its properties are two requests.
        let media = options()
        let photo = try await shop.provider.createMedia(
            EntityValue(entitySet: "Photos"),
            content: [1],
            contentType: "image/png",
            options: media
        )
        let before = try await shop.dump()
        let refused = await shop.send(
            "PATCH",
            photo.readLink ?? "",
            #"{"Title":"x"}"#,
            options: options()
        )
        #expect(refused.status == 400)
        #expect(refused.text.contains("a transaction holds one request for each entity"))
        #expect(try await shop.dump() == before)
    }

    // MARK: Headers

    @Test func fillsHeaderTemplatesWithLaterKeys() async throws {
        let shop = try await Workshop()
        let plain = OfflineODataRequestOptions()
        plain.customHeaders = ["X-Plain": "{Name}"]
        let created = try await shop.provider.createEntity(person("a"), options: plain)
        let link = try #require(created.readLink)
        let options = OfflineODataRequestOptions()
        options.customHeaderFormatTemplate = ["X-Parent": "id={\(link)/ID};own={Title}"]
        await shop.send("PATCH", "Jobs(1)", #"{"Title":"t"}"#, options: options)
        let queue = try await shop.provider.requestQueue()
        #expect(queue[1].dependsOn == [queue[0].id])
        try await shop.provider.upload()
        let texts = shop.transport.requests.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(texts.contains { $0.contains("X-Plain: {Name}") })
        let key = await shop.value(link + "/ID")
        #expect(texts.contains { $0.contains("X-Parent: id=\(key);own=t") })
    }

    /// A value must not end the field: the rest of it would be another.
    @Test func keepsAValueInItsHeaderField() async throws {
        let shop = try await Workshop()
        let options = OfflineODataRequestOptions()
        options.customHeaders = ["X-First": "1", "X-Second": "2"]
        options.customHeaderFormatTemplate = ["X-Title": "<{Title}>"]
        await shop.send("PATCH", "Jobs(1)", #"{"Title":"a\r\nX-Evil: 1\u007f"}"#, options: options)
        try await shop.provider.upload()
        let text = shop.transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        #expect(text.contains("X-Title: <a  X-Evil: 1 >\r\n"))
        #expect(text.contains("X-First: 1\r\n"))
        #expect(text.contains("X-Second: 2\r\n"))
    }

    @Test(arguments: ["{Nope}", "{People(99)/ID}", "{ID}", "{Nope(1)/ID}"])
    func refusesTemplatesThatNameNothing(_ template: String) async throws {
        let shop = try await Workshop()
        let before = try await shop.dump()
        let options = OfflineODataRequestOptions()
        options.customHeaderFormatTemplate = ["X-T": template]
        let answer = await shop.send("POST", "People", #"{"Name":"a"}"#, options: options)
        #expect(answer.status >= 400)
        #expect(try await shop.dump() == before)
    }

    // MARK: Merging

    private func optimizing() async throws -> Workshop {
        try await Workshop(parameters: { $0.enableRequestQueueOptimization = true })
    }

    @Test func mergesUpdatesAndCancelsCreations() async throws {
        let shop = try await optimizing()
        await shop.send("PATCH", "People(1)", #"{"Level":1.5}"#)
        await shop.send("PATCH", "People(1)", #"{"Status":"x","Level":2.5}"#)
        await shop.send("POST", "People", #"{"ID":61,"Name":"a"}"#)
        await shop.send("PATCH", "People(61)", #"{"Name":"b"}"#)
        #expect(try await shop.queue() == ["PATCH People(1)", "POST People"])
        let bodies = try await shop.provider.requestQueue().map { $0.body ?? "" }
        #expect(bodies[0] == #"{"Level":2.5,"Status":"x"}"#)
        #expect(bodies[1].contains(#""Name":"b""#))
        await shop.send("DELETE", "People(61)")
        #expect(try await shop.queue() == ["PATCH People(1)"])
        #expect(await shop.send("GET", "People(61)").status == 404)
    }

    @Test func mergesNothingOverAReference() async throws {
        let shop = try await optimizing()
        await shop.send("POST", "People", #"{"ID":61,"Name":"a"}"#)
        await shop.send("POST", "People(61)/Jobs", #"{"ID":95}"#)
        await shop.send("PATCH", "People(61)", #"{"Name":"b"}"#)
        await shop.send("DELETE", "Jobs(3)")
        #expect(
            try await shop.queue()
                == ["POST People", "POST People(61)/Jobs", "PATCH People(61)", "DELETE Jobs(3)"]
        )
        await shop.send("DELETE", "People(61)")
        #expect(try await shop.queue().last == "DELETE People(61)")
    }

    @Test func mergesNothingIntoWhatMustStay() async throws {
        let shop = try await optimizing()
        let options = OfflineODataRequestOptions()
        options.unmodifiableRequest = true
        await shop.send("PATCH", "People(1)", #"{"Level":1.5}"#, options: options)
        await shop.send("PATCH", "People(1)", #"{"Level":2.5}"#)
        let tagged = OfflineODataRequestOptions()
        tagged.uploadCategory = "other"
        await shop.send("PATCH", "People(1)", #"{"Level":3.5}"#, options: tagged)
        #expect(try await shop.queue().count == 3)
    }

    @Test func mergesOnlyWhereItIsAskedTo() async throws {
        let shop = try await Workshop()
        await shop.send("PATCH", "People(1)", #"{"Level":1.5}"#)
        await shop.send("PATCH", "People(1)", #"{"Level":2.5}"#)
        #expect(try await shop.queue().count == 2)
    }

    // MARK: Calls

    @Test func queuesCallsWithoutEffect() async throws {
        let shop = try await Workshop()
        let before = await shop.get("People")
        #expect(await shop.send("POST", "People(1)/W.Promote", #"{"steps":2}"#).status == 202)
        #expect(await shop.send("POST", "CleanUp", #"{"days":3}"#).status == 202)
        try await shop.provider.callOperation("CleanUp", parameters: ["days": 4])
        try await shop.provider.callOperation("Total()")
        #expect(
            try await shop.queue()
                == ["POST People(1)/W.Promote", "POST CleanUp", "POST CleanUp", "GET Total()"]
        )
        #expect(await shop.get("People") == before)
    }

    @Test func callsOnCreatedEntitiesWaitForThem() async throws {
        let shop = try await Workshop()
        let created = try await shop.provider.createEntity(person("a"))
        let link = try #require(created.readLink)
        try await shop.provider.callOperation(link + "/W.Promote", parameters: ["steps": 1])
        let queue = try await shop.provider.requestQueue()
        #expect(queue[1].dependsOn == [queue[0].id])
        #expect(queue[1].url == link + "/W.Promote")
        try await shop.provider.undoPendingChanges(link)
        #expect(try await shop.queue().isEmpty)
    }

    /// The call is made on the entity as the changes before it leave it.
    @Test func callsOnChangedEntitiesWaitForTheChanges() async throws {
        let shop = try await Workshop()
        await shop.send("PATCH", "People(1)", #"{"Name":"b"}"#)
        await shop.send("PATCH", "People(1)", #"{"Name":"c"}"#)
        await shop.send("POST", "People(1)/W.Promote", #"{"steps":2}"#)
        await shop.send("DELETE", "People(1)")
        let queue = try await shop.provider.requestQueue()
        #expect(queue.map(\.dependsOn) == [[], [1], [2], [1, 2, 3]])
    }

    @Test(arguments: [
        ("People(1)/W.Promote", #"{"stairs":2}"#, "has no parameter stairs"),
        ("CleanUp", "{}", "needs the parameter days"), ("CleanUp", "[]", "no JSON object"),
        ("CleanUp", #"{"days":"x"}"#, "days is no Edm.Int32"),
        ("CleanUp", #"{"days":{"a":[1]}}"#, "days is no Edm.Int32"),
        ("People(1)/W.Promote", #"{"steps":true}"#, "steps is no Edm.Int32"),
        ("People(99)/W.Promote", "{}", "no such entity"),
    ])
    func refusesCallsThatTheModelDoesNotKnow(_ url: String, _ body: String, _ message: String)
        async throws
    {
        let shop = try await Workshop()
        let answer = await shop.send("POST", url, body)
        #expect(answer.status >= 400)
        #expect(answer.text.contains(message))
        #expect(try await shop.queue().isEmpty)
    }

    // MARK: Looking

    @Test func showsTheQueueAsAnEntitySet() async throws {
        let shop = try await Workshop()
        let options = OfflineODataRequestOptions()
        options.customTag = "mine"
        await shop.send("POST", "People", #"{"ID":62,"Name":"a"}"#, options: options)
        await shop.send("PATCH", "People(62)", #"{"Name":"b"}"#)
        let id = try #require(try await shop.provider.requestQueue().first?.id)
        let tagged = try await shop.provider.executeQuery(
            "RequestQueue?$filter=CustomTag eq 'mine'&$expand=DependentRequests"
        )
        #expect(tagged.count == 1)
        #expect(tagged.first?["AffectedEntity"]?.stringValue == "People(62)")
        #expect(tagged.first?["DependentRequests"]?.items?.count == 1)
        let second = try await shop.provider.executeQuery(
            "RequestQueue?$filter=DependsOn/any(d:d eq \(id))"
        )
        #expect(second.first?["RequestMethod"]?.stringValue == "PATCH")
        #expect(await shop.value("RequestQueue(\(id))/AffectedEntity/Name") == "b")
        #expect(await shop.send("GET", "ErrorArchive(\(id))/AffectedEntity/Name").status >= 400)
        #expect(
            await shop.send("PATCH", "RequestQueue(\(id))/AffectedEntity", #"{"Name":"c"}"#).status
                == 204
        )
        #expect(await shop.value("People(62)/Name") == "c")
    }

    @Test func fixesARefusedRequestThroughItsEntity() async throws {
        let shop = try await Workshop()
        shop.rules.refuse { $0.holds("bad") }
        await shop.send("PATCH", "People(1)", #"{"Name":"bad"}"#)
        #expect(try await shop.provider.upload().failedCount == 1)
        let id = try #require(try await shop.provider.errorArchive().first?.id)
        let conflict = try await shop.provider.versions(of: "ErrorArchive(\(id))/AffectedEntity")
        #expect(conflict.changedProperties == ["Name"])
        let url = "ErrorArchive(\(id))/AffectedEntity"
        #expect(await shop.send("PATCH", url, #"{"Name":"good"}"#).status == 204)
        #expect(try await shop.provider.errorArchive().isEmpty)
        #expect(try await shop.provider.upload().succeededCount == 1)
    }

    // MARK: Removal

    @Test func removesCreatedMediaAfterTheUpload() async throws {
        let shop = try await Workshop()
        let options = OfflineODataRequestOptions()
        options.removeCreatedEntityAfterUpload = true
        let photo = try await shop.provider.createMedia(
            EntityValue(entitySet: "Photos"),
            content: [1, 2, 3],
            contentType: "image/png",
            options: options
        )
        #expect(try await shop.provider.downloadMedia(of: photo) != nil)
        #expect(try await shop.provider.upload().succeededCount == 1)
        #expect(await shop.send("GET", photo.readLink ?? "").status == 404)
        #expect(try shop.count(of: "$stream") == 0)
        #expect(try shop.count(of: "$content") == 0)
    }
}
