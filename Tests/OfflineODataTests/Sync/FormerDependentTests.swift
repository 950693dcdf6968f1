import OfflineOData
import ODataHTTP
import Testing

/// The deletion of an entity goes behind the changes that take others away from it: a service with `OnDelete` Cascade would take these along,
/// another would refuse it for their sake.
@Suite struct FormerDependentTests {
    private static let metadata = """
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="S">
          <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
          <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
            <Property Name="OrderID" Type="Edm.Int32"/>
            <NavigationProperty Name="Order" Type="S.Order">
              <ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/></NavigationProperty>
            <NavigationProperty Name="Rival" Type="S.Order"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="S.Order"/>
            <EntitySet Name="Items" EntityType="S.Item"><NavigationPropertyBinding Path="Order" Target="Orders"/>
            <NavigationPropertyBinding Path="Rival" Target="Orders"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1},{"ID":2}]}"#))
        service.set(
            "GET Items?$expand=Rival",
            RecordedService.json(
                #"{"value":[{"ID":1,"Name":"a","OrderID":1,"Rival":{"ID":1}},{"ID":2,"Name":"b","OrderID":2,"Rival":null}]}"#
            )
        )
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened(["Orders", "Items?$expand=Rival"])
        service.clearLog()
        return (service, provider)
    }

    /// How an item leaves its order; it waits for a creation, which the deletion does not.
    private static let moves: [(method: String, url: String, body: String)] = [
        ("PATCH", "Items(1)", #"{"OrderID":50}"#),
        ("PATCH", "Items(1)", #"{"Order@odata.bind":"Orders(50)"}"#),
        ("PUT", "Items(1)/Order/$ref", #"{"@odata.id":"Orders(50)"}"#),
        ("PUT", "Items(1)/Rival/$ref", #"{"@odata.id":"Orders(50)"}"#),
    ]

    @Test(arguments: moves.indices)
    func sendsTheMoveFirst(_ index: Int) async throws {
        let move = Self.moves[index]
        let (service, provider) = try await opened()
        try await provider.send("POST", "Orders", #"{"ID":50}"#)
        try await provider.send(move.method, move.url, move.body)
        try await provider.send("DELETE", "Orders(1)")
        service.set("POST Orders", RecordedService.json(#"{"ID":50}"#, status: 201))
        service.set("\(move.method) \(move.url)", HTTPResponse(status: 204))
        service.set("GET Items(1)", RecordedService.json(#"{"ID":1,"Name":"a","OrderID":1}"#))
        service.set("DELETE Orders(1)", HTTPResponse(status: 204))
        let result = try await provider.upload()
        #expect(result.succeededCount == 3)
        let sent = service.requests.filter { !$0.hasPrefix("GET") && !$0.hasSuffix("$batch") }
        #expect(sent == ["POST Orders", "\(move.method) \(move.url)", "DELETE Orders(1)"])
    }

    /// How an item comes into an order and leaves it again, before the service knows of either.
    private static let visits: [(into: (String, String, String), out: (String, String, String))] = [
        (("PATCH", "Items(1)", #"{"OrderID":2}"#), ("PATCH", "Items(1)", #"{"OrderID":null}"#)),
        (
            ("PUT", "Items(1)/Order/$ref", #"{"@odata.id":"Orders(2)"}"#),
            ("DELETE", "Items(1)/Order/$ref", "")
        ),
        (
            ("PATCH", "Items(1)", #"{"Order@odata.bind":"Orders(2)"}"#),
            ("PUT", "Items(1)/Order/$ref", #"{"@odata.id":"Orders(1)"}"#)
        ),
        (
            ("PUT", "Items(1)/Order/$ref", #"{"@odata.id":"Orders(2)"}"#),
            ("DELETE", "Items(1)", "")
        ),
        (
            ("POST", "Items", #"{"ID":3,"Order@odata.bind":"Orders(2)"}"#),
            ("PATCH", "Items(3)", #"{"OrderID":null}"#)
        ),
        (
            ("POST", "Items", #"{"ID":3,"OrderID":2}"#),
            ("PUT", "Items(3)/Order/$ref", #"{"@odata.id":"Orders(1)"}"#)
        ),
    ]

    @Test(arguments: visits.indices)
    func sendsWhatLeavesAgainFirst(_ index: Int) async throws {
        let (into, out) = Self.visits[index]
        let (service, provider) = try await opened()
        try await provider.send(into.0, into.1, into.2)
        try await provider.send("PATCH", "Items(1)", #"{"Name":"x"}"#)
        try await provider.send(out.0, out.1, out.2)
        try await provider.send("DELETE", "Orders(2)")
        let queue = try await provider.requestQueue()
        let last = try #require(queue.last)
        #expect(last.url == "Orders(2)")
        #expect(last.dependsOn.contains(queue[queue.count - 2].id), "\(queue)")
        withExtendedLifetime(service) {}
    }

    /// The same of an order that was made here, and of an item that was made in it.
    @Test(arguments: [
        ("PATCH", "Items(1)", #"{"Order@odata.bind":"Orders(50)"}"#),
        ("POST", "Items", #"{"ID":1,"Order@odata.bind":"Orders(50)"}"#),
    ])
    func sendsWhatLeavesANewOrderFirst(_ method: String, _ url: String, _ body: String) async throws
    {
        let (service, provider) = try await opened()
        // The item that is made anew takes the place of one that is gone.
        if method == "POST" { try await provider.send("DELETE", "Items(1)") }
        try await provider.send("POST", "Orders", #"{"ID":50}"#)
        try await provider.send(method, url, body)
        try await provider.send("PATCH", "Items(1)", #"{"OrderID":1}"#)
        try await provider.send("DELETE", "Orders(50)")
        let queue = try await provider.requestQueue()
        let last = try #require(queue.last)
        #expect(last.url == "Orders(50)" && last.method == "DELETE")
        #expect(last.dependsOn.contains(queue[queue.count - 2].id), "\(queue)")
        withExtendedLifetime(service) {}
    }

    /// A refused move keeps the entity that it takes others away from.
    @Test func parksTheDeletionBehindARefusedMove() async throws {
        let (service, provider) = try await opened()
        try await provider.send("PATCH", "Items(1)", #"{"OrderID":2}"#)
        try await provider.send("DELETE", "Orders(1)")
        service.set("GET Items(1)", RecordedService.json(#"{"ID":1,"Name":"a","OrderID":1}"#))
        service.set("PATCH Items(1)", HTTPResponse(status: 400))
        _ = try await provider.upload()
        #expect(!service.requests.contains("DELETE Orders(1)"))
        #expect(try await provider.requestQueue().map(\.status) == [.parked])
    }

    /// What changes nothing about the relation is in no deletion's way.
    @Test func waitsForNoOtherChange() async throws {
        let (service, provider) = try await opened()
        try await provider.send("PATCH", "Items(1)", #"{"Name":"x"}"#)
        try await provider.send("DELETE", "Orders(1)")
        #expect(try await provider.requestQueue().map(\.dependsOn) == [[], []])
        withExtendedLifetime(service) {}
    }

    /// What is merged into a waiting request says of a relation what was said last, by a reference or by the foreign key.
    @Test(arguments: [
        (
            #"{"Name":"BAD","Order@odata.bind":"Orders(2)"}"#, #"{"OrderID":1}"#,
            #"{"Name":"BAD","OrderID":1}"#
        ),
        (
            #"{"Name":"BAD","OrderID":2}"#, #"{"Order@odata.bind":"Orders(1)"}"#,
            #"{"Name":"BAD","Order@odata.bind":"Orders(1)"}"#
        ),
        (
            #"{"Name":"BAD","Order@odata.bind":"Orders(2)"}"#, #"{"Name":"b"}"#,
            #"{"Name":"b","Order@odata.bind":"Orders(2)"}"#
        ),
    ])
    func saysWhatWasSaidLast(_ first: String, _ then: String, _ sent: String) async throws {
        let (service, provider) = try await opened()
        service.set("PATCH Items(1)", HTTPResponse(status: 400))
        try await provider.send("PATCH", "Items(1)", first)
        _ = try await provider.upload()
        #expect(try await provider.errorArchive().count == 1)
        try await provider.send("PATCH", "Items(1)", then)
        service.set("PATCH Items(1)", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 1)
        #expect(service.bodies(of: "PATCH Items(1)").last == sent)
    }

    /// A request that gives an item to the order takes nothing away from it: the deletion does not wait for what was refused.
    @Test func waitsForNothingThatCameToIt() async throws {
        let (service, provider) = try await opened()
        try await provider.send("PATCH", "Items(1)", #"{"OrderID":2}"#)
        service.set("PATCH Items(1)", HTTPResponse(status: 400))
        service.set("GET Items(1)", RecordedService.json(#"{"ID":1,"Name":"a","OrderID":1}"#))
        #expect(try await provider.upload().failedCount == 1)
        try await provider.send("DELETE", "Orders(2)")
        service.set("DELETE Orders(2)", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 1)
    }
}
