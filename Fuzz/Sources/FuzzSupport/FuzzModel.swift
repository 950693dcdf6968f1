public import ODataModel

/// The model that URLs and payloads are read with: each kind of property, inheritance, navigation both ways.
public enum FuzzModel {
    /// The model in the form of version 4, and that of version 2.
    public static let models: [EdmModel] = [v4, v2].compactMap {
        try? CSDLDocument(reading: Array($0.utf8)).model
    }

    private static let v4 = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EnumType Name="E" IsFlags="true"><Member Name="A" Value="1"/><Member Name="B" Value="2"/></EnumType>
        <ComplexType Name="C" OpenType="true"><Property Name="s" Type="Edm.String"/><Property Name="c" Type="N.C"/></ComplexType>
        <EntityType Name="T" OpenType="true"><Key><PropertyRef Name="i"/></Key>
        <Property Name="i" Type="Edm.Int64" Nullable="false"/><Property Name="s" Type="Edm.String" MaxLength="9"/>
        <Property Name="b" Type="Edm.Boolean"/><Property Name="d" Type="Edm.Double"/>
        <Property Name="m" Type="Edm.Decimal" Precision="9" Scale="3"/><Property Name="v" Type="Edm.Decimal" Scale="variable"/>
        <Property Name="g" Type="Edm.Guid"/><Property Name="x" Type="Edm.Binary"/><Property Name="e" Type="N.E"/>
        <Property Name="t" Type="Edm.DateTimeOffset"/><Property Name="o" Type="Edm.TimeOfDay"/>
        <Property Name="a" Type="Edm.Date"/><Property Name="u" Type="Edm.Duration"/><Property Name="c" Type="N.C"/>
        <Property Name="l" Type="Collection(Edm.String)"/><Property Name="k" Type="Collection(N.C)"/>
        <Property Name="p" Type="Edm.GeographyPoint"/><Property Name="f" Type="Edm.Stream"/>
        <NavigationProperty Name="n" Type="N.T" Partner="q"/><NavigationProperty Name="q" Type="Collection(N.T)" Partner="n"/>
        </EntityType><EntityType Name="D" BaseType="N.T"><Property Name="z" Type="Edm.Int32"/></EntityType>
        <EntityContainer Name="X"><EntitySet Name="S" EntityType="N.T"><NavigationPropertyBinding Path="n" Target="S"/>
        <NavigationPropertyBinding Path="q" Target="S"/></EntitySet><Singleton Name="O" Type="N.D"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let v2 = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"><edmx:DataServices
        m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="N" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <ComplexType Name="C"><Property Name="s" Type="Edm.String"/></ComplexType>
        <EntityType Name="T"><Key><PropertyRef Name="i"/></Key><Property Name="i" Type="Edm.Int64" Nullable="false"/>
        <Property Name="s" Type="Edm.String"/><Property Name="m" Type="Edm.Decimal"/><Property Name="g" Type="Edm.Guid"/>
        <Property Name="t" Type="Edm.DateTime"/><Property Name="o" Type="Edm.Time"/><Property Name="c" Type="N.C"/>
        <Property Name="w" Type="Edm.DateTimeOffset"/><Property Name="x" Type="Edm.Binary"/>
        <NavigationProperty Name="n" Relationship="N.R" FromRole="A" ToRole="B"/></EntityType>
        <Association Name="R"><End Role="A" Type="N.T" Multiplicity="*"/><End Role="B" Type="N.T" Multiplicity="0..1"/></Association>
        <EntityContainer Name="X" m:IsDefaultEntityContainer="true"><EntitySet Name="S" EntityType="N.T"/>
        <AssociationSet Name="RS" Association="N.R"><End Role="A" EntitySet="S"/><End Role="B" EntitySet="S"/></AssociationSet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
}
