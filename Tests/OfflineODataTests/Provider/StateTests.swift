import ODataHTTP
import OfflineOData
import TestSupport
import Testing

/// States of entities: as functions in filters, as Swift properties, as annotations.
@Suite struct StateTests {
    /// A store with a person changed (1), one refused (2), one created (80), a job of the refused one and one of the created one.
    private func shop() async throws -> Workshop {
        let shop = try await Workshop()
        shop.rules.refuse { $0.holds("bad") }
        await shop.send("PATCH", "People(2)", #"{"Status":"bad"}"#)
        try await shop.provider.upload()
        await shop.send("PATCH", "People(1)", #"{"Status":"mine"}"#)
        await shop.send("POST", "People", #"{"ID":80,"Name":"Di","Jobs":[{"ID":90}]}"#)
        return shop
    }

    private func ids(_ shop: Workshop, _ url: String) async throws -> [Int64] {
        try await shop.provider.executeQuery(url).compactMap { $0["ID"]?.integerValue }
    }

    @Test(arguments: [
        ("People?$filter=sap.islocal()", [1, 2, 80]), ("People?$filter=not sap.islocal()", [3]),
        ("People?$filter=sap.haspendingchanges()", [1, 2, 80]),
        ("People?$filter=sap.inerrorstate()", [2]),
        ("People?$filter=sap.haspendingchanges() and not sap.inerrorstate()", [1, 80]),
        ("People?$filter=sap.upsertedlastdownload()", [1, 2, 3]),
        // Relatives, by the path of a single-valued property and below a collection.
        ("Jobs?$filter=sap.inerrorstate(Person)", [1, 2]),
        ("Jobs?$filter=sap.islocal(Person)", [1, 2, 90]),
        ("Jobs?$filter=sap.entityexists(Person)", [1, 2, 90]),
        ("Jobs?$filter=not sap.entityexists(Person)", [3]),
        ("People?$filter=Jobs/any(j:sap.islocal(j))", [80]),
        ("People?$filter=Jobs/all(j:not sap.islocal(j)) and Jobs/any()", [2]),
    ])
    func answersInFilters(_ url: String, _ expected: [Int64]) async throws {
        let shop = try await shop()
        #expect(try await ids(shop, url + "&$orderby=ID") == expected, "\(url)")
    }

    @Test func tellsThemAsPropertiesAndAnnotations() async throws {
        let shop = try await shop()
        let people = try await shop.provider.executeQuery("People?$orderby=ID")
        #expect(people.map(\.isLocal) == [true, true, false, true])
        #expect(people.map(\.hasPendingChanges) == [true, true, false, true])
        #expect(people.map(\.inErrorState) == [false, true, false, false])
        let text = await shop.get("People(2)")
        #expect(text.contains(#""@sap.inErrorState":true"#))
    }

    /// The state of being changed here ends with the download that brings the result, not with the upload.
    @Test func endsWithTheDownload() async throws {
        let shop = try await shop()
        shop.rules.refuse(nil)
        try await shop.provider.retryRequest(shop.provider.errorArchive()[0].id)
        try await shop.provider.upload()
        #expect(try await ids(shop, "People?$filter=sap.haspendingchanges()").isEmpty)
        #expect(try await ids(shop, "People?$filter=sap.inerrorstate()").isEmpty)
        #expect(try await ids(shop, "People?$filter=sap.islocal()&$orderby=ID") == [1, 2, 80])
        try await shop.provider.download()
        #expect(try await ids(shop, "People?$filter=sap.islocal()").isEmpty)
    }

    /// A delta says nothing of an entity to which the same link leads as before.
    @Test func isTheServicesAgainWithoutANetEffect() async throws {
        let store = try await SmallStore()
        let links = "Parts('P2')/WorkOrders"
        let reference = "{\"@odata.id\":\"\(store.orders[0])\"}"
        let key = store.orders[0].dropFirst("WorkOrders".count)
        for (method, url, body) in [
            ("POST", links + "/$ref", reference), ("DELETE", "\(links)\(key)/$ref", ""),
        ] {
            let answer = await store.provider.respond(
                to: HTTPRequest(
                    method: method,
                    url: url,
                    headers: ["Content-Type": "application/json"],
                    body: Array(body.utf8)
                )
            )
            #expect(answer.status == 204)
        }
        for (step, count) in [("changed", 1), ("uploaded", 1), ("downloaded", 0)] {
            if step == "uploaded" { try await store.provider.upload() }
            if step == "downloaded" { try await store.provider.download() }
            let local = try await store.provider.executeQuery("Parts?$filter=sap.islocal()")
            #expect(local.count == count, "\(step)")
        }
    }

    // MARK: Addresses

    @Test func refusesASecondCreationOfAKey() async throws {
        let shop = try await Workshop()
        #expect(await shop.send("POST", "People", #"{"ID":80,"Name":"Di"}"#).status == 201)
        let before = try await shop.dump()
        let again = await shop.send("POST", "People", #"{"ID":80,"Name":"Ed"}"#)
        #expect(again.status == 409)
        #expect(again.text.contains("an entity with this key is in People already"))
        let known = await shop.send("POST", "People", #"{"ID":1,"Name":"Ed"}"#)
        #expect(known.status == 409)
        #expect(try await shop.dump() == before)
    }

    /// The read link of a created entity leads to it before the upload, after it, and after the next download; its key once it is known.
    @Test func keepsReadLinksThroughTheUpload() async throws {
        let service = try await SampleService(sets: [])
        let directory = try TemporaryDirectory()
        let provider = try service.provider(directory)
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "Orders", query: "WorkOrders")
        )
        try await provider.open()
        let created = try await provider.createEntity(
            EntityValue(entitySet: "WorkOrders", ["Title": "new"])
        )
        let link = try #require(created.readLink)
        #expect(link.hasPrefix("WorkOrders($local='"))
        for step in ["created", "uploaded", "downloaded"] {
            if step == "uploaded" { try await provider.upload() }
            if step == "downloaded" { try await provider.download() }
            let found = try await provider.executeQuery(link)
            #expect(found.map { $0["Title"]?.stringValue } == ["new"], "\(step)")
        }
        let all = try await provider.executeQuery("WorkOrders")
        #expect(all.count == 1)
        let key = try #require(all[0]["ID"]?.integerValue)
        #expect(try await provider.executeQuery("WorkOrders(\(key))").count == 1)
    }
}
