/// The model of the seam scripts: a key given by the service, a key given by the client, links with and without foreign keys,
/// foreign keys of two parts and such as are parts of keys, contained entities on two levels, streams, a derived type, values that
/// the service computes, sets and singletons that cannot be changed.
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
            <NavigationProperty Name="Steps" Type="Collection(S.Step)" Partner="Order"/>
          </EntityType>
          <EntityType Name="Step"><Key><PropertyRef Name="OrderID"/><PropertyRef Name="No"/></Key>
            <Property Name="OrderID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="No" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/>
            <NavigationProperty Name="Order" Type="S.Order" Partner="Steps">
              <ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/></NavigationProperty>
          </EntityType>
          <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/>
            <Property Name="Code" Type="Edm.String">
              <Annotation Term="Org.OData.Core.V1.Immutable"/></Property>
            <Property Name="OrderID" Type="Edm.Int32"/>
            <NavigationProperty Name="Order" Type="S.Order" Partner="Items">
              <ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/></NavigationProperty>
            <NavigationProperty Name="Marks" Type="Collection(S.Part)" ContainsTarget="true"/>
          </EntityType>
          <EntityType Name="Tag"><Key><PropertyRef Name="Name"/></Key>
            <Property Name="Name" Type="Edm.String" Nullable="false"/>
            <Property Name="Color" Type="Edm.String"/>
            <NavigationProperty Name="Memos" Type="Collection(S.Memo)" Partner="Tag">
              <OnDelete Action="SetNull"/></NavigationProperty>
          </EntityType>
          <EntityType Name="Card" OpenType="true"><Key><PropertyRef Name="Name"/></Key>
            <Property Name="Name" Type="Edm.String" Nullable="false"/>
            <Property Name="Title" Type="Edm.String"/>
            <NavigationProperty Name="Lines" Type="Collection(S.Line)" ContainsTarget="true"/>
            <NavigationProperty Name="Peers" Type="Collection(S.Card)" Partner="PeerOf"/>
            <NavigationProperty Name="PeerOf" Type="Collection(S.Card)" Partner="Peers"/>
            <NavigationProperty Name="Tag" Type="S.Tag"/>
            <NavigationProperty Name="Item" Type="S.Item"/>
            <NavigationProperty Name="Notes" Type="Collection(S.Note)" Partner="Card"/>
          </EntityType>
          <EntityType Name="Note"><Key><PropertyRef Name="Day"/><PropertyRef Name="No"/></Key>
            <Property Name="Day" Type="Edm.Int32" Nullable="false"/>
            <Property Name="No" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/>
            <Property Name="At" Type="Edm.DateTimeOffset" Precision="7"/>
            <NavigationProperty Name="Card" Type="S.Card" Partner="Notes"/>
            <NavigationProperty Name="Clips" Type="Collection(S.Clip)" Partner="Note"/>
          </EntityType>
          <EntityType Name="Clip"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/>
            <Property Name="NoteDay" Type="Edm.Int32"/>
            <Property Name="NoteNo" Type="Edm.Int32"/>
            <NavigationProperty Name="Note" Type="S.Note" Partner="Clips">
              <ReferentialConstraint Property="NoteDay" ReferencedProperty="Day"/>
              <ReferentialConstraint Property="NoteNo" ReferencedProperty="No"/></NavigationProperty>
          </EntityType>
          <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Title" Type="Edm.String"/>
            <Property Name="Thumb" Type="Edm.Stream"/>
          </EntityType>
          <EntityType Name="Line"><Key><PropertyRef Name="No"/></Key>
            <Property Name="No" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/>
            <NavigationProperty Name="Parts" Type="Collection(S.Part)" ContainsTarget="true"/>
          </EntityType>
          <EntityType Name="Part"><Key><PropertyRef Name="No"/></Key>
            <Property Name="No" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/>
          </EntityType>
          <TypeDefinition Name="Grade" UnderlyingType="Edm.String"/>
          <ComplexType Name="Place"><Property Name="City" Type="Edm.String"/>
            <Property Name="Zip" Type="Edm.String"/></ComplexType>
          <EntityType Name="Memo"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false">
              <Annotation Term="Org.OData.Core.V1.Computed"/></Property>
            <Property Name="Text" Type="Edm.String"/>
            <Property Name="Count" Type="Edm.Int32">
              <Annotation Term="Org.OData.Core.V1.Computed"/></Property>
            <Property Name="Place" Type="S.Place"/>
            <Property Name="Marks" Type="Collection(Edm.String)"/>
            <Property Name="Grade" Type="S.Grade"/>
            <Property Name="TagName" Type="Edm.String"/>
            <Property Name="BoxID" Type="Edm.Guid"/>
            <NavigationProperty Name="Box" Type="S.Box">
              <ReferentialConstraint Property="BoxID" ReferencedProperty="ID"/></NavigationProperty>
            <NavigationProperty Name="Tag" Type="S.Tag" Partner="Memos">
              <ReferentialConstraint Property="TagName" ReferencedProperty="Name"/></NavigationProperty>
            <NavigationProperty Name="Shots" Type="Collection(S.Photo)" ContainsTarget="true"/>
            <NavigationProperty Name="Cover" Type="S.Part" ContainsTarget="true"/>
          </EntityType>
          <EntityType Name="Box"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Guid" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/>
          </EntityType>
          <EntityType Name="LongMemo" BaseType="S.Memo">
            <Property Name="More" Type="Edm.String"/>
          </EntityType>
          <Action Name="close" IsBound="true"><Parameter Name="order" Type="S.Order"/></Action>
          <Action Name="attach"><Parameter Name="tag" Type="Edm.String"/></Action>
          <Action Name="gather"><Parameter Name="tags" Type="Collection(S.Tag)"/></Action>
          <EntityContainer Name="C">
            <ActionImport Name="attach" Action="S.attach"/>
            <ActionImport Name="gather" Action="S.gather"/>
            <EntitySet Name="Cards" EntityType="S.Card">
              <NavigationPropertyBinding Path="Peers" Target="Cards"/>
              <NavigationPropertyBinding Path="PeerOf" Target="Cards"/>
              <NavigationPropertyBinding Path="Tag" Target="Tags"/>
              <NavigationPropertyBinding Path="Item" Target="Items"/>
              <NavigationPropertyBinding Path="Notes" Target="Notes"/></EntitySet>
            <EntitySet Name="Notes" EntityType="S.Note">
              <NavigationPropertyBinding Path="Card" Target="Cards"/>
              <NavigationPropertyBinding Path="Clips" Target="Clips"/></EntitySet>
            <EntitySet Name="Clips" EntityType="S.Clip">
              <NavigationPropertyBinding Path="Note" Target="Notes"/></EntitySet>
            <EntitySet Name="Steps" EntityType="S.Step">
              <NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>
            <EntitySet Name="Photos" EntityType="S.Photo"/>
            <EntitySet Name="Memos" EntityType="S.Memo">
              <Annotation Term="Org.OData.Core.V1.OptimisticConcurrency"><Collection>
                <PropertyPath>Count</PropertyPath></Collection></Annotation>
              <NavigationPropertyBinding Path="Tag" Target="Tags"/>
              <NavigationPropertyBinding Path="Box" Target="Boxes"/></EntitySet>
            <EntitySet Name="Boxes" EntityType="S.Box"/>
            <EntitySet Name="Stamps" EntityType="S.Photo">
              <Annotation Term="Org.OData.Capabilities.V1.InsertRestrictions"><Record>
                <PropertyValue Property="Insertable" Bool="false"/></Record></Annotation>
              <Annotation Term="Org.OData.Capabilities.V1.UpdateRestrictions"><Record>
                <PropertyValue Property="Updatable" Bool="false"/></Record></Annotation>
              <Annotation Term="Org.OData.Capabilities.V1.DeleteRestrictions"><Record>
                <PropertyValue Property="Deletable" Bool="false"/></Record></Annotation>
            </EntitySet>
            <Singleton Name="Top" Type="S.Tag"/>
            <Singleton Name="Seal" Type="S.Tag">
              <Annotation Term="Org.OData.Capabilities.V1.UpdateRestrictions"><Record>
                <PropertyValue Property="Updatable" Bool="false"/></Record></Annotation></Singleton>
            <EntitySet Name="Orders" EntityType="S.Order">
              <NavigationPropertyBinding Path="Items" Target="Items"/>
              <NavigationPropertyBinding Path="Tags" Target="Tags"/>
              <NavigationPropertyBinding Path="Main" Target="Tags"/>
              <NavigationPropertyBinding Path="Steps" Target="Steps"/></EntitySet>
            <EntitySet Name="Items" EntityType="S.Item">
              <NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>
            <EntitySet Name="Tags" EntityType="S.Tag">
              <NavigationPropertyBinding Path="Memos" Target="Memos"/></EntitySet>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """.utf8
    )

    /// The same for a service of version 2: a foreign key, a link without one, the two kinds of times.
    static let oldDocument = Array(
        """
        <?xml version="1.0"?>
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
        <edmx:DataServices m:DataServiceVersion="2.0"
          xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="S" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
          <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Title" Type="Edm.String"/>
            <Property Name="At" Type="Edm.DateTime"/>
            <Property Name="Sent" Type="Edm.DateTimeOffset"/>
            <Property Name="Price" Type="Edm.Decimal" Precision="9" Scale="2"/>
            <Property Name="Place" Type="S.Place"/>
            <NavigationProperty Name="Items" Relationship="S.OrderItems" FromRole="Order" ToRole="Item"/>
            <NavigationProperty Name="Tags" Relationship="S.OrderTags" FromRole="Order" ToRole="Tag"/>
            <NavigationProperty Name="Main" Relationship="S.OrderMain" FromRole="Order" ToRole="Tag"/>
          </EntityType>
          <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/>
            <Property Name="OrderID" Type="Edm.Int32"/>
            <NavigationProperty Name="Order" Relationship="S.OrderItems" FromRole="Item" ToRole="Order"/>
          </EntityType>
          <EntityType Name="Tag"><Key><PropertyRef Name="Name"/></Key>
            <Property Name="Name" Type="Edm.String" Nullable="false"/>
            <Property Name="Color" Type="Edm.String"/>
          </EntityType>
          <ComplexType Name="Place"><Property Name="City" Type="Edm.String"/>
            <Property Name="Since" Type="Edm.DateTime"/></ComplexType>
          <EntityType Name="Task"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Rev" Type="Edm.Int32" ConcurrencyMode="Fixed"/>
            <Property Name="Text" Type="Edm.String"/>
          </EntityType>
          <EntityType Name="LongTask" BaseType="S.Task">
            <Property Name="More" Type="Edm.String"/>
            <NavigationProperty Name="Order" Relationship="S.TaskOrder" FromRole="Task" ToRole="Order"/>
          </EntityType>
          <Association Name="TaskOrder">
            <End Type="S.LongTask" Role="Task" Multiplicity="*"/>
            <End Type="S.Order" Role="Order" Multiplicity="0..1"/>
          </Association>
          <Association Name="OrderItems">
            <End Type="S.Order" Role="Order" Multiplicity="0..1"/>
            <End Type="S.Item" Role="Item" Multiplicity="*"/>
            <ReferentialConstraint><Principal Role="Order"><PropertyRef Name="ID"/></Principal>
              <Dependent Role="Item"><PropertyRef Name="OrderID"/></Dependent></ReferentialConstraint>
          </Association>
          <Association Name="OrderTags">
            <End Type="S.Order" Role="Order" Multiplicity="*"/>
            <End Type="S.Tag" Role="Tag" Multiplicity="*"/>
          </Association>
          <Association Name="OrderMain">
            <End Type="S.Order" Role="Order" Multiplicity="*"/>
            <End Type="S.Tag" Role="Tag" Multiplicity="0..1"/>
          </Association>
          <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
            <EntitySet Name="Orders" EntityType="S.Order"/>
            <EntitySet Name="Items" EntityType="S.Item"/>
            <EntitySet Name="Tags" EntityType="S.Tag"/>
            <EntitySet Name="Tasks" EntityType="S.Task"/>
            <AssociationSet Name="TaskOrder" Association="S.TaskOrder">
              <End Role="Task" EntitySet="Tasks"/><End Role="Order" EntitySet="Orders"/></AssociationSet>
            <AssociationSet Name="OrderItems" Association="S.OrderItems">
              <End Role="Order" EntitySet="Orders"/><End Role="Item" EntitySet="Items"/></AssociationSet>
            <AssociationSet Name="OrderTags" Association="S.OrderTags">
              <End Role="Order" EntitySet="Orders"/><End Role="Tag" EntitySet="Tags"/></AssociationSet>
            <AssociationSet Name="OrderMain" Association="S.OrderMain">
              <End Role="Order" EntitySet="Orders"/><End Role="Tag" EntitySet="Tags"/></AssociationSet>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """.utf8
    )
}
