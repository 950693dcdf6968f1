import ODataModelComparison
import ODataModel
import Testing

/// A change of a schema and what is expected to be said of it.
struct SchemaChange: Sendable, CustomTestStringConvertible {
    var old: String
    var new: String
    /// `change what path compatible` of each change.
    var expected: [String]

    var testDescription: String { old + " → " + new }

    /// Both schemas with one entity type around.
    static func entity(_ old: String, _ new: String, _ expected: String...) -> SchemaChange {
        SchemaChange(
            old: Documents.entity("Order", old),
            new: Documents.entity("Order", new),
            expected: expected
        )
    }

    /// Sets of a type with a navigation property `N` to itself.
    static func nodes(_ old: String, _ new: String, _ expected: String...) -> SchemaChange {
        func text(_ sets: String) -> String {
            Documents.entity("Node", #"<NavigationProperty Name="N" Type="NS.Node"/>"#)
                + "<EntityContainer Name=\"C\">\(sets)</EntityContainer>"
        }
        return SchemaChange(old: text(old), new: text(new), expected: expected)
    }

    static func schema(_ old: String, _ new: String, _ expected: String...) -> SchemaChange {
        let order = Documents.entity("Order")
        return SchemaChange(old: order + old, new: order + new, expected: expected)
    }
}

@Suite struct ModelComparisonTests {
    private func compare(_ change: SchemaChange) throws -> ModelComparison {
        ModelComparison(
            from: try Documents.read(Documents.v4(change.old)).model,
            to: try Documents.read(Documents.v4(change.new)).model
        )
    }

