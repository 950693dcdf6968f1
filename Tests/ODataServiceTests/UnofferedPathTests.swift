import ODataHTTP
import Testing

/// What the standard allows and this service does not offer is 501, what it does not allow 400 (OData 4.01 Part 1 §§ 9.2, 9.3.1).
@Suite struct UnofferedPathTests {
    @Test(arguments: [
        ("Custs?$filter=Home eq Home", 501), ("Custs?$filter=Tags eq Tags", 501),
        ("Custs?$filter=Best ne Best", 501), ("Custs?$filter=Home eq 'x'", 400),
        ("Custs?$filter=Tags eq 'x'", 400), ("Custs?$filter=Home gt Home", 400),
        ("Custs(1)/Homes/$filter(City eq 'Rome')", 501), ("Custs(1)/Tags/0", 501),
        ("Custs(1)/Homes/T.Model.Addr", 200), ("Custs(1)/Tags/Zed", 400), ("Custs(1)/Name/0", 400),
        ("Custs/$filter(ID eq 1)(1)", 501), ("Custs/$filter(ID eq 1)/Best", 501),
        ("?$filter=true", 400), ("?$top=1", 400), ("?$format=json", 200), ("?x=1", 200),
        ("$crossjoin(Custs,Orders)/$count", 501), ("$crossjoin(Custs,Orders)/ID", 400),
        ("Custs(1)?$select=Best/Title", 400), ("Custs(1)?$select=Orders/Title", 400),
        ("Custs(1)?$select=Best", 200), ("Custs(3)?$select=T.Model.VIP/Perks", 200),
    ])
    func hasItsStatus(url: String, status: Int) async throws {
        let url = url.replacing(" ", with: "%20").replacing("'", with: "%27")
        let response = await (try ClauseService.make()).get(url)
        #expect(response.status == status, "\(response.text)")
    }

    @Test func unlinksOneEntityWithoutID() async throws {
        let service = try await ClauseService.make()
        let bind = #"{"@id":"Orders(1)"}"#
        #expect(await service.send("PUT", "Custs(1)/Best/$ref", [:], bind).status == 204)
        let refused = await service.send("DELETE", "Custs(1)/Best/$ref?$id=Orders(1)")
        #expect(refused.status == 400, "\(refused.text)")
        #expect(await service.send("DELETE", "Custs(1)/Best/$ref").status == 204)
    }

    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Addr"><Property Name="City" Type="Edm.String"/></ComplexType>
        <ComplexType Name="Mail" BaseType="S.Addr"><Property Name="Box" Type="Edm.String"/></ComplexType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Home" Type="S.Addr"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="S.Item"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test(arguments: [
        ("Home?$select=S.Mail/Box", "Home(S.Mail/Box)"), ("Home?$select=City", "Home(City)"),
        ("Home/S.Mail?$select=Box", "Home/S.Mail(Box)"),
    ])
    func namesSelectedMembersOfDerivedComplexTypes(path: String, context: String) async throws {
        let item = ##"[{"ID":1,"Home":{"@odata.type":"#S.Mail","City":"B","Box":"7"}}]"##
        let service = try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Items", Array(item.utf8))]
        )
        let response = await service.get("Items(1)/" + path)
        let start = #"{"@odata.context":"http://service.test/$metadata#Items(1)/\#(context)""#
        #expect(response.text.hasPrefix(start), "\(response.text)")
    }
}
