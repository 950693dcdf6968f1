// Orders with steps and items: foreign keys, one of them a part of a key.

extension SeamModel {
    /// Orders, their steps and items.
    static let orders = """
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
        """
}
