@testable import ODataSQL
import ODataModel
import TestSupport
import Testing

@testable import ODataTables
@testable import OfflineValues
@testable import OfflineOData

/// Bodies made of values directly, against those that the payload's reader makes of the same values as JSON.
@Suite struct PlainBodyTests {
    private static let document = SmallDocument.text(
        """
        <EnumType Name="Kind"><Member Name="Big" Value="1"/></EnumType>
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Bool" Type="Edm.Boolean"/><Property Name="Tiny" Type="Edm.SByte"/>
          <Property Name="Byte" Type="Edm.Byte"/><Property Name="Short" Type="Edm.Int16"/>
          <Property Name="Long" Type="Edm.Int64"/><Property Name="Single" Type="Edm.Single"/>
          <Property Name="Double" Type="Edm.Double"/>
          <Property Name="Fixed" Type="Edm.Decimal" Precision="12" Scale="2"/>
          <Property Name="Open" Type="Edm.Decimal" Precision="30" Scale="variable"/>
          <Property Name="Text" Type="Edm.String"/><Property Name="Guid" Type="Edm.Guid"/>
          <Property Name="At" Type="Edm.DateTimeOffset"/><Property Name="Day" Type="Edm.Date"/>
          <Property Name="Time" Type="Edm.TimeOfDay"/><Property Name="Span" Type="Edm.Duration"/>
          <Property Name="Bytes" Type="Edm.Binary"/><Property Name="Kind" Type="T.Kind"/>
          <Property Name="List" Type="Collection(Edm.String)"/>
        </EntityType>
        """,
        sets: [("Things", "T.Thing", "")]
    )

    private static func schema() throws -> TableSchema {
        TableSchema(
            document: document,
            layout: Layout(try CSDLDocument(reading: document).model)
        )
    }

    private static let properties = [
        "ID", "Bool", "Tiny", "Byte", "Short", "Long", "Single", "Double", "Fixed", "Open", "Text",
        "Guid", "At", "Day", "Time", "Span", "Bytes", "Kind", "List", "Unknown",
    ]

    private static let values: [ODataValue] = [
        .null, true, false, 0, 1, -1, 127, 128, -129, 255, 256, 32_767, 40_000,
        .integer(.max), .integer(.min), 0.5, .double(-0.0), 1e300, .double(.leastNonzeroMagnitude),
        1e20, 12.25, 12.345,
        .double(.infinity), .double(.nan), .number("12.50"), .number("1e3"), .number("x"), "", "x",
        "é\u{0}\"\\\n\u{2028}", "INF", "NaN", "12.5", "Big", "Other", "AQID",
        "01234567-89ab-cdef-0123-456789abcdef", "01234567-89AB-CDEF-0123-456789ABCDEF",
        "2024-02-29", "2023-02-29", "2024-02-29T12:00:00Z", "2024-02-29T12:00:00.12345678+02:00",
        "13:20:00.5", "25:00:00", "P1DT2H", "-PT0.5S", ["a"],
    ]

    @Test(arguments: properties)
    func saysWhatTheReaderSays(_ property: String) throws {
        let schema = try Self.schema()
        let source = try #require(schema.model.navigationSource(named: "Things"))
        let plan = try #require(schema.plans.plan(for: source))
        var direct = 0
        for value in Self.values {
            var entity = EntityValue(entitySet: "Things", ["@sap.isLocal": true])
            entity[property] = value
            guard let body = entity.plainBody(plan, in: schema.layout) else { continue }
            direct += 1
            let type = try #require(schema.model.entityType(of: source))
            let whole = entity.withDays(of: type, in: schema.model)
            let read = try? EntityBodyReader.readStrictly(whole.body(), plan: plan, in: schema)
            #expect(
                read.flatMap { $0 }.map(Self.text) == Self.text(body),
                "\(property) = \(value)"
            )
        }
        let needsReader = ["Unknown", "List"]
        #expect(needsReader.contains(property) ? direct == 0 : direct > 0)
    }

    @Test func leavesMembersOfOneNameToTheReader() throws {
        let schema = try Self.schema()
        let source = try #require(schema.model.navigationSource(named: "Things"))
        let plan = try #require(schema.plans.plan(for: source))
        let entity = EntityValue(entitySet: "Things", ["ID": 1, "Text": "a", "Text": "b"])
        #expect(entity.plainBody(plan, in: schema.layout) == nil)
    }

    @Test func takesMembersInAnyOrder() throws {
        let schema = try Self.schema()
        let source = try #require(schema.model.navigationSource(named: "Things"))
        let plan = try #require(schema.plans.plan(for: source))
        let entity = EntityValue(entitySet: "Things", ["Text": "a", "ID": 1, "Day": "2024-02-29"])
        let body = try #require(entity.plainBody(plan, in: schema.layout))
        let read = try #require(
            try EntityBodyReader.readStrictly(entity.body(), plan: plan, in: schema)
        )
        #expect(Self.text(body) == Self.text(read))
    }

    private static func text(_ body: EntityBody) -> String {
        body.values.map { "\($0.slot) \($0.value) \($0.exact ?? "-")" }.joined(separator: "; ")
            + "|\(body.undeclared)|\(body.bindings)|\(body.inline)|\(body.control)"
    }
}
