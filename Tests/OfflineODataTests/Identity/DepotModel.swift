/// Metadata with every way in which one entity names another: by link, by foreign key, by containment, in a template.
enum DepotModel {
    static let v4 = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Depot" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Title" Type="Edm.String"/><Property Name="Note" Type="Edm.String"/>
        <NavigationProperty Name="Items" Type="Collection(Depot.Item)" Partner="Order">
        <OnDelete Action="Cascade"/></NavigationProperty>
        <NavigationProperty Name="Lines" Type="Collection(Depot.Line)" ContainsTarget="true"/>
        <NavigationProperty Name="Tags" Type="Collection(Depot.Tag)"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="OrderID" Type="Edm.Int32"/>
        <NavigationProperty Name="Order" Type="Depot.Order" Partner="Items">
        <ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityType Name="Line"><Key><PropertyRef Name="Number"/></Key>
        <Property Name="Number" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
        </EntityType>
        <EntityType Name="Tag"><Key><PropertyRef Name="Area"/><PropertyRef Name="Code"/></Key>
        <Property Name="Area" Type="Edm.String" Nullable="false"/>
        <Property Name="Code" Type="Edm.String" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
        <Property Name="Photo" Type="Edm.Stream"/></EntityType>
        <Action Name="Close" IsBound="true"><Parameter Name="order" Type="Depot.Order"/></Action>
        <EntityContainer Name="C">
        <EntitySet Name="Orders" EntityType="Depot.Order">
        <NavigationPropertyBinding Path="Items" Target="Items"/>
        <NavigationPropertyBinding Path="Tags" Target="Tags"/></EntitySet>
        <EntitySet Name="Items" EntityType="Depot.Item">
        <NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>
        <EntitySet Name="Tags" EntityType="Depot.Tag"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
}
