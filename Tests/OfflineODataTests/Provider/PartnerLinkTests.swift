import ODataHTTP
import OfflineOData
import Testing

/// Links that no foreign key tells, with a single-valued property at the other end: an entity has one category, whoever is asked.
@Suite struct PartnerLinkTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Category"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
          <NavigationProperty Name="Products" Type="Collection(S.Product)" Partner="Category"/>
          <NavigationProperty Name="Best" Type="S.Product" Partner="BestOf"/></EntityType>
        <EntityType Name="Product"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
          <NavigationProperty Name="Category" Type="S.Category" Partner="Products"/>
          <NavigationProperty Name="BestOf" Type="S.Category" Partner="Best"/></EntityType>
        <EntityContainer Name="C">
          <EntitySet Name="Categories" EntityType="S.Category">
            <NavigationPropertyBinding Path="Products" Target="Products"/><NavigationPropertyBinding Path="Best" Target="Products"/>
          </EntitySet>
          <EntitySet Name="Products" EntityType="S.Product">
            <NavigationPropertyBinding Path="Category" Target="Categories"/><NavigationPropertyBinding Path="BestOf" Target="Categories"/>
          </EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func opened() async throws -> OfflineODataProvider {
        let service = try RecordedService(metadata: Self.metadata)
        service.set(
            "GET Categories?$expand=Products,Best",
            RecordedService.json(
                #"{"value":[{"ID":1,"Products":[{"ID":11},{"ID":12}],"Best":{"ID":11}},{"ID":2,"Products":[],"Best":null}]}"#
            )
        )
        return try await service.opened(["Categories?$expand=Products,Best"])
    }

    private func get(_ url: String, _ provider: OfflineODataProvider) async -> String {
        let answer = await provider.respond(to: HTTPRequest(method: "GET", url: url))
        return String(decoding: answer.body, as: UTF8.self)
    }

    /// The products of both categories, the best ones, and what each product says itself.
    private func links(_ provider: OfflineODataProvider) async throws -> [String] {
        var lines: [String] = []
        for url in ["Categories(1)", "Categories(2)"] {
            let products = try await provider.executeQuery(url + "/Products?$orderby=ID")
            lines.append(products.compactMap { $0["ID"]?.integerValue }.description)
        }
        for url in [
            "Categories(1)/Best", "Categories(2)/Best", "Products(11)/Category",
            "Products(12)/Category", "Products(11)/BestOf", "Products(12)/BestOf",
        ] {
            let text = await get(url + "/ID/$value", provider)
            lines.append(text.allSatisfy(\.isNumber) ? text : "-")
        }
        return lines
    }

    private static let before = ["[11, 12]", "[]", "11", "-", "1", "1", "1", "-"]

    @Test(arguments: [
        (
            "POST", "Categories(2)/Products/$ref", "Products(12)",
            ["[11]", "[12]", "11", "-", "1", "2", "1", "-"]
        ),
        (
            "PUT", "Products(12)/Category/$ref", "Categories(2)",
            ["[11]", "[12]", "11", "-", "1", "2", "1", "-"]
        ),
        (
            "PUT", "Categories(2)/Best/$ref", "Products(11)",
            ["[11, 12]", "[]", "-", "11", "1", "1", "2", "-"]
        ),
        (
            "PUT", "Categories(1)/Best/$ref", "Products(12)",
            ["[11, 12]", "[]", "12", "-", "1", "1", "-", "1"]
        ),
        (
            "PUT", "Products(12)/BestOf/$ref", "Categories(1)",
            ["[11, 12]", "[]", "12", "-", "1", "1", "-", "1"]
        ),
    ])
    func leavesTheFormerTargetAtBothEnds(
        method: String,
        url: String,
        target: String,
        after: [String]
    ) async throws {
        let provider = try await opened()
        #expect(try await links(provider) == Self.before)
        let answer = await provider.respond(
            to: HTTPRequest(
                method: method,
                url: url,
                headers: ["Content-Type": "application/json"],
                body: Array(#"{"@odata.id":"\#(target)"}"#.utf8)
            )
        )
        #expect(answer.status == 204)
        #expect(try await links(provider) == after)
        try await provider.undoAllPendingChanges()
        #expect(try await links(provider) == Self.before)
    }
}
