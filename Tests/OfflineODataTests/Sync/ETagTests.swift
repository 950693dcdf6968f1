import OfflineOData
import ODataHTTP
import Testing

/// ETags that services leave out, change or refuse, and the updates that are made under them.
@Suite struct ETagTests {
    private static func order(_ etag: String?, _ title: String = "a", _ note: String = "n")
        -> String
    {
        let tag = etag.map { "\"@odata.etag\":\"W/\\\"\($0)\\\"\"," } ?? ""
        return "{\(tag)\"ID\":1,\"Title\":\"\(title)\",\"Note\":\"\(note)\"}"
    }

    private static func done(_ etag: String?) -> HTTPResponse {
        var headers = HTTPHeaders()
        headers["ETag"] = etag.map { "W/\"\($0)\"" }
        return HTTPResponse(status: 204, headers: headers)
    }

    private func opened(
        _ orders: String,
        queries: [String] = ["Orders"]
    ) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json("{\"value\":[\(orders)]}"))
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened(queries)
        service.clearLog()
        return (service, provider)
    }

    private func order(_ provider: OfflineODataProvider) async throws -> EntityValue {
        try #require(try await provider.executeQuery("Orders(1)").first)
    }

    private func retitle(_ provider: OfflineODataProvider, _ title: String) async throws {
        var order = try await order(provider)
        order["Title"] = .string(title)
        try await provider.updateEntity(order)
    }

    private func conditions(_ service: RecordedService, _ request: String) -> [String?] {
        service.log.filter { "\($0.method) \($0.url.dropFirst(service.root.count))" == request }
            .map { $0.headers["If-Match"] }
    }

    // MARK: Left out

    /// A second query brings the same version without its ETag.
    @Test(arguments: [false, true])
    func keepsAnETagThatAnotherQueryDoesNotState(_ isChangedHere: Bool) async throws {
        let (service, provider) = try await opened(Self.order("1"))
        if isChangedHere { try await retitle(provider, "mine") }
        service.set(
            "GET Orders?$top=1",
            RecordedService.json("{\"value\":[\(Self.order(nil))]}")
        )
        try provider.add(definingQuery: .init(name: "Top", query: "Orders?$top=1"))
        try await provider.download(withSubset: ["Top"])
        #expect(try await !order(provider).hasConflict)
        if !isChangedHere { try await retitle(provider, "mine") }
        service.set("PATCH Orders(1)", Self.done("2"))
        try await provider.upload()
        #expect(conditions(service, "PATCH Orders(1)") == ["W/\"1\""])
    }

    /// Another version came without an ETag: it is read before the update.
    @Test func readsTheETagOfAVersionThatCameWithoutOne() async throws {
        let (service, provider) = try await opened(Self.order("1"))
        service.set("GET Orders", RecordedService.json("{\"value\":[\(Self.order(nil, "b"))]}"))
        try await provider.download()
        try await retitle(provider, "mine")
        service.set("GET Orders(1)", RecordedService.json(Self.order("2", "b")))
        service.set("PATCH Orders(1)", Self.done("3"))
        try await provider.upload()
        #expect(conditions(service, "PATCH Orders(1)") == ["W/\"2\""])
    }

    /// The version that came for a changed entity has no ETag: the decision for the local side overwrites no third version.
    @Test func readsTheETagOfAConflictThatCameWithoutOne() async throws {
        let (service, provider) = try await opened(Self.order("1"))
        try await retitle(provider, "mine")
        service.set("GET Orders", RecordedService.json("{\"value\":[\(Self.order(nil, "b"))]}"))
        try await provider.download()
        #expect(try await order(provider).hasConflict)
        try await provider.resolveConflict("Orders(1)", with: .local)
        service.set("GET Orders(1)", RecordedService.json(Self.order("3", "c")))
        service.set("PATCH Orders(1)", Self.done("4"))
        try await provider.upload()
        #expect(conditions(service, "PATCH Orders(1)").isEmpty)
        #expect(try await provider.errorArchive().map(\.failure?.httpStatus) == [412])
    }

    /// Entities that came nested only have no ETag in the store, though the service gives them some.
    @Test func readsTheETagOfWhatCameNestedOnly() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders?$expand=Items",
            RecordedService.json(
                #"{"value":[{"@odata.etag":"\"1\"","ID":1,"Items":[{"ID":10,"Name":"i"},{"ID":11,"Name":"j"}]}]}"#
            )
        )
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened(["Orders?$expand=Items"])
        for item in try await provider.executeQuery("Items") {
            var item = item
            item["Name"] = "mine"
            try await provider.updateEntity(item)
        }
        service.set(
            "GET Items(10)",
            RecordedService.json(#"{"@odata.etag":"\"7\"","ID":10,"Name":"i"}"#)
        )
        service.set(
            "GET Items(11)",
            RecordedService.json(#"{"@odata.etag":"\"8\"","ID":11,"Name":"theirs"}"#)
        )
        service.set("PATCH Items(10)", Self.done("9"))
        let result = try await provider.upload()
        #expect(conditions(service, "PATCH Items(10)") == ["\"7\""])
        #expect(result.succeededCount == 1 && result.failedCount == 1)
        #expect(!service.requests.contains("PATCH Items(11)"))
    }

    // MARK: Other ETags over the same values

    /// The ETag moves with related entities, or is another one in another query.
    @Test(arguments: [412, 428])
    func sendsAgainWhereOnlyTheETagWasAnotherOne(_ status: Int) async throws {
        let (service, provider) = try await opened(Self.order("1"))
        try await retitle(provider, "mine")
        service.set("PATCH Orders(1)", HTTPResponse(status: status), Self.done("6"))
        service.set("GET Orders(1)", RecordedService.json(Self.order("5")))
        let result = try await provider.upload()
        #expect(result.succeededCount == 1 && result.failedCount == 0)
        #expect(conditions(service, "PATCH Orders(1)") == ["W/\"1\"", "W/\"5\""])
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// A service whose ETags change at each read never takes one: the upload ends, and the entity can be resolved.
    @Test func endsWhereETagsChangeAtEachRead() async throws {
        let (service, provider) = try await opened(Self.order("1"))
        try await retitle(provider, "mine")
        service.set("PATCH Orders(1)", HTTPResponse(status: 412))
        service.set(
            "GET Orders(1)",
            RecordedService.json(Self.order("2")),
            RecordedService.json(Self.order("3")),
            RecordedService.json(Self.order("4")),
            RecordedService.json(Self.order("5")),
            RecordedService.json(Self.order("6"))
        )
        try await provider.upload()
        #expect(service.requests.filter { $0.hasPrefix("PATCH") }.count == 4)
        #expect(try await provider.errorArchive().map(\.failure?.httpStatus) == [412])
        try await provider.resolveConflict("Orders(1)", with: .server)
        #expect(try await order(provider)["Title"]?.stringValue == "a")
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test func isDoneWhereTheServiceHasTheSameValues() async throws {
        let (service, provider) = try await opened(Self.order("1"))
        try await retitle(provider, "mine")
        service.set("PATCH Orders(1)", HTTPResponse(status: 412))
        service.set("GET Orders(1)", RecordedService.json(Self.order("2", "mine", "theirs")))
        let result = try await provider.upload()
        #expect(result.succeededCount == 1 && result.failedCount == 0)
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await provider.errorArchive().isEmpty)
    }

    /// A download brings what was changed here: equal values on both sides are no conflict.
    @Test func equalValuesOnBothSidesAreNoConflict() async throws {
        let (service, provider) = try await opened(Self.order("1"))
        try await retitle(provider, "same")
        service.set("GET Orders", RecordedService.json("{\"value\":[\(Self.order("2", "same"))]}"))
        try await provider.download()
        #expect(try await !order(provider).hasConflict)
        service.set("PATCH Orders(1)", Self.done("3"))
        try await provider.upload()
        #expect(conditions(service, "PATCH Orders(1)") == ["W/\"2\""])
    }

    // MARK: After a refusal

    private func conflicting() async throws -> (RecordedService, OfflineODataProvider, Int64) {
        let (service, provider) = try await opened(Self.order("1"))
        try await retitle(provider, "mine")
        service.set("PATCH Orders(1)", HTTPResponse(status: 412))
        service.set("GET Orders(1)", RecordedService.json(Self.order("2", "theirs")))
        try await provider.upload()
        let refused = try #require(try await provider.errorArchive().first)
        #expect(refused.failure?.message.contains("resolve") == true)
        service.clearLog()
        return (service, provider, refused.id)
    }

    @Test(arguments: [false, true])
    func doesNotOverwriteByARetryOrAnEdit(_ isEdit: Bool) async throws {
        let (service, provider, id) = try await conflicting()
        service.set("PATCH Orders(1)", Self.done("3"))
        if isEdit {
            try await provider.editRequest(id, body: #"{"Title":"edited"}"#)
        } else {
            try await provider.retryRequest(id)
        }
        try await provider.upload()
        #expect(service.requests == ["GET Orders(1)"])
        #expect(try await provider.errorArchive().map(\.failure?.httpStatus) == [412])
        try await provider.resolveConflict("Orders(1)", with: .local)
        try await provider.upload()
        #expect(conditions(service, "PATCH Orders(1)") == ["W/\"2\""])
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test func aRetryTakesTheETagOfAVersionThatIsWhatItWas() async throws {
        let (service, provider, id) = try await conflicting()
        service.set("GET Orders(1)", RecordedService.json(Self.order("9", "a")))
        service.set("PATCH Orders(1)", Self.done("10"))
        try await provider.retryRequest(id)
        try await provider.upload()
        #expect(conditions(service, "PATCH Orders(1)") == ["W/\"9\""])
        #expect(try await provider.requestQueueIsEmpty())
    }

    // MARK: Merges and losing sides

    @Test func mergesInOneRequest() async throws {
        let (service, provider, _) = try await conflicting()
        try await provider.resolveConflict(
            "Orders(1)",
            with: .merge(body: #"{"Title":"both","Note":"more"}"#)
        )
        service.set("PATCH Orders(1)", Self.done("3"))
        try await provider.upload()
        #expect(service.bodies(of: "PATCH Orders(1)") == [#"{"Title":"both","Note":"more"}"#])
        #expect(conditions(service, "PATCH Orders(1)") == ["W/\"2\""])
        #expect(try await order(provider)["Title"]?.stringValue == "both")
        #expect(try await provider.requestQueueIsEmpty())
        let events = try await provider.eventLog().filter { $0.type == "Conflict" }
        #expect(events.contains { $0.details?.contains("mine") == true })
        #expect(events.contains { $0.details?.contains("theirs") == true })
    }

    /// A later change waits behind the refused one: they become one request.
    @Test func mergesSeveralWaitingRequestsIntoOne() async throws {
        let (service, provider) = try await opened(Self.order("1"))
        try await retitle(provider, "mine")
        var order = try await order(provider)
        order["Note"] = "also mine"
        try await provider.updateEntity(order)
        service.set("PATCH Orders(1)", HTTPResponse(status: 412))
        service.set("GET Orders(1)", RecordedService.json(Self.order("2", "theirs")))
        try await provider.upload()
        service.clearLog()
        try await provider.resolveConflict("Orders(1)", with: .merge(body: #"{"Title":"both"}"#))
        service.set("PATCH Orders(1)", Self.done("3"))
        try await provider.upload()
        #expect(
            service.bodies(of: "PATCH Orders(1)") == [#"{"Title":"both","Note":"also mine"}"#]
        )
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await self.order(provider)["Note"]?.stringValue == "also mine")
    }

    @Test func undoesAMergedRequestAsOne() async throws {
        let (_, provider, _) = try await conflicting()
        try await provider.resolveConflict("Orders(1)", with: .merge(body: #"{"Note":"more"}"#))
        _ = try await provider.undoPendingChanges("Orders(1)")
        let order = try await order(provider)
        #expect(order["Title"]?.stringValue == "theirs" && order["Note"]?.stringValue == "n")
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test func logsTheVersionOfTheServiceThatTheLocalOneOverwrites() async throws {
        let (_, provider, _) = try await conflicting()
        try await provider.resolveConflict("Orders(1)", with: .local)
        for _ in 0..<110 { try await provider.download(withSubset: []) }
        let event = try await provider.eventLog().first { $0.type == "Conflict" }
        #expect(event?.details?.contains(#""Title":"theirs""#) == true)
        #expect(event?.details?.contains(#""Note":"n""#) == true)
        #expect(try await provider.eventLog().count == 101)
    }

    @Test(arguments: [true, false])
    func logsTheLocalSideThatIsTakenBack(_ isResolved: Bool) async throws {
        let (_, provider, id) = try await conflicting()
        if isResolved {
            try await provider.resolveConflict("Orders(1)", with: .server)
        } else {
            try await provider.discardError(id)
        }
        let event = try await provider.eventLog().first { $0.type == "Conflict" }
        #expect(event?.details?.contains(#"PATCH Orders(1) {"Title":"mine"}"#) == true)
        #expect(try await order(provider)["Title"]?.stringValue == "theirs")
    }

    // MARK: Copies after an upload

    /// The ETag is not known, so the update goes under `*`; the version that a download brought meanwhile has the change in it.
    @Test func givesTheCopyOfTheServiceTheETagOfAnUpload() async throws {
        let (service, provider) = try await opened(Self.order(nil))
        try await retitle(provider, "mine")
        service.set(
            "GET Orders",
            RecordedService.json("{\"value\":[\(Self.order("2", "a", "theirs"))]}")
        )
        try await provider.download()
        service.set("PATCH Orders(1)", Self.done("3"))
        try await provider.upload()
        let now = try await order(provider)
        #expect(now.etag == "W/\"3\"" && now["Note"]?.stringValue == "theirs")
        #expect(now["Title"]?.stringValue == "mine")
        try await retitle(provider, "again")
        service.set("PATCH Orders(1)", Self.done("4"))
        try await provider.upload()
        #expect(conditions(service, "PATCH Orders(1)") == ["*", "W/\"3\""])
    }

    @Test func laysAnUploadedValueOverANewerDownloadWithoutETags() async throws {
        let (service, provider) = try await opened(Self.order(nil))
        try await retitle(provider, "mine")
        service.set(
            "GET Orders",
            RecordedService.json("{\"value\":[\(Self.order(nil, "b", "theirs"))]}")
        )
        try await provider.download()
        #expect(try await order(provider).hasConflict)
        service.set("PATCH Orders(1)", Self.done(nil))
        try await provider.upload()
        let now = try await order(provider)
        #expect(now["Title"]?.stringValue == "mine" && now["Note"]?.stringValue == "theirs")
        #expect(!now.hasConflict && !now.hasPendingChanges)
    }

    /// The answer to a read of one entity states its ETag in the header alone.
    @Test func takesTheETagOfASingleEntityFromTheHeader() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        var answer = RecordedService.json(Self.order(nil))
        answer.headers["ETag"] = "W/\"1\""
        service.set("GET Orders(1)", answer)
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened(["Orders(1)"])
        try await retitle(provider, "mine")
        service.set("PATCH Orders(1)", Self.done("2"))
        try await provider.upload()
        #expect(conditions(service, "PATCH Orders(1)") == ["W/\"1\""])
    }

    /// A read that fails says nothing of ETags: the update does not go without one.
    @Test func sendsNothingWithoutAnETagAfterAReadThatFails() async throws {
        let (service, provider) = try await opened(Self.order(nil))
        try await retitle(provider, "mine")
        service.set(
            "GET Orders(1)",
            HTTPResponse(
                status: 500,
                headers: ["Content-Type": "text/html"],
                body: Array("<html>sorry</html>".utf8)
            )
        )
        service.set("PATCH Orders(1)", Self.done("2"))
        #expect(try await provider.upload().parkedCount == 1)
        #expect(conditions(service, "PATCH Orders(1)").isEmpty)
        var answer = RecordedService.json(Self.order(nil))
        answer.headers["ETag"] = "W/\"1\""
        service.set("GET Orders(1)", answer)
        #expect(try await provider.upload().succeededCount == 1)
        #expect(conditions(service, "PATCH Orders(1)") == ["W/\"1\""])
    }

    // MARK: Changed by others

    /// A value that was null when it came down is known: that it is filled by now is somebody else's change.
    @Test func meetsAConflictOverANullThatSomebodyElseHasFilled() async throws {
        let known = #"{"@odata.etag":"W/\"1\"","ID":1,"Title":"a","Note":null}"#
        let (service, provider) = try await opened(known)
        service.set("PATCH Orders(1)", Self.done(nil))
        try await retitle(provider, "mine")
        try await provider.upload()
        var order = try #require(try await provider.executeQuery("Orders(1)").first)
        order["Note"] = "mine again"
        try await provider.updateEntity(order)
        service.set("GET Orders(1)", RecordedService.json(Self.order("3", "mine", "theirs")))
        try await provider.upload()
        #expect(conditions(service, "PATCH Orders(1)").count == 1)
        #expect(try await provider.errorArchive().map(\.failure?.httpStatus) == [412])
    }

    private static let linked = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Note" Type="Edm.String"/>
        <NavigationProperty Name="After" Type="Shop.Order"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="Shop.Order">
        <NavigationPropertyBinding Path="After" Target="Orders"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func bound() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.linked)
        service.set(
            "GET Orders",
            RecordedService.json(
                #"{"value":[{"@odata.etag":"\"1\"","ID":1,"Note":null},{"@odata.etag":"\"1\"","ID":2,"Note":null}]}"#
            )
        )
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened(["Orders"])
        let change = HTTPRequest(
            method: "PATCH",
            url: "Orders(1)",
            headers: ["Content-Type": "application/json"],
            body: Array(#"{"After@odata.bind":"Orders(2)"}"#.utf8)
        )
        #expect(await provider.respond(to: change).status == 204)
        service.clearLog()
        return (service, provider)
    }

    /// An update that names another entity alone sends no value: none of its values is what the service has.
    @Test func meetsAConflictWithAnUpdateThatBindsOnly() async throws {
        let (service, provider) = try await bound()
        service.set("PATCH Orders(1)", HTTPResponse(status: 412))
        service.set(
            "GET Orders(1)",
            RecordedService.json(#"{"@odata.etag":"\"2\"","ID":1,"Note":"theirs"}"#)
        )
        try await provider.upload()
        #expect(conditions(service, "PATCH Orders(1)") == ["\"1\""])
        #expect(try await provider.errorArchive().map(\.failure?.httpStatus) == [412])
    }

    /// Of an update that binds only, a read does not tell whether it was carried out.
    @Test func sendsAnUpdateThatBindsOnlyAgain() async throws {
        let (service, provider) = try await bound()
        service.set("PATCH Orders(1)", RecordedService.lost, Self.done("2"))
        service.set(
            "GET Orders(1)",
            RecordedService.json(#"{"@odata.etag":"\"1\"","ID":1,"Note":null}"#)
        )
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        try await provider.upload()
        #expect(conditions(service, "PATCH Orders(1)") == ["\"1\"", "\"1\""])
        #expect(try await provider.requestQueueIsEmpty())
    }
}
