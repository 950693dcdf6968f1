import OfflineOData
import ODataHTTP
import Testing

/// Requests to a store that the service would refuse, and names in its answers.
@Suite struct StoreRuleTests {
    private static let metadata = """
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="S">
          <EntityType Name="Size"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.String" Nullable="false"/>
            <Property Name="Sum" Type="Edm.Int32"><Annotation Term="Org.OData.Core.V1.Computed"/></Property>
            <NavigationProperty Name="Head" Type="S.Size" Nullable="false"/>
            <NavigationProperty Name="Next" Type="S.Size"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Größen" EntityType="S.Size">
            <NavigationPropertyBinding Path="Head" Target="Größen"/>
            <NavigationPropertyBinding Path="Next" Target="Größen"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let set = "Gr%C3%B6%C3%9Fen"

    private func opened() async throws -> OfflineODataProvider {
        let service = try RecordedService(metadata: Self.metadata)
        service.set(
            "GET \(Self.set)?$expand=Head,Next",
            RecordedService.json(
                #"{"value":[{"ID":"a","Sum":1,"Head":{"ID":"b"},"Next":{"ID":"b"}},{"ID":"b","Sum":2,"Head":{"ID":"a"},"Next":null}]}"#
            )
        )
        return try await service.opened(["Größen?$expand=Head,Next"])
    }

    /// A relation that an entity always has is replaced, never ended (CSDL 4.01 § 8.3); a computed value is the service's alone.
    @Test(arguments: [
        ("DELETE", "('a')/Head/$ref", "", 400), ("DELETE", "('a')/Next/$ref", "", 204),
        ("PUT", "('a')/Head/$ref", #"{"@odata.id":"Größen('a')"}"#, 204),
        ("PUT", "('a')/Sum", #"{"value":5}"#, 405), ("DELETE", "('a')/Sum", "", 405),
    ])
    func refusesWhatTheServiceMust(
        _ method: String,
        _ url: String,
        _ body: String,
        _ status: Int
    ) async throws {
        let provider = try await opened()
        let answer = await provider.answer(method, Self.set + url, body)
        #expect(answer.status == status, "\(answer.text)")
        #expect(try await provider.requestQueueIsEmpty() == (status != 204))
    }

    /// A header field holds ASCII alone (RFC 9110 § 5.5), and so does a URL (RFC 3986 § 2).
    @Test func encodesNamesInHeadersAndTheServiceDocument() async throws {
        let provider = try await opened()
        let made = await provider.answer("POST", Self.set, #"{"ID":"ä"}"#)
        let location = try #require(made.headers["Location"])
        #expect(location.hasSuffix("/\(Self.set)('%C3%A4')"))
        let document = await provider.answer("GET", "")
        #expect(document.text.contains(#""url":"\#(Self.set)""#))
        #expect(document.text.contains(#""name":"Größen""#))
    }
}
