/// A small model that has every kind of thing that a local change can be about.
enum WorkshopModel {
    static let metadata = """
        <?xml version="1.0"?>
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="W" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <ComplexType Name="Address">
            <Property Name="City" Type="Edm.String" Nullable="false" MaxLength="12"/>
            <Property Name="Zip" Type="Edm.String"/>
          </ComplexType>
          <EntityType Name="Person"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="10"/>
            <Property Name="Level" Type="Edm.Decimal" Precision="5" Scale="2"/>
            <Property Name="Status" Type="Edm.String" DefaultValue="new"/>
            <Property Name="Code" Type="Edm.String"><Annotation Term="Org.OData.Core.V1.Immutable"/></Property>
            <Property Name="Seen" Type="Edm.Int32"><Annotation Term="Org.OData.Core.V1.Computed"/></Property>
            <Property Name="Rank" Type="Edm.Int32"><Annotation Term="Org.OData.Core.V1.Permissions">
              <EnumMember>Org.OData.Core.V1.Permission/Read</EnumMember></Annotation></Property>
            <Property Name="Key" Type="Edm.Binary" MaxLength="4"/>
            <Property Name="Born" Type="Edm.DateTimeOffset" Precision="3"/>
            <Property Name="Nicks" Type="Collection(Edm.String)" MaxLength="5"/>
            <Property Name="Home" Type="W.Address"/>
            <Property Name="Picture" Type="Edm.Stream"/>
            <Property Name="BossID" Type="Edm.Int32"/>
            <NavigationProperty Name="Boss" Type="W.Person" Partner="Staff">
              <ReferentialConstraint Property="BossID" ReferencedProperty="ID"/></NavigationProperty>
            <NavigationProperty Name="Staff" Type="Collection(W.Person)" Partner="Boss">
              <OnDelete Action="SetNull"/></NavigationProperty>
            <NavigationProperty Name="Friends" Type="Collection(W.Person)"/>
            <NavigationProperty Name="Rival" Type="W.Person"/>
            <NavigationProperty Name="Tools" Type="Collection(W.Tool)" Partner="Owner">
              <OnDelete Action="SetDefault"/></NavigationProperty>
            <NavigationProperty Name="Jobs" Type="Collection(W.Job)" Partner="Person">
              <OnDelete Action="Cascade"/></NavigationProperty>
            <NavigationProperty Name="Notes" Type="Collection(W.Note)" ContainsTarget="true"/>
          </EntityType>
          <EntityType Name="Manager" BaseType="W.Person">
            <Property Name="Budget" Type="Edm.Int64"/>
          </EntityType>
          <EntityType Name="Tool" OpenType="true"><Key><PropertyRef Name="Serial"/></Key>
            <Property Name="Serial" Type="Edm.String" Nullable="false"/>
            <Property Name="OwnerID" Type="Edm.Int32" DefaultValue="1"/>
            <NavigationProperty Name="Owner" Type="W.Person" Partner="Tools">
              <ReferentialConstraint Property="OwnerID" ReferencedProperty="ID"/></NavigationProperty>
          </EntityType>
          <EntityType Name="Job"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Title" Type="Edm.String"/>
            <Property Name="PersonID" Type="Edm.Int32"/>
            <NavigationProperty Name="Person" Type="W.Person" Partner="Jobs">
              <ReferentialConstraint Property="PersonID" ReferencedProperty="ID"/></NavigationProperty>
          </EntityType>
          <EntityType Name="Note"><Key><PropertyRef Name="Number"/></Key>
            <Property Name="Number" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/>
          </EntityType>
          <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Title" Type="Edm.String"/>
          </EntityType>
          <EntityType Name="Log"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/>
          </EntityType>
          <Action Name="Promote" IsBound="true"><Parameter Name="person" Type="W.Person"/>
            <Parameter Name="steps" Type="Edm.Int32"/></Action>
          <Action Name="CleanUp"><Parameter Name="days" Type="Edm.Int32" Nullable="false"/></Action>
          <Function Name="Total"><ReturnType Type="Edm.Int32"/></Function>
          <EntityContainer Name="Container">
            <EntitySet Name="People" EntityType="W.Person">
              <NavigationPropertyBinding Path="Boss" Target="People"/>
              <NavigationPropertyBinding Path="Staff" Target="People"/>
              <NavigationPropertyBinding Path="Friends" Target="People"/>
              <NavigationPropertyBinding Path="Rival" Target="People"/>
              <NavigationPropertyBinding Path="Tools" Target="Tools"/>
              <NavigationPropertyBinding Path="Jobs" Target="Jobs"/></EntitySet>
            <EntitySet Name="Tools" EntityType="W.Tool">
              <NavigationPropertyBinding Path="Owner" Target="People"/></EntitySet>
            <EntitySet Name="Jobs" EntityType="W.Job">
              <NavigationPropertyBinding Path="Person" Target="People"/></EntitySet>
            <EntitySet Name="Photos" EntityType="W.Photo"/>
            <EntitySet Name="Logs" EntityType="W.Log">
              <Annotation Term="Org.OData.Capabilities.V1.InsertRestrictions"><Record>
                <PropertyValue Property="Insertable" Bool="false"/></Record></Annotation>
              <Annotation Term="Org.OData.Capabilities.V1.UpdateRestrictions"><Record>
                <PropertyValue Property="Updatable" Bool="false"/></Record></Annotation>
              <Annotation Term="Org.OData.Capabilities.V1.DeleteRestrictions"><Record>
                <PropertyValue Property="Deletable" Bool="false"/></Record></Annotation></EntitySet>
            <Singleton Name="Me" Type="W.Person"/>
            <ActionImport Name="CleanUp" Action="W.CleanUp"/>
            <FunctionImport Name="Total" Function="W.Total"/>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// What the service holds, by set.
    static let data: [(set: String, json: String)] = [
        (
            "People",
            """
            [{"ID":1,"Name":"Ada","Level":1.50,"Code":"A","Seen":3,"Home":{"City":"Bern","Zip":"3000"},"Nicks":["ad"]},
             {"ID":2,"Name":"Bo","BossID":1},{"ID":3,"@odata.type":"#W.Manager","Name":"Cy","Budget":100}]
            """
        ),
        ("Tools", #"[{"Serial":"S1","OwnerID":2,"Colour":"red"},{"Serial":"S2"}]"#),
        (
            "Jobs",
            #"[{"ID":1,"Title":"mend","PersonID":2},{"ID":2,"Title":"look","PersonID":2},{"ID":3,"Title":"wait"}]"#
        ),
        ("Logs", #"[{"ID":1,"Text":"started"}]"#), ("Me", #"[{"ID":9,"Name":"I"}]"#),
    ]
}
