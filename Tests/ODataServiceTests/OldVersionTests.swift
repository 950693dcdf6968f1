import ODataHTTP
import Testing

@testable import ODataAnswers

/// A service of version 2 answers in verbose JSON (OData 2.0 JSON Format).
@Suite struct OldVersionTests {
    private static let metadata = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
        <edmx:DataServices m:DataServiceVersion="2.0"
         xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="Shop" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <ComplexType Name="Place"><Property Name="City" Type="Edm.String"/></ComplexType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Total" Type="Edm.Decimal" Precision="9" Scale="2"/>
        <Property Name="Big" Type="Edm.Int64"/><Property Name="At" Type="Edm.DateTime"/>
        <Property Name="Version" Type="Edm.Int32" ConcurrencyMode="Fixed"/>
        <Property Name="Place" Type="Shop.Place" Nullable="false"/>
        <NavigationProperty Name="Items" Relationship="Shop.OrderItems" FromRole="Order" ToRole="Items"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="Order" Relationship="Shop.OrderItems" FromRole="Items" ToRole="Order"/></EntityType>
        <Association Name="OrderItems"><End Type="Shop.Order" Role="Order" Multiplicity="0..1"/>
        <End Type="Shop.Item" Role="Items" Multiplicity="*"/></Association>
        <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Orders" EntityType="Shop.Order"/><EntitySet Name="Items" EntityType="Shop.Item"/>
        <AssociationSet Name="OI" Association="Shop.OrderItems"><End Role="Order" EntitySet="Orders"/>
        <End Role="Items" EntitySet="Items"/></AssociationSet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let data = """
        {"d":{"results":[{"ID":1,"Total":"12.50","Big":"9007199254740993","At":"/Date(1709208000000)/",
        "Version":1,"Place":{"City":"Bern"},"Items":{"results":[{"ID":7,"Name":"Lamp"}]}}]}}
        """

