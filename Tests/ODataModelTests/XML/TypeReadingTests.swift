import ODataModel
import Testing

@Suite struct TypeReadingTests {
    @Test func readsKeysWithPathsAndAliases() throws {
        let document = try Documents.read(
            Documents.v4(
                """
                <ComplexType Name="Place"><Property Name="Zip" Type="Edm.String"/></ComplexType>
                <EntityType Name="Order"><Key>
                <PropertyRef Name="ID"/><PropertyRef Name="At/Zip" Alias="Zip"/></Key>
                <Property Name="ID" Type="Edm.Int32"/><Property Name="At" Type="NS.Place"/></EntityType>
                """
            )
        )

        let key = try #require(document.type("NS.Order")).key
        #expect(key == [KeyProperty(path: "ID"), KeyProperty(path: "At/Zip", alias: "Zip")])
        #expect(key.map(\.name) == ["ID", "Zip"])
        #expect(document.diagnostics.isEmpty)
    }

    @Test func handsTraitsDownToDerivedTypes() throws {
        let document = try Documents.read(
            Documents.v4(
                """
                <EntityType Name="Leaf" BaseType="Self.Middle"/>
                <EntityType Name="Middle" BaseType="NS.Root" Abstract="true"/>
                \(Documents.entity("Root", attributes: #"OpenType="true" HasStream="true""#))
                """
            )
        )

        let leaf = try #require(document.type("NS.Leaf"))
        #expect(leaf.isOpen)
        #expect(leaf.hasStream)
        #expect(!leaf.isAbstract)
        #expect(document.type("NS.Middle")?.isAbstract == true)
        let id = try #require(document.model.structuredType(named: "Self.Leaf"))
        #expect(
            document.model.lineage(of: id).map { document.model[$0].name } == [
                "NS.Root", "NS.Middle", "NS.Leaf",
            ]
        )
        #expect(document.model.key(of: id).map(\.path) == ["ID"])
    }

    @Test func readsFacets() throws {
        let document = try Documents.read(
            Documents.v4(
                Documents.entity(
                    "Order",
                    """
                    <Property Name="A" Type="Edm.String" MaxLength="max" Unicode="false"/>
                    <Property Name="B" Type="Edm.String" MaxLength="40" Nullable="false"/>
                    <Property Name="C" Type="Edm.Decimal" Precision="10" Scale="variable"/>
                    <Property Name="D" Type="Edm.Decimal" Scale="floating"/>
                    <Property Name="E" Type="Edm.Decimal" Precision="9" Scale="2" DefaultValue="1.50"/>
                    <Property Name="F" Type="Edm.GeographyPoint" SRID="Variable"/>
                    <Property Name="G" Type="Collection(Edm.Guid)" Nullable="true"/>
                    """
                )
            )
        )

        #expect(document.property("A")?.type.facets == Facets(maxLength: .max, isUnicode: false))
        #expect(document.property("B")?.type.facets == Facets(maxLength: .length(40)))
        #expect(document.property("B")?.isNullable == false)
        #expect(document.property("C")?.type.facets == Facets(precision: 10, scale: .variable))
        #expect(document.property("D")?.type.facets == Facets(scale: .floating))
        #expect(document.property("E")?.type.facets == Facets(precision: 9, scale: .digits(2)))
        #expect(document.property("E")?.defaultValue == "1.50")
        #expect(document.property("F")?.type.facets == Facets(srid: "Variable"))
        let guids = try #require(document.property("G"))
        #expect(guids.type == TypeReference(.primitive(.guid), isCollection: true))
        #expect(guids.isNullable)
    }

    @Test func countsEnumerationValuesUp() throws {
        let document = try Documents.read(
            Documents.v4(
                """
                <EnumType Name="Plain"><Member Name="A"/><Member Name="B"/>
                <Member Name="C" Value="7"/><Member Name="D"/></EnumType>
                <EnumType Name="Flags" IsFlags="true" UnderlyingType="Edm.Int64">
                <Member Name="Top" Value="9223372036854775807"/></EnumType>
                """
            )
        )

        #expect(document.model.enumTypes[0].members.map(\.value) == [0, 1, 7, 8])
        #expect(document.model.enumTypes[0].underlyingType == .int32)
        #expect(document.model.enumTypes[1].isFlags)
        #expect(document.model.enumTypes[1].underlyingType == .int64)
        #expect(document.model.enumTypes[1].members.map(\.value) == [.max])
    }

    @Test func resolvesDefinitionsAndEnumerationsAndAbstractTypes() throws {
        let document = try Documents.read(
            Documents.v4(
                """
                <TypeDefinition Name="Money" UnderlyingType="Edm.Decimal" Precision="12" Scale="2"/>
                <EnumType Name="Kind"><Member Name="A"/></EnumType>
                \(Documents.entity("Order", """
                    <Property Name="Sum" Type="Self.Money"/><Property Name="Kind" Type="NS.Kind"/>
                    <Property Name="Any" Type="Edm.Untyped"/>
                    """))
                """
            )
        )

        #expect(document.property("Sum")?.type.type == .definition(TypeDefinitionID(0)))
        #expect(
            document.model.typeDefinitions[0].facets == Facets(precision: 12, scale: .digits(2))
        )
        #expect(document.property("Kind")?.type.type == .enumeration(EnumTypeID(0)))
        #expect(document.property("Any")?.type.type == .untyped("Edm.Untyped"))
    }

    @Test func readsWhatVersionsOneToThreeSay() throws {
        let document = try Documents.read(
            Documents.v2(
                """
                <EntityType Name="Order" m:HasStream="true"
                    xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Tag" Type="Edm.Binary" ConcurrencyMode="Fixed"/>
                <Property Name="Short" Type="String"/>
                <Property Name="Price" Type="Edm.Decimal" sap:variable-scale="true" sap:label="Price"/>
                </EntityType>
                """
            )
        )

        #expect(document.model.version == .v2)
        #expect(document.type("NS.Order")?.hasStream == true)
        #expect(document.property("Tag")?.isConcurrencyToken == true)
        #expect(document.property("Short")?.type.type == .primitive(.string))
        #expect(document.property("Price")?.type.facets.scale == .floating)
        #expect(document.property("Price")?.annotations.value(of: "sap:label")?.text == "Price")
    }

    @Test(arguments: [
        ("2006/04", "1.0", "", ODataVersion.v1), ("2008/09", "2.0", "", .v2),
        ("2008/09", "1.0", "3.0", .v3), ("2009/11", "1.0", "", .v3), ("2008/09", "", "", .v2),
        ("2008/01", "1.0", "4.0", .v1),
    ])
    func tellsTheVersion(
        _ namespace: String,
        _ version: String,
        _ maximum: String,
        _ expected: ODataVersion
    ) throws {
        let attributes =
            (version.isEmpty ? "" : #"m:DataServiceVersion="\#(version)" "#)
            + (maximum.isEmpty ? "" : #"m:MaxDataServiceVersion="\#(maximum)""#)
        let document = try Documents.read(
            """
            <Edmx Version="1.0" xmlns="http://schemas.microsoft.com/ado/2007/06/edmx"
              xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
            <DataServices \(attributes)>
            <Schema Namespace="NS" xmlns="http://schemas.microsoft.com/ado/\(namespace)/edm"/>
            </DataServices></Edmx>
            """
        )

        #expect(document.model.version == expected)
    }

    @Test func readsBareSchemas() throws {
        let document = try Documents.read(
            """
            <Schema Namespace="NS" xmlns="http://schemas.microsoft.com/ado/2009/11/edm">
            \(Documents.entity("Order"))</Schema>
            """
        )

        #expect(document.model.version == .v3)
        #expect(document.counts.entityTypes == 1)
    }

    @Test func readsModelsOfDatabaseTools() throws {
        let document = try Documents.read(
            """
            <edmx:Edmx Version="3.0" xmlns:edmx="http://schemas.microsoft.com/ado/2009/11/edmx">
            <edmx:Runtime><edmx:StorageModels><Schema Namespace="Store"
              xmlns="http://schemas.microsoft.com/ado/2009/11/edm/ssdl"/></edmx:StorageModels>
            <edmx:ConceptualModels>
            <Schema Namespace="NS" xmlns="http://schemas.microsoft.com/ado/2009/11/edm">
            \(Documents.entity("Order"))</Schema></edmx:ConceptualModels></edmx:Runtime></edmx:Edmx>
            """
        )

        #expect(document.model.schemas.map(\.namespace) == ["NS"])
        #expect(document.model.structuredTypes.map(\.name) == ["NS.Order"])
    }
}
