import ODataHTTP
import OfflineOData
import Testing

/// Conflicts of what only a derived type declares, of what stands behind a cast, and of dynamic properties.
@Suite struct DerivedConflictTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="D" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order" OpenType="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/></EntityType>
        <EntityType Name="Rush" BaseType="D.Order" OpenType="true"><Property Name="Deadline" Type="Edm.Date"/>
        <NavigationProperty Name="Stops" Type="Collection(D.Stop)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Stop"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="D.Order"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let query = "Orders?$expand=D.Rush/Stops"

    private static func rush(_ etag: Int, _ deadline: String, _ text: String) -> String {
        """
        {"@odata.type":"#D.Rush","@odata.etag":"\\"\(etag)\\"","ID":2,"Title":"b","Deadline":"\(deadline)","Colour":"\(text)",
        "Stops":[{"@odata.etag":"\\"\(etag)\\"","ID":1,"Text":"\(text)"}]}
        """
    }

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.metadata)
        let page = "{\"value\":[\(Self.rush(1, "2024-01-01", "first"))]}"
        service.set("GET " + Self.query, RecordedService.json(page))
        service.set("POST $batch", HTTPResponse(status: 404))
        return (service, try await service.opened([Self.query]))
    }

    private func patch(_ provider: OfflineODataProvider, _ url: String, _ body: String) async throws
    {
        let request = HTTPRequest(
            method: "PATCH",
            url: url,
            headers: ["Content-Type": "application/json"],
            body: Array(body.utf8)
        )
        let answer = await provider.respond(to: request)
        try #require(answer.isSuccess, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    /// Both sides have changed the entity; the download has brought the service's version.
    private func conflicting() async throws -> (RecordedService, OfflineODataProvider) {
        let (service, provider) = try await opened()
        try await patch(provider, "Orders(2)/D.Rush", #"{"Deadline":"2024-03-03","Colour":"mine"}"#)
        try await patch(provider, "Orders(2)/D.Rush/Stops(1)", #"{"Text":"mine"}"#)
        let page = "{\"value\":[\(Self.rush(2, "2024-02-02", "theirs"))]}"
        service.set("GET " + Self.query, RecordedService.json(page))
        try await provider.download()
        service.clearLog()
        return (service, provider)
    }

    @Test(arguments: ["Orders(2)", "Orders(2)/D.Rush"])
    func mergesWhatADerivedTypeDeclares(_ url: String) async throws {
        let (service, provider) = try await conflicting()
        try await provider.resolveConflict(url, with: .merge(body: #"{"Deadline":"2024-04-04"}"#))
        service.set("PATCH Orders(2)", HTTPResponse(status: 204))
        try await provider.upload()
        let body = service.bodies(of: "PATCH Orders(2)").first ?? ""
        #expect(body.contains("\"Deadline\":\"2024-04-04\""), "\(body)")
    }

    @Test func mergesAnEntityBehindACast() async throws {
        let (service, provider) = try await conflicting()
        let url = "Orders(2)/D.Rush/Stops(1)"
        try await provider.resolveConflict(url, with: .merge(body: #"{"Text":"both"}"#))
        service.set("PATCH " + url, HTTPResponse(status: 204))
        try await provider.upload()
        #expect(service.bodies(of: "PATCH " + url).first?.contains("\"both\"") == true)
    }

    @Test(arguments: [OfflineODataConflictSide.local, .merge(body: #"{"Title":"x"}"#)])
    func notesTheWholeOfWhatWasOverwritten(_ side: OfflineODataConflictSide) async throws {
        let (_, provider) = try await conflicting()
        try await provider.resolveConflict("Orders(2)", with: side)
        let text = try await provider.eventLog().compactMap(\.details).joined(separator: "\n")
        #expect(text.contains("2024-02-02"), "\(text)")
        #expect(text.contains("\"Colour\":\"theirs\""), "\(text)")
    }

    @Test func findsADeletedEntityBehindItsCast() async throws {
        let (_, provider) = try await opened()
        let answer = await provider.respond(to: HTTPRequest(method: "DELETE", url: "Orders(2)"))
        try #require(answer.isSuccess)
        let versions = try await provider.conflict(for: "Orders(2)/D.Rush")
        #expect(versions.base?["Deadline"] == "2024-01-01")
    }

    /// A refused update of a derived type gets another body, without the name of the type in it.
    @Test func editsWhatADerivedTypeDeclares() async throws {
        let (service, provider) = try await opened()
        try await patch(provider, "Orders(2)/D.Rush", #"{"Deadline":"2024-03-03"}"#)
        service.set("PATCH Orders(2)", HTTPResponse(status: 400), HTTPResponse(status: 204))
        try await provider.upload()
        let refused = try #require(try await provider.errorArchive().first)
        try await provider.editRequest(refused.id, body: #"{"Deadline":"2024-05-05"}"#)
        try await provider.upload()
        let body = service.bodies(of: "PATCH Orders(2)").last ?? ""
        #expect(body.contains("\"Deadline\":\"2024-05-05\""), "\(body)")
    }
}
