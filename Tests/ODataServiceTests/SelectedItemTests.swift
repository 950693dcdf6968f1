import ODataHTTP
import Testing

/// Options of `$select` on collections of values (OData 4.01 Part 2 § 5.1.4).
@Suite struct SelectedItemTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Addr"><Property Name="City" Type="Edm.String"/><Property Name="Rank" Type="Edm.Int32"/>
        <Property Name="Lines" Type="Collection(Edm.String)" Nullable="false"/></ComplexType>
        <ComplexType Name="Office" BaseType="S.Addr"><Property Name="Floor" Type="Edm.Int32"/></ComplexType>
        <EntityType Name="Thing" OpenType="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Best" Type="Edm.String"/>
        <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
        <Property Name="Prices" Type="Collection(Edm.Decimal)" Nullable="false" Scale="variable"/>
        <Property Name="Home" Type="S.Addr"/>
        <Property Name="Addrs" Type="Collection(S.Addr)" Nullable="false"/>
        <NavigationProperty Name="Others" Type="Collection(S.Thing)"/></EntityType>
        <EntityType Name="Large" BaseType="S.Thing"><Property Name="Marks" Type="Collection(Edm.Int32)" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="S.Thing">
        <NavigationPropertyBinding Path="Others" Target="Things"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service() async throws -> TestService {
        let things = """
            [{"ID":1,"Best":"b","Tags":["c","a","b"],"Prices":[1.50,0.1000,20],
            "Home":{"City":"Rome","Rank":7,"Lines":["via","due"]},
            "Addrs":[{"City":"Bonn","Rank":2,"Lines":["x"]},
            {"@odata.type":"#S.Office","City":"Ulm","Rank":1,"Lines":[],"Floor":3},{"City":null,"Rank":null,"Lines":[]}],
            "Others@odata.bind":["Things(2)"]},
            {"@odata.type":"#S.Large","ID":2,"Best":"z","Tags":[],"Prices":[],"Addrs":[],"Home":null,"Marks":[3,1,2]}]
            """
        return try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Things", Array(things.utf8))]
        )
    }

    private func answer(_ url: String, _ headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
        let text = url.replacing(" ", with: "%20").replacing("'", with: "%27")
        return await (try service()).get(text, headers)
    }

    @Test(arguments: [
        ("Tags($filter=$this ne 'a')", #""Tags":["c","b"]"#),
        ("Tags($orderby=$this)", #""Tags":["a","b","c"]"#),
        ("Tags($orderby=$this desc;$top=2)", #""Tags":["c","b"]"#),
        ("Tags($skip=1)", #""Tags":["a","b"]"#),
        ("Tags($skip=1;$top=1)", #""Tags":["a"]"#),
        ("Tags($top=0)", #""Tags":[]"#),
        ("Tags($filter=$this eq 'nope')", #""Tags":[]"#),
        ("Tags($search=a)", #""Tags":["a"]"#),
        ("Tags($search=NOT a)", #""Tags":["c","b"]"#),
        ("Tags($search=a OR c)", #""Tags":["c","a"]"#),
        ("Tags($count=true)", #""Tags@odata.count":3,"Tags":["c","a","b"]"#),
        ("Tags($count=true;$top=1;$filter=$this lt 'c')", #""Tags@odata.count":2,"Tags":["a"]"#),
        ("Tags($filter=$this eq $it/Best)", #""Tags":["b"]"#),
        ("Tags($orderby=$this eq $it/Best desc,$this desc;$top=2)", #""Tags":["b","c"]"#),
        (
            "Addrs($filter=isof($this,S.Office);$select=City)",
            ##""Addrs":[{"@odata.type":"#S.Office","City":"Ulm"}]"##
        ),
        ("Tags($filter=$this eq @t;@t='c')", #""Tags":["c"]"#),
        ("Prices($filter=$this lt 2)", #""Prices":[1.50,0.1000]"#),
        ("Prices($orderby=$this desc;$top=2)", #""Prices":[20,1.50]"#),
        ("Addrs($filter=Rank gt 1)", #""Addrs":[{"City":"Bonn","Rank":2,"Lines":["x"]}]"#),
        ("Addrs($orderby=Rank;$select=City)", #""Addrs":[{"City":null},"#),
        (
            "Addrs($filter=City ne null;$orderby=City desc;$select=City)",
            ##""Addrs":[{"@odata.type":"#S.Office","City":"Ulm"},{"City":"Bonn"}]"##
        ),
        ("Addrs($search=bonn;$select=Rank)", #""Addrs":[{"Rank":2}]"#),
        ("Addrs($count=true;$select=Rank;$top=1)", #""Addrs@odata.count":3,"Addrs":[{"Rank":2}]"#),
        ("Home/Lines($top=1)", #""Home":{"Lines":["via"]}"#),
        (
            "Home($select=City,Lines($filter=$this eq 'due';$count=true))",
            #""Home":{"City":"Rome","Lines@odata.count":1,"Lines":["due"]}"#
        ),
        ("*,Tags($top=1)", #""Best":"b","Tags":["c"],"Prices":[1.50,0.1000,20]"#),
    ])
    func answersTheItemsThatAreAskedFor(_ select: String, _ part: String) async throws {
        let response = try await answer("Things(1)?$select=\(select)")
        #expect(response.text.contains(part), "\(response.text)")
    }

    @Test(arguments: [
        ("Things?$select=Tags($top=1)&$orderby=ID", #""Tags":["c"]}"#),
        ("Things?$select=Tags($top=1)&$orderby=ID", #""Tags":[]}"#),
        (
            "Things?$filter=Best eq 'b'&$select=ID,Tags($filter=$this gt 'a';$orderby=$this)&$top=5",
            #""ID":1,"Tags":["b","c"]"#
        ),
        (
            "Things(1)?$select=ID&$expand=Others($select=S.Large/Marks($orderby=$this;$top=2))",
            #""Marks":[1,2]"#
        ),
        (
            "Things/S.Large?$select=Marks($filter=$this gt 1;$count=true)",
            #""Marks@odata.count":2,"Marks":[3,2]"#
        ),
        (
            "Things?$select=Tags($count=true)&$compute=ID add 1 as Next&$orderby=ID",
            #""Tags@odata.count":0,"Tags":[]"#
        ),
        (
            "Things?$apply=filter(ID eq 1)&$select=Tags($count=true;$top=1)",
            #""Tags@odata.count":3,"Tags":["c"]"#
        ),
        ("Things(1)/Tags?$search=a", #""value":["a"]"#),
        ("Things(1)/Addrs?$search=bonn OR ulm&$count=true", #""@odata.count":2"#),
        (
            "Things(1)/Home?$select=Lines($top=1;$count=true),City",
            #""City":"Rome","Lines@odata.count":2,"Lines":["via"]}"#
        ),
        ("Things(1)/Tags/$count?$search=a OR b", "2"),
    ])
    func choosesItemsOfEachEntity(_ url: String, _ part: String) async throws {
        let response = try await answer(url)
        #expect(response.text.contains(part), "\(response.text)")
    }

    @Test func writesCountsAsStringsWhereAsked() async throws {
        let response = try await answer(
            "Things(1)?$select=Tags($count=true)",
            ["Accept": "application/json;IEEE754Compatible=true"]
        )
        #expect(response.text.contains(#""Tags@odata.count":"3","Tags":["#), "\(response.text)")
    }

    @Test func statesTypesOfTheItemsInFull() async throws {
        let response = try await answer(
            "Things(1)?$select=Addrs($filter=Rank eq 2;$count=true)",
            ["Accept": "application/json;odata.metadata=full"]
        )
        let part =
            ##""Addrs@odata.type":"#Collection(S.Addr)","Addrs@odata.count":1,"Addrs":[{"@odata.type":"#S.Addr""##
        #expect(response.text.contains(part), "\(response.text)")
    }

    /// A change concerns the whole collection, whatever the options say.
    @Test(arguments: [
        ("DELETE", "Things(1)/Tags?$filter=$this%20eq%20'nope'", ""),
        ("PUT", "Things(1)/Tags?$top=1", #"{"value":[]}"#),
        ("POST", "Things(1)/Tags?$skip=1", #"{"value":"d"}"#),
        ("POST", "Things?$filter=ID%20eq%201", #"{"ID":9,"Tags":[]}"#),
    ])
    func refusesOptionsOfAChange(_ method: String, _ url: String, _ body: String) async throws {
        let service = try await service()
        let response = await service.send(method, url, [:], body)
        #expect(response.status == 400, "\(response.text)")
        #expect(await service.get("Things(1)/Tags/$count").text == "3")
        #expect(await service.get("Things/$count").text == "2")
    }

    @Test(arguments: ["$filter=true", "$top=1", "$count=true"])
    func refusesToChooseFromWhatIsNotDeclared(_ option: String) async throws {
        let service = try await service()
        let added = await service.send("PATCH", "Things(1)", [:], #"{"Loose":["a","b"]}"#)
        #expect(added.isSuccess, "\(added.text)")
        #expect(await service.get("Things(1)/Loose").status == 200)
        #expect(await service.get("Things(1)/Loose?\(option)").status == 501)
    }

    @Test func refusesToChooseInsideOfTheItemsOfAProperty() async throws {
        #expect(try await answer("Things(1)/Addrs?$select=Lines($top=1)").status == 501)
    }

    @Test(arguments: [
        ("Addrs/Lines($top=1)", 501, "a collection inside of the items"),
        ("Addrs($select=Lines($top=1))", 501, "a collection inside of the items"),
        ("Tags($compute=1 as One)", 501, "$compute inside $select"),
        ("Loose($top=1)", 501, "$top of a property that the metadata does not declare"),
        ("Home($top=1)", 400, "$top has a meaning for collections only"),
        ("Best($filter=true)", 400, "$filter has a meaning for collections only"),
        ("Tags($top=1),Tags($skip=1)", 400, "$select has options of Tags twice"),
        ("Home/Lines($top=1),Home($select=Lines($top=2))", 400, "options of Home/Lines twice"),
        ("Others($filter=ID eq 1)", 400, "Others takes no options in $select"),
        ("*($top=1)", 400, ""),
        ("Tags($select=X)", 400, "primitive values have no properties"),
        ("Addrs($filter=Nope eq 1)", 400, "Nope"),
        ("Tags($filter=$this eq 1)", 400, ""),
        ("Tags($expand=X)", 400, ""),
    ])
    func refusesOtherOptions(_ select: String, _ status: Int, _ message: String) async throws {
        let response = try await answer("Things(1)?$select=\(select)")
        #expect(response.status == status, "\(response.text)")
        #expect(response.text.contains(message), "\(response.text)")
    }
}
