import ODataHTTP
import ODataText
import Testing

/// Aggregates over related entities: each entity counts once (OData Data Aggregation 4.0 § 3.2.1.1).
@Suite struct ReachedAggregateTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Person"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Credit" Type="Edm.Decimal" Precision="10" Scale="2"/>
        <Property Name="Scores" Type="Collection(Edm.Int32)" Nullable="false"/>
        <NavigationProperty Name="Orders" Type="Collection(S.Order)" Partner="Person"/>
        <NavigationProperty Name="Friends" Type="Collection(S.Person)"/></EntityType>
        <EntityType Name="Vip" BaseType="S.Person"><Property Name="Bonus" Type="Edm.Int32"/></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Total" Type="Edm.Int32"/><Property Name="State" Type="Edm.String"/><Property Name="PersonID" Type="Edm.Int32"/>
        <NavigationProperty Name="Person" Type="S.Person" Partner="Orders"><ReferentialConstraint Property="PersonID" ReferencedProperty="ID"/>
        </NavigationProperty></EntityType>
        <EntityContainer Name="C"><EntitySet Name="People" EntityType="S.Person">
        <NavigationPropertyBinding Path="Orders" Target="Orders"/><NavigationPropertyBinding Path="Friends" Target="People"/></EntitySet>
        <EntitySet Name="Orders" EntityType="S.Order"><NavigationPropertyBinding Path="Person" Target="People"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
    private static let people = ##"""
        [{"ID":1,"Credit":10.50,"Scores":[1,2]},{"ID":2,"Credit":4.50,"Scores":[3],"Friends@odata.bind":["People(1)"]},
        {"@odata.type":"#S.Vip","ID":3,"Credit":1,"Bonus":5,"Scores":[],"Friends@odata.bind":["People(1)","People(2)"]}]
        """##
    private static let orders = """
        [{"ID":1,"Total":1,"State":"a","PersonID":1},{"ID":2,"Total":2,"State":"a","PersonID":1},
        {"ID":3,"Total":4,"State":"b","PersonID":1},{"ID":4,"Total":8,"State":"b","PersonID":2},
        {"ID":5,"Total":16,"State":"c","PersonID":null}]
        """

    private func answer(_ url: String) async throws -> String {
        let service = try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("People", Array(Self.people.utf8)), ("Orders", Array(Self.orders.utf8))]
        )
        return await service.valueText(url)
    }

    @Test(arguments: [
        ("Orders?$apply=aggregate(Person/Credit with sum as S)", #"[{"S":15}]"#),
        ("Orders?$apply=aggregate(Person/Credit with average as A)", #"[{"A":7.5}]"#),
        (
            "Orders?$apply=aggregate(Person/Credit with max as M,Person/Credit with sum as S,$count as N)",
            #"[{"M":10.5,"S":15,"N":5}]"#
        ),
        ("Orders?$apply=aggregate(Person/$count as N)", #"[{"N":2}]"#),
        ("Orders?$apply=aggregate(Person/Orders/$count as N)", #"[{"N":4}]"#),
        ("Orders?$apply=aggregate(Person/Orders/Total with sum as S)", #"[{"S":15}]"#),
        ("Orders?$apply=aggregate(Person/Orders/Total with average as A)", #"[{"A":3.75}]"#),
        ("Orders?$apply=aggregate(Person/Orders/Person/Credit with sum as S)", #"[{"S":15}]"#),
        (
            "Orders?$apply=aggregate(Person/Scores with sum as S,Person/Scores/$count as N)",
            #"[{"S":6,"N":3}]"#
        ),
        (
            "People?$apply=aggregate(Friends/Credit with sum as S,Friends/$count as N)",
            #"[{"S":15,"N":2}]"#
        ),
        ("People?$apply=aggregate(Friends/Orders/Total with sum as S)", "400"),
        (
            "Orders?$apply=filter(State eq 'c')/aggregate(Person/Credit with sum as S,Person/$count as N)",
            #"[{"S":null,"N":0}]"#
        ),
        (
            "Orders?$apply=groupby((State),aggregate(Person/Credit with sum as S,Person/$count as N,Total with sum as T))",
            #"[{"State":"a","S":10.5,"N":1,"T":3},{"State":"b","S":15,"N":2,"T":12},{"State":"c","S":null,"N":0,"T":16}]"#
        ),
        (
            "Orders?$apply=filter(Total lt 9)/concat(identity,identity)/aggregate(Person/Credit with sum as S)",
            #"[{"S":15}]"#
        ),
        // Values of rows are values of each of them: there is no path, but an expression.
        ("Orders?$apply=aggregate(Person/Credit mul 1 with sum as S)", #"[{"S":36}]"#),
    ])
    func countsEachEntityOnce(url: String, expected: String) async throws {
        let text = try await answer(url)
        #expect(expected == "400" ? text.hasPrefix("400") : text == expected, "\(text)")
    }

    @Test(arguments: [
        "Orders?$apply=groupby((Person/Credit,State))/aggregate(Person/Credit with sum as S)"
    ])
    func refusesRelatedValuesOfGroupedRows(url: String) async throws {
        let text = try await answer(url)
        #expect(text.hasPrefix("501"), "\(text)")
    }
}
