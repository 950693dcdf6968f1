import ODataValues
@testable import ODataSQLite
@testable import ODataSQL
import ODataBinding
import ODataModel
import TestSupport
import Testing

@testable import ODataTables
@testable import OfflineProvider
@testable import OfflineValues
@testable import OfflineOData

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Entities whose values are read from a batch of rows, against the JSON of the same answer.
@Suite struct StoredRowTests {
    private static let document = SmallDocument.text(
        """
        <EnumType Name="Kind"><Member Name="Big" Value="1"/><Member Name="Small" Value="2"/></EnumType>
        <ComplexType Name="Place"><Property Name="City" Type="Edm.String"/><Property Name="No" Type="Edm.Int32"/></ComplexType>
        <EntityType Name="Thing" OpenType="true"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
          <Property Name="B" Type="Edm.Boolean"/><Property Name="L" Type="Edm.Int64"/>
          <Property Name="D" Type="Edm.Decimal" Precision="12" Scale="2"/>
          <Property Name="N" Type="Edm.Decimal" Precision="30" Scale="variable"/>
          <Property Name="F" Type="Edm.Double"/><Property Name="S" Type="Edm.String"/>
          <Property Name="G" Type="Edm.Guid"/><Property Name="At" Type="Edm.DateTimeOffset"/>
          <Property Name="Day" Type="Edm.Date"/><Property Name="Y" Type="Edm.Binary"/>
          <Property Name="K" Type="T.Kind"/><Property Name="P" Type="T.Place"/>
          <Property Name="T" Type="Collection(Edm.String)"/>
          <Property Name="UpID" Type="Edm.Int32"/>
          <NavigationProperty Name="Up" Type="T.Thing" Partner="Down">
            <ReferentialConstraint Property="UpID" ReferencedProperty="ID"/></NavigationProperty>
          <NavigationProperty Name="Down" Type="Collection(T.Thing)" Partner="Up"/>
        </EntityType>
        <EntityType Name="Special" BaseType="T.Thing"><Property Name="More" Type="Edm.String"/></EntityType>
        """,
        sets: [
            (
                "Things", "T.Thing",
                #"<NavigationPropertyBinding Path="Up" Target="Things"/><NavigationPropertyBinding Path="Down" Target="Things"/>"#
            )
        ]
    )

    private static let rows = [
        #"{"ID":1}"#,
        #"{"ID":2,"B":true,"L":9223372036854775807,"D":1.5,"N":1234567890123456789012.5,"F":2.25,"S":"é\"\n","UpID":1}"#,
        #"{"ID":3,"D":1.50,"F":1e300,"At":"2020-01-02T03:04:05+02:00","S":"","K":"Small","UpID":1}"#,
        #"{"ID":4,"G":"01234567-89ab-cdef-0123-456789abcdef","At":"2020-01-02T03:04:05.5Z","Day":"2020-02-29","UpID":2}"#,
        #"{"ID":5,"Y":"AQID","F":"INF","K":"Unknown","P":{"City":"Ulm","No":3},"T":["a","b"],"UpID":2}"#,
        #"{"ID":6,"P":{"City":null,"No":null},"T":[],"Dyn":{"a":1},"UpID":3}"#,
        ##"{"@odata.type":"#T.Special","ID":7,"@odata.etag":"W/\"1\"","More":"x","S":"y","UpID":3}"##,
        ##"{"@odata.type":"#T.Special","ID":8,"D":-0.10,"More":null,"UpID":7}"##,
    ]

