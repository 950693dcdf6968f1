import ODataHTTP
import OfflineOData
import Testing

/// What a derived type declares is addressed through the cast segment (OData 4.01 Part 2 § 4.11).
@Suite struct DerivedTypeUploadTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="D" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/></EntityType>
        <EntityType Name="Rush" BaseType="D.Order"><Property Name="Slip" Type="Edm.Stream"/>
        <Property Name="Deadline" Type="Edm.Date"/>
        <NavigationProperty Name="Stops" Type="Collection(D.Stop)" ContainsTarget="true"/>
        <NavigationProperty Name="Before" Type="D.Order"/></EntityType>
        <EntityType Name="Stop"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/></EntityType>
        <EntityType Name="LongStop" BaseType="D.Stop">
        <NavigationProperty Name="Breaks" Type="Collection(D.Stop)" ContainsTarget="true"/></EntityType>
        <Action Name="Hurry" IsBound="true"><Parameter Name="it" Type="D.Rush"/></Action>
        <Action Name="Touch" IsBound="true"><Parameter Name="it" Type="D.Order"/></Action>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="D.Order">
        <NavigationPropertyBinding Path="D.Rush/Before" Target="Orders"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let query =
        "Orders?$expand=D.Rush/Stops($expand=D.LongStop/Breaks),D.Rush/Before"

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.metadata)
        service.set(
            "GET " + Self.query,
            RecordedService.json(
                """
                {"value":[{"ID":1,"Title":"a"},{"@odata.type":"#D.Rush","ID":2,"Title":"b","Deadline":"2024-01-01",
                "Before":null,"Stops":[{"@odata.type":"#D.LongStop","ID":5,"Text":"s","Breaks":[{"ID":6,"Text":"t"}]}]}]}
                """
            )
        )
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened([Self.query])
        service.clearLog()
        return (service, provider)
    }

    private static let changes: [(String, String, String)] = [
        ("POST", "Orders(2)/D.Rush/Stops", #"{"ID":9,"Text":"new"}"#),
        ("PATCH", "Orders(2)/D.Rush/Stops(5)", #"{"Text":"x"}"#),
        ("DELETE", "Orders(2)/D.Rush/Stops(5)/D.LongStop/Breaks(6)", ""),
        ("POST", "Orders(2)/D.Rush/Stops(5)/D.LongStop/Breaks", #"{"ID":8,"Text":"u"}"#),
        ("PUT", "Orders(2)/D.Rush/Before/$ref", #"{"@odata.id":"Orders(1)"}"#),
        ("PUT", "Orders(2)/D.Rush/Slip", "bytes"),
        ("POST", "Orders(2)/D.Rush/D.Hurry", "{}"),
    ]

    @Test(arguments: changes)
    func keepsTheCastOnTheWire(_ method: String, _ url: String, _ body: String) async throws {
        let (service, provider) = try await opened()
        let type = url.hasSuffix("Slip") ? "text/plain" : "application/json"
        try await provider.send(method, url, body, type: type)
        try await provider.upload()
        #expect(service.requests.contains("\(method) \(url)"), "\(service.requests)")
    }

    /// What the base type declares needs no cast, and is there for any entity of the set.
    @Test func sendsNoCastWhereTheDeclaredTypeIsEnough() async throws {
        let (service, provider) = try await opened()
        service.set("PATCH Orders(2)", HTTPResponse(status: 204))
        try await provider.send("PATCH", "Orders(2)/D.Rush", #"{"Deadline":"2024-01-02"}"#)
        try await provider.send("POST", "Orders(2)/D.Touch", "{}")
        try await provider.upload()
        #expect(service.requests.contains("PATCH Orders(2)"), "\(service.requests)")
        #expect(service.requests.contains("POST Orders(2)/D.Touch"), "\(service.requests)")
    }

    /// What the store names can be read and changed where it says so.
    @Test func readsWhereItsOwnLinksLead() async throws {
        let (_, provider) = try await opened()
        let order = try await provider.send(
            "POST",
            "Orders",
            ##"{"@odata.type":"#D.Rush","Title":"n"}"##
        )
        let stop = try await provider.send(
            "POST",
            Self.id(in: order) + "/D.Rush/Stops",
            ##"{"@odata.type":"#D.LongStop","Text":"own"}"##
        )
        let link = Self.id(in: stop)
        #expect(link.contains("/D.Rush/Stops("))
        #expect(try await provider.send("GET", link, "").contains("\"own\""))
        try await provider.send("PATCH", link, #"{"Text":"changed"}"#)
        #expect(try await provider.send("GET", link, "").contains("\"changed\""))
    }

    /// A child is created in the change set of its parent, by the Content-ID and the cast behind it.
    @Test func namesTheCastBehindAContentID() async throws {
        let (service, provider) = try await opened()
        let made = await provider.respond(
            to: HTTPRequest(
                method: "POST",
                url: "Orders",
                headers: ["Content-Type": "application/json"],
                body: Array(##"{"@odata.type":"#D.Rush","Title":"n"}"##.utf8)
            ),
            options: .transaction("t")
        )
        let link = Self.id(in: String(decoding: made.body, as: UTF8.self))
        _ = await provider.respond(
            to: HTTPRequest(
                method: "POST",
                url: link + "/D.Rush/Stops",
                headers: ["Content-Type": "application/json"],
                body: Array(#"{"Text":"own"}"#.utf8)
            ),
            options: .transaction("t")
        )
        service.set("POST $batch", HTTPResponse(status: 500))
        _ = try? await provider.upload()
        let batch = service.bodies(of: "POST $batch").first ?? ""
        #expect(batch.contains("POST $1/D.Rush/Stops HTTP/1.1"), "\(batch)")
    }

    /// The relative entity-id in a body.
    private static func id(in body: String) -> String {
        guard let start = body.firstRange(of: "\"@odata.id\":\"")?.upperBound else { return "" }
        let link = String(body[start...].prefix { $0 != "\"" })
        guard let set = link.firstRange(of: "Orders") else { return link }
        return String(link[set.lowerBound...])
    }
}
