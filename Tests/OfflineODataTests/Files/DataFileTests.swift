import OfflineOData
import Testing

/// Files of data are all that a store shows, and an import is the reverse of an export.
@Suite struct DataFileTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Place" OpenType="true"><Property Name="City" Type="Edm.String"/></ComplexType>
        <EnumType Name="Kind"><Member Name="A" Value="1"/></EnumType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Next" Type="S.Item"/>
        <NavigationProperty Name="Group" Type="S.Group" Partner="Items"/>
        <NavigationProperty Name="Tags" Type="Collection(S.Group)" Partner="Tagged"/></EntityType>
        <EntityType Name="Rush" BaseType="S.Item"><NavigationProperty Name="Before" Type="S.Item"/></EntityType>
        <EntityType Name="Group"><Key><PropertyRef Name="Name"/></Key>
        <Property Name="Name" Type="Edm.String" Nullable="false"/><Property Name="HeadID" Type="Edm.Int32"/>
        <NavigationProperty Name="Head" Type="S.Item"><ReferentialConstraint Property="HeadID" ReferencedProperty="ID"/>
        </NavigationProperty>
        <NavigationProperty Name="Items" Type="Collection(S.Item)" Partner="Group"/>
        <NavigationProperty Name="Best" Type="S.Item"/>
        <NavigationProperty Name="Tagged" Type="Collection(S.Item)" Partner="Tags"/></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Lines" Type="Collection(S.Line)" ContainsTarget="true"/>
        <NavigationProperty Name="Note" Type="S.Note" ContainsTarget="true"/></EntityType>
        <EntityType Name="Line"><Key><PropertyRef Name="No"/></Key>
        <Property Name="No" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Of" Type="S.Item"/>
        <NavigationProperty Name="Notes" Type="Collection(S.Note)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Note"><Key><PropertyRef Name="No"/></Key>
        <Property Name="No" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
        <NavigationProperty Name="Replies" Type="Collection(S.Note)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Value" OpenType="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Price" Type="Edm.Decimal" Scale="variable"/>
        <Property Name="Ratio" Type="Edm.Double"/><Property Name="At" Type="Edm.DateTimeOffset" Precision="12"/>
        <Property Name="Kind" Type="S.Kind"/><Property Name="Place" Type="S.Place"/>
        <Property Name="Places" Type="Collection(S.Place)"/><Property Name="Words" Type="Collection(Edm.String)"/></EntityType>
        <EntityType Name="Me"><Property Name="Theme" Type="Edm.String"/>
        <NavigationProperty Name="Best" Type="S.Order"/>
        <NavigationProperty Name="Pins" Type="Collection(S.Note)" ContainsTarget="true"/></EntityType>
        <EntityContainer Name="C">
        <EntitySet Name="Items" EntityType="S.Item"><NavigationPropertyBinding Path="Next" Target="Items"/>
        <NavigationPropertyBinding Path="Group" Target="Groups"/><NavigationPropertyBinding Path="Tags" Target="Groups"/>
        <NavigationPropertyBinding Path="S.Rush/Before" Target="Items"/></EntitySet>
        <EntitySet Name="Groups" EntityType="S.Group"><NavigationPropertyBinding Path="Items" Target="Items"/>
        <NavigationPropertyBinding Path="Best" Target="Items"/><NavigationPropertyBinding Path="Head" Target="Items"/>
        <NavigationPropertyBinding Path="Tagged" Target="Items"/></EntitySet>
        <EntitySet Name="Orders" EntityType="S.Order"><NavigationPropertyBinding Path="Lines/Of" Target="Items"/></EntitySet>
        <EntitySet Name="Values" EntityType="S.Value"/>
        <Singleton Name="Me" Type="S.Me"><NavigationPropertyBinding Path="Best" Target="Orders"/></Singleton>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let context = #"{"@odata.context":"$metadata#"#

    /// Imports files and exports them from a copy of a copy.
    private func copied(_ json: [String: String]) async throws -> [String: String] {
        let first = try await DataCopy(Self.metadata, json)
        let second = try await DataCopy(of: first.provider)
        let third = try await DataCopy(of: second.provider)
        let texts = try await DataCopy.text(of: first.provider)
        #expect(try await DataCopy.text(of: third.provider) == texts)
        return texts
    }

    /// Each link stands at one end: at the single one, else at the end that the link table is named after.
    @Test func keepsLinks() async throws {
        let items = ##"""
            [{"ID":1,"Next@odata.bind":"Items(3)","Group@odata.bind":"Groups('a''b')"},
             {"ID":2,"Tags@odata.bind":["Groups('c')","Groups('a''b')"]},
             {"@odata.type":"#S.Rush","ID":3,"Next@odata.bind":"Items(1)","Before@odata.bind":"Items(2)"}]
            """##
        let groups = #"""
            [{"Name":"a'b","HeadID":2,"Best@odata.bind":"Items(1)","Items@odata.bind":["Items(2)"]},{"Name":"c","HeadID":9}]
            """#
        let texts = try await copied(["Items": items, "Groups": groups])
        #expect(
            texts["Items"] == Self.context + #"Items","value":["#
                + #"{"ID":1,"Next@odata.bind":"Items(3)","Group@odata.bind":"Groups('a''b')"},"#
                + #"{"ID":2,"Group@odata.bind":"Groups('a''b')"},"#
                + ##"{"@odata.type":"#S.Rush","ID":3,"Next@odata.bind":"Items(1)","Before@odata.bind":"Items(2)"}]}"##
        )
        #expect(
            texts["Groups"] == Self.context + #"Groups","value":["#
                + #"{"Name":"a'b","HeadID":2,"Best@odata.bind":"Items(1)","Tagged@odata.bind":["Items(2)"]},"#
                + #"{"Name":"c","HeadID":9,"Tagged@odata.bind":["Items(2)"]}]}"#
        )
    }

    @Test func keepsContainedEntitiesWithTheirLinks() async throws {
        let orders = #"""
            [{"ID":1,"Note":{"No":1,"Text":"own"},"Lines":[
              {"No":1,"Of@odata.bind":"Items(7)","Notes":[{"No":5,"Text":"deep"},{"No":4,"Text":null}]},{"No":2}]},
             {"ID":2,"Lines":[{"No":1,"Notes":[{"No":5,"Text":"other"}]}]}]
            """#
        let texts = try await copied(["Orders": orders, "Items": #"[{"ID":7}]"#])
        #expect(
            texts["Orders"] == Self.context + #"Orders","value":["#
                + #"{"ID":1,"Lines":[{"No":1,"Of@odata.bind":"Items(7)","Notes":[{"No":5,"Text":"deep"},{"No":4,"Text":null}]},"#
                + #"{"No":2}],"Note":{"No":1,"Text":"own"}},"#
                + #"{"ID":2,"Lines":[{"No":1,"Notes":[{"No":5,"Text":"other"}]}]}]}"#
        )
    }

    @Test func keepsEntitiesThatContainEachOtherDeeply() async throws {
        let note = (1...100).reversed().reduce("") { inner, number in
            let replies = inner.isEmpty ? "" : #","Replies":[\#(inner)]"#
            return #"{"No":\#(number),"Text":null\#(replies)}"#
        }
        let order = #"{"ID":1,"Note":\#(note)}"#
        let texts = try await copied(["Orders": "[\(order)]"])
        #expect(texts["Orders"] == Self.context + #"Orders","value":[\#(order)]}"#)
    }

    @Test func keepsASingletonWithWhatBelongsToIt() async throws {
        let me = #"{"Theme":"dark","Best@odata.bind":"Orders(1)","Pins":[{"No":1,"Text":"x"}]}"#
        let texts = try await copied(["Me": me, "Orders": #"[{"ID":1}]"#])
        #expect(
            texts["Me"] == Self.context
                + #"Me","Theme":"dark","Best@odata.bind":"Orders(1)","Pins":[{"No":1,"Text":"x"}]}"#
        )
    }

    @Test func keepsTheExactTextsOfValues() async throws {
        let values =
            #"{"@odata.etag":"W/\"1\"","ID":1,"Price":12.500000000000000000000000000000001,"Ratio":"-INF","At":"2024-02-29T12:00:00.123456789012+02:00","#
            + #""Kind":"Later","Place":{"City":"Bern","Odd":{"a":[1.50,null]}},"Places":[{"City":null},{"City":"X","Odd":1.10}],"#
            + #""Words":["","\u0000","\ud83d\ude00"],"Dynamic":{"b":-0.10},"More":"x"}"#
        let file = Self.context + #"Values","value":["# + values + "]}"
        let texts = try await copied(["Values": file])
        let text = try #require(texts["Values"])
        #expect(text.contains("12.500000000000000000000000000000001"))
        #expect(text == file)
    }

    @Test func keepsNullAndNothing() async throws {
        let null =
            #"{"ID":2,"Price":null,"Ratio":null,"At":null,"Kind":null,"Place":null,"Places":[],"Words":[]}"#
        let texts = try await copied(["Values": "[\(null)]"])
        #expect(texts["Values"] == Self.context + #"Values","value":[\#(null)]}"#)
    }
}