    private static func query() throws -> EntityReading {
        let connection = try SQLiteConnection(path: ":memory:", mode: .create)
        try TableCatalog.createSystemTables(connection)
        let layout = Layout(try CSDLDocument(reading: document).model)
        let schema = TableSchema(document: document, layout: layout)
        let source = try #require(schema.model.navigationSource(named: "Things"))
        let table = try TableCatalog(connection, layout: layout).ensureTable(source)
        let plan = try #require(schema.plans.plan(for: source))
        let editor = RowEditor(connection, layout: layout)
        for text in rows {
            let body = try #require(
                try EntityBodyReader.read(Array(text.utf8), plan: plan, in: schema)
            )
            try editor.insert(body, as: connection.takeRowID(), into: table, absent: .null)
        }
        return EntityReading(query: try TableQuery(connection, layout: layout), schema: schema)
    }

    private static func json(_ value: ODataValue) -> String {
        var writer = JSONWriter()
        value.write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(arguments: [
        "Things", "Things?$orderby=S desc&$top=5", "Things?$select=S,D", "Things(3)", "Things(99)",
        "Things?$expand=Up", "Things?$expand=Down($orderby=ID desc)",
        "Things?$expand=Up($expand=Down($select=ID)),Down($expand=Up)", "Things/T.Special",
        "Things?$expand=Up($levels=3)", "Things?$filter=Down/any(d:d/ID gt 3)&$expand=Down($top=1)",
    ])
    func hasTheValuesOfTheJSONAnswer(url: String) throws {
        let reading = try Self.query()
        let request = try BoundRequest(parsing: url, in: reading.schema.model)
        guard case .entities(let path) = request.resource else { return }
        let answer = try reading.query.entities(
            path,
            options: request.options,
            format: AnswerFormat()
        )
        let expected = try #require(
            ODataValue(json: Array("[".utf8) + answer.entities + Array("]".utf8))?.items
        )
        let entities = try reading.entities(url)
        #expect(entities.map { Self.json(.object($0.members)) } == expected.map(Self.json))
        for entity in entities {
            for (place, member) in entity.members.enumerated() {
                #expect(Self.json(entity[place]) == Self.json(member.value), "\(member.name)")
                #expect(entity[member.name].map(Self.json) == Self.json(member.value))
                #expect(entity.index(of: member.name) == place)
            }
            #expect(entity["Nope"] == nil && entity.index(of: "Nope") == nil)
        }
    }

    private func entity(_ id: Int) throws -> (EntityValue, (String) throws -> Int) {
        let entity = try #require(try Self.query().entities("Things(\(id))").first)
        return (entity, { try #require(entity.index(of: $0)) })
    }

    @Test func readsValuesInTypesOfSwift() throws {
        let (second, place) = try entity(2)
        #expect(try second.integer(at: place("L")) == .max)
        #expect(try second.double(at: place("D")) == 1.5)
        #expect(try second.double(at: place("N")) == 1_234_567_890_123_456_789_012.5)
        #expect(try second.double(at: place("F")) == 2.25)
        #expect(try second.boolean(at: place("B")) == true)
        #expect(try second.string(at: place("S")) == "é\"\n")
        #expect(try second.withUTF8(at: place("S")) { Array($0) } == Array("é\"\n".utf8))
        #expect(try second.string(at: place("D")) == "1.5")
        #expect(try second.integer(at: place("S")) == nil)
        #expect(try second.date(at: place("At")) == nil)
    }

    @Test func readsDaysInstantsAndGuids() throws {
        let (fourth, place) = try entity(4)
        #expect(
            try fourth.date(at: place("At")) == Date(timeIntervalSince1970: 1_577_934_245.5)
        )
        #expect(try fourth.date(at: place("Day")) == Date(timeIntervalSince1970: 1_582_934_400))
        #expect(
            try fourth.uuid(at: place("G"))
                == UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF")
        )
        #expect(try fourth.string(at: place("G")) == "01234567-89ab-cdef-0123-456789abcdef")
    }

    @Test func readsExactTextsAndNumbersBesideThem() throws {
        let (third, place) = try entity(3)
        #expect(try third.double(at: place("D")) == 1.5)
        #expect(try third.string(at: place("D")) == "1.50")
        #expect(third["D"].map(Self.json) == "1.50")
        #expect(try third.date(at: place("At")) == Date(timeIntervalSince1970: 1_577_927_045))
        #expect(third["At"].map(Self.json) == #""2020-01-02T03:04:05+02:00""#)
        #expect(try entity(5).0["K"].map(Self.json) == #""Unknown""#)
    }

    @Test func readsTheSameOfEntitiesMadeOfMembers() throws {
        let entity = EntityValue(
            entitySet: "Things",
            [
                "ID": 5, "F": 2.5, "S": "x", "At": "1970-01-01T00:00:01Z",
                "G": "01234567-89ab-cdef-0123-456789abcdef", "B": false,
                "Down": .collection([.object([("ID", 6)])]), "Up": nil,
            ]
        )
        #expect(entity.integer(at: 0) == 5 && entity.double(at: 1) == 2.5)
        #expect(entity.string(at: 2) == "x" && entity.withUTF8(at: 2) { $0.count } == 1)
        #expect(entity.date(at: 3) == Date(timeIntervalSince1970: 1))
        #expect(entity.uuid(at: 4) == UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF"))
        #expect(entity.boolean(at: 5) == false)
        #expect(entity.entities("Down")?.first?.integer(at: 0) == 6)
        #expect(entity.entities("Up")?.isEmpty == true && entity.entities("S") == nil)
    }

    @Test func leadsToRelatedEntities() throws {
        let reading = try Self.query()
        let first = try #require(try reading.entities("Things(1)?$expand=Down($expand=Down)").first)
        let down = try #require(first.entities("Down"))
        #expect(down.map { $0["ID"]?.integerValue } == [2, 3])
        #expect(down[0].entities("Down")?.map { $0["ID"]?.integerValue } == [4, 5])
        #expect(first.entities("Up") == nil && down[0].entitySet == "Things")
    }

    @Test func changesOfAMemberLeaveTheOthers() throws {
        var (second, _) = try entity(2)
        let before = second.members.count
        second["S"] = "new"
        #expect(second["S"]?.stringValue == "new" && second["B"]?.booleanValue == true)
        #expect(second.members.count == before)
    }
}
