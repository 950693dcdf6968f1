// Memos and photos: keys given by the service, computed values, streams, a derived type.

extension SeamModel {
    /// Photos with streams; memos, boxes, and the types of their values.
    static let memos = """
          <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Title" Type="Edm.String"/>
            <Property Name="Thumb" Type="Edm.Stream"/>
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
        """
}
