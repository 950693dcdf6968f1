import ODataAnswers
import ODataService

/// A service of version 4.01 with something for each clause that has to do with the form of answers.
enum ClauseService {
    static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="T.Model" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Addr"><Property Name="Street" Type="Edm.String"/><Property Name="City" Type="Edm.String"/></ComplexType>
        <ComplexType Name="Cost"><Property Name="Sum" Type="Edm.Decimal" Scale="variable"/></ComplexType>
        <EntityType Name="Cust"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String"/><Property Name="Home" Type="T.Model.Addr"/>
        <Property Name="Homes" Type="Collection(T.Model.Addr)"/><Property Name="Tags" Type="Collection(Edm.String)"/>
        <Property Name="Price" Type="Edm.Decimal" Scale="variable"/><Property Name="Costs" Type="Collection(T.Model.Cost)"/>
        <Property Name="Photo" Type="Edm.Stream"/><Property Name="Place" Type="Edm.GeographyPoint"/>
        <Property Name="Area" Type="Edm.GeometryPolygon" SRID="2056"/><Property Name="Parts" Type="Edm.GeometryCollection"/>
        <NavigationProperty Name="Orders" Type="Collection(T.Model.Order)"/>
        <NavigationProperty Name="Best" Type="T.Model.Order"/></EntityType>
        <EntityType Name="VIP" BaseType="T.Model.Cust"><Property Name="Level" Type="Edm.Int32"/>
        <NavigationProperty Name="Perks" Type="Collection(T.Model.Order)"/></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Title" Type="Edm.String"/></EntityType>
        <EntityType Name="Open" OpenType="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <Function Name="GetInfo" IsBound="true"><Parameter Name="it" Type="T.Model.Cust"/><ReturnType Type="Edm.String"/></Function>
        <Action Name="Close" IsBound="true"><Parameter Name="it" Type="Collection(T.Model.Cust)"/></Action>
        <EntityContainer Name="C"><EntitySet Name="Custs" EntityType="T.Model.Cust">
        <NavigationPropertyBinding Path="Orders" Target="Orders"/><NavigationPropertyBinding Path="Best" Target="Orders"/>
        <NavigationPropertyBinding Path="T.Model.VIP/Perks" Target="Orders"/></EntitySet>
        <EntitySet Name="Orders" EntityType="T.Model.Order"/><EntitySet Name="Opens" EntityType="T.Model.Open"/>
        <Singleton Name="Company" Type="T.Model.Order"><Annotation Term="Org.OData.Core.V1.OptimisticConcurrency">
        <Collection/></Annotation></Singleton></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let customers = ##"""
        [{"ID":1,"Name":"A","Home":{"Street":"S","City":null},"Homes":[{"Street":null,"City":"C"}],"Tags":["a","b"],
        "Price":1.5E1,"Costs":[{"Sum":2.5e2}],"Orders@odata.bind":["Orders(1)"],
        "Place":{"type":"Point","coordinates":[1,2.5]},
        "Area":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]},
        "Parts":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},
        {"type":"LineString","coordinates":[[1,2],[3,4]]}]}},
        {"ID":2},
        {"@odata.type":"#T.Model.VIP","ID":3,"Name":"V","Level":7}]
        """##

    static func make(metadata: String = metadata) async throws -> TestService {
        var options = StandaloneOptions()
        options.service.obeysRestrictions = true
        return try await TestService(
            metadata: Array(metadata.utf8),
            data: [
                ("Orders", Array(#"[{"ID":1,"Title":"O"}]"#.utf8)),
                ("Custs", Array(customers.utf8)),
                ("Opens", Array(#"[{"ID":1,"Born":"x","Gone":null}]"#.utf8)),
                ("Company", Array(#"{"ID":9,"Title":"T"}"#.utf8)),
            ],
            options: options
        )
    }
}
