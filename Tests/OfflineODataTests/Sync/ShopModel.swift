/// Metadata of a small shop in several versions, written by hand.
enum ShopModel {
    /// Version 4, with further properties of `Item`.
    static func v4(_ more: String = "") -> String {
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Title" Type="Edm.String"/><Property Name="Note" Type="Edm.String"/>
        <NavigationProperty Name="Items" Type="Collection(Shop.Item)"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>\(more)
        </EntityType>
        <EntityContainer Name="C">
        <EntitySet Name="Orders" EntityType="Shop.Order">
        <NavigationPropertyBinding Path="Items" Target="Items"/></EntitySet>
        <EntitySet Name="Items" EntityType="Shop.Item"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
    }

    /// Version 2.
    static let v2 = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
        <edmx:DataServices m:DataServiceVersion="2.0"
         xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="Shop" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Guid" Nullable="false"/>
        <Property Name="Total" Type="Edm.Decimal" Precision="9" Scale="2"/>
        <Property Name="Big" Type="Edm.Int64"/><Property Name="At" Type="Edm.DateTime"/>
        <Property Name="Since" Type="Edm.DateTimeOffset"/>
        <Property Name="Length" Type="Edm.Time"/><Property Name="Data" Type="Edm.Binary"/>
        <NavigationProperty Name="Items" Relationship="Shop.OI" FromRole="Order" ToRole="Items"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="Order" Relationship="Shop.OI" FromRole="Items" ToRole="Order"/></EntityType>
        <Association Name="OI"><End Type="Shop.Order" Role="Order" Multiplicity="0..1"/>
        <End Type="Shop.Item" Role="Items" Multiplicity="*"/></Association>
        <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Orders" EntityType="Shop.Order"/><EntitySet Name="Items" EntityType="Shop.Item"/>
        <AssociationSet Name="OI" Association="Shop.OI"><End Role="Order" EntitySet="Orders"/>
        <End Role="Items" EntitySet="Items"/></AssociationSet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
}
