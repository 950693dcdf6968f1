/// The model of the seam scripts: a key given by the service, a key given by the client, links with and without foreign keys.
enum SeamModel {
    static let document = Array(
        """
        <?xml version="1.0"?>
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Title" Type="Edm.String"/>
            <Property Name="Price" Type="Edm.Decimal" Precision="9" Scale="2"/>
            <NavigationProperty Name="Items" Type="Collection(S.Item)" Partner="Order">
              <OnDelete Action="Cascade"/></NavigationProperty>
            <NavigationProperty Name="Tags" Type="Collection(S.Tag)"/>
            <NavigationProperty Name="Main" Type="S.Tag"/>
          </EntityType>
          <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/>
            <Property Name="OrderID" Type="Edm.Int32"/>
            <NavigationProperty Name="Order" Type="S.Order" Partner="Items">
              <ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/></NavigationProperty>
          </EntityType>
          <EntityType Name="Tag"><Key><PropertyRef Name="Name"/></Key>
            <Property Name="Name" Type="Edm.String" Nullable="false"/>
            <Property Name="Color" Type="Edm.String"/>
          </EntityType>
          <EntityType Name="Card" OpenType="true"><Key><PropertyRef Name="Name"/></Key>
            <Property Name="Name" Type="Edm.String" Nullable="false"/>
            <Property Name="Title" Type="Edm.String"/>
            <NavigationProperty Name="Lines" Type="Collection(S.Line)" ContainsTarget="true"/>
            <NavigationProperty Name="Peers" Type="Collection(S.Card)" Partner="PeerOf"/>
            <NavigationProperty Name="PeerOf" Type="Collection(S.Card)" Partner="Peers"/>
            <NavigationProperty Name="Tag" Type="S.Tag"/>
            <NavigationProperty Name="Item" Type="S.Item"/>
          </EntityType>
          <EntityType Name="Line"><Key><PropertyRef Name="No"/></Key>
            <Property Name="No" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/>
          </EntityType>
          <EntityContainer Name="C">
            <EntitySet Name="Cards" EntityType="S.Card">
              <NavigationPropertyBinding Path="Peers" Target="Cards"/>
              <NavigationPropertyBinding Path="PeerOf" Target="Cards"/>
              <NavigationPropertyBinding Path="Tag" Target="Tags"/>
              <NavigationPropertyBinding Path="Item" Target="Items"/></EntitySet>
            <EntitySet Name="Orders" EntityType="S.Order">
              <NavigationPropertyBinding Path="Items" Target="Items"/>
              <NavigationPropertyBinding Path="Tags" Target="Tags"/>
              <NavigationPropertyBinding Path="Main" Target="Tags"/></EntitySet>
            <EntitySet Name="Items" EntityType="S.Item">
              <NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>
            <EntitySet Name="Tags" EntityType="S.Tag"/>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """.utf8
    )
}
