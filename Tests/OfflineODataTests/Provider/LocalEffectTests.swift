import ODataHTTP
import OfflineOData
import Testing

/// Effects that the application gives to calls of operations.
@Suite struct LocalEffectTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Status" Type="Edm.String" MaxLength="9"><Annotation Term="Org.OData.Core.V1.Computed"/></Property></EntityType>
        <Action Name="Cancel" IsBound="true"><Parameter Name="it" Type="S.Order"/><Parameter Name="Reason" Type="Edm.String"/></Action>
        <Action Name="CancelAll"/>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="S.Order"/>
        <ActionImport Name="CancelAll" Action="S.CancelAll"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.metadata)
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1,"Status":"Open"},{"ID":2,"Status":"Open"}]}"#)
        )
        let provider = try await service.opened(["Orders"])
        provider.setLocalEffect(of: "S.Cancel") { call, store in
            guard var order = call.entity else { return }
            order["Status"] = call.parameters["Reason"] ?? "Cancelled"
            try store.update(order)
        }
        provider.setLocalEffect(of: "S.CancelAll") { _, store in
            for order in try store.entities("Orders") { try store.delete(order) }
        }
        return (service, provider)
    }

    private func statuses(_ provider: OfflineODataProvider) async throws -> [String] {
        try await provider.executeQuery("Orders").map {
            ($0["Status"]?.stringValue ?? "") + ($0.hasPendingChanges ? "*" : "")
                + ($0.inErrorState ? "!" : "")
        }
    }

    @Test func showsWhatACallWillDo() async throws {
        let (_, provider) = try await opened()
        try await provider.callOperation("Orders(1)/S.Cancel", parameters: ["Reason": "Late"])
        #expect(try await statuses(provider) == ["Late*", "Open"])
        #expect(try await provider.requestQueue().map(\.url) == ["Orders(1)/S.Cancel"])
    }

    @Test func takesTheEffectBackWithTheCall() async throws {
        let (_, provider) = try await opened()
        try await provider.callOperation("Orders(1)/S.Cancel")
        try await provider.callOperation("CancelAll")
        #expect(try await statuses(provider).isEmpty)
        let requests = try await provider.requestQueue().map(\.id)
        for id in requests.reversed() { try await provider.dropRequest(id) }
        #expect(try await statuses(provider) == ["Open", "Open"])
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test func sendsTheCallAlone() async throws {
        let (service, provider) = try await opened()
        service.set("POST Orders(1)/S.Cancel", HTTPResponse(status: 204))
        try await provider.callOperation("Orders(1)/S.Cancel", parameters: ["Reason": "Late"])
        service.clearLog()
        try await provider.upload()
        #expect(
            service.requests.filter { !$0.hasPrefix("GET") && !$0.hasPrefix("POST $batch") } == [
                "POST Orders(1)/S.Cancel"
            ]
        )
        #expect(try await statuses(provider) == ["Late", "Open"])
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1,"Status":"Gone"},{"ID":2,"Status":"Open"}]}"#)
        )
        try await provider.download()
        #expect(try await statuses(provider) == ["Gone", "Open"])
    }

    @Test func keepsTheEffectOfARefusedCallUntilItIsDiscarded() async throws {
        let (service, provider) = try await opened()
        service.set("POST Orders(1)/S.Cancel", HTTPResponse(status: 400))
        try await provider.callOperation("Orders(1)/S.Cancel")
        try await provider.upload()
        #expect(try await statuses(provider) == ["Cancelled*!", "Open"])
        for error in try await provider.errorArchive() { try await provider.discardError(error.id) }
        #expect(try await statuses(provider) == ["Open", "Open"])
    }

    @Test func refusesACallWhoseEffectBreaksTheModel() async throws {
        let (_, provider) = try await opened()
        await #expect(throws: OfflineODataError.self) {
            try await provider.callOperation(
                "Orders(1)/S.Cancel",
                parameters: ["Reason": "much too long"]
            )
        }
        #expect(try await statuses(provider) == ["Open", "Open"])
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// The name may be the one that stands in the URL of the call.
    @Test func knowsACallByItsImport() async throws {
        let (_, provider) = try await opened()
        provider.setLocalEffect(of: "S.CancelAll", nil)
        provider.setLocalEffect(of: "CancelAll") { _, store in
            for order in try store.entities("Orders") { try store.delete(order) }
        }
        try await provider.callOperation("CancelAll")
        #expect(try await statuses(provider).isEmpty)
    }
}
