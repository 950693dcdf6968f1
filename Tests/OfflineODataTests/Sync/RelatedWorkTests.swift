import ODataHTTP
import OfflineOData
import Testing

/// A service that keeps one version and one time of change for a whole document is in no conflict with what waits here.
///
/// A change of an item moves its order there as well, and one of the order its items.
@Suite struct RelatedWorkTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/>
        <Property Name="Changed" Type="Edm.Int32"/>
        <NavigationProperty Name="Items" Type="Collection(M.Item)" Partner="Order"/>
        <NavigationProperty Name="Parts" Type="Collection(M.Part)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="OrderID" Type="Edm.Int32"/>
        <Property Name="Title" Type="Edm.String"/><Property Name="Changed" Type="Edm.Int32"/>
        <NavigationProperty Name="Order" Type="M.Order" Partner="Items">
        <ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityType Name="Part"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="M.Order">
        <NavigationPropertyBinding Path="Items" Target="Items"/></EntitySet>
        <EntitySet Name="Items" EntityType="M.Item"><NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func entity(_ members: String, version: Int = 1, title: String = "a") -> String {
        #"{"@odata.etag":"\"\#(version)\"",\#(members),"Title":"\#(title)","Changed":\#(version)}"#
    }

    /// A store with an order, its two items and its part.
    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.metadata)
        let parts = #""ID":1,"Parts":[{"ID":1,"Title":"a"}]"#
        service.set(
            "GET Orders?$expand=Parts",
            RecordedService.json("{\"value\":[\(Self.entity(parts))]}")
        )
        let items = [1, 2].map { Self.entity("\"ID\":\($0),\"OrderID\":1") }
        service.set(
            "GET Items",
            RecordedService.json("{\"value\":[\(items.joined(separator: ","))]}")
        )
        service.set("POST $batch", HTTPResponse(status: 404))
        return (service, try await service.opened(["Orders?$expand=Parts", "Items"]))
    }

    private func change(_ provider: OfflineODataProvider, _ request: String) async throws {
        let words = request.split(separator: " ", maxSplits: 2).map(String.init)
        try await provider.send(words[0], words[1], words.dropFirst(2).first ?? "")
    }

    /// Sends a change and then an update of what has moved with it, and answers how often the update was sent and what is refused.
    private func upload(
        _ first: String?,
        then update: String,
        of url: String,
        now: String
    ) async throws -> (sent: Int, refused: Int) {
        let (service, provider) = try await opened()
        if let first {
            let request = first.split(separator: " ").prefix(2).joined(separator: " ")
            let isCreation = request.hasPrefix("POST")
            service.set(
                request,
                isCreation
                    ? RecordedService.json(Self.entity("\"ID\":3,\"OrderID\":1"), status: 201)
                    : HTTPResponse(status: 204)
            )
            try await change(provider, first)
        }
        try await change(provider, "PATCH \(url) \(update)")
        service.set("PATCH " + url, HTTPResponse(status: 412), HTTPResponse(status: 204))
        service.set("GET " + url, RecordedService.json(now))
        try await provider.upload()
        return (
            service.requests.count { $0 == "PATCH " + url },
            try await provider.errorArchive().count
        )
    }

    /// The same with an update of the order, whose second version has this title.
    private func uploadOrder(behind first: String, title: String = "a") async throws -> (
        sent: Int, refused: Int
    ) {
        try await upload(
            first,
            then: #"{"Title":"mine"}"#,
            of: "Orders(1)",
            now: Self.entity("\"ID\":1", version: 2, title: title)
        )
    }

    /// Changes of an item, of a part that the order contains, and the order they belong to.
    static let itsParts = [
        #"PATCH Items(1) {"Title":"b"}"#, #"POST Items {"ID":3,"OrderID":1}"#, "DELETE Items(1)",
        #"PATCH Orders(1)/Parts(1) {"Title":"b"}"#, "DELETE Orders(1)/Parts(1)",
    ]

    @Test(arguments: itsParts)
    func sendsAnUpdateBehindTheChangeOfAPart(_ first: String) async throws {
        let found = try await uploadOrder(behind: first)
        #expect(found == (2, 0))
    }

    @Test func sendsAnUpdateOfAPartBehindTheChangeOfTheWhole() async throws {
        let found = try await upload(
            #"PATCH Orders(1) {"Title":"b"}"#,
            then: #"{"Title":"mine"}"#,
            of: "Items(1)",
            now: Self.entity("\"ID\":1,\"OrderID\":1", version: 2)
        )
        #expect(found == (2, 0))
    }

    /// Another client has changed what the update writes.
    @Test(arguments: itsParts)
    func meetsAConflictOverWhatItWrites(_ first: String) async throws {
        let found = try await uploadOrder(behind: first, title: "theirs")
        #expect(found == (1, 1))
    }

    /// Nothing from here can have moved it.
    @Test(arguments: [nil, #"PATCH Items(1) {"OrderID":null}"#, "DELETE Items(1)"])
    func meetsAConflictWithoutAChangeOfAPart(_ first: String?) async throws {
        let url = first == nil ? "Orders(1)" : "Items(2)"
        let found = try await upload(
            first,
            then: #"{"Title":"mine"}"#,
            of: url,
            now: Self.entity(first == nil ? "\"ID\":1" : "\"ID\":2,\"OrderID\":1", version: 2)
        )
        #expect(found == (1, 1))
    }
}
