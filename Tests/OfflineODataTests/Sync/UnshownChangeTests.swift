import ODataHTTP
import OfflineOData
import Testing

/// A refusal for an ETag is passed over only where a read of the entity shows all that the change would write over or take away.
@Suite struct UnshownChangeTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Doc" OpenType="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="Order" Type="S.Order"/></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="CustomerID" Type="Edm.Int32"/>
        <NavigationProperty Name="Customer" Type="S.Customer">
          <ReferentialConstraint Property="CustomerID" ReferencedProperty="ID"/></NavigationProperty>
        <NavigationProperty Name="Items" Type="Collection(S.Item)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Customer"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="No"/></Key>
        <Property Name="No" Type="Edm.Int32" Nullable="false"/></EntityType>
        <Action Name="Touch" IsBound="true"><Parameter Name="it" Type="S.Order"/></Action>
        <Action Name="Bill"><Parameter Name="order" Type="S.Order"/>
          <Parameter Name="orders" Type="Collection(S.Order)"/></Action>
        <EntityContainer Name="C">
        <EntitySet Name="Docs" EntityType="S.Doc">
        <NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>
        <EntitySet Name="Customers" EntityType="S.Customer"/>
        <EntitySet Name="Orders" EntityType="S.Order">
        <NavigationPropertyBinding Path="Customer" Target="Customers"/></EntitySet>
        <ActionImport Name="Bill" Action="S.Bill"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.model)
        service.set(
            "GET Docs",
            RecordedService.json(#"{"value":[{"@odata.etag":"\"1\"","ID":1,"Name":"d"}]}"#)
        )
        service.set(
            "GET Orders",
            RecordedService.json(
                #"{"value":[{"@odata.etag":"\"1\"","ID":1,"Name":"o","CustomerID":1},{"@odata.etag":"\"1\"","ID":2,"Name":"p"}]}"#
            )
        )
        service.set(
            "GET Customers",
            RecordedService.json(#"{"value":[{"@odata.etag":"\"1\"","ID":1}]}"#)
        )
        let provider = try await service.opened(["Docs", "Orders", "Customers"])
        service.set("POST $batch", HTTPResponse(status: 404))
        service.clearLog()
        return (service, provider)
    }

    // MARK: After a refusal

    /// The service has what the change was made on, but for the ETag.
    @Test(arguments: [
        (
            "PATCH", "Docs(1)", #"{"Order@odata.bind":"Orders(2)"}"#,
            #"{"@odata.etag":"\"2\"","ID":1,"Name":"d"}"#
        ), ("DELETE", "Orders(1)", "", #"{"@odata.etag":"\"2\"","ID":1,"Name":"o"}"#),
        (
            "PATCH", "Docs(1)", #"{"Colour":"red"}"#,
            #"{"@odata.etag":"\"2\"","ID":1,"Name":"d","Colour":"blue"}"#
        ),
        (
            "PATCH", "Docs(1)", #"{"Name":"mine"}"#,
            #"{"@odata.etag":"\"2\"","ID":1,"Name":"d","Colour":"blue"}"#
        ),
    ])
    func leavesItToAPerson(_ method: String, _ url: String, _ body: String, _ found: String)
        async throws
    {
        let (service, provider) = try await opened()
        try await provider.send(method, url, body)
        service.set("\(method) \(url)", HTTPResponse(status: 412))
        service.set("GET \(url)", RecordedService.json(found))
        #expect(try await provider.upload().failedCount == 1)
        #expect(service.requests.count { $0 == "\(method) \(url)" } == 1)
    }

    @Test func sendsAgainWhatTheReadShows() async throws {
        let (service, provider) = try await opened()
        try await provider.send("PATCH", "Docs(1)", #"{"Name":"mine"}"#)
        service.set("PATCH Docs(1)", HTTPResponse(status: 412), HTTPResponse(status: 204))
        service.set(
            "GET Docs(1)",
            RecordedService.json(#"{"@odata.etag":"\"2\"","ID":1,"Name":"d"}"#)
        )
        #expect(try await provider.upload().succeededCount == 1)
    }

    /// The ETag that is read for a change which writes nothing new would let the next one write over what nobody here has seen.
    @Test(arguments: [("PATCH", #"{"Name":"mine"}"#), ("DELETE", "")])
    func readsForEveryWaitingChange(_ method: String, _ body: String) async throws {
        let service = try RecordedService(metadata: Self.model)
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1,"Name":"o","CustomerID":1}]}"#)
        )
        let provider = try await service.opened(["Orders"])
        service.set("POST $batch", HTTPResponse(status: 404))
        try await provider.send("PATCH", "Orders(1)", #"{"CustomerID":1}"#)
        try await provider.send(method, "Orders(1)", body)
        service.set(
            "GET Orders(1)",
            RecordedService.json(#"{"@odata.etag":"\"2\"","ID":1,"Name":"theirs","CustomerID":1}"#)
        )
        service.set("PATCH Orders(1)", HTTPResponse(status: 204, headers: ["ETag": "\"3\""]))
        service.set("DELETE Orders(1)", HTTPResponse(status: 204))
        let result = try await provider.upload()
        #expect([result.failedCount, result.succeededCount] == [1, 0])
        #expect(!service.requests.contains("\(method) Orders(1)"))
    }

    /// An entity's ETag changes with what it contains: the change that is to be sent again goes before the next one from here.
    @Test func sendsAgainBeforeItChangesMore() async throws {
        let (service, provider) = try await opened()
        try await provider.send("PATCH", "Orders(1)", #"{"Name":"mine"}"#)
        try await provider.send("POST", "Orders(1)/Items", #"{"No":1}"#)
        try await provider.send("PATCH", "Docs(1)", #"{"Name":"x"}"#)
        service.set("PATCH Orders(1)", HTTPResponse(status: 412), HTTPResponse(status: 204))
        service.set(
            "GET Orders(1)",
            RecordedService.json(#"{"@odata.etag":"\"2\"","ID":1,"Name":"o","CustomerID":1}"#)
        )
        service.set("POST Orders(1)/Items", HTTPResponse(status: 204))
        service.set("PATCH Docs(1)", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 3)
        let sent = service.requests.filter { !$0.contains("$batch") && !$0.hasPrefix("GET") }
        #expect(sent.prefix(3) == ["PATCH Orders(1)", "PATCH Orders(1)", "POST Orders(1)/Items"])
    }

    // MARK: Calls

    /// An action may change what it is called on, and its ETag.
    @Test func readsTheETagAfterACallFromHere() async throws {
        let (service, provider) = try await opened()
        try await provider.send("POST", "Orders(1)/S.Touch", "{}")
        try await provider.send("PATCH", "Orders(1)", #"{"Name":"mine"}"#)
        service.set("POST Orders(1)/S.Touch", HTTPResponse(status: 204))
        service.set("PATCH Orders(1)", HTTPResponse(status: 204))
        service.set(
            "GET Orders(1)",
            RecordedService.json(#"{"@odata.etag":"\"2\"","ID":1,"Name":"o"}"#)
        )
        #expect(try await provider.upload().succeededCount == 2)
        let order = service.requests.filter { !$0.contains("$batch") }
        #expect(order == ["POST Orders(1)/S.Touch", "GET Orders(1)", "PATCH Orders(1)"])
        #expect(service.log.last?.headers["If-Match"] == "\"2\"")
    }

    /// What a download of everything has brought after the call need not be read again.
    @Test func forgetsTheCallAfterADownload() async throws {
        let (service, provider) = try await opened()
        try await provider.send("POST", "Orders(1)/S.Touch", "{}")
        service.set("POST Orders(1)/S.Touch", HTTPResponse(status: 204))
        try await provider.upload()
        try await provider.download()
        try await provider.send("PATCH", "Orders(1)", #"{"Name":"mine"}"#)
        service.clearLog()
        service.set("PATCH Orders(1)", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 1)
        let sent = service.requests.filter { !$0.contains("$batch") }
        #expect(sent == ["PATCH Orders(1)"])
    }

    /// A parameter of a call that names an entity, as it is queued and as it has to leave.
    struct Parameter: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var queued: String
        var sent: String

        static let all = [
            Parameter(
                testDescription: "reference",
                queued: #"{"order":{"@odata.id":"Orders(77)"}}"#,
                sent: #"{"order":{"@odata.id":"Orders(501)"}}"#
            ),
            Parameter(
                testDescription: "entity with its key",
                queued: #"{"order":{"Name":"n", "ID":77}}"#,
                sent: #"{"order":{"Name":"n", "ID":501}}"#
            ),
            Parameter(
                testDescription: "list of entities",
                queued: #"{"orders":[{"ID":1},{"ID":77}]}"#,
                sent: #"{"orders":[{"ID":1},{"ID":501}]}"#
            ),
            Parameter(
                testDescription: "list of one entity twice",
                queued: #"{"orders":[{"ID":77},{"ID":77}]}"#,
                sent: #"{"orders":[{"ID":501},{"ID":501}]}"#
            ),
        ]
    }

    @Test(arguments: Parameter.all)
    func letsTheParametersOfACallFollowTheKey(_ parameter: Parameter) async throws {
        let (service, provider) = try await opened()
        try await provider.send("POST", "Orders", #"{"ID":77,"Name":"n"}"#)
        try await provider.send("POST", "Bill", parameter.queued)
        service.set("POST Orders", RecordedService.json(#"{"ID":501,"Name":"n"}"#, status: 201))
        service.set("POST Bill", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 2)
        #expect(service.bodies(of: "POST Bill") == [parameter.sent])
    }

    /// Another's entity has the key that was sent: a download tells the right one by its values.
    @Test(arguments: Parameter.all)
    func letsTheParametersOfACallFollowAKeyThatIsToldLater(_ parameter: Parameter) async throws {
        let (service, provider) = try await opened()
        try await provider.send("POST", "Orders", #"{"ID":77,"Name":"n"}"#)
        try await provider.send("POST", "Bill", parameter.queued)
        service.set("POST Orders", HTTPResponse(status: 204))
        service.set("GET Orders(77)", RecordedService.json(#"{"ID":77,"Name":"theirs"}"#))
        #expect(try await provider.upload().parkedCount == 1)
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":77,"Name":"theirs"},{"ID":501,"Name":"n"}]}"#)
        )
        try await provider.download()
        service.set("POST Bill", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 1)
        #expect(service.bodies(of: "POST Bill") == [parameter.sent])
    }

    @Test(arguments: Parameter.all)
    func keepsACallBackThatNamesARefusedCreation(_ parameter: Parameter) async throws {
        let (service, provider) = try await opened()
        try await provider.send("POST", "Orders", #"{"ID":77,"Name":"n"}"#)
        try await provider.send("POST", "Bill", parameter.queued)
        service.set("POST Orders", HTTPResponse(status: 409))
        _ = try await provider.upload()
        #expect(!service.requests.contains("POST Bill"))
        #expect(try await provider.requestQueue().map(\.status) == [.parked])
    }

    // MARK: Deletions

    /// A rule of the service stands against the deletion, and not another version: its words are told as they came.
    @Test func tellsTheServicesReasonAgainstADeletion() async throws {
        let (service, provider) = try await opened()
        try await provider.send("DELETE", "Orders(1)", "")
        service.set(
            "DELETE Orders(1)",
            RecordedService.json(#"{"error":{"code":"1","message":"has items"}}"#, status: 409)
        )
        service.set(
            "GET Orders(1)",
            RecordedService.json(
                #"{"@odata.etag":"\"1\"","ID":1,"Name":"o","CustomerID":1}"#
            )
        )
        #expect(try await provider.upload().failedCount == 1)
        #expect(try await provider.errorArchive().map(\.failure?.message) == ["has items"])
    }

    /// A service may clear foreign keys to what was deleted, and its metadata need not say so.
    @Test func changesWhatDependsOnADeletedEntityAfterTheDeletion() async throws {
        let (service, provider) = try await opened()
        try await provider.send("DELETE", "Customers(1)", "")
        try await provider.send("PATCH", "Orders(1)", #"{"Name":"mine"}"#)
        service.set("DELETE Customers(1)", HTTPResponse(status: 204))
        service.set("PATCH Orders(1)", HTTPResponse(status: 204))
        service.set(
            "GET Orders(1)",
            RecordedService.json(
                #"{"@odata.etag":"\"2\"","ID":1,"Name":"o","CustomerID":null}"#
            )
        )
        #expect(try await provider.upload().succeededCount == 2)
        let order = service.requests.filter { !$0.contains("$batch") }
        #expect(order == ["DELETE Customers(1)", "GET Orders(1)", "PATCH Orders(1)"])
        #expect(service.log.last?.headers["If-Match"] == "\"2\"")
    }

    // MARK: Change sets

    /// What is added below an entity may change the entity's ETag (OData 4.01 Part 1 § 11.4.2).
    @Test func updatesAnEntityBeforeItAddsBelowIt() async throws {
        let (service, provider) = try await opened()
        try await provider.send("POST", "Orders(1)/Items", #"{"No":1}"#, transaction: "t")
        try await provider.send("PATCH", "Orders(1)", #"{"Name":"x"}"#, transaction: "t")
        service.set("POST $batch", HTTPResponse(status: 400))
        _ = try? await provider.upload()
        let body = try #require(service.bodies(of: "POST $batch").first)
        let update = try #require(body.firstRange(of: "PATCH Orders(1)"))
        let creation = try #require(body.firstRange(of: "POST Orders(1)/Items"))
        #expect(update.lowerBound < creation.lowerBound)
    }
}
