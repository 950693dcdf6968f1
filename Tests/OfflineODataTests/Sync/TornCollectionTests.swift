import ODataHTTP
import OfflineOData
import Testing

/// Collections of complex values of which a defining query brings members only: a change would send the items without the rest.
@Suite struct TornCollectionTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Addr"><Property Name="City" Type="Edm.String"/><Property Name="Zip" Type="Edm.String"/></ComplexType>
        <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String"/>
        <Property Name="Addrs" Type="Collection(N.Addr)" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="As" EntityType="N.A"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func opened(_ query: String) async throws -> OfflineODataProvider {
        let service = try RecordedService(metadata: Self.metadata)
        service.set(
            "GET " + query,
            RecordedService.json(#"{"value":[{"ID":1,"Name":"n","Addrs":[{"City":"Bonn"}]}]}"#)
        )
        return try await service.opened([query])
    }

    @Test(arguments: ["As?$select=ID,Name,Addrs/City", "As?$select=ID,Name,Addrs($select=City)"])
    func areNotChanged(_ query: String) async throws {
        let provider = try await opened(query)
        for (method, url, body) in [
            ("POST", "As(1)/Addrs", #"{"City":"Ulm"}"#), ("PUT", "As(1)/Addrs", #"{"value":[]}"#),
            ("DELETE", "As(1)/Addrs", ""), ("PATCH", "As(1)", #"{"Addrs":[{"City":"Ulm"}]}"#),
        ] {
            let answer = await provider.answer(method, url, body)
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.status == 400, "\(method) \(url): \(text)")
            #expect(text.contains("the defining query Q0 selects some of their members"), "\(text)")
        }
        #expect(try await provider.requestQueueIsEmpty())
        #expect(await provider.answer("PATCH", "As(1)", #"{"Name":"m"}"#).isSuccess)
        let created = await provider.answer(
            "POST",
            "As",
            #"{"ID":2,"Addrs":[{"City":"Ulm","Zip":"1"}]}"#
        )
        #expect(created.status == 201)
        #expect(await provider.answer("POST", "As(2)/Addrs", #"{"City":"Rome"}"#).isSuccess)
    }

    @Test(arguments: ["As", "As?$select=ID,Name,Addrs"])
    func areChangedWhereTheyAreWhole(_ query: String) async throws {
        let provider = try await opened(query)
        #expect(await provider.answer("POST", "As(1)/Addrs", #"{"City":"Ulm"}"#).isSuccess)
    }
}
