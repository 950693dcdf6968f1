@testable import StoreRecords
import ODataSQL
@testable import StoreUpload
import ODataModel
import ODataTables
import Testing

/// Whether two payloads give a column the same value.
@Suite struct ValueComparisonTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <ComplexType Name="Place" OpenType="true"><Property Name="Town" Type="Edm.String"/></ComplexType>
          <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Price" Type="Edm.Decimal" Precision="9" Scale="2"/>
            <Property Name="At" Type="Edm.DateTimeOffset" Precision="9"/>
            <Property Name="Words" Type="Collection(Edm.String)"/>
            <Property Name="Places" Type="Collection(N.Place)"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Items" EntityType="N.Item"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test(
        arguments: [
            (#""Price":12.50"#, #""Price":12.5"#, true),
            (#""Price":12.50"#, #""Price":12.51"#, false),
            (#""Price":null"#, #""Price":0"#, false),
            (#""At":"2024-01-01T10:00:00Z""#, #""At":"2024-01-01T12:00:00+02:00""#, true),
            (#""At":"2024-01-01T10:00:00.10Z""#, #""At":"2024-01-01T10:00:00.1Z""#, true),
            (
                #""At":"2024-01-01T10:00:00.000000001Z""#,
                #""At":"2024-01-01T10:00:00.000000002Z""#, false
            ),
            (#""Words":["a","b"]"#, #""Words":[ "a", "b" ]"#, true),
            (#""Words":["a"]"#, #""Words":["a","b"]"#, false),
            (#""Words":["a","b"]"#, #""Words":["a"]"#, false),
            (#""Words":["a","b"]"#, #""Words":["b","a"]"#, false),
            (#""Words":[]"#, #""Words":null"#, false),
            (
                #""Places":[{"Town":"x","Zip":1}]"#, #""Places":[{"Zip":1,"Town":"x"}]"#, true
            ),
            (#""Places":[{"Town":"x","Zip":1}]"#, #""Places":[{"Town":"x"}]"#, false),
            (#""Places":[{"Town":"x"}]"#, #""Places":[{"Town":"x","Zip":1}]"#, false),
            // Nulls and empty collections may be left out.
            (#""Places":[{"Town":"x"}]"#, #""Places":[{"Town":"x","Zip":null,"L":[]}]"#, true),
            (#""Places":[{"Town":"x","Zip":null}]"#, #""Places":[{"Town":"x","L":[]}]"#, true),
            (#""Places":[{"Town":null,"L":null}]"#, #""Places":[{"L":[]}]"#, true),
            (#""Places":[{"Town":null}]"#, #""Places":[{"Town":"x"}]"#, false),
            (#""Places":[{"L":[]}]"#, #""Places":[{"L":[null]}]"#, false),
            (#""Places":[{}]"#, #""Places":[null]"#, false),
            (#""Places":[{"Zip":1.50}]"#, #""Places":[{"Zip":1.5}]"#, true),
            (#""Places":[{"Zip":1.50}]"#, #""Places":[{"Zip":1.51}]"#, false),
        ]
    )
    func comparesValuesAsWhatTheyAre(_ first: String, _ second: String, _ isSame: Bool) throws {
        let schema = try StoreSchema.make(Array(Self.metadata.utf8))
        let source = try #require(schema.model.navigationSource(named: "Items"))
        let plan = try #require(schema.plans.plan(for: source))
        let table = try #require(schema.layout[source])
        func value(_ member: String) throws -> EntityBody.SlotValue {
            let body = try EntityBodyReader.read(Array("{\(member)}".utf8), plan: plan, in: schema)
            return try #require(body?.values.first)
        }
        let (one, two) = (try value(first), try value(second))
        let comparison = ValueComparison(column: table.columns[one.slot], model: schema.model)
        #expect(comparison.isSame(one, two) == isSame)
    }
}