    @Test(arguments: [
        SchemaChange.entity(
            "",
            #"<Property Name="P" Type="Edm.Int32"/>"#,
            "added property NS.Order/P true"
        ),
        .entity(
            "",
            #"<Property Name="P" Type="Edm.Int32" Nullable="false"/>"#,
            "added property NS.Order/P true"
        ),
        .entity(#"<Property Name="P" Type="Edm.Int32"/>"#, "", "removed property NS.Order/P false"),
        // Of collections nothing can be assumed where nothing is said.
        .entity(
            #"<Property Name="P" Type="Collection(Edm.Int32)"/>"#,
            #"<Property Name="P" Type="Collection(Edm.Int32)" Nullable="false"/>"#
        ),
        .entity(
            #"<Property Name="P" Type="Collection(Edm.Int32)" Nullable="true"/>"#,
            #"<Property Name="P" Type="Collection(Edm.Int32)"/>"#,
            "changed property NS.Order/P true"
        ),
        .entity(
            #"<Property Name="P" Type="Collection(Edm.Int32)" Nullable="true"/>"#,
            #"<Property Name="P" Type="Collection(Edm.Int32)" Nullable="false"/>"#,
            "changed property NS.Order/P false"
        ),
        .entity(
            #"<Property Name="P" Type="Edm.Int32"/>"#,
            #"<Property Name="P" Type="Edm.Int64"/>"#,
            "changed property NS.Order/P false"
        ),
        .entity(
            #"<Property Name="P" Type="Edm.Int32"/>"#,
            #"<Property Name="P" Type="Collection(Edm.Int32)"/>"#,
            "changed property NS.Order/P false"
        ),
        .entity(
            #"<Property Name="P" Type="Edm.Int32" Nullable="false"/>"#,
            #"<Property Name="P" Type="Edm.Int32"/>"#,
            "changed property NS.Order/P true"
        ),
        .entity(
            #"<Property Name="P" Type="Edm.Int32"/>"#,
            #"<Property Name="P" Type="Edm.Int32" Nullable="false"/>"#,
            "changed property NS.Order/P false"
        ),
        .entity(
            #"<Property Name="P" Type="Edm.String" MaxLength="5"/>"#,
            #"<Property Name="P" Type="Edm.String" MaxLength="6"/>"#,
            "changed property NS.Order/P true"
        ),
        .entity(
            #"<Property Name="P" Type="Edm.String" MaxLength="5"/>"#,
            #"<Property Name="P" Type="Edm.String" MaxLength="max"/>"#,
            "changed property NS.Order/P true"
        ),
        .entity(
            #"<Property Name="P" Type="Edm.String"/>"#,
            #"<Property Name="P" Type="Edm.String" MaxLength="max"/>"#
        ),
        .entity(
            #"<Property Name="P" Type="Edm.String" MaxLength="6"/>"#,
            #"<Property Name="P" Type="Edm.String" MaxLength="5"/>"#,
            "changed property NS.Order/P false"
        ),
        .entity(
            #"<Property Name="P" Type="Edm.Decimal" Precision="9" Scale="2"/>"#,
            #"<Property Name="P" Type="Edm.Decimal" Precision="12" Scale="2"/>"#,
            "changed property NS.Order/P true"
        ),
        .entity(
            #"<Property Name="P" Type="Edm.Decimal" Precision="9" Scale="2"/>"#,
            #"<Property Name="P" Type="Edm.Decimal" Precision="9" Scale="3"/>"#,
            "changed property NS.Order/P false"
        ),
        .entity(
            #"<Property Name="P" Type="Edm.Decimal" Precision="9" Scale="2"/>"#,
            #"<Property Name="P" Type="Edm.Decimal" Precision="9" Scale="variable"/>"#,
            "changed property NS.Order/P true"
        ),
        .entity(
            #"<Property Name="P" Type="Edm.Decimal" Scale="2"/>"#,
            #"<Property Name="P" Type="Edm.Decimal" Scale="variable"/>"#,
            "changed property NS.Order/P true"
        ),
        .entity(
            #"<Property Name="P" Type="Edm.Decimal" Scale="2"/>"#,
            #"<Property Name="P" Type="Edm.Decimal"/>"#,
            "changed property NS.Order/P false"
        ),
        .entity(
            #"<Property Name="P" Type="Edm.DateTimeOffset"/>"#,
            #"<Property Name="P" Type="Edm.DateTimeOffset" Precision="0"/>"#
        ),
        .entity(
            #"<Property Name="P" Type="Edm.DateTimeOffset" Precision="3"/>"#,
            #"<Property Name="P" Type="Edm.DateTimeOffset"/>"#,
            "changed property NS.Order/P false"
        ),
        .entity(
            #"<Property Name="P" Type="Edm.String" Unicode="false"/>"#,
            #"<Property Name="P" Type="Edm.String"/>"#,
            "changed property NS.Order/P true"
        ),
        .entity(
            #"<Property Name="P" Type="Edm.GeographyPoint"/>"#,
            #"<Property Name="P" Type="Edm.GeographyPoint" SRID="0"/>"#,
            "changed property NS.Order/P false"
        ),
        .entity(
            #"<Property Name="P" Type="Edm.GeographyPoint"/>"#,
            #"<Property Name="P" Type="Edm.GeographyPoint" SRID="4326"/>"#
        ),
        .entity(
            #"<Property Name="P" Type="Edm.Int32"/>"#,
            #"<Property Name="P" Type="Edm.Int32" DefaultValue="1"/>"#,
            "changed property NS.Order/P true"
        ),
        .entity(
            "",
            #"<NavigationProperty Name="N" Type="NS.Order"/>"#,
            "added navigationProperty NS.Order/N true"
        ),
        .entity(
            #"<NavigationProperty Name="N" Type="NS.Order"/>"#,
            "",
            "removed navigationProperty NS.Order/N false"
        ),
        .entity(
            #"<NavigationProperty Name="N" Type="NS.Order"/>"#,
            #"<NavigationProperty Name="N" Type="Collection(NS.Order)"/>"#,
            "changed navigationProperty NS.Order/N false"
        ),
        .entity(
            #"<NavigationProperty Name="N" Type="NS.Order"/>"#,
            #"<NavigationProperty Name="N" Type="NS.Order" ContainsTarget="true"/>"#,
            "changed navigationProperty NS.Order/N false"
        ),
        .entity(
            #"<NavigationProperty Name="N" Type="NS.Order"/>"#,
            #"<NavigationProperty Name="N" Type="NS.Order" Partner="N"/>"#,
            "changed navigationProperty NS.Order/N true"
        ),
        .entity(
            #"<NavigationProperty Name="N" Type="NS.Order"/>"#,
            #"<NavigationProperty Name="N" Type="NS.Order" Nullable="false"/>"#,
            "changed navigationProperty NS.Order/N false"
        ),
        .entity(
            #"<Property Name="P" Type="Self.Order"/>"#,
            #"<Property Name="P" Type="NS.Order"/>"#
        ),
    ])
    func judgesProperties(_ change: SchemaChange) throws {
        try expect(change)
    }

    @Test(arguments: [
        SchemaChange.schema("", #"<ComplexType Name="T"/>"#, "added complexType NS.T true"),
        .schema(#"<ComplexType Name="T"/>"#, "", "removed complexType NS.T false"),
        .schema(
            #"<ComplexType Name="T"/>"#,
            #"<EntityType Name="T"/>"#,
            "changed complexType NS.T false"
        ),
        .schema(
            #"<ComplexType Name="T"/>"#,
            #"<ComplexType Name="T" OpenType="true"/>"#,
            "changed complexType NS.T true"
        ),
        .schema(
            #"<ComplexType Name="T" OpenType="true"/>"#,
            #"<ComplexType Name="T"/>"#,
            "changed complexType NS.T false"
        ),
        .schema(
            #"<EntityType Name="T"/>"#,
            #"<EntityType Name="T" HasStream="true"/>"#,
            "changed entityType NS.T true"
        ),
        .schema(
            #"<EntityType Name="T" HasStream="true"/>"#,
            #"<EntityType Name="T"/>"#,
            "changed entityType NS.T false"
        ),
        .schema(
            #"<ComplexType Name="T"/>"#,
            #"<ComplexType Name="T" Abstract="true"/>"#,
            "changed complexType NS.T false"
        ),
        .schema(
            #"<EntityType Name="T" BaseType="NS.Order"/>"#,
            #"<EntityType Name="T"/>"#,
            "changed entityType NS.T false"
        ),
        .schema(
            #"<EntityType Name="T"><Key><PropertyRef Name="A"/></Key><Property Name="A" Type="Edm.Int32"/></EntityType>"#,
            #"<EntityType Name="T"><Property Name="A" Type="Edm.Int32"/></EntityType>"#,
            "changed key NS.T false"
        ),
        .schema(
            #"<EnumType Name="E"/>"#,
            #"<EnumType Name="E"><Member Name="A"/></EnumType>"#,
            "added enumMember NS.E/A true"
        ),
        .schema(
            #"<EnumType Name="E"><Member Name="A"/></EnumType>"#,
            #"<EnumType Name="E"/>"#,
            "removed enumMember NS.E/A false"
        ),
        .schema(
            #"<EnumType Name="E"><Member Name="A"/></EnumType>"#,
            #"<EnumType Name="E"><Member Name="A" Value="2"/></EnumType>"#,
            "changed enumMember NS.E/A false"
        ),
        .schema(
            #"<EnumType Name="E"/>"#,
            #"<EnumType Name="E" UnderlyingType="Edm.Int64"/>"#,
            "changed enumType NS.E true"
        ),
        .schema(
            #"<EnumType Name="E"/>"#,
            #"<EnumType Name="E" UnderlyingType="Edm.Byte"/>"#,
            "changed enumType NS.E false"
        ),
        .schema(
            #"<EnumType Name="E" IsFlags="true"/>"#,
            #"<EnumType Name="E"/>"#,
            "changed enumType NS.E false"
        ),
        .schema(#"<EnumType Name="E"/>"#, "", "removed enumType NS.E false"),
        .schema(
            #"<TypeDefinition Name="D" UnderlyingType="Edm.Int32"/>"#,
            #"<TypeDefinition Name="D" UnderlyingType="Edm.Int64"/>"#,
            "changed typeDefinition NS.D false"
        ),
        .schema(
            #"<TypeDefinition Name="D" UnderlyingType="Edm.String" MaxLength="3"/>"#,
            #"<TypeDefinition Name="D" UnderlyingType="Edm.String"/>"#,
            "changed typeDefinition NS.D true"
        ),
        .schema(
            "",
            #"<TypeDefinition Name="D" UnderlyingType="Edm.Int32"/>"#,
            "added typeDefinition NS.D true"
        ),
    ])
    func judgesTypes(_ change: SchemaChange) throws {
        try expect(change)
    }

    @Test(arguments: [
        SchemaChange.schema("", #"<Action Name="A"/>"#, "added action NS.A true"),
        .schema(#"<Action Name="A"/>"#, "", "removed action NS.A true"),
        .schema(
            #"<Action Name="A"/>"#,
            #"<Action Name="A"><Parameter Name="p" Type="Edm.Int32"/></Action>"#,
            "changed action NS.A true"
        ),
        .schema(
            #"<Action Name="A"/>"#,
            #"<Action Name="A"><Parameter Name="p" Type="Edm.Int32" Nullable="false"/></Action>"#,
            "added action NS.A true",
            "removed action NS.A true"
        ),
        .schema(
            #"<Function Name="F"><ReturnType Type="Edm.Int32"/></Function>"#,
            #"<Function Name="F"><ReturnType Type="Edm.Int64"/></Function>"#,
            "changed function NS.F true"
        ),
        .schema(
            #"<EntityContainer Name="C"/>"#,
            #"<EntityContainer Name="C"><EntitySet Name="S" EntityType="NS.Order"/></EntityContainer>"#,
            "added entitySet NS.C/S true"
        ),
        .schema(
            #"<EntityContainer Name="C"><EntitySet Name="S" EntityType="NS.Order"/></EntityContainer>"#,
            #"<EntityContainer Name="C"/>"#,
            "removed entitySet NS.C/S false"
        ),
        .schema(
            #"<EntityContainer Name="C"><Singleton Name="S" Type="NS.Order"/></EntityContainer>"#,
            #"<EntityContainer Name="C"/>"#,
            "removed singleton NS.C/S false"
        ),
        .schema(
            #"<EntityContainer Name="C"><EntitySet Name="S" EntityType="NS.Order"/></EntityContainer>"#,
            #"<EntityContainer Name="D"><EntitySet Name="S" EntityType="NS.Order"/></EntityContainer>"#,
            "changed entityContainer NS.D true"
        ),
        .schema(
            #"<Action Name="A"/><Action Name="B"/><EntityContainer Name="C"><ActionImport Name="I" Action="NS.A"/></EntityContainer>"#,
            #"<Action Name="A"/><Action Name="B"/><EntityContainer Name="C"><ActionImport Name="I" Action="NS.B"/></EntityContainer>"#,
            "changed actionImport NS.C/I true"
        ),
        .schema(
            #"<Function Name="A"><ReturnType Type="Edm.Int32"/></Function><EntityContainer Name="C"><FunctionImport Name="I" Function="NS.A"/></EntityContainer>"#,
            #"<Function Name="A"><ReturnType Type="Edm.Int32"/></Function><EntityContainer Name="C"/>"#,
            "removed functionImport NS.C/I true"
        ),
        .schema(
            #"<EntityContainer Name="C"><EntitySet Name="S" EntityType="NS.Order"><NavigationPropertyBinding Path="N" Target="S"/></EntitySet><EntitySet Name="T" EntityType="NS.Order"/></EntityContainer>"#,
            #"<EntityContainer Name="C"><EntitySet Name="S" EntityType="NS.Order"><NavigationPropertyBinding Path="N" Target="T"/></EntitySet><EntitySet Name="T" EntityType="NS.Order"/></EntityContainer>"#,
            "changed navigationPropertyBinding NS.C/S/N false"
        ),
        .nodes(
            #"<EntitySet Name="S" EntityType="NS.Node"><NavigationPropertyBinding Path="N" Target="S"/></EntitySet><EntitySet Name="T" EntityType="NS.Node"/>"#,
            #"<EntitySet Name="S" EntityType="NS.Node"/><EntitySet Name="T" EntityType="NS.Node"/>"#,
            "removed navigationPropertyBinding NS.C/S/N false"
        ),
        .nodes(
            #"<EntitySet Name="S" EntityType="NS.Node"/>"#,
            #"<EntitySet Name="S" EntityType="NS.Node"/><EntitySet Name="T" EntityType="NS.Node"/>"#,
            "removed navigationPropertyBinding NS.C/S/N false",
            "added entitySet NS.C/T true"
        ),
        .nodes(
            #"<EntitySet Name="S" EntityType="NS.Node"><NavigationPropertyBinding Path="N" Target="S"/></EntitySet>"#,
            #"<EntitySet Name="S" EntityType="NS.Node"/>"#
        ),
        // Bound to where it led without a binding.
        .nodes(
            #"<EntitySet Name="S" EntityType="NS.Node"/>"#,
            #"<EntitySet Name="S" EntityType="NS.Node"><NavigationPropertyBinding Path="N" Target="S"/></EntitySet>"#
        ),
        .nodes(
            #"<EntitySet Name="S" EntityType="NS.Node"/>"#,
            #"<EntitySet Name="S" EntityType="NS.Node"><NavigationPropertyBinding Path="N" Target="T"/></EntitySet><EntitySet Name="T" EntityType="NS.Node"/>"#,
            "changed navigationPropertyBinding NS.C/S/N false",
            "added entitySet NS.C/T true"
        ),
        .schema(
            #"<Function Name="F"><ReturnType Type="Edm.Int32"/></Function>"#,
            #"<Function Name="F"><Parameter Name="p" Type="Edm.Int32" Nullable="false"><Annotation Term="Org.OData.Core.V1.OptionalParameter"/></Parameter><ReturnType Type="Edm.Int32"/></Function>"#,
            "changed function NS.F true"
        ),
        // A parameter of a function that may be null has to be given all the same.
        .schema(
            #"<Function Name="F"><ReturnType Type="Edm.Int32"/></Function>"#,
            #"<Function Name="F"><Parameter Name="p" Type="Edm.Int32"/><ReturnType Type="Edm.Int32"/></Function>"#,
            "added function NS.F true",
            "removed function NS.F true"
        ),
        .schema(
            #"<Action Name="A"><Parameter Name="p" Type="Edm.String"/></Action><EntityContainer Name="C"/>"#,
            #"<Action Name="A"><Parameter Name="p" Type="Edm.String" Nullable="false" MaxLength="1"/></Action><EntityContainer Name="C"/>"#,
            "changed action NS.A true"
        ),
    ])
    func judgesOperationsAndContainers(_ change: SchemaChange) throws {
        try expect(change)
    }

    private func expect(_ change: SchemaChange) throws {
        let comparison = try compare(change)
        let found = comparison.changes.map {
            "\($0.change.rawValue) \($0.what.rawValue) \($0.path) \($0.isCompatible)"
        }
        #expect(found == change.expected)
        let verdict: ModelComparison.Verdict =
            found.isEmpty
            ? .identical : found.allSatisfy { $0.hasSuffix("true") } ? .additive : .incompatible
        #expect(comparison.verdict == verdict)
    }

    @Test func warnsOfOperationsAlone() throws {
        let comparison = try compare(
            .schema(
                #"<Action Name="A"/><EntityContainer Name="C"><ActionImport Name="I" Action="NS.A"/></EntityContainer>"#,
                #"<EntityContainer Name="C"/><ComplexType Name="T"/>"#
            )
        )

        #expect(comparison.verdict == .additive)
        #expect(comparison.changes.map(\.isWarning) == [true, true, false])
        #expect(
            comparison.text() == """
                additive: stores can be upgraded, 3 changes

                Warnings: stores are not affected, but calls that wait in a queue will fail:
                  - action NS.A: ()
                  - actionImport NS.C/I

                Compatible:
                  + complexType NS.T

                """
        )
    }

    @Test func guessesRenames() throws {
        let comparison = try compare(
            .entity(
                #"<Property Name="Adress" Type="Edm.String"/>"#,
                #"<Property Name="Address" Type="Edm.String"/><Property Name="Phone" Type="Edm.String"/>"#
            )
        )

        let removal = try #require(comparison.changes.first { $0.change == .removed })
        #expect(removal.detail == "it may have been renamed to 'Address'")
    }

    @Test func doesNotTellOfPropertiesThatMovedToTheBaseType() throws {
        let comparison = try compare(
            SchemaChange(
                old: Documents.entity("Base")
                    + #"<EntityType Name="T" BaseType="NS.Base"><Property Name="P" Type="Edm.Int32"/></EntityType>"#,
                new: Documents.entity("Base", #"<Property Name="P" Type="Edm.Int32"/>"#)
                    + #"<EntityType Name="T" BaseType="NS.Base"/>"#,
                expected: []
            )
        )

        #expect(comparison.changes.map(\.path) == ["NS.Base/P"])
        #expect(comparison.verdict == .additive)
    }

    @Test func refusesToMoveBetweenProtocols() throws {
        let old = try Documents.read(Documents.v2(Documents.entity("Order")))
        let new = try Documents.read(Documents.v4(Documents.entity("Order")))
        let comparison = ModelComparison(from: old.model, to: new.model)

        #expect(comparison.verdict == .incompatible)
        #expect(comparison.changes.map(\.what) == [.version])
        #expect(comparison.changes[0].detail.hasPrefix("version 2.0 became 4.0"))
    }

    @Test func writesJSON() throws {
        let comparison = try compare(.entity("", #"<Property Name="P" Type="Edm.Int32"/>"#))

        #expect(
            comparison.json() == """
                {
                  "verdict": "additive",
                  "changes": [
                    {
                      "path": "NS.Order/P",
                      "change": "added",
                      "what": "property",
                      "compatible": true,
                      "rule": "property-added",
                      "detail": "Edm.Int32"
                    }
                  ]
                }
                """
        )
        let nothing = try compare(.entity("", ""))
        #expect(nothing.json() == "{\n  \"verdict\": \"identical\",\n  \"changes\": []\n}")
    }

    @Test func writesText() throws {
        let comparison = try compare(
            .entity(
                #"<Property Name="P" Type="Edm.Int32"/>"#,
                #"<Property Name="Q" Type="Edm.Guid"/>"#
            )
        )

        #expect(
            comparison.text() == """
                incompatible: stores cannot be upgraded, 1 of 2 changes prevent it

                Incompatible:
                  - property NS.Order/P

                Compatible:
                  + property NS.Order/Q: Edm.Guid

                """
        )
        #expect(try compare(.entity("", "")).text() == "identical: stores need no upgrade\n")
    }
}
