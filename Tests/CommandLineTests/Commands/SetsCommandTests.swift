import Foundation
import Testing

/// `sets`: the sets of a store, their properties and relations.
@Suite struct SetsCommandTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EnumType Name="Colour"><Member Name="Red"/><Member Name="Blue"/></EnumType>
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Name" Type="Edm.String" MaxLength="40"/>
          <Property Name="Price" Type="Edm.Decimal" Precision="9" Scale="2"/>
          <Property Name="Colours" Type="Collection(N.Colour)" Nullable="false"/>
          <NavigationProperty Name="Parts" Type="Collection(N.Part)" ContainsTarget="true"/>
          <NavigationProperty Name="Owner" Type="N.Owner" Nullable="false" Partner="Things"/></EntityType>
        <EntityType Name="Machine" BaseType="N.Thing"><Property Name="Volts" Type="Edm.Int16"/></EntityType>
        <EntityType Name="Part"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityType Name="Owner"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
          <NavigationProperty Name="Things" Type="Collection(N.Thing)" Partner="Owner"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="N.Thing">
          <NavigationPropertyBinding Path="Owner" Target="Owners"/></EntitySet>
        <EntitySet Name="Owners" EntityType="N.Owner"/><Singleton Name="Me" Type="N.Owner"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func store() async throws -> Scratch {
        let scratch = try Scratch()
        try scratch.write(metadata, to: "m.xml")
        try scratch.write(
            #"[{"ID":1,"Name":"Bell","Colours":[]},{"ID":2,"Colours":[]}]"#,
            to: "Things.json"
        )
        let made = try await Tool.run(
            "import",
            "s.store",
            "--metadata",
            "m.xml",
            "Things.json",
            in: scratch
        )
        guard made.status == 0 else { throw ToolFailure(outcome: made) }
        return scratch
    }

    @Test func listsTheSetsWithTheirTypesKeysAndEntities() async throws {
        let outcome = try await Tool.run("sets", "s.store", in: try await Self.store())

        let expected = """
            set           entities  type                          key
            Things               2  N.Thing                       ID
            Owners               0  N.Owner                       ID
            Me                   0  N.Owner                       ID
            RequestQueue         -  OfflineOData.QueuedRequest    RequestID
            ErrorArchive         -  OfflineOData.ArchivedRequest  RequestID
            EventLog             -  OfflineOData.LogEvent         ID

            """
        #expect(outcome == Tool.Outcome(status: 0, output: expected, errors: ""))
    }

    @Test func showsThePropertiesAndRelationsOfASet() async throws {
        let outcome = try await Tool.run("sets", "s.store", "Things", in: try await Self.store())

        let expected = """
            Things  entity set of N.Thing
            derived types  N.Machine
            2 stored entities

            property  type                  null  length  remarks
            ID        Edm.Int32             no            key
            Name      Edm.String            yes       40
            Price     Edm.Decimal           yes           precision 9; scale 2
            Colours   Collection(N.Colour)  no            Red, Blue
            Volts     Edm.Int16             yes           of N.Machine

            relation  type                null  leads to   back
            Parts     Collection(N.Part)        contained
            Owner     N.Owner             no    Owners     Things

            """
        #expect(outcome == Tool.Outcome(status: 0, output: expected, errors: ""))
    }

    @Test func printsOneJSONDocument() async throws {
        let scratch = try await Self.store()
        let one = try await Tool.run("sets", "s.store", "Owners", "--json", in: scratch)
        let all = try await Tool.run("sets", "s.store", "--json", in: scratch)

        let owners =
            #"{"name":"Owners","kind":"entitySet","type":"N.Owner","derivedTypes":[],"builtIn":false,"media":false,"#
            + #""key":["ID"],"rows":0,"properties":[{"name":"ID","type":"Edm.Int32","nullable":false,"maxLength":null,"#
            + #""precision":null,"scale":null,"declaredBy":"N.Owner"}],"navigationProperties":[{"name":"Things","#
            + #""type":"Collection(N.Thing)","nullable":false,"target":"Things","contained":false,"partner":"Owner","#
            + #""declaredBy":"N.Owner"}]}"#
        #expect(one == Tool.Outcome(status: 0, output: owners + "\n", errors: ""))
        let sets = try #require(
            try JSONSerialization.jsonObject(with: Data(all.output.utf8)) as? [[String: Any]]
        )
        #expect(sets.compactMap { $0["name"] as? String }.prefix(3) == ["Things", "Owners", "Me"])
        #expect(sets.compactMap { $0["kind"] as? String }[2] == "singleton")
    }

    @Test func suggestsTheNearestName() async throws {
        let outcome = try await Tool.run("sets", "s.store", "Thngs", in: try await Self.store())

        #expect(
            outcome
                == Tool.Outcome(
                    status: 6,
                    output: "",
                    errors: "error: the store has no set 'Thngs'; did you mean 'Things'?\n"
                        + "`offline-odata sets STORE` lists them.\n"
                )
        )
    }
}
