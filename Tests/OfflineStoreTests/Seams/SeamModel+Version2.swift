// The same for a service of version 2.

extension SeamModel {
    /// Types of version 2, with both kinds of times.
    static let oldTypes = """
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
        """

    /// Associations and their sets.
    static let oldRelations = """
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
        """
}
