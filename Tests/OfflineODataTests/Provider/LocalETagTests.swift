import ODataHTTP
import OfflineOData
import Testing

/// ETags of the store's own answers: a local change makes a new one, while requests to the service carry the service's.
@Suite struct LocalETagTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Part"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Parts" EntityType="S.Part"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.metadata)
        service.set(
            "GET Parts",
            RecordedService.json(
                #"{"value":[{"@odata.etag":"W/\"1\"","ID":1,"Name":"Nut"},{"@odata.etag":"W/\"1\"","ID":2,"Name":"Nut"}]}"#
            )
        )
        return (service, try await service.opened(["Parts"]))
    }

    private func answer(
        _ method: String,
        _ url: String,
        _ headers: HTTPHeaders = [:],
        _ body: String = "",
        _ provider: OfflineODataProvider
    ) async -> HTTPResponse {
        var request = HTTPRequest(method: method, url: url, headers: headers)
        request.body = Array(body.utf8)
        return await provider.respond(to: request)
    }

    private func etag(_ url: String, _ provider: OfflineODataProvider) async -> String? {
        await answer("GET", url, provider).headers["ETag"]
    }

    @Test func changesWithEachLocalChange() async throws {
        let (_, provider) = try await opened()
        var seen: [String?] = [await etag("Parts(1)", provider)]
        for name in ["Bolt", "Screw"] {
            let change = await answer("PATCH", "Parts(1)", [:], "{\"Name\":\"\(name)\"}", provider)
            seen.append(change.headers["ETag"])
            let read = await etag("Parts(1)", provider)
            #expect(change.headers["ETag"] == read)
        }
        #expect(seen.first == "W/\"1\"")
        #expect(Set(seen).count == 3)
        let other = await etag("Parts(2)", provider)
        #expect(other == "W/\"1\"")
        let list = await answer("GET", "Parts", provider)
        let text = try #require(seen[2]).replacing("\"", with: "\\\"")
        #expect(String(decoding: list.body, as: UTF8.self).contains("\"@odata.etag\":\"\(text)\""))
    }

    /// Where the service has given no ETag, the store has one as soon as there is a local change.
    @Test func givesACreatedEntityOneThatChanges() async throws {
        let (_, provider) = try await opened()
        let created = await answer("POST", "Parts", [:], #"{"ID":9,"Name":"New"}"#, provider)
        let first = try #require(created.headers["ETag"])
        #expect(await etag("Parts(9)", provider) == first)
        let change = await answer(
            "PATCH",
            "Parts(9)",
            ["If-Match": first],
            #"{"Name":"B"}"#,
            provider
        )
        #expect(change.isSuccess)
        let second = try #require(change.headers["ETag"])
        #expect(second != first)
        let stale = await answer(
            "PATCH",
            "Parts(9)",
            ["If-Match": first],
            #"{"Name":"C"}"#,
            provider
        )
        #expect(stale.status == 412)
        let list = await answer("GET", "Parts?$filter=ID eq 9", provider)
        let text = second.replacing("\"", with: "\\\"")
        #expect(String(decoding: list.body, as: UTF8.self).contains("\"@odata.etag\":\"\(text)\""))
    }

    @Test func givesAChangedEntityOneWhereTheServiceHasNone() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Parts", RecordedService.json(#"{"value":[{"ID":1,"Name":"Nut"}]}"#))
        let provider = try await service.opened(["Parts"])
        #expect(await etag("Parts(1)", provider) == nil)
        let change = await answer("PATCH", "Parts(1)", [:], #"{"Name":"Bolt"}"#, provider)
        let first = try #require(change.headers["ETag"])
        _ = await answer("PATCH", "Parts(1)", [:], #"{"Name":"Screw"}"#, provider)
        let stale = await answer(
            "PATCH",
            "Parts(1)",
            ["If-Match": first],
            #"{"Name":"X"}"#,
            provider
        )
        #expect(stale.status == 412)
        service.set("PATCH Parts(1)", HTTPResponse(status: 204))
        try await provider.upload()
        #expect(![first].contains(service.log.last?.headers["If-Match"]))
    }

    @Test(arguments: ["PATCH", "PUT", "DELETE"])
    func refusesAnETagFromBeforeALocalChange(_ method: String) async throws {
        let (_, provider) = try await opened()
        _ = await answer("PATCH", "Parts(1)", [:], #"{"Name":"Bolt"}"#, provider)

        let body = method == "DELETE" ? "" : #"{"Name":"Screw"}"#
        let stale = await answer(method, "Parts(1)", ["If-Match": "W/\"1\""], body, provider)
        #expect(stale.status == 412)
        let present = try #require(await etag("Parts(1)", provider))
        let change = await answer(method, "Parts(1)", ["If-Match": present], body, provider)
        #expect(change.isSuccess)
    }

    @Test func answersNotModifiedForTheShownContentOnly() async throws {
        let (_, provider) = try await opened()
        let before = await answer("GET", "Parts(1)", ["If-None-Match": "W/\"1\""], provider)
        #expect(before.status == 304)
        _ = await answer("PATCH", "Parts(1)", [:], #"{"Name":"Bolt"}"#, provider)

        let stale = await answer("GET", "Parts(1)", ["If-None-Match": "W/\"1\""], provider)
        #expect(stale.status == 200)
        let present = try #require(await etag("Parts(1)", provider))
        let unchanged = await answer("GET", "Parts(1)", ["If-None-Match": present], provider)
        #expect(unchanged.status == 304)
    }

    @Test func returnsToTheServicesAfterUndoing() async throws {
        let (_, provider) = try await opened()
        _ = await answer("PATCH", "Parts(1)", [:], #"{"Name":"Bolt"}"#, provider)
        try await provider.undoPendingChanges("Parts(1)")
        let read = await etag("Parts(1)", provider)
        #expect(read == "W/\"1\"")
    }

    @Test func sendsTheServicesOwn() async throws {
        let (service, provider) = try await opened()
        service.set("PATCH Parts(1)", HTTPResponse(status: 204, headers: ["ETag": "W/\"2\""]))
        _ = await answer("PATCH", "Parts(1)", [:], #"{"Name":"Bolt"}"#, provider)
        let shown = try #require(await etag("Parts(1)", provider))
        _ = await answer(
            "PATCH",
            "Parts(1)",
            ["If-Match": shown],
            #"{"Name":"Screw"}"#,
            provider
        )
        try await provider.upload()

        let sent = service.log.filter { $0.method == "PATCH" }.map { $0.headers["If-Match"] }
        #expect(sent.first == "W/\"1\"")
        #expect(!sent.contains(shown))
        let part = try #require(await provider.executeQuery("Parts(1)").first)
        #expect(part.etag == "W/\"2\"")
    }
}

extension LocalETagTests {
    private func answer(
        _ method: String,
        _ url: String,
        _ provider: OfflineODataProvider
    ) async -> HTTPResponse {
        await answer(method, url, [:], "", provider)
    }

    private func answer(
        _ method: String,
        _ url: String,
        _ headers: HTTPHeaders,
        _ provider: OfflineODataProvider
    ) async -> HTTPResponse {
        await answer(method, url, headers, "", provider)
    }
}
