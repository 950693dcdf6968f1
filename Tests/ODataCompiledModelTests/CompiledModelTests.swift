import ODataCompiledModel
import ODataModel
import TestSupport
import Testing

/// The compiled form against the model that was compiled, field by field, and against bytes that are no model.
@Suite struct CompiledModelTests {
    /// Everything that a model can hold, once: what a document of version 2 and one of 4.01 say.
    private static let documents = [
        "version 2": """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
        <edmx:DataServices m:DataServiceVersion="2.0"
            xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="Old" xmlns="http://schemas.microsoft.com/ado/2008/09/edm"
            xmlns:sap="http://www.sap.com/Protocols/SAPData">
          <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Changed" Type="Edm.DateTime" ConcurrencyMode="Fixed" Precision="7" sap:label="When"/>
            <NavigationProperty Name="Items" Relationship="Old.OrderItems" FromRole="Order" ToRole="Item"/></EntityType>
          <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Order" Type="Edm.Int32"/></EntityType>
          <Association Name="OrderItems"><End Type="Old.Order" Multiplicity="1" Role="Order"/>
            <End Type="Old.Item" Multiplicity="*" Role="Item"/>
            <ReferentialConstraint><Principal Role="Order"><PropertyRef Name="ID"/></Principal>
            <Dependent Role="Item"><PropertyRef Name="Order"/></Dependent></ReferentialConstraint></Association>
          <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
            <EntitySet Name="Orders" EntityType="Old.Order"/><EntitySet Name="Items" EntityType="Old.Item"/>
            <AssociationSet Name="OrderItems" Association="Old.OrderItems">
              <End EntitySet="Orders" Role="Order"/><End EntitySet="Items" Role="Item"/></AssociationSet>
            <FunctionImport Name="Late" ReturnType="Collection(Old.Order)" EntitySet="Orders" m:HttpMethod="GET"/>
          </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """,
        "version 4.01": """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="New" Alias="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EnumType Name="Color" UnderlyingType="Edm.Int64" IsFlags="true">
            <Member Name="None" Value="0"/><Member Name="Least" Value="-9223372036854775808"/></EnumType>
          <TypeDefinition Name="Money" UnderlyingType="Edm.Decimal" Precision="30" Scale="variable"/>
          <ComplexType Name="Base" Abstract="true" OpenType="true"/>
          <ComplexType Name="Place" BaseType="New.Base"><Property Name="Zip" Type="Edm.String" MaxLength="max"
            Unicode="false"/><Property Name="At" Type="Edm.GeographyPoint" SRID="4326"/></ComplexType>
          <EntityType Name="Thing" HasStream="true"><Key><PropertyRef Name="Home/Zip" Alias="zip"/></Key>
            <Property Name="Home" Type="New.Place" Nullable="false"/>
            <Property Name="Price" Type="N.Money" DefaultValue="1.50"/>
            <Property Name="Rate" Type="Edm.Decimal" Scale="floating"/>
            <Property Name="Colors" Type="Collection(N.Color)"/><Property Name="Any" Type="Edm.Untyped"/>
            <Property Name="Lost" Type="Other.Type"/>
            <NavigationProperty Name="Parts" Type="Collection(N.Thing)" ContainsTarget="true" Partner="Whole">
              <OnDelete Action="Cascade"/></NavigationProperty>
            <NavigationProperty Name="Whole" Type="N.Thing" Nullable="false"/>
            <Annotation Term="Org.OData.Core.V1.Description" Qualifier="q" String="größer &amp; 日本"/>
            <Annotation Term="x.Deep"><Collection><Record Type="x.R"><PropertyValue Property="P" Path="Home/Zip"/>
              </Record><If><Bool>true</Bool><Int>1</Int><Null/></If></Collection></Annotation>
            <Annotation Term="x.Tag"/></EntityType>
          <Action Name="Go" IsBound="true" EntitySetPath="thing/Parts"><Parameter Name="thing" Type="N.Thing"/>
            <Parameter Name="n" Type="Edm.Int32" Nullable="false"/>
            <ReturnType Type="Collection(N.Thing)" Nullable="false"/></Action>
          <Function Name="Count" IsComposable="true"><ReturnType Type="Edm.Int32"/></Function>
          <EntityContainer Name="C" Extends="Other.C">
            <EntitySet Name="Things" EntityType="N.Thing" IncludeInServiceDocument="false">
              <NavigationPropertyBinding Path="Whole" Target="Things"/></EntitySet>
            <Singleton Name="Me" Type="N.Thing" Nullable="true"/>
            <FunctionImport Name="Count" Function="N.Count"/><ActionImport Name="Go" Action="N.Go" EntitySet="Things"/>
          </EntityContainer>
          <Annotations Target="New.Go(New.Thing,Edm.Int32)/n"><Annotation Term="x.Y" Int="5"/></Annotations>
        </Schema></edmx:DataServices></edmx:Edmx>
        """,
    ]

