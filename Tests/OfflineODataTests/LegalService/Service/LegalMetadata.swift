/// The metadata document of the legal service.
struct LegalMetadata {
    var text: String

    init(_ has: (LegalTrait) -> Bool) {
        let partner = has(.partnersOmitted) ? "" : " Partner=\"Customer\""
        let back = has(.partnersOmitted) ? "" : " Partner=\"Orders\""
        let constraint =
            has(.constraintInOddForm)
            ? "<ReferentialConstraint><Dependent Role=\"x\"/></ReferentialConstraint>" : ""
        let cascade = has(.cascadeDeclared) ? "<OnDelete Action=\"Cascade\"/>" : ""
        let noise =
            has(.annotationsUnknown)
            ? "<Annotation Term=\"Vendor.V9.Odd\"><Record><PropertyValue Property=\"a\" Path=\"b/c\"/></Record></Annotation>"
            : ""
        let collection = has(.collectionNullability) ? "" : " Nullable=\"false\""
        let permissive = has(.valuesBeyondFacets) ? " MaxLength=\"2\"" : " MaxLength=\"80\""
        let generated =
            has(.keysComputed)
            ? "<Annotation Term=\"Org.OData.Core.V1.Computed\" Bool=\"true\"/>" : ""
        let bindings = has(.bindingsOmitted) ? "" : Self.bindings
        let batch =
            has(.batchJSONOnly)
            ? """
            <Annotation Term="Org.OData.Capabilities.V1.BatchSupport"><Record>
              <PropertyValue Property="Supported" Bool="true"/>
              <PropertyValue Property="SupportedFormats"><Collection><String>application/json</String></Collection></PropertyValue>
            </Record></Annotation>
            """ : ""
        let concurrency = has(.etagsInHeaderOnly) ? Self.concurrency : ""
        text = """
            <?xml version="1.0" encoding="utf-8"?>
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="L" xmlns="http://docs.oasis-open.org/odata/ns/edm">
              <EntityType Name="Customer"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false">\(generated)</Property>
                <Property Name="Name" Type="Edm.String" Nullable="false"/>
                <Property Name="Note" Type="Edm.String"\(permissive)/>
                <Property Name="Amount" Type="Edm.Decimal" Precision="9" Scale="2"/>
                <Property Name="Nicks" Type="Collection(Edm.String)"\(collection)/>
                <Property Name="Picture" Type="Edm.Stream"/>
                <Property Name="Logo" Type="Edm.Stream"/>
                <NavigationProperty Name="Orders" Type="Collection(L.Order)"\(partner)>\(cascade)</NavigationProperty>
                <NavigationProperty Name="Tags" Type="Collection(L.Tag)" Partner="Customers"/>\(noise)
              </EntityType>
              <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Guid" Nullable="false"/>
                <Property Name="Name" Type="Edm.String" Nullable="false"/>
                <Property Name="Note" Type="Edm.String"\(permissive)/>
                <Property Name="Open" Type="Edm.Boolean"/>
                <Property Name="CustomerID" Type="Edm.Int32"/>
                <NavigationProperty Name="Customer" Type="L.Customer"\(back)>
                  <ReferentialConstraint Property="CustomerID" ReferencedProperty="ID"/>
                  \(constraint)</NavigationProperty>
                <NavigationProperty Name="Items" Type="Collection(L.Item)" ContainsTarget="true"/>
              </EntityType>
              <EntityType Name="Item"><Key><PropertyRef Name="Number"/></Key>
                <Property Name="Number" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Name" Type="Edm.String" Nullable="false"/>
                <Property Name="Note" Type="Edm.String"/>
              </EntityType>
              <EntityType Name="Tag"><Key><PropertyRef Name="Code"/></Key>
                <Property Name="Code" Type="Edm.String" Nullable="false"/>
                <Property Name="Name" Type="Edm.String" Nullable="false"/>
                <Property Name="Note" Type="Edm.String"/>
                <NavigationProperty Name="Customers" Type="Collection(L.Customer)" Partner="Tags"/>
              </EntityType>
              <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Name" Type="Edm.String"/>
                <Property Name="Note" Type="Edm.String"/>
                <Property Name="Thumb" Type="Edm.Stream"/>
              </EntityType>
              <EntityType Name="Self"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Name" Type="Edm.String"/>
                <Property Name="Note" Type="Edm.String"/>
              </EntityType>
              <EntityContainer Name="Container">
                <EntitySet Name="Customers" EntityType="L.Customer">\(concurrency)\(bindings.isEmpty ? "" : Self.customerBindings)</EntitySet>
                <EntitySet Name="Orders" EntityType="L.Order">\(concurrency)\(bindings)</EntitySet>
                <EntitySet Name="Tags" EntityType="L.Tag">\(concurrency)
                  <NavigationPropertyBinding Path="Customers" Target="Customers"/></EntitySet>
                <EntitySet Name="Photos" EntityType="L.Photo">\(concurrency)</EntitySet>
                <Singleton Name="Me" Type="L.Self"/>\(batch)
              </EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
    }

    private static let concurrency =
        "<Annotation Term=\"Org.OData.Core.V1.OptimisticConcurrency\"><Collection/></Annotation>"
    private static let bindings =
        "<NavigationPropertyBinding Path=\"Customer\" Target=\"Customers\"/>"
    private static let customerBindings = """
        <NavigationPropertyBinding Path="Orders" Target="Orders"/>
        <NavigationPropertyBinding Path="Tags" Target="Tags"/>
        """
}
