/// The model of the conversation scripts: a key given by the service, a key given by the client, links, streams, a derived type, an action.
enum TalkModel {
    static let document = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Title" Type="Edm.String"/><Property Name="Price" Type="Edm.Int32"/>
        <NavigationProperty Name="Items" Type="Collection(S.Item)" Partner="Order"/>
        <NavigationProperty Name="Tags" Type="Collection(S.Tag)"/>
        <NavigationProperty Name="Lines" Type="Collection(S.Line)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Rush" BaseType="S.Order"/>
        <EntityType Name="Line"><Key><PropertyRef Name="No"/></Key>
        <Property Name="No" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
        </EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
        <Property Name="OrderID" Type="Edm.Int32"/>
        <NavigationProperty Name="Order" Type="S.Order" Partner="Items">
        <ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityType Name="Tag"><Key><PropertyRef Name="Name"/></Key>
        <Property Name="Name" Type="Edm.String" Nullable="false"/><Property Name="Color" Type="Edm.String"/>
        </EntityType>
        <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/>
        </EntityType>
        <EntityType Name="Scan"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Page" Type="Edm.Stream"/>
        </EntityType>
        <ComplexType Name="Note" OpenType="true"><Property Name="Text" Type="Edm.String"/>
        <Property Name="Page" Type="Edm.Int32"/></ComplexType>
        <EntityType Name="Bag" OpenType="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Amount" Type="Edm.Decimal" Precision="9" Scale="2"/><Property Name="Note" Type="S.Note"/>
        </EntityType>
        <ComplexType Name="Memo" BaseType="S.Note"><Property Name="Due" Type="Edm.Date"/></ComplexType>
        <EntityType Name="Sack" BaseType="S.Bag"><Property Name="Size" Type="Edm.Int32"/></EntityType>
        <EntityType Name="Pouch" BaseType="S.Sack"/>
        <Action Name="close" IsBound="true"><Parameter Name="order" Type="S.Order"/></Action>
        <EntityContainer Name="C">
        <EntitySet Name="Orders" EntityType="S.Order">
        <NavigationPropertyBinding Path="Items" Target="Items"/>
        <NavigationPropertyBinding Path="Tags" Target="Tags"/></EntitySet>
        <EntitySet Name="Items" EntityType="S.Item">
        <NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>
        <EntitySet Name="Bags" EntityType="S.Bag"/><EntitySet Name="Tags" EntityType="S.Tag"/><EntitySet Name="Photos" EntityType="S.Photo"/>
        <EntitySet Name="Scans" EntityType="S.Scan"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
}