    private static func model(_ document: [UInt8]) throws -> EdmModel {
        try CSDLDocument(reading: document).model
    }

    /// Every stored property of a model, also those that nobody outside can see.
    private static func text(_ model: EdmModel) -> [Substring] {
        var (text, model) = ("", model)
        // What nobody has asked for is in no stored property.
        for type in model.structuredTypes.indices.map(StructuredTypeID.init) {
            model[type].properties += []
        }
        for type in model.enumTypes.indices.map(EnumTypeID.init) { model[type].members += [] }
        model.operations += []
        model.add(TypeDefinition(name: "N.Last", underlyingType: .int32))
        dump(model, to: &text)
        // Dictionaries have no order.
        return text.split(separator: "\n").sorted()
    }

    @Test(arguments: documents.keys.sorted())
    func readsEveryFieldBack(_ name: String) throws {
        let model = try Self.model(Array(#require(Self.documents[name]).utf8))
        let read = try CompiledModel.model(CompiledModel.bytes(of: model))
        let difference = Self.text(read).difference(from: Self.text(model))
        #expect(difference.isEmpty, "\(difference.prefix(5))")
        #expect(read.navigationSource(named: "Things") == model.navigationSource(named: "Things"))
    }

    @Test(
        .enabled(if: SharedFolder.isPresent),
        arguments: TestScale.sample(SharedFolder.names(in: "metadata"), of: 60)
    )
    func readsRealModelsBack(_ name: String) throws {
        guard let model = try? Self.model(SharedFolder.bytes("metadata/" + name)) else { return }
        let bytes = CompiledModel.bytes(of: model)
        let read = try CompiledModel.model(bytes)
        #expect(CompiledModel.bytes(of: read) == bytes)
        guard bytes.count < 100_000 else { return }
        let difference = Self.text(read).difference(from: Self.text(model))
        #expect(difference.isEmpty, "\(difference.prefix(5))")
    }

    @Test(arguments: [0, 1, 3, 4, 11, 12, 40])
    func refusesABeginning(_ count: Int) throws {
        let bytes = CompiledModel.bytes(of: EdmModel(version: .v4))
        #expect(throws: DamagedModel.self) { try CompiledModel.model(Array(bytes.prefix(count))) }
    }

    /// Each byte wrong, its checksum not made again.
    @Test func noticesEachWrongByte() throws {
        let document = try Array(#require(Self.documents["version 4.01"]).utf8)
        let bytes = CompiledModel.bytes(of: try Self.model(document))
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 1 << UInt8(index % 8)
            #expect(throws: DamagedModel.self, "byte \(index)") {
                try CompiledModel.model(damaged)
            }
        }
    }

    /// Whoever writes a file can also write a checksum: then nothing is read beyond the bytes, and every id leads to a type.
    @Test(arguments: documents.keys.sorted())
    func survivesWrongBytesWithTheRightChecksum(_ name: String) throws {
        let bytes = CompiledModel.bytes(
            of: try Self.model(Array(#require(Self.documents[name]).utf8))
        )
        var readable = 0
        for index in 12..<bytes.count {
            for value in [0, 1, 0x7F, 0x80, 0xFF, bytes[index] &+ 1] as Set<UInt8> {
                var damaged = bytes
                damaged[index] = value
                damaged.replaceSubrange(4..<12, with: Self.checksum(damaged[12...]))
                guard let model = try? CompiledModel.model(damaged) else { continue }
                readable += 1
                for type in model.structuredTypes.indices.map(StructuredTypeID.init) {
                    #expect(model.lineage(of: type).count <= model.structuredTypes.count)
                    _ = model.navigationProperties(of: type).map {
                        $0.target.map { model[$0].name }
                    }
                }
            }
        }
        #expect(readable > 500)
    }

    @Test func refusesTypesThatExtendThemselves() throws {
        var model = try Self.model(Array(#require(Self.documents["version 4.01"]).utf8))
        let place = try #require(model.structuredType(named: "New.Place"))
        model[place].baseType = place
        let bytes = CompiledModel.bytes(of: model)
        #expect(throws: DamagedModel.self) { try CompiledModel.model(bytes) }
    }

    /// As the form is defined: the sum of the bytes, and that of the sums so far.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let sums = bytes.reduce(into: (0 as UInt64, 0 as UInt64)) {
            $0.0 += UInt64($1)
            $0.1 += $0.0
        }
        let both = sums.1 << 32 ^ sums.0
        return (0..<8).map { UInt8(truncatingIfNeeded: both >> (8 * $0)) }
    }
}