    private func service() async throws -> TestService {
        try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Orders", Array(Self.data.utf8))]
        )
    }

    private static let order =
        #"{"__metadata":{"uri":"http://service.test/Orders(1)","type":"Shop.Order","etag":"W/\"1\""},"#
        + #""ID":1,"Total":"12.50","Big":"9007199254740993","At":"/Date(1709208000000)/","Version":1,"#
        + #""Place":{"__metadata":{"type":"Shop.Place"},"City":"Bern"},"#
    private static let deferred =
        #""Items":{"__deferred":{"uri":"http://service.test/Orders(1)/Items"}}}"#
    private static let item =
        #"{"__metadata":{"uri":"http://service.test/Items(7)","type":"Shop.Item","etag":"W/\"2\""},"ID":7,"Name":"Lamp","#
        + #""Order":{"__deferred":{"uri":"http://service.test/Items(7)/Order"}}}"#

    @Test(arguments: [
        ("", #"{"d":{"EntitySets":["Orders","Items"]}}"#),
        (
            "Orders?$inlinecount=allpages",
            #"{"d":{"__count":"1","results":["# + order + deferred + "]}}"
        ),
        ("Orders(1)", #"{"d":"# + order + deferred + "}"),
        ("Orders(1)?$expand=Items", #"{"d":"# + order + #""Items":{"results":["# + item + "]}}}"),
        ("Items(7)/Order", #"{"d":"# + order + deferred + "}"),
        (
            "Items?$select=Name",
            #"{"d":{"results":[{"__metadata":{"uri":"http://service.test/Items(7)","type":"Shop.Item","#
                + #""etag":"W/\"2\""},"ID":7,"Name":"Lamp"}]}}"#
        ),
        ("Orders(1)/Place/City", #"{"d":{"City":"Bern"}}"#),
        ("Orders(1)/Place", #"{"d":{"Place":{"__metadata":{"type":"Shop.Place"},"City":"Bern"}}}"#),
        ("Orders(1)/$links/Items", #"{"d":{"results":[{"uri":"http://service.test/Items(7)"}]}}"#),
        (
            "Orders(1)/$links/Items?$inlinecount=allpages",
            #"{"d":{"__count":"1","results":[{"uri":"http://service.test/Items(7)"}]}}"#
        ),
        ("Items(7)/$links/Order", #"{"d":{"uri":"http://service.test/Orders(1)"}}"#),
        (
            "Items?$select=Name,Order",
            #"{"d":{"results":[{"__metadata":{"uri":"http://service.test/Items(7)","type":"Shop.Item","#
                + #""etag":"W/\"2\""},"ID":7,"Name":"Lamp","Order":{"__deferred":{"uri":"http://service.test/Items(7)/Order"}}}]}}"#
        ),
        (
            "Items?$select=Order&$expand=Order/Items",
            #"{"d":{"results":[{"__metadata":{"uri":"http://service.test/Items(7)","type":"Shop.Item","#
                + #""etag":"W/\"2\""},"ID":7,"Order":"# + order + #""Items":{"results":["# + item
                + "]}}}]}}"
        ),
    ])
    func answersVerboseJSON(url: String, body: String) async throws {
        let response = await (try service()).get(url)
        #expect(response.status == 200)
        #expect(response.headers["DataServiceVersion"] == "2.0")
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(response.text == body)
    }

    /// Clients such as pyodata end every path with a slash.
    @Test(arguments: [
        ("Orders(1)/Total/", "Orders(1)/Total"),
        ("Orders(1)/Total/$value/", "Orders(1)/Total/$value"), ("Orders(1)/", "Orders(1)"),
        ("Orders/", "Orders"), ("Orders(1)/Items/?$top=1", "Orders(1)/Items?$top=1"),
        ("Orders(1)/Place/City/", "Orders(1)/Place/City"),
    ])
    func passesOverASlashAtTheEndOfAPath(_ url: String, _ plain: String) async throws {
        let service = try await service()
        let with = await service.get(url)
        let without = await service.get(plain)
        #expect(with.status == 200, "\(with.text)")
        #expect(with.text == without.text)
        let version4 = await service.get(url, ["OData-MaxVersion": "4.0"])
        #expect(version4.status == 200)
    }

    @Test func answersVersion4WhereAsked() async throws {
        let response = await (try service()).get(
            "Orders(1)?$select=Total,At",
            ["OData-MaxVersion": "4.0"]
        )
        #expect(response.headers["OData-Version"] == "4.0")
        #expect(
            response.text
                == #"{"@odata.context":"http://service.test/$metadata#Orders(Total,At)/$entity","#
                + #""@odata.etag":"W/\"1\"","ID":1,"Total":12.50,"At":"2024-02-29T12:00:00Z"}"#
        )
    }

    @Test func tellsErrorsInALanguage() async throws {
        let response = await (try service()).get("Orders(9)")
        #expect(response.status == 404)
        #expect(
            response.text
                == #"{"error":{"code":"NotFound","message":{"lang":"en","value":"there is no such entity"}}}"#
        )
    }

    @Test func takesChanges() async throws {
        let service = try await service()
        let created = await service.send(
            "POST",
            "Items",
            [:],
            #"{"ID":8,"Name":"Door","Order":{"__metadata":{"uri":"Orders(1)"}}}"#
        )
        #expect(created.status == 201, "\(created.text)")
        #expect(created.headers["Location"] == "http://service.test/Items(8)")
        #expect(await service.get("Orders(1)/Items/$count").text == "2")
        #expect(await service.send("MERGE", "Items(8)", [:], #"{"Name":"Gate"}"#).status == 204)
        #expect(await service.send("DELETE", "Items(8)/$links/Order").status == 204)
        #expect(await service.get("Orders(1)/Items/$count").text == "1")
        let link = #"{"uri":"http://service.test/Orders(1)"}"#
        #expect(await service.send("PUT", "Items(8)/$links/Order", [:], link).status == 204)
        #expect(await service.get("Orders(1)/Items/$count").text == "2")
        #expect(await service.send("MERGE", "Orders(1)", [:], #"{"Version":2}"#).status == 428)
    }

    /// They know no upsert, which came with version 4.
    @Test(arguments: ["MERGE", "PATCH", "PUT"])
    func doesNotCreateWhatAnUpdateDoesNotFind(_ method: String) async throws {
        let service = try await service()
        let answer = await service.send(method, "Items(99)", [:], #"{"Name":"Gate"}"#)
        #expect(answer.status == 404)
        #expect(await service.get("Items(99)").status == 404)
    }

    @Test func callsABatchAccepted() async throws {
        let body =
            "--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
            + "GET Items(7)/Name HTTP/1.1\r\n\r\n\r\n--b--"
        let response = await (try service()).send(
            "POST",
            "$batch",
            ["Content-Type": "multipart/mixed; boundary=b"],
            body
        )
        #expect(response.status == 202)
        #expect(response.text.contains(#"{"d":{"Name":"Lamp"}}"#))
    }
}
