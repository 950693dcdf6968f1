import TestSupport
import Testing

/// Defining queries in the language of version 2 (OData 2.0, URI Conventions § 4.5; literals: Overview § 6).
@Suite struct OldVersionQueryTests {
    private static let metadata = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"><edmx:DataServices m:DataServiceVersion="2.0"
         xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="M" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <EntityType Name="Part"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Guid" Nullable="false"/>
        <Property Name="Made" Type="Edm.DateTime"/><Property Name="Price" Type="Edm.Decimal" Precision="9" Scale="2"/>
        <Property Name="Size" Type="Edm.Int64"/><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C" m:IsDefaultEntityContainer="true"><EntitySet Name="Parts" EntityType="M.Part"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func opened(_ query: String) async throws -> (Scratch, Tool.Outcome) {
        let server = try RawServer(
            RawServer.answer(metadata, type: "application/xml"),
            RawServer.answer(#"{"d":{"results":[]}}"#)
        )
        defer { server.stop() }
        let scratch = try Scratch()
        let line = ["open", "s.store", "--service", server.root, "--query", query]
        return (scratch, try await Tool.run(line, in: scratch))
    }

    @Test(arguments: [
        "Parts?$filter=Made lt datetime'2025-01-01T00:00:00'", "Parts?$filter=Price gt 5.5M",
        "Parts?$filter=Size gt 5L", "Parts?$filter=substringof('a',Name)",
        "Parts?$filter=ID eq guid'00000000-0000-0000-0000-00abcdef0000'",
        "Parts?$inlinecount=allpages",
    ])
    func areTaken(_ url: String) async throws {
        let (scratch, outcome) = try await Self.opened("A=" + url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let added = try await Tool.run("query", "add", "s.store", "B=" + url, in: scratch)
        #expect(added.status == 0, "\(added.errors)")
    }

    @Test(arguments: ["Parts?$filter=Price gt 5X", "Parts?$filter=Made lt datetime'soon'"])
    func areRefusedWhereNoVersionKnowsThem(_ url: String) async throws {
        let (_, outcome) = try await Self.opened("A=" + url)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(" is refused: "), "\(outcome.errors)")

        let (scratch, _) = try await Self.opened("A=Parts")
        let added = try await Tool.run("query", "add", "s.store", "B=" + url, in: scratch)
        #expect(added.status == 2)
        #expect(added.errors.contains(" is refused: "), "\(added.errors)")
    }
}
