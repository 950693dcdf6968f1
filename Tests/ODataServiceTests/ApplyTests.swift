import ODataText
import ODataHTTP
import Testing

@testable import ODataAnswers

@Suite struct ApplyTests {
    private static let metadata = """
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N">
        <EntityType Name="Customer"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.String" Nullable="false"/>
        <Property Name="Country" Type="Edm.String"/><NavigationProperty Name="Sales" Type="Collection(N.Sale)" Partner="Customer"/></EntityType>
        <EntityType Name="Sale"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Amount" Type="Edm.Decimal" Scale="variable"/><Property Name="Units" Type="Edm.Int64"/>
        <Property Name="Weight" Type="Edm.Double"/><Property Name="Product" Type="Edm.String"/><Property Name="CustomerID" Type="Edm.String"/>
        <NavigationProperty Name="Customer" Type="N.Customer" Partner="Sales"><ReferentialConstraint Property="CustomerID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Customers" EntityType="N.Customer"><NavigationPropertyBinding Path="Sales" Target="Sales"/></EntitySet>
        <EntitySet Name="Sales" EntityType="N.Sale"><NavigationPropertyBinding Path="Customer" Target="Customers"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    private static let customers = """
        [{"ID":"C1","Country":"US"},{"ID":"C2","Country":"US"},{"ID":"C3","Country":"NL"},{"ID":"C4","Country":null}]
        """
    private static let sales = """
        [{"ID":1,"Amount":1.10,"Units":2,"Weight":0.5,"Product":"Paper","CustomerID":"C1"},
        {"ID":2,"Amount":2.25,"Units":1,"Weight":1.5,"Product":"Sugar","CustomerID":"C1"},
        {"ID":3,"Amount":4.00,"Units":null,"Weight":2,"Product":"Paper","CustomerID":"C2"},
        {"ID":4,"Amount":8.05,"Units":4,"Weight":null,"Product":"Coffee","CustomerID":"C2"},
        {"ID":5,"Amount":null,"Units":8,"Weight":1,"Product":"Paper","CustomerID":"C3"}]
        """

    private func service() async throws -> TestService {
        try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Customers", Array(Self.customers.utf8)), ("Sales", Array(Self.sales.utf8))]
        )
    }

    private func answer(_ url: String) async throws -> String {
        try await service().valueText(url)
    }

    @Test(arguments: [
        (
            "aggregate(Amount with sum as S,Amount with min as Low,Amount with max as High,$count as N)",
            #"[{"S":15.4,"Low":1.1,"High":8.05,"N":5}]"#
        ),
        (
            "aggregate(Amount with average as A,Units with sum as U,Product with countdistinct as P)",
            #"[{"A":3.85,"U":15,"P":3}]"#
        ),
        ("aggregate(Weight with sum as W,Weight with average as A)", #"[{"W":5,"A":1.25}]"#),
        (
            "groupby((Product))", #"[{"Product":"Coffee"},{"Product":"Paper"},{"Product":"Sugar"}]"#
        ),
        (
            "groupby((Customer/Country),aggregate(Amount with sum as S))",
            #"[{"Customer":{"Country":"NL"},"S":null},{"Customer":{"Country":"US"},"S":15.4}]"#
        ),
        (
            "groupby((rollup(Customer/Country,Customer/ID)),aggregate($count as N))",
            #"[{"Customer":{"Country":"NL","ID":"C3"},"N":1},{"Customer":{"Country":"US","ID":"C1"},"N":2},"#
                + #"{"Customer":{"Country":"US","ID":"C2"},"N":2},{"Customer":{"Country":"NL"},"N":1},"#
                + #"{"Customer":{"Country":"US"},"N":4}]"#
        ),
        (
            "filter(Amount gt 2)/groupby((Product),aggregate(Amount with max as M))/filter(M lt 5)",
            #"[{"Product":"Paper","M":4},{"Product":"Sugar","M":2.25}]"#
        ),
        (
            "groupby((Product),aggregate(Amount with sum as S))/topcount(1,S)",
            #"[{"Product":"Coffee","S":8.05}]"#
        ),
        (
            "groupby((Customer/ID),aggregate(Amount with sum as S))/aggregate(S with max as M)",
            #"[{"M":12.05}]"#
        ),
        (
            "compute(Amount mul 2 as Twice)/aggregate(Twice with sum as S)",
            #"[{"S":30.8}]"#
        ),
        ("search(paper)/aggregate($count as N)", #"[{"N":3}]"#),
        ("identity/aggregate($count as N)", #"[{"N":5}]"#),
        (
            "filter(Amount ge $these/aggregate(Amount with average))/aggregate($count as N)",
            #"[{"N":2}]"#
        ),
        (
            "groupby((Customer/ID),filter(Amount eq $these/aggregate(Amount with max))/aggregate(Amount with sum as S))",
            #"[{"Customer":{"ID":"C1"},"S":2.25},{"Customer":{"ID":"C2"},"S":8.05},"#
                // Null equals the maximum of nothing but null.
                + #"{"Customer":{"ID":"C3"},"S":null}]"#
        ),
        (
            "concat(groupby((Product),aggregate($count as N)),aggregate($count as N))",
            #"[{"Product":"Coffee","N":1},{"Product":"Paper","N":3},{"Product":"Sugar","N":1},{"N":5}]"#
        ),
        (
            "orderby(Amount desc)/skip(1)/top(1)/aggregate(Amount with sum as S)",
            #"[{"S":4}]"#
        ),
        ("filter(false)/aggregate(Amount with sum as S,$count as N)", #"[{"S":null,"N":0}]"#),
    ])
    func answersTransformedSets(apply: String, expected: String) async throws {
        #expect(try await answer("Sales?$apply=" + apply) == expected)
    }

    @Test(arguments: [
        ("topcount(2,Amount)", "4,3"), ("bottomcount(2,Units)", "2,3"), ("topsum(9,Amount)", "4,3"),
        ("bottomsum(3,Amount)", "1,2"), ("toppercent(50,Amount)", "4"), ("top(2)", "1,2"),
        ("groupby((Customer/Country),topcount(1,Amount))", "4,5"),
        ("concat(topcount(1,Amount),bottomcount(1,ID))", "4,1"),
    ])
    func keepsEntities(apply: String, ids: String) async throws {
        let expected = Set(ids.split(separator: ",").map(String.init))
        let text = try await answer("Sales?$select=ID&$apply=" + apply)
        let found = text.split { !$0.isNumber }.map(String.init)
        #expect(Set(found) == expected && found.count == expected.count, "\(text)")
    }

    @Test func aggregatesMembersOfCollections() async throws {
        let text = try await answer(
            "Customers?$apply=groupby((Country),aggregate(Sales/Amount with sum as S,Sales/Amount with average as A,Sales/$count as N))"
        )
        #expect(
            text
                == #"[{"Country":null,"S":null,"A":null,"N":0},{"Country":"NL","S":null,"A":null,"N":1},{"Country":"US","S":15.4,"A":3.85,"N":4}]"#
        )
    }

    @Test(arguments: [
        (
            "$apply=groupby((Product),aggregate(Amount with sum as S))&$orderby=S desc&$top=2",
            #"[{"Product":"Coffee","S":8.05},{"Product":"Paper","S":5.1}]"#
        ),
        (
            "$apply=groupby((Product),aggregate(Amount with sum as S))&$filter=S lt 6&$skip=1",
            #"[{"Product":"Sugar","S":2.25}]"#
        ),
        (
            "$apply=groupby((Product),aggregate(Amount with sum as S))&$compute=S mul 2 as T&$select=T&$top=1",
            #"[{"T":16.1}]"#
        ),
    ])
    func appliesOtherOptionsAfterwards(options: String, expected: String) async throws {
        #expect(try await answer("Sales?" + options) == expected)
    }

    @Test(arguments: [
        "aggregate(Forecast)", "aggregate(Amount with N.median as M)", "groupby((Customer))",
        "ancestors($root/Sales,H,ID,filter(ID eq 1))", "N.Special(x=1)", "join(Customer as C)",
        "aggregate(Amount with sum from Product with max as M)",
    ])
    func refusesWhatItCannotCompute(apply: String) async throws {
        let text = try await answer("Sales?$apply=" + apply)
        #expect(text.hasPrefix("501") || text.hasPrefix("400"), "\(text)")
        #expect(text.contains("offset") || text.contains("target"), "\(text)")
    }

    @Test func failsWhereASumIsTooLarge() async throws {
        let service = try await service()
        for id in 6...7 {
            _ = await service.send(
                "POST",
                "Sales",
                [:],
                #"{"ID":\#(id),"Units":9223372036854775807}"#
            )
        }
        let response = await service.get("Sales?$apply=aggregate(Units%20with%20sum%20as%20S)")
        #expect(response.status == 400)
    }

    @Test func pagesGroups() async throws {
        let service = try await service()
        var url = "Sales?$apply=groupby((Product),aggregate($count%20as%20N))"
        var products: [String] = []
        for _ in 0..<4 {
            let response = await service.get(url, ["Prefer": "odata.maxpagesize=1"])
            let tree = try #require(JSONTree(response.body))
            products.append(response.text)
            guard let next = tree.string("@odata.nextLink") else { break }
            url = TestService.relative(next)
        }
        #expect(products.count == 3)
        for (text, name) in zip(products, ["Coffee", "Paper", "Sugar"]) {
            #expect(text.contains(name))
        }
    }

    @Test func tellsTypesAndContext() async throws {
        let text = await (try service())
            .get(
                "Sales?$apply=groupby((Customer/Country),aggregate(Amount%20with%20sum%20as%20S))&$top=1&$skip=1"
            )
            .text
        #expect(
            text
                == ##"{"@odata.context":"http://service.test/$metadata#Sales(Customer(Country),S)","value":["##
                + ##"{"@odata.id":null,"Customer":{"Country":"US"},"S@odata.type":"#Decimal","S":15.4}]}"##
        )
    }

    /// OData JSON 4.01 § 4.6.3: no metadata says the type of a computed value, by which rows are grouped neither.
    @Test func statesTheTypesOfComputedKeys() async throws {
        let url = "Parts?$apply=compute(InStock%20add%201%20as%20N)/groupby((N))"
        let text = await (try SampleService.make()).get(url).text
        #expect(text.contains(##""N@odata.type":"#Int64","N":6"##), "\(text)")
        #expect(!text.contains("Name@odata.type"))
    }
}
