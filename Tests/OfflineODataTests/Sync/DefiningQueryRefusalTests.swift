import OfflineOData
import Testing

/// Defining queries that ask for no entities are refused where they are added.
@Suite struct DefiningQueryRefusalTests {
    private static let metadata = ShopModel.v4().replacing(
        "<EntityContainer",
        with: """
            <ComplexType Name="Place"><Property Name="City" Type="Edm.String"/></ComplexType>
            <Function Name="Count" IsBound="true"><Parameter Name="it" Type="Shop.Order"/><ReturnType Type="Edm.Int32"/></Function>
            <Function Name="Best" IsBound="true" EntitySetPath="it/Items"><Parameter Name="it" Type="Shop.Order"/>
            <ReturnType Type="Collection(Shop.Item)"/></Function>
            <Function Name="Total"><ReturnType Type="Edm.Int32"/></Function>
            <Action Name="Touch" IsBound="true"><Parameter Name="it" Type="Shop.Order"/></Action>
            <EntityContainer
            """
    ).replacing(
        "</EntityContainer>",
        with: "<FunctionImport Name=\"Total\" Function=\"Shop.Total\"/></EntityContainer>"
    )

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1,"Title":"a"}]}"#))
        service.set("GET Items", RecordedService.json(#"{"value":[]}"#))
        return (service, try await service.opened(["Orders"]))
    }

    @Test(
        arguments: [
            "Orders(1)/Title", "Orders(1)/Shop.Count()", "Orders(1)/Title/$value", "Total()",
            "Orders(1)/Shop.Touch", "Orders/$count", "Orders(1)/Items/$ref", "$metadata",
            "Orders(1)/Shop.Best()", "Orders?$apply=aggregate($count as N)",
        ]
    )
    func refusesWhatBringsNoEntities(_ url: String) async throws {
        let (_, provider) = try await opened()
        let query = OfflineODataDefiningQuery(name: "P", query: url)
        #expect(throws: OfflineODataError.self) { try provider.add(definingQuery: query) }
        await #expect(throws: OfflineODataError.self) {
            try await provider.addDefiningQuery(query)
        }
        #expect(try await provider.definingQueries().map(\.name) == ["Q0"])
        try await provider.download()
    }

    @Test(arguments: [
        ("P", "Orders?$top=-1"), ("P", "Orders\0"), ("P", "http://elsewhere.test/Orders"),
        ("", "Orders"),
        ("P", "Orders?$filter=ID eq 'a' and"), ("P", "Orders?$filter=Title gt 1"),
    ])
    func refusesWhatCanNeverBeAsked(_ name: String, _ url: String) async throws {
        let (_, provider) = try await opened()
        let query = OfflineODataDefiningQuery(name: name, query: url)
        let error = await #expect(throws: OfflineODataError.self) {
            try await provider.addDefiningQuery(query)
        }
        #expect(error?.category == .invalidInput)
        let codes: [OfflineODataError.Code] = [.invalidURL, .invalidArgument, .limitExceeded]
        #expect(codes.contains(error?.code ?? .other))
    }

    /// What the metadata does not know yet may be in the service's by the next download.
    @Test(
        arguments: ["Items", "Orders(1)", "Orders(1)/Items", "Orders?$filter=ID gt 1", "Tomorrow"]
    )
    func takesWhatBringsEntities(_ url: String) async throws {
        let (_, provider) = try await opened()
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "P", query: url))
        #expect(try await provider.definingQueries().count == 2)
    }

    /// Before the metadata is known the grammar alone decides; the first load refuses the rest, and names the query.
    @Test func namesTheQueryThatTheFirstLoadRefuses() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let provider = try service.provider()
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "P", query: "Orders(1)/Title")
        )
        await #expect { try await provider.open() } throws: { error in
            (error as? OfflineODataError)?.message.contains("P") == true
        }
    }
}
