import OfflineOData
import Testing

/// Files of version 2: verbose JSON, with addresses in place of linked entities.
@Suite struct OldVersionDataTests {
    private static let metadata = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
        <edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="S" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Price" Type="Edm.Decimal" Scale="3"/>
        <Property Name="At" Type="Edm.DateTime"/>
        <NavigationProperty Name="Groups" Relationship="S.R" FromRole="Item" ToRole="Group"/>
        <NavigationProperty Name="Next" Relationship="S.N" FromRole="From" ToRole="To"/></EntityType>
        <EntityType Name="Group" m:HasStream="true"><Key><PropertyRef Name="Code"/></Key>
        <Property Name="Code" Type="Edm.Guid" Nullable="false"/>
        <NavigationProperty Name="Items" Relationship="S.R" FromRole="Group" ToRole="Item"/></EntityType>
        <Association Name="R"><End Role="Item" Type="S.Item" Multiplicity="*"/>
        <End Role="Group" Type="S.Group" Multiplicity="*"/></Association>
        <Association Name="N"><End Role="From" Type="S.Item" Multiplicity="*"/>
        <End Role="To" Type="S.Item" Multiplicity="0..1"/></Association>
        <EntityContainer Name="C" m:IsDefaultEntityContainer="true"><EntitySet Name="Items" EntityType="S.Item"/>
        <EntitySet Name="Groups" EntityType="S.Group"/>
        <AssociationSet Name="RS" Association="S.R"><End Role="Item" EntitySet="Items"/>
        <End Role="Group" EntitySet="Groups"/></AssociationSet>
        <AssociationSet Name="NS" Association="S.N"><End Role="From" EntitySet="Items"/>
        <End Role="To" EntitySet="Items"/></AssociationSet></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
    private static let root = "http://service.test/odata/"
    private static let group = "guid'01234567-89ab-cdef-0123-456789abcdef'"

    @Test func keepsLinksValuesAndStreams() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set(
            "GET Items?$expand=Groups,Next",
            RecordedService.json(
                #"""
                {"d":{"results":[{"__metadata":{"uri":"\#(Self.root)Items(1L)","type":"S.Item","etag":"W/\"1\""},
                "ID":"1","Price":"1.500","At":"/Date(1262304000000)/","Next":{"__metadata":{"uri":"\#(Self.root)Items(2L)",
                "type":"S.Item"},"ID":"2","Price":null,"At":null},"Groups":{"results":[{"__metadata":{
                "uri":"\#(Self.root)Groups(\#(Self.group))","type":"S.Group"},"Code":"01234567-89ab-cdef-0123-456789abcdef"}]}}]}}
                """#
            )
        )
        let provider = try await service.opened(["Items?$expand=Groups,Next"])
        try await provider.importStream(
            "Groups(01234567-89ab-cdef-0123-456789abcdef)/$value",
            content: HTTPBody(Array("x".utf8)),
            contentType: "text/plain"
        )
        let files = try await DataCopy.files(of: provider)
        #expect(
            files.last?.text == #"{"d":{"results":["#
                + #"{"__metadata":{"uri":"Items(1L)","type":"S.Item","etag":"W/\"1\""},"ID":"1","Price":"1.500","#
                + #""At":"/Date(1262304000000)/","Next":{"__metadata":{"uri":"Items(2L)"}}},"#
                + #"{"__metadata":{"uri":"Items(2L)","type":"S.Item"},"ID":"2","Price":null,"At":null}]}}"#
        )
        let copy = try await DataCopy(of: provider)
        #expect(try await DataCopy.files(of: copy.provider) == files)
        #expect(try await copy.provider.executeQuery("Items(1)/Groups").count == 1)
        #expect(try await copy.provider.executeQuery("Items(1)/Next").first?["ID"] == 2)
    }
}
