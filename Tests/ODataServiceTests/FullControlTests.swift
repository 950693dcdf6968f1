import ODataHTTP
import Testing

/// Full control information about types and streams (OData JSON 4.01 §§ 3.1.2, 4.6.3, 4.6.12).
@Suite struct FullControlTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EnumType Name="Color"><Member Name="Red"/></EnumType>
        <ComplexType Name="Spot"><Property Name="Lat" Type="Edm.Decimal" Scale="2" Precision="5"/></ComplexType>
        <ComplexType Name="Place"><Property Name="City" Type="Edm.String"/><Property Name="Spot" Type="S.Spot"/></ComplexType>
        <ComplexType Name="Addr"><Property Name="Since" Type="Edm.Date"/><Property Name="Spot" Type="S.Spot"/></ComplexType>
        <ComplexType Name="Work" BaseType="S.Addr"><Property Name="Color" Type="S.Color"/></ComplexType>
        <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Color" Type="S.Color"/>
        <Property Name="Flat" Type="S.Place"/><Property Name="Home" Type="S.Addr"/>
        <Property Name="Homes" Type="Collection(S.Addr)"/><Property Name="Small" Type="Edm.Stream"/></EntityType>
        <EntityType Name="Big" BaseType="S.Photo"><Property Name="Large" Type="Edm.Stream"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Photos" EntityType="S.Photo"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    private static let photos = ##"""
        [{"ID":1,"Color":"Red","Flat":{"City":"c","Spot":{"Lat":1.25}},
        "Home":{"@odata.type":"#S.Work","Since":"2020-01-01","Color":"Red","Spot":{"Lat":1.50}},
        "Homes":[{"Since":"2021-01-01"},{"@odata.type":"#S.Work","Spot":null}]},
        {"@odata.type":"#S.Big","ID":2}]
        """##

    private func answer(_ url: String) async throws -> String {
        let service = try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Photos", Array(Self.photos.utf8))]
        )
        return await service.get(url, ["Accept": "application/json;odata.metadata=full"]).text
    }

    @Test(arguments: [
        ("Photos(1)", ##""Color@odata.type":"#S.Color","Color":"Red""##),
        (
            "Photos(1)",
            ##""Flat":{"@odata.type":"#S.Place","City":"c","Spot":{"@odata.type":"#S.Spot","##
                + ##""Lat@odata.type":"#Decimal","Lat":1.25}}"##
        ),
        (
            "Photos(1)",
            ##""Home":{"@odata.type":"#S.Work","Since@odata.type":"#Date","Since":"2020-01-01","##
                + ##""Spot":{"@odata.type":"#S.Spot","Lat@odata.type":"#Decimal","Lat":1.50},"##
                + ##""Color@odata.type":"#S.Color","Color":"Red"}"##
        ),
        (
            "Photos(1)",
            ##""Homes@odata.type":"#Collection(S.Addr)","Homes":[{"@odata.type":"#S.Addr","##
                + ##""Since@odata.type":"#Date","Since":"2021-01-01","Spot":null},"##
                + ##"{"@odata.type":"#S.Work","Since@odata.type":"#Date","Since":null,"Spot":null,"##
        ),
        ("Photos(1)/Flat/Spot", ##""@odata.type":"#S.Spot","Lat@odata.type":"#Decimal","##),
        ("Photos(1)/Home", ##""@odata.type":"#S.Work","Since@odata.type":"#Date","##),
        ("Photos(1)/Color", ##""@odata.type":"#S.Color","value":"Red""##),
        (
            "Photos(1)/Homes",
            ##""@odata.type":"#Collection(S.Addr)","value":[{"@odata.type":"#S.Addr","##
        ),
        (
            "Photos(1)",
            #""@odata.mediaReadLink":"http://service.test/Photos(1)/$value","#
                + #""@odata.mediaEditLink":"http://service.test/Photos(1)/$value""#
        ),
        ("Photos(1)", #""Small@odata.mediaReadLink":"http://service.test/Photos(1)/Small""#),
        ("Photos(1)", #""Small@odata.mediaEditLink":"http://service.test/Photos(1)/Small""#),
        ("Photos(2)", #""Large@odata.mediaReadLink":"http://service.test/Photos(2)/S.Big/Large""#),
        ("Photos(2)?$select=ID", #""@odata.mediaReadLink":"http://service.test/Photos(2)/$value""#),
    ])
    func statesTypesAndStreams(_ url: String, _ part: String) async throws {
        let text = try await answer(url)
        #expect(text.contains(part), "\(text)")
    }

    @Test func leavesOutLinksOfStreamsThatAreNotSelected() async throws {
        #expect(try await !answer("Photos(1)?$select=ID").contains("Small@"))
    }
}
